package regionbucket.adplan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jetbrains.annotations.NotNull;

/**
 * The providers to try, in order.
 *
 * <p>A start-up hands the same plan out as the same object ({@code ==}, in Kotlin {@code ===}), so that a
 * caller who has acted on it need not act on it twice. Cannot be changed; usable from any thread.
 */
public final class ProviderPlan {
  private final List<AdProvider> providers;

  ProviderPlan(List<AdProvider> providers) {
    this.providers = Collections.unmodifiableList(new ArrayList<>(providers));
  }

  /**
   * The providers.
   *
   * @return the first one first
   */
  @NotNull
  public List<AdProvider> getProviders() {
    return providers;
  }
}
