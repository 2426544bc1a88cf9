package regionbucket.testing;

import java.util.ArrayList;
import java.util.List;
import regionbucket.Cancellable;
import regionbucket.internal.Clock;

/** A clock moved by hand. Alarms run on the thread that moves it. */
public final class HandClock implements Clock {
  private final List<Alarm> alarms = new ArrayList<>();
  private long nowMillis = 1000;

  @Override
  public synchronized long nowMillis() {
    return nowMillis;
  }

  @Override
  public synchronized Cancellable schedule(long delayMillis, Runnable run) {
    Alarm alarm = new Alarm(nowMillis + delayMillis, run);
    alarms.add(alarm);
    return () -> {
      synchronized (this) {
        alarms.remove(alarm);
      }
    };
  }

  /** Alarms that are set. */
  public synchronized int sleepers() {
    return alarms.size();
  }

  /** Moves on, letting each alarm that falls due happen at its own time, in order. */
  public void advance(long millis) {
    long target = nowMillis() + millis;
    for (Alarm due = takeDue(target); due != null; due = takeDue(target)) {
      due.run.run();
    }
    synchronized (this) {
      nowMillis = target;
    }
  }

  private synchronized Alarm takeDue(long targetMillis) {
    Alarm first = null;
    for (Alarm alarm : alarms) {
      if (alarm.atMillis <= targetMillis && (first == null || alarm.atMillis < first.atMillis)) {
        first = alarm;
      }
    }
    if (first != null) {
      alarms.remove(first);
      nowMillis = Math.max(nowMillis, first.atMillis);
    }
    return first;
  }

  private static final class Alarm {
    final long atMillis;
    final Runnable run;

    Alarm(long atMillis, Runnable run) {
      this.atMillis = atMillis;
      this.run = run;
    }
  }
}
