package regionbucket;

import org.jetbrains.annotations.NotNull;

/** Hears the bucket. */
public interface RegionCallback {
  /**
   * Called once.
   *
   * @param bucket what the service said; {@link RegionBucket#UNKNOWN} whenever it said nothing to be believed
   */
  void onRegion(@NotNull RegionBucket bucket);
}
