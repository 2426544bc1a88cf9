package regionbucket;

import org.jetbrains.annotations.NotNull;

/**
 * What the service says of a request, and all that it ever says. Usable from any thread.
 */
public enum RegionBucket {
  /** A candidate for the regional provider first. */
  REGIONAL_MARKET("regionalMarket"),
  /** Classified, and not regional. */
  OTHER_MARKET("otherMarket"),
  /** Could not be classified. An ordinary answer, never an error. */
  UNKNOWN("unknown");

  private final String wireName;

  RegionBucket(String wireName) {
    this.wireName = wireName;
  }

  /**
   * The name on the wire, letter for letter: no other spelling is a bucket.
   *
   * @return the name
   */
  @NotNull
  public String getWireName() {
    return wireName;
  }
}
