package regionbucket.client;

import org.jetbrains.annotations.NotNull;

/** There is no whole response. Holds nothing of what was received: no message, no cause, no addresses. */
public final class RegionTransportException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RegionRefusal refusal;

  /**
   * Names why.
   *
   * @param refusal why
   */
  public RegionTransportException(@NotNull RegionRefusal refusal) {
    super(refusal.name(), null, false, false);
    this.refusal = refusal;
  }

  /**
   * Why.
   *
   * @return the reason
   */
  @NotNull
  public RegionRefusal getRefusal() {
    return refusal;
  }
}
