package regionbucket.adplan;

import org.jetbrains.annotations.NotNull;
import regionbucket.internal.Timeouts;

/**
 * How an external provider is asked for an ad. Cannot be changed; usable from any thread.
 *
 * @param <Ad> what the app takes for an ad
 */
public final class AdSource<Ad> {
  /**
   * Asks.
   *
   * @param <Ad> what the app takes for an ad
   */
  public interface Loading<Ad> {
    /**
     * Asks for an ad, on the executor. What this throws counts as a failure.
     *
     * @param reply to be told of the outcome
     */
    void load(@NotNull AdReply<Ad> reply);
  }

  private final long timeoutMillis;
  private final Loading<Ad> loading;

  /**
   * A source from its parts.
   *
   * @param timeoutMillis time allowed, from 1 ms to a day; what arrives later is dropped
   * @param loading asks
   * @throws IllegalArgumentException if the time is out of its range
   */
  public AdSource(long timeoutMillis, @NotNull Loading<Ad> loading) {
    this.timeoutMillis = Timeouts.checked(timeoutMillis);
    this.loading = loading;
  }

  long timeoutMillis() {
    return timeoutMillis;
  }

  Loading<Ad> loading() {
    return loading;
  }
}
