package regionbucket.adplan;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;
import regionbucket.Cancellable;
import regionbucket.internal.Clock;
import regionbucket.internal.Deliveries;
import regionbucket.internal.SystemClock;

/**
 * Tries the providers of a plan in order, once, and stops at the first success.
 *
 * <p>Knows nothing of regions and consent. One loader is one chain: {@link #load} a second time joins the
 * first. Never blocks; usable from any thread. Sources, in-house content, observer and callbacks are called
 * on the executor.
 *
 * @param <Ad> what the app takes for an ad
 */
public final class AdLoader<Ad> {
  /**
   * Makes the in-house ad. Cannot fail and has no time limit.
   *
   * @param <Ad> what the app takes for an ad
   */
  public interface InHouse<Ad> {
    /**
     * Makes it.
     *
     * @return the ad
     */
    @NotNull
    Ad make();
  }

  /**
   * Hears how the chain ended.
   *
   * @param <Ad> what the app takes for an ad
   */
  public interface Callback<Ad> {
    /**
     * Called once.
     *
     * @param loaded the ad; null if no provider delivered and the plan has no in-house content, or if the
     *     chain was cancelled
     */
    void onEnd(@Nullable LoadedAd<Ad> loaded);
  }

  private final Map<AdProvider, AdSource<Ad>> sources = new EnumMap<>(AdProvider.class);
  private final InHouse<Ad> inHouse;
  private final AdObserver<Ad> observer;
  private final Clock clock;
  private final Deliveries deliveries;

  private final Object lock = new Object();
  private final LoaderState state;
  private final List<Reply> replies = new ArrayList<>();
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private Cancellable alarm;
  private boolean hasEnded;
  private LoadedAd<Ad> ending;

  /**
   * A loader that nobody observes.
   *
   * @param providers the plan's, in order
   * @param sources for each external provider; one of the plan without a source is skipped
   * @param inHouse makes the in-house ad
   * @param executor where everything is called; usually the main thread's
   */
  public AdLoader(
      @NotNull List<AdProvider> providers, @NotNull Map<AdProvider, AdSource<Ad>> sources,
      @NotNull InHouse<Ad> inHouse, @NotNull Executor executor) {
    this(providers, sources, inHouse, executor, new AdObserver<Ad>() {});
  }

  /**
   * A loader that has asked nobody yet.
   *
   * @param providers the plan's, in order
   * @param sources for each external provider; one of the plan without a source is skipped
   * @param inHouse makes the in-house ad
   * @param executor where everything is called; usually the main thread's
   * @param observer hears what became of each attempt
   */
  public AdLoader(
      @NotNull List<AdProvider> providers, @NotNull Map<AdProvider, AdSource<Ad>> sources,
      @NotNull InHouse<Ad> inHouse, @NotNull Executor executor, @NotNull AdObserver<Ad> observer) {
    this(providers, sources, inHouse, executor, observer, SystemClock.SHARED);
  }

  AdLoader(
      List<AdProvider> providers, Map<AdProvider, AdSource<Ad>> sources, InHouse<Ad> inHouse,
      Executor executor, AdObserver<Ad> observer, Clock clock) {
    this.sources.putAll(sources);
    this.inHouse = Objects.requireNonNull(inHouse);
    this.observer = observer;
    this.clock = clock;
    deliveries = new Deliveries(executor);
    Map<AdProvider, Long> timeoutsMillis = new EnumMap<>(AdProvider.class);
    for (Map.Entry<AdProvider, AdSource<Ad>> source : sources.entrySet()) {
      timeoutsMillis.put(source.getKey(), source.getValue().timeoutMillis());
    }
    state = new LoaderState(providers, timeoutsMillis);
  }

  /**
   * Calls back with the first ad that a provider of the plan delivers.
   *
   * @param callback called once on the executor; never if cancelled before
   * @return cancels the waiting, and the chain with the last one who waits
   */
  @NotNull
  public Cancellable load(@NotNull Callback<Ad> callback) {
    Waiter waiter = new Waiter(callback);
    synchronized (lock) {
      if (hasEnded) {
        deliver(waiter);
      } else {
        waiters.add(waiter);
        handle(LoaderState.Event.START, null, null);
      }
    }
    deliveries.handOver();
    return waiter;
  }

  /**
   * Stops the chain for good, unless it has ended: asks nobody any more, and everybody who waits gets null.
   */
  public void cancel() {
    synchronized (lock) {
      cancelChain();
    }
    deliveries.handOver();
  }

  private void cancelChain() {
    if (!hasEnded) {
      handle(LoaderState.Event.CANCEL, null, null);
      end(null);
    }
  }

  private void handle(LoaderState.Event event, @Nullable AdProvider provider, @Nullable Ad delivered) {
    perform(state.handle(event, provider, clock.nowMillis()), delivered);
  }

