package regionbucket.internal;

import regionbucket.Cancellable;

/** Time that never goes back, and an alarm. Usable from any thread. */
public interface Clock {
  /**
   * The time.
   *
   * @return milliseconds since an origin of the clock's own
   */
  long nowMillis();

  /**
   * Runs something later, once, on a thread of the clock's own, which it must not hold up.
   *
   * @param delayMillis how much later, at least
   * @param alarm what to run
   * @return cancels the alarm
   */
  Cancellable schedule(long delayMillis, Runnable alarm);
}
