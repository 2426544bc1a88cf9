package regionbucket.adplan;

/** Where an ad can come from. Usable from any thread. */
public enum AdProvider {
  /** The provider for the regional market. */
  REGIONAL,
  /** The provider for everywhere. */
  GLOBAL,
  /** The app's own content. Asks nobody and cannot fail. */
  IN_HOUSE
}