  private void perform(List<LoaderState.Action> actions, @Nullable Ad delivered) {
    for (LoaderState.Action action : actions) {
      AdProvider provider = action.provider;
      switch (action.kind) {
        case ASK:
          ask(provider);
          break;
        case EXPIRE:
          deliveries.add(() -> observer.onTimedOut(provider));
          for (Reply reply : replies) {
            reply.becomeUnwanted();
          }
          break;
        case DROP:
          deliveries.add(() -> observer.onDropped(provider, delivered));
          break;
        case FINISH:
          finish(provider, delivered);
          break;
      }
    }
  }

  private void finish(@Nullable AdProvider provider, @Nullable Ad delivered) {
    if (provider == null) {
      end(null);
    } else if (provider == AdProvider.IN_HOUSE) {
      deliveries.add(this::makeInHouse);
    } else {
      deliveries.add(() -> observer.onLoaded(provider));
      end(new LoadedAd<>(provider, delivered));
    }
  }

  private void makeInHouse() {
    synchronized (lock) {
      if (hasEnded) {
        return;
      }
    }
    Ad ad = inHouse.make();
    synchronized (lock) {
      // Cancelled while the content was being made.
      if (hasEnded) {
        return;
      }
      deliveries.add(() -> observer.onLoaded(AdProvider.IN_HOUSE));
      end(new LoadedAd<>(AdProvider.IN_HOUSE, ad));
    }
    deliveries.handOver();
  }

  private void end(@Nullable LoadedAd<Ad> with) {
    hasEnded = true;
    ending = with;
    cancelAlarm();
    for (Reply reply : replies) {
      reply.becomeUnwanted();
    }
    for (Waiter waiter : new ArrayList<>(waiters)) {
      deliver(waiter);
    }
    waiters.clear();
  }

  private void cancelAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }

  private void ask(AdProvider provider) {
    AdSource<Ad> source = sources.get(provider);
    Reply reply = new Reply(provider);
    replies.add(reply);
    deliveries.add(() -> ask(source, reply));
    cancelAlarm();
    alarm = clock.schedule(source.timeoutMillis(), this::timeIsOver);
  }

  private void ask(AdSource<Ad> source, Reply reply) {
    synchronized (lock) {
      if (reply.isUnwanted) {
        return;
      }
    }
    observer.onAsked(reply.provider);
    try {
      source.loading().load(reply);
    } catch (RuntimeException thrown) {
      reply.fail(thrown);
    }
  }

  private void timeIsOver() {
    synchronized (lock) {
      handle(LoaderState.Event.WAIT, null, null);
    }
    deliveries.handOver();
  }

  private void deliver(Waiter waiter) {
    deliveries.add(
        () -> {
          LoadedAd<Ad> loaded;
          synchronized (lock) {
            if (waiter.isCancelled) {
              return;
            }
            loaded = ending;
          }
          waiter.callback.onEnd(loaded);
        });
  }

  /** Guarded by the lock. */
  private final class Reply implements AdReply<Ad> {
    final AdProvider provider;
    private final List<Runnable> stops = new ArrayList<>();
    private boolean hasReplied;
    private boolean isUnwanted;

    Reply(AdProvider provider) {
      this.provider = provider;
    }

    @Override
    public void deliver(@NotNull Ad ad) {
      synchronized (lock) {
        hasReplied = true;
        handle(LoaderState.Event.SUCCESS, provider, Objects.requireNonNull(ad));
      }
      deliveries.handOver();
    }

    @Override
    public void fail(@Nullable Object reason) {
      synchronized (lock) {
        hasReplied = true;
        List<LoaderState.Action> actions =
            state.handle(LoaderState.Event.FAILURE, provider, clock.nowMillis());
        if (!isDropped(actions)) {
          deliveries.add(() -> observer.onFailed(provider, reason));
        }
        perform(actions, null);
      }
      deliveries.handOver();
    }

    @Override
    public void whenUnwanted(@NotNull Runnable stop) {
      synchronized (lock) {
        if (hasReplied) {
          return;
        }
        if (isUnwanted) {
          deliveries.add(stop);
        } else {
          stops.add(stop);
        }
      }
      deliveries.handOver();
    }

    /** For every reply there is, when the one being asked becomes so: the others have been through it. */
    private void becomeUnwanted() {
      if (!hasReplied && !isUnwanted) {
        isUnwanted = true;
        for (Runnable stop : stops) {
          deliveries.add(stop);
        }
      }
    }

    private boolean isDropped(List<LoaderState.Action> actions) {
      for (LoaderState.Action action : actions) {
        if (action.kind == LoaderState.Action.Kind.DROP) {
          return true;
        }
      }
      return false;
    }
  }

  /** Guarded by the lock. */
  private final class Waiter implements Cancellable {
    private final Callback<Ad> callback;
    private boolean isCancelled;

    Waiter(Callback<Ad> callback) {
      this.callback = Objects.requireNonNull(callback);
    }

    @Override
    public void cancel() {
      synchronized (lock) {
        isCancelled = true;
        if (waiters.remove(this) && waiters.isEmpty()) {
          cancelChain();
        }
      }
      deliveries.handOver();
    }
  }
}
