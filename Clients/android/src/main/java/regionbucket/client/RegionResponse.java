package regionbucket.client;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/** A whole response, not yet believed. Has no textual description. */
public final class RegionResponse {
  private final int status;
  private final String contentType;
  private final byte[] body;

  /**
   * A response from its parts.
   *
   * @param status the status code of the final response; a redirect is not followed but reported
   * @param contentType the value of {@code Content-Type}, several lines joined by {@code ", "}; null if there
   *     is none
   * @param body the body; may be left out (empty) if the status is not 200. Not copied, so not to be changed.
   */
  public RegionResponse(int status, @Nullable String contentType, @NotNull byte[] body) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  int status() {
    return status;
  }

  @Nullable
  String contentType() {
    return contentType;
  }

  byte[] body() {
    return body;
  }
}
