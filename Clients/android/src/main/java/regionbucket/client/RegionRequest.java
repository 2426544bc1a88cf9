package regionbucket.client;

import java.util.ArrayList;
import java.util.List;
import org.jetbrains.annotations.NotNull;
import regionbucket.internal.Clock;
import regionbucket.internal.SystemClock;

/** What a transport is to do: one GET, once, until a point in time. Usable from any thread. */
public final class RegionRequest {
  private final RegionEndpoint endpoint;
  private final int bodyBytesMax;
  private final Clock clock;
  private final long deadlineMillis;
  private final Object lock = new Object();
  private final List<Runnable> stops = new ArrayList<>();
  private boolean isAborted;

  /**
   * A request whose time begins now; for tests of a transport.
   *
   * @param endpoint where
   * @param limits how long and how much
   */
  public RegionRequest(@NotNull RegionEndpoint endpoint, @NotNull RegionLimits limits) {
    this(endpoint, limits, SystemClock.SHARED);
  }

  RegionRequest(RegionEndpoint endpoint, RegionLimits limits, Clock clock) {
    this.endpoint = endpoint;
    this.bodyBytesMax = limits.getBodyBytesMax();
    this.clock = clock;
    this.deadlineMillis = clock.nowMillis() + limits.getTimeoutMillis();
  }

  /**
   * Where.
   *
   * @return the endpoint
   */
  @NotNull
  public RegionEndpoint getEndpoint() {
    return endpoint;
  }

  /**
   * The longest body to read. A transport stops reading there.
   *
   * @return bytes
   */
  public int getBodyBytesMax() {
    return bodyBytesMax;
  }

  /**
   * The time left.
   *
   * @return milliseconds; 0 when it is over
   */
  public long getRemainingMillis() {
    synchronized (lock) {
      return isAborted ? 0 : Math.max(0, deadlineMillis - clock.nowMillis());
    }
  }

  /**
   * Says how to stop the exchange. The resolver does it when the time is over, on another thread.
   *
   * @param stop must not block; run at once if the time is over already, and once at most
   */
  public void whenAborted(@NotNull Runnable stop) {
    synchronized (lock) {
      if (!isAborted) {
        stops.add(stop);
        return;
      }
    }
    stop.run();
  }

  /** Stops the exchange for good. */
  void abort() {
    List<Runnable> stopping;
    synchronized (lock) {
      isAborted = true;
      stopping = new ArrayList<>(stops);
      stops.clear();
    }
    for (Runnable stop : stopping) {
      stop.run();
    }
  }
}
