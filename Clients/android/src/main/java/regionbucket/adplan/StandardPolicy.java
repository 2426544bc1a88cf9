package regionbucket.adplan;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import regionbucket.RegionBucket;

/** The rule of {@link AdPolicy#STANDARD}. */
final class StandardPolicy {
  private static final List<AdProvider> IN_HOUSE = Collections.singletonList(AdProvider.IN_HOUSE);
  private static final List<AdProvider> GLOBAL =
      Collections.unmodifiableList(Arrays.asList(AdProvider.GLOBAL, AdProvider.IN_HOUSE));
  private static final List<AdProvider> REGIONAL =
      Collections.unmodifiableList(
          Arrays.asList(AdProvider.REGIONAL, AdProvider.GLOBAL, AdProvider.IN_HOUSE));

  private StandardPolicy() {}

  static List<AdProvider> providers(ConsentState consent, RegionBucket region) {
    switch (consent) {
      case PENDING:
      case EXTERNAL_ADS_BLOCKED:
        return IN_HOUSE;
      case ADS_ALLOWED:
        switch (region) {
          case REGIONAL_MARKET:
            return REGIONAL;
          case OTHER_MARKET:
          case UNKNOWN:
            return GLOBAL;
        }
    }
    throw new AssertionError("every case is listed");
  }
}
