package regionbucket.client;

import java.nio.charset.StandardCharsets;
import org.jetbrains.annotations.Nullable;
import regionbucket.RegionBucket;

/** What a response says: the only reading that gives a bucket. */
final class RegionAnswer {
  private static final String JSON = "application/json";

  final RegionBucket bucket;
  /** Null if the service itself named the bucket. */
  @Nullable final RegionRefusal refusal;

  private RegionAnswer(RegionBucket bucket, @Nullable RegionRefusal refusal) {
    this.bucket = bucket;
    this.refusal = refusal;
  }

  static RegionAnswer refused(RegionRefusal refusal) {
    return new RegionAnswer(RegionBucket.UNKNOWN, refusal);
  }

  /**
   * Reads a response.
   *
   * <p>The body must be, byte for byte, {@code {"bucket":"…"}} with one of the three names and white space
   * (RFC 8259, section 2) between tokens. No escapes, no byte order mark, no other member: what every JSON
   * parser reads alike.
   */
  static RegionAnswer of(RegionResponse response, int bodyBytesMax) {
    if (response.status() != 200) {
      return refused(RegionRefusal.STATUS);
    }
    if (response.contentType() == null || !isJson(response.contentType())) {
      return refused(RegionRefusal.CONTENT_TYPE);
    }
    // A transport of the app's own may have read on.
    if (response.body().length > bodyBytesMax) {
      return refused(RegionRefusal.TOO_LARGE);
    }
    RegionBucket named = new Sentence(response.body()).bucket();
    return named == null ? refused(RegionRefusal.BODY) : new RegionAnswer(named, null);
  }

  /** Compares up to the parameters, without regard to ASCII case (RFC 9110, section 8.3.1). */
  private static boolean isJson(String contentType) {
    int semicolon = contentType.indexOf(';');
    int end = semicolon < 0 ? contentType.length() : semicolon;
    int start = 0;
    while (start < end && isBlank(contentType.charAt(start))) {
      start++;
    }
    while (start < end && isBlank(contentType.charAt(end - 1))) {
      end--;
    }
    if (end - start != JSON.length()) {
      return false;
    }
    for (int index = 0; index < JSON.length(); index++) {
      if (asciiLower(contentType.charAt(start + index)) != JSON.charAt(index)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(char character) {
    return character == ' ' || character == '\t';
  }

  /** Not the platform's: that one folds letters that are not ASCII too. */
  private static char asciiLower(char character) {
    return character >= 'A' && character <= 'Z' ? (char) (character + ('a' - 'A')) : character;
  }

  /** Takes one token after the other from the body. */
  private static final class Sentence {
    private final byte[] body;
    private int place;

    Sentence(byte[] body) {
      this.body = body;
    }

    @Nullable
    RegionBucket bucket() {
      if (!take("{") || !take("\"bucket\"") || !take(":")) {
        return null;
      }
      for (RegionBucket bucket : RegionBucket.values()) {
        if (take('"' + bucket.getWireName() + '"')) {
          return take("}") && take("") && place == body.length ? bucket : null;
        }
      }
      return null;
    }

    /** Takes white space and a token; nothing but the white space if the token is not there. */
    private boolean take(String token) {
      while (place < body.length && isWhiteSpace(body[place])) {
        place++;
      }
      byte[] expected = token.getBytes(StandardCharsets.US_ASCII);
      if (expected.length > body.length - place) {
        return false;
      }
      for (int index = 0; index < expected.length; index++) {
        if (body[place + index] != expected[index]) {
          return false;
        }
      }
      place += expected.length;
      return true;
    }

    private static boolean isWhiteSpace(byte value) {
      return value == ' ' || value == '\t' || value == '\n' || value == '\r';
    }
  }
}
