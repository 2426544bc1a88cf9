package regionbucket.internal;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import regionbucket.Cancellable;

/** The machine's clock. One thread for all alarms, which ends when none has been set for a while. */
public final class SystemClock implements Clock {
  /** The only one. */
  public static final SystemClock SHARED = new SystemClock();

  private static final long IDLE_MILLIS_MAX = 2000;

  private final ScheduledThreadPoolExecutor alarms =
      new ScheduledThreadPoolExecutor(1, new DaemonThreads("region-bucket-clock"));

  private SystemClock() {
    alarms.setKeepAliveTime(IDLE_MILLIS_MAX, TimeUnit.MILLISECONDS);
    alarms.allowCoreThreadTimeOut(true);
    alarms.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public Cancellable schedule(long delayMillis, Runnable alarm) {
    // Loudly: what an alarm throws would vanish in a Future that nobody reads.
    Future<?> scheduled = alarms.schedule(() -> runLoudly(alarm), delayMillis, TimeUnit.MILLISECONDS);
    return () -> scheduled.cancel(false);
  }

  private static void runLoudly(Runnable alarm) {
    try {
      alarm.run();
    } catch (RuntimeException | Error error) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
    }
  }
}
