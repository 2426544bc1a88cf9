package regionbucket.adplan;

import java.util.List;
import org.jetbrains.annotations.NotNull;
import regionbucket.RegionBucket;

/**
 * Which providers a consent and a region lead to. An app may replace it by its own. Usable from any thread.
 */
public interface AdPolicy {
  /**
   * In-house content while consent is pending or refused; then the regional provider first where the market
   * is regional, the global one, and in-house content. An unknown region is treated like any other market.
   */
  @NotNull AdPolicy STANDARD = StandardPolicy::providers;

  /**
   * The providers to try, in order. Must be a pure function: it is asked about every region, to find out
   * whether the region makes a difference.
   *
   * @param consent what the person allows
   * @param region what the service said
   * @return the providers, the first one first
   */
  @NotNull
  List<AdProvider> providers(@NotNull ConsentState consent, @NotNull RegionBucket region);

  /**
   * Whether the region makes a difference under this consent. Where it does not, nobody asks for it.
   *
   * @param consent what the person allows
   * @return whether any two regions lead to different providers
   */
  default boolean needsRegion(@NotNull ConsentState consent) {
    List<AdProvider> reference = providers(consent, RegionBucket.UNKNOWN);
    for (RegionBucket region : RegionBucket.values()) {
      if (!providers(consent, region).equals(reference)) {
        return true;
      }
    }
    return false;
  }
}
