package regionbucket.adplan;

import org.jetbrains.annotations.NotNull;
import regionbucket.RegionCallback;

/** Where a start-up gets the region from; usually {@code resolver::resolve}. */
public interface RegionLookup {
  /**
   * Looks the region up.
   *
   * @param callback to be called once, on any thread; what comes a second time is ignored
   */
  void lookUp(@NotNull RegionCallback callback);
}
