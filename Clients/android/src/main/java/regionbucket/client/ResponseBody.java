package regionbucket.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** The body of a response, whole and within its limit (RFC 9112, sections 6 and 7). */
final class ResponseBody {
  private final WireInput input;
  private final int bytesMax;
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  private ResponseBody(WireInput input, int bytesMax) {
    this.input = input;
    this.bytesMax = bytesMax;
  }

  /** Nothing is read of a response that will not be believed. */
  static byte[] read(WireInput input, ResponseHead head, int bytesMax)
      throws IOException, RegionTransportException {
    ResponseBody reader = new ResponseBody(input, bytesMax);
    if (head.status() == 200) {
      if (head.isChunked()) {
        reader.takeChunks();
      } else if (head.contentLength() != null) {
        reader.take(reader.size(head.contentLength(), 10));
      } else {
        reader.takeAll();
      }
    }
    return reader.body.toByteArray();
  }

  private void takeChunks() throws IOException, RegionTransportException {
    while (true) {
      String line = input.line();
      int semicolon = line.indexOf(';');
      int size = size(semicolon < 0 ? line : line.substring(0, semicolon), 16);
      if (size == 0) {
        break;
      }
      take(size);
      if (input.require() != '\r' || input.require() != '\n') {
        throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
      }
    }
    while (!input.line().isEmpty()) {
      // A trailer says nothing of the body, whatever its name.
    }
  }

  private void takeAll() throws IOException, RegionTransportException {
    for (int value = input.read(); value >= 0; value = input.read()) {
      append(value);
    }
  }

  private void take(int size) throws IOException, RegionTransportException {
    for (int count = 0; count < size; count++) {
      append(input.require());
    }
  }

  private void append(int value) throws RegionTransportException {
    if (body.size() == bytesMax) {
      throw new RegionTransportException(RegionRefusal.TOO_LARGE);
    }
    body.write(value);
  }

  /** A size in digits, refused before a byte is read if it does not fit. */
  private int size(String digits, int radix) throws RegionTransportException {
    if (digits.isEmpty()) {
      throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
    }
    long size = 0;
    boolean isTooLarge = false;
    for (int index = 0; index < digits.length(); index++) {
      char character = digits.charAt(index);
      // Character.digit() takes digits of other scripts too.
      int digit = character < 0x80 ? Character.digit(character, radix) : -1;
      if (digit < 0) {
        throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
      }
      size = size * radix + digit;
      isTooLarge |= size > bytesMax;
      size = isTooLarge ? 0 : size;
    }
    if (isTooLarge) {
      throw new RegionTransportException(RegionRefusal.TOO_LARGE);
    }
    return (int) size;
  }
}
