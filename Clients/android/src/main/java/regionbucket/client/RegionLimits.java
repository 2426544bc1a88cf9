package regionbucket.client;

import org.jetbrains.annotations.NotNull;
import regionbucket.internal.Timeouts;

/** How much a resolver lets a service take of an app. Usable from any thread. */
public final class RegionLimits {
  /** Two seconds for the whole exchange, 1 KiB of body. */
  @NotNull public static final RegionLimits DEFAULT = new RegionLimits(2000, 1024);

  private final long timeoutMillis;
  private final int bodyBytesMax;

  /**
   * Limits of the app's own.
   *
   * @param timeoutMillis time for the whole exchange, from the look-up of the name to the last byte; from 1
   *     ms to a day
   * @param bodyBytesMax the longest body, in bytes; at least 1
   * @throws IllegalArgumentException if a limit is out of its range
   */
  public RegionLimits(long timeoutMillis, int bodyBytesMax) {
    if (bodyBytesMax < 1) {
      throw new IllegalArgumentException("a body has at least one byte");
    }
    this.timeoutMillis = Timeouts.checked(timeoutMillis);
    this.bodyBytesMax = bodyBytesMax;
  }

  /**
   * Time for the whole exchange.
   *
   * @return milliseconds
   */
  public long getTimeoutMillis() {
    return timeoutMillis;
  }

  /**
   * The longest body.
   *
   * @return bytes
   */
  public int getBodyBytesMax() {
    return bodyBytesMax;
  }
}
