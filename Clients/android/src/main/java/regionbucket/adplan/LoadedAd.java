package regionbucket.adplan;

import org.jetbrains.annotations.NotNull;

/**
 * An ad and where it came from.
 *
 * @param <Ad> what the app takes for an ad
 */
public final class LoadedAd<Ad> {
  private final AdProvider provider;
  private final Ad ad;

  LoadedAd(AdProvider provider, Ad ad) {
    this.provider = provider;
    this.ad = ad;
  }

  /**
   * The provider that delivered it.
   *
   * @return the provider
   */
  @NotNull
  public AdProvider getProvider() {
    return provider;
  }

  /**
   * What it delivered.
   *
   * @return the ad
   */
  @NotNull
  public Ad getAd() {
    return ad;
  }
}
