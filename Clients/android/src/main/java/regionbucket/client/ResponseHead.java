package regionbucket.client;

import java.io.IOException;
import org.jetbrains.annotations.Nullable;

/**
 * What the head of the final response says of it (RFC 9112, sections 4 and 5). Strict: in doubt, no response.
 */
final class ResponseHead {
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  private final int status;
  private String contentType;
  private String contentLength;
  private String transferEncoding;

  private ResponseHead(int status) {
    this.status = status;
  }

  /** Reads heads until one is final; interim ones (1xx) count against the same limit. */
  static ResponseHead read(WireInput input) throws IOException, RegionTransportException {
    while (true) {
      ResponseHead head = new ResponseHead(status(input.line()));
      for (String line = input.line(); !line.isEmpty(); line = input.line()) {
        head.addField(line);
      }
      if (head.status >= 200) {
        return head;
      }
      // Switching protocols ends HTTP, and nobody asked for it.
      require(head.status != 101);
    }
  }

  int status() {
    return status;
  }

  /** Several lines joined. */
  @Nullable
  String contentType() {
    return contentType;
  }

  boolean isChunked() {
    return transferEncoding != null;
  }

  /** In bytes; null if the end of the connection is the end of the body. */
  @Nullable
  String contentLength() {
    return contentLength;
  }

  private static int status(String line) throws RegionTransportException {
    require(line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "));
    require(line.length() >= 12 && (line.length() == 12 || line.charAt(12) == ' '));
    int status = 0;
    for (int index = 9; index < 12; index++) {
      char character = line.charAt(index);
      require(character >= '0' && character <= '9');
      status = status * 10 + (character - '0');
    }
    require(status >= 100);
    return status;
  }

  private void addField(String line) throws RegionTransportException {
    int colon = line.indexOf(':');
    require(colon > 0);
    for (int index = 0; index < colon; index++) {
      require(isTokenCharacter(line.charAt(index)));
    }
    int start = colon + 1;
    int end = line.length();
    while (start < end && isBlank(line.charAt(start))) {
      start++;
    }
    while (start < end && isBlank(line.charAt(end - 1))) {
      end--;
    }
    for (int index = start; index < end; index++) {
      char character = line.charAt(index);
      require(character == '\t' || character >= ' ' && character != 0x7F);
    }
    keep(line.substring(0, colon), line.substring(start, end));
  }

  private void keep(String name, String value) throws RegionTransportException {
    if (name.equalsIgnoreCase("Content-Type")) {
      contentType = contentType == null ? value : contentType + ", " + value;
    } else if (name.equalsIgnoreCase("Content-Length")) {
      // Two of them, or one beside an encoding, are how responses are smuggled (RFC 9112, section 6.3).
      require(contentLength == null && transferEncoding == null);
      require(isNumber(value));
      contentLength = value;
    } else if (name.equalsIgnoreCase("Transfer-Encoding")) {
      require(contentLength == null && transferEncoding == null);
      require(value.equalsIgnoreCase("chunked"));
      transferEncoding = value;
    }
  }

  private static boolean isNumber(String value) {
    for (int index = 0; index < value.length(); index++) {
      if (value.charAt(index) < '0' || value.charAt(index) > '9') {
        return false;
      }
    }
    return !value.isEmpty();
  }

  private static boolean isTokenCharacter(char character) {
    return character >= 'a' && character <= 'z'
        || character >= 'A' && character <= 'Z'
        || character >= '0' && character <= '9'
        || TOKEN_MARKS.indexOf(character) >= 0;
  }

  private static boolean isBlank(char character) {
    return character == ' ' || character == '\t';
  }

  private static void require(boolean isRight) throws RegionTransportException {
    if (!isRight) {
      throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
    }
  }
}
