package regionbucket.client;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jetbrains.annotations.NotNull;
import regionbucket.client.RegionEndpointException.Reason;

/**
 * The one address that a resolver may ask. A value of this type has been checked; there is no other way to
 * ask.
 *
 * <p>Usable from any thread.
 */
public final class RegionEndpoint {
  /** The longest address. */
  public static final int URL_CHARACTERS_MAX = 2048;

  private static final String SECURE = "https://";
  private static final String PLAIN = "http://";
  private static final List<String> LOOPBACK_HOSTS = Arrays.asList("127.0.0.1", "[::1]", "localhost");

  private final String url;
  private final boolean isPlain;
  private final String authority;
  private final String host;
  private final int port;
  private final String path;

  /**
   * Checks an address: {@code https://host[:port]/path}, nothing else.
   *
   * <p>Host in lower case and listed; no user, query or fragment; the path of letters, digits and
   * {@code -._~/}. There is no URL parser behind this, so none can be fooled.
   *
   * @param url where the service answers, such as {@code https://region.example.com/v1/region}
   * @param allowedHosts the hosts that may be asked, each as it stands in the address, without a port
   * @throws RegionEndpointException if the address is none to ask; says what is wrong
   */
  public RegionEndpoint(@NotNull String url, @NotNull Collection<String> allowedHosts) {
    this(url, allowedHosts, false);
  }

  private RegionEndpoint(String url, Collection<String> allowedHosts, boolean allowsPlainLoopback) {
    if (url.length() > URL_CHARACTERS_MAX) {
      throw new RegionEndpointException(Reason.TOO_LONG);
    }
    this.url = url;
    isPlain = url.startsWith(PLAIN);
    int start = (isPlain ? PLAIN : SECURE).length();
    int slash = url.indexOf('/', start);
    require(isPlain || url.startsWith(SECURE));
    require(slash > start);
    authority = url.substring(start, slash);
    int hostEnd = hostEnd(authority);
    host = authority.substring(0, hostEnd);
    port = port(authority.substring(hostEnd), isPlain ? 80 : 443);
    path = url.substring(slash);
    require(consistsOf(path, "-._~/", true, 'z'));
    if (!isListed(host, allowedHosts)) {
      throw new RegionEndpointException(Reason.HOST_NOT_ALLOWED);
    }
    if (isPlain && !(allowsPlainLoopback && LOOPBACK_HOSTS.contains(host))) {
      throw new RegionEndpointException(Reason.NOT_SECURE);
    }
  }

  /**
   * For tests: lets {@code http://} pass too, to {@code 127.0.0.1}, {@code [::1]} and {@code localhost}, if
   * listed.
   *
   * @param url where the service answers
   * @param allowedHosts the hosts that may be asked
   * @return the checked address
   * @throws RegionEndpointException if the address is none to ask; says what is wrong
   */
  @NotNull
  public static RegionEndpoint allowingPlainLoopback(
      @NotNull String url, @NotNull Collection<String> allowedHosts) {
    return new RegionEndpoint(url, allowedHosts, true);
  }

  /**
   * The address as it was given.
   *
   * @return the address
   */
  @NotNull
  public String getUrl() {
    return url;
  }

  boolean isPlain() {
    return isPlain;
  }

  /** What {@code Host} says: with the port, if the address has one. */
  String authority() {
    return authority;
  }

  /** The host for a socket: an IPv6 address without its brackets. */
  String connectHost() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    return port;
  }

  String path() {
    return path;
  }

  /** Not the collection's own search, which may compare otherwise. */
  private static boolean isListed(String host, Collection<String> allowedHosts) {
    for (String allowed : allowedHosts) {
      if (host.equals(allowed)) {
        return true;
      }
    }
    return false;
  }

  private static int hostEnd(String authority) {
    if (authority.startsWith("[")) {
      int bracket = authority.indexOf(']');
      require(bracket > 1 && consistsOf(authority.substring(1, bracket), ":", false, 'f'));
      return bracket + 1;
    }
    int colon = authority.indexOf(':');
    int end = colon < 0 ? authority.length() : colon;
    require(end > 0 && consistsOf(authority.substring(0, end), ".-", false, 'z'));
    return end;
  }

  private static int port(String text, int otherwise) {
    if (text.isEmpty()) {
      return otherwise;
    }
    require(text.length() >= 2 && text.length() <= 6 && text.charAt(0) == ':' && text.charAt(1) != '0');
    int port = 0;
    for (int index = 1; index < text.length(); index++) {
      char character = text.charAt(index);
      require(character >= '0' && character <= '9');
      port = port * 10 + (character - '0');
    }
    require(port <= 65535);
    return port;
  }

  /** Digits, lower-case letters up to the last one given, upper-case ones if allowed, and the marks. */
  private static boolean consistsOf(String text, String marks, boolean allowsUpperCase, char lastLetter) {
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      boolean isAllowed =
          character >= '0' && character <= '9'
              || character >= 'a' && character <= lastLetter
              || allowsUpperCase && character >= 'A' && character <= 'Z'
              || marks.indexOf(character) >= 0;
      if (!isAllowed) {
        return false;
      }
    }
    return true;
  }

  private static void require(boolean isRight) {
    if (!isRight) {
      throw new RegionEndpointException(Reason.MALFORMED);
    }
  }
}
