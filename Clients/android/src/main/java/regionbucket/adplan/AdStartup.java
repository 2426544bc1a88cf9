package regionbucket.adplan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jetbrains.annotations.NotNull;
import regionbucket.Cancellable;
import regionbucket.RegionBucket;
import regionbucket.internal.Deliveries;

/**
 * The start of ads, which an app enters more than once: one lookup and one plan come of it all the same.
 *
 * <p>Enter after the consent refresh, when the consent form has closed, and whenever consent changes. The
 * newest consent counts for everybody who waits, so enter from one thread, usually the main one. The other
 * methods are usable from any thread. Never blocks; callbacks come on the executor, in order.
 */
public final class AdStartup {
  /** Hears the plan. */
  public interface Callback {
    /**
     * Called once.
     *
     * @param plan the plan; the same object if it is the same plan
     */
    void onPlan(@NotNull ProviderPlan plan);
  }

  private final AdPolicy policy;
  private final RegionLookup lookup;
  private final Deliveries deliveries;

  private final Object lock = new Object();
  private ConsentState consent;
  /** The region, if known. */
  private RegionBucket region;
  /** The lookup in flight. */
  private Lookup flight;
  /** The plan for the consent. */
  private ProviderPlan plan;
  /** In order of entry. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();

  /**
   * A start-up that nobody has entered.
   *
   * @param policy usually {@link AdPolicy#STANDARD}
   * @param lookup asked on the executor, only where the policy needs the region, and then once until
   *     {@link #reset}
   * @param executor where callbacks come; usually the main thread's
   */
  public AdStartup(@NotNull AdPolicy policy, @NotNull RegionLookup lookup, @NotNull Executor executor) {
    this.policy = Objects.requireNonNull(policy);
    this.lookup = Objects.requireNonNull(lookup);
    deliveries = new Deliveries(executor);
  }

  /**
   * Waits for the plan.
   *
   * @param now the consent of now
   * @param callback called once on the executor; never if cancelled before
   * @return cancels the waiting; a lookup in flight and the others who wait go on
   */
  @NotNull
  public Cancellable enter(@NotNull ConsentState now, @NotNull Callback callback) {
    Waiter waiter = new Waiter(callback);
    synchronized (lock) {
      if (now != consent) {
        plan = null;
      }
      consent = Objects.requireNonNull(now);
      waiters.add(waiter);
      proceed();
    }
    deliveries.handOver();
    return waiter;
  }

  /** Asks anew: forgets region and plan. A lookup in flight is dropped, and begun again if anybody waits. */
  public void reset() {
    synchronized (lock) {
      region = null;
      flight = null;
      plan = null;
      if (!waiters.isEmpty()) {
        proceed();
      }
    }
    deliveries.handOver();
  }

  private void lookedUp(Lookup ended, RegionBucket found) {
    synchronized (lock) {
      if (flight != ended) {
        return;
      }
      flight = null;
      region = Objects.requireNonNull(found);
      proceed();
    }
    deliveries.handOver();
  }

  /** Makes the plan if it can be made, or begins to find out; answers those who wait. */
  private void proceed() {
    if (plan == null) {
      if (region != null) {
        plan = new ProviderPlan(policy.providers(consent, region));
      } else if (!policy.needsRegion(consent)) {
        // The region makes no difference then, so any will do.
        plan = new ProviderPlan(policy.providers(consent, RegionBucket.UNKNOWN));
      }
    }
    if (plan != null) {
      for (Waiter waiter : new ArrayList<>(waiters)) {
        deliver(waiter, plan);
      }
      waiters.clear();
    } else if (flight == null) {
      Lookup departing = new Lookup();
      flight = departing;
      deliveries.add(() -> lookup.lookUp(found -> lookedUp(departing, found)));
    }
  }

  private void deliver(Waiter waiter, ProviderPlan made) {
    deliveries.add(
        () -> {
          synchronized (lock) {
            if (waiter.isCancelled) {
              return;
            }
          }
          waiter.callback.onPlan(made);
        });
  }

  /** One lookup, told from others by its identity. */
  private static final class Lookup {}

  /** Guarded by the lock. */
  private final class Waiter implements Cancellable {
    final Callback callback;
    boolean isCancelled;

    Waiter(Callback callback) {
      this.callback = Objects.requireNonNull(callback);
    }

    @Override
    public void cancel() {
      synchronized (lock) {
        isCancelled = true;
        waiters.remove(this);
      }
    }
  }
}
