package regionbucket.adplan;

import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

/**
 * What a provider says when it was asked for an ad. The first outcome counts; usable from any thread.
 *
 * @param <Ad> what the app takes for an ad
 */
public interface AdReply<Ad> {
  /**
   * There is an ad.
   *
   * @param ad the ad
   */
  void deliver(@NotNull Ad ad);

  /**
   * There is none.
   *
   * @param reason handed to the observer as it is
   */
  void fail(@Nullable Object reason);

  /**
   * Says how to stop asking, for when the provider's time is over or nobody wants an ad any more.
   *
   * @param stop run on the executor, once at most; soon if it has come to that already
   */
  void whenUnwanted(@NotNull Runnable stop);
}
