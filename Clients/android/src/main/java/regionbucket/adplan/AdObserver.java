package regionbucket.adplan;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * Hears what became of each attempt, in order, on the executor; for an app's own records.
 *
 * @param <Ad> what the app takes for an ad
 */
public interface AdObserver<Ad> {
  /**
   * A provider was asked.
   *
   * @param provider which
   */
  default void onAsked(@NotNull AdProvider provider) {}

  /**
   * A provider delivered in time, which ends the chain.
   *
   * @param provider which
   */
  default void onLoaded(@NotNull AdProvider provider) {}

  /**
   * A provider said no.
   *
   * @param provider which
   * @param reason what it gave as its reason, or threw
   */
  default void onFailed(@NotNull AdProvider provider, @Nullable Object reason) {}

  /**
   * A provider said nothing in time. It was not even asked if the executor was busy for all of that time.
   *
   * @param provider which
   */
  default void onTimedOut(@NotNull AdProvider provider) {}

  /**
   * A provider delivered or failed when it no longer counted.
   *
   * @param provider which
   * @param ad the ad that nobody will show, to be disposed of if it needs that; null for a failure
   */
  default void onDropped(@NotNull AdProvider provider, @Nullable Ad ad) {}
}
