package regionbucket.client;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;
import regionbucket.Cancellable;
import regionbucket.RegionCallback;
import regionbucket.internal.Clock;
import regionbucket.internal.DaemonThreads;
import regionbucket.internal.Deliveries;
import regionbucket.internal.SystemClock;

/**
 * Asks the service for the bucket, once per process.
 *
 * <p>Make one and keep it. Everybody who asks shares the request in flight and then the answer; a failure is
 * an answer too, {@link regionbucket.RegionBucket#UNKNOWN}, until {@link #reset}. Nothing is stored outside
 * this object.
 *
 * <p>Never blocks; usable from any thread, the main one included. Callbacks come on the executor, in the
 * order in which the answers became known.
 */
public final class RegionResolver {
  /** The second is for a request behind {@link #reset} while the first one's name look-up hangs. */
  private static final int THREADS_MAX = 2;

  private static final long IDLE_MILLIS_MAX = 2000;

  private final RegionEndpoint endpoint;
  private final RegionLimits limits;
  private final RegionTransport transport;
  private final Clock clock;
  private final Deliveries deliveries;
  private final ThreadPoolExecutor exchanges =
      new ThreadPoolExecutor(
          THREADS_MAX, THREADS_MAX, IDLE_MILLIS_MAX, TimeUnit.MILLISECONDS,
          new LinkedBlockingQueue<>(), new DaemonThreads("region-bucket-exchange"));

  private final Object lock = new Object();
  /** What is known. */
  private RegionAnswer answer;
  /** The request whose answer will be kept: the last one, unless a reset came behind it. */
  private Flight current;

  private int waiting;

  /**
   * A resolver with the default limits, over the system's transport.
   *
   * @param endpoint where to ask
   * @param executor where callbacks come; usually the main thread's
   */
  public RegionResolver(@NotNull RegionEndpoint endpoint, @NotNull Executor executor) {
    this(endpoint, RegionLimits.DEFAULT, RegionTransport.system(), executor);
  }

  /**
   * A resolver that has asked nothing yet.
   *
   * @param endpoint where to ask
   * @param limits how much the service may take
   * @param transport how
   * @param executor where callbacks come; usually the main thread's
   */
  public RegionResolver(
      @NotNull RegionEndpoint endpoint, @NotNull RegionLimits limits, @NotNull RegionTransport transport,
      @NotNull Executor executor) {
    this(endpoint, limits, transport, executor, SystemClock.SHARED);
  }

  RegionResolver(
      RegionEndpoint endpoint, RegionLimits limits, RegionTransport transport, Executor executor,
      Clock clock) {
    this.endpoint = Objects.requireNonNull(endpoint);
    this.limits = limits;
    this.transport = Objects.requireNonNull(transport);
    this.clock = clock;
    deliveries = new Deliveries(executor);
    exchanges.allowCoreThreadTimeOut(true);
  }

  /**
   * Calls back with the bucket: at once if it is known, at the latest after the time-out.
   *
   * @param callback called once on the executor; never if cancelled before
   * @return cancels the waiting; the request and the others who wait go on
   */
  @NotNull
  public Cancellable resolve(@NotNull RegionCallback callback) {
    Waiter waiter = new Waiter(callback);
    Flight departing = null;
    synchronized (lock) {
      if (answer != null) {
        deliver(waiter, answer);
      } else {
        if (current == null) {
          departing = new Flight();
          current = departing;
        }
        waiter.flight = current;
        current.waiters.add(waiter);
        waiting++;
      }
    }
    if (departing != null) {
      depart(departing);
    }
    deliveries.handOver();
    return waiter;
  }

  /**
   * Forgets the answer, so that the next caller asks anew. A request in flight goes on for those who wait for
   * it, and its answer is not kept.
   */
  public void reset() {
    synchronized (lock) {
      answer = null;
      current = null;
    }
  }

  /**
   * Why the answer held now is unknown.
   *
   * @return null if there is no answer, or the service itself named the bucket
   */
  @Nullable
  public RegionRefusal getRefusal() {
    synchronized (lock) {
      return answer == null ? null : answer.refusal;
    }
  }

  /** How many callers wait now. */
  int waiting() {
    synchronized (lock) {
      return waiting;
    }
  }

  private void depart(Flight flight) {
    RegionRequest request = new RegionRequest(endpoint, limits, clock);
    // The transport has the same limit; a slow name look-up or a transport of the app's own may not keep to
    // it.
    flight.alarm =
        clock.schedule(
            limits.getTimeoutMillis(),
            () -> {
              arrive(flight, RegionAnswer.refused(RegionRefusal.TIMED_OUT));
              request.abort();
            });
    exchanges.execute(() -> exchange(flight, request));
  }

  private void exchange(Flight flight, RegionRequest request) {
    RegionAnswer read = RegionAnswer.refused(RegionRefusal.TIMED_OUT);
    try {
      if (request.getRemainingMillis() > 0) {
        read = RegionAnswer.of(transport.exchange(request), limits.getBodyBytesMax());
      }
    } catch (RegionTransportException failure) {
      read = RegionAnswer.refused(failure.getRefusal());
    } catch (RuntimeException | Error bug) {
      // Of an app's own transport. Those who wait get their answer, and the app its crash.
      read = RegionAnswer.refused(RegionRefusal.CONNECTION_FAILED);
      throw bug;
    } finally {
      flight.alarm.cancel();
      arrive(flight, read);
    }
  }

  private void arrive(Flight flight, RegionAnswer arrived) {
    synchronized (lock) {
      if (flight.hasArrived) {
        return;
      }
      flight.hasArrived = true;
      if (current == flight) {
        current = null;
        answer = arrived;
      }
      for (Waiter waiter : new ArrayList<>(flight.waiters)) {
        waiter.flight = null;
        deliver(waiter, arrived);
      }
      waiting -= flight.waiters.size();
      flight.waiters.clear();
    }
    deliveries.handOver();
  }

  private void deliver(Waiter waiter, RegionAnswer known) {
    deliveries.add(
        () -> {
          synchronized (lock) {
            if (waiter.isCancelled) {
              return;
            }
          }
          waiter.callback.onRegion(known.bucket);
        });
  }

  /** One request, and who waits for it. Guarded by the lock, save for the alarm. */
  private static final class Flight {
    final Set<Waiter> waiters = new LinkedHashSet<>();
    boolean hasArrived;
    /** Set before the exchange is handed to its thread. */
    Cancellable alarm;
  }

  /** Guarded by the lock. */
  private final class Waiter implements Cancellable {
    final RegionCallback callback;
    @Nullable Flight flight;
    boolean isCancelled;

    Waiter(RegionCallback callback) {
      this.callback = Objects.requireNonNull(callback);
    }

    @Override
    public void cancel() {
      synchronized (lock) {
        isCancelled = true;
        if (flight != null && flight.waiters.remove(this)) {
          flight = null;
          waiting--;
        }
      }
    }
  }
}
