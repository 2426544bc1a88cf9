package regionbucket.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** The bytes of a response, until the request's time is over. */
final class WireInput {
  /** Heads, chunk sizes and trailers together; the bodies' limit is another. */
  static final int LINE_BYTES_MAX = 16384;

  private static final int BUFFER_BYTES = 1024;

  private final Socket socket;
  private final InputStream stream;
  private final RegionRequest request;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int place;
  private int end;
  private int lineBytesLeft = LINE_BYTES_MAX;

  WireInput(Socket socket, RegionRequest request) throws IOException {
    this.socket = socket;
    this.stream = socket.getInputStream();
    this.request = request;
  }

  /** A time-out of sockets, for which 0 is none. */
  static int timeoutMillis(long remainingMillis) {
    return (int) Math.max(1, Math.min(remainingMillis, Integer.MAX_VALUE));
  }

  /** The next byte, or -1 at the end. */
  int read() throws IOException, RegionTransportException {
    if (place == end) {
      fill();
    }
    return end == 0 ? -1 : buffer[place++] & 0xFF;
  }

  /** The next byte, which must be there. */
  int require() throws IOException, RegionTransportException {
    int value = read();
    if (value < 0) {
      throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
    }
    return value;
  }

  /** The next line, without the CRLF at its end; nothing else ends a line. Each byte is one character. */
  String line() throws IOException, RegionTransportException {
    StringBuilder line = new StringBuilder();
    while (lineBytesLeft > 0) {
      lineBytesLeft--;
      int value = require();
      if (value == '\n') {
        int last = line.length() - 1;
        if (last < 0 || line.charAt(last) != '\r') {
          throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
        }
        return line.substring(0, last);
      }
      line.append((char) value);
    }
    throw new RegionTransportException(RegionRefusal.TOO_LARGE);
  }

  private void fill() throws IOException, RegionTransportException {
    long remainingMillis = request.getRemainingMillis();
    if (remainingMillis == 0) {
      throw new RegionTransportException(RegionRefusal.TIMED_OUT);
    }
    socket.setSoTimeout(timeoutMillis(remainingMillis));
    place = 0;
    end = Math.max(0, stream.read(buffer));
    // An exchange that is stopped has its socket shut, which reads like the server's own end of the answer.
    if (end == 0 && request.getRemainingMillis() == 0) {
      throw new RegionTransportException(RegionRefusal.TIMED_OUT);
    }
  }
}
