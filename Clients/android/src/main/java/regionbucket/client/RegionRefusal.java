package regionbucket.client;

/**
 * Why a request was answered by {@link regionbucket.RegionBucket#UNKNOWN} though the service did not say so.
 * Holds nothing of what was received.
 */
public enum RegionRefusal {
  /** The status is not 200. */
  STATUS,
  /** {@code Content-Type} is not {@code application/json}. */
  CONTENT_TYPE,
  /** The body is not one of the three answers. */
  BODY,
  /** The time was over. */
  TIMED_OUT,
  /** Head or body went over its limit. */
  TOO_LARGE,
  /** No TLS handshake, or a certificate that is not to be trusted. */
  SECURE_CONNECTION_FAILED,
  /** Not connected, broken off, or not HTTP. Also when the app lacks {@code android.permission.INTERNET}. */
  CONNECTION_FAILED
}
