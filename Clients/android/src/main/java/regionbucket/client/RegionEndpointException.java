package regionbucket.client;

import org.jetbrains.annotations.NotNull;

/** An address is none to ask. Thrown where a client is made, never at a request. */
public final class RegionEndpointException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Reason {
    /** Not {@code https://host[:port]/path} in the allowed characters. */
    MALFORMED,
    /** Over {@link RegionEndpoint#URL_CHARACTERS_MAX} characters. */
    TOO_LONG,
    /** The host is not in the list. */
    HOST_NOT_ALLOWED,
    /** Plain HTTP, and not to an allowed loopback. */
    NOT_SECURE
  }

  private final Reason reason;

  RegionEndpointException(Reason reason) {
    super(reason.name());
    this.reason = reason;
  }

  /**
   * What is wrong.
   *
   * @return the reason
   */
  @NotNull
  public Reason getReason() {
    return reason;
  }
}
