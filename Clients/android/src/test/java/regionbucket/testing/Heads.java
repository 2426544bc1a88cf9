package regionbucket.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Heads of requests, for servers of the tests. */
final class Heads {
  private Heads() {}

  /** Up to the empty line, which is part of it; fails if the client hangs up before. */
  static String read(InputStream stream) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    String text = "";
    while (!text.endsWith("\r\n\r\n")) {
      int value = stream.read();
      if (value < 0) {
        throw new SocketException("no whole head");
      }
      head.write(value);
      text = new String(head.toByteArray(), StandardCharsets.ISO_8859_1);
    }
    return text;
  }
}
