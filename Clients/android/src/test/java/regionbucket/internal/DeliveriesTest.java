package regionbucket.internal;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;
import regionbucket.testing.Recorder;

public class DeliveriesTest {
  private final Recorder<String> ran = new Recorder<>();

  @Test
  public void inOrderOutsideOfOneAnother() {
    Deliveries deliveries = new Deliveries(Runnable::run);
    deliveries.add(
        () -> {
          ran.record("first begins");
          deliveries.add(() -> ran.record("third"));
          deliveries.handOver();
          ran.record("first ends");
        });
    deliveries.add(() -> ran.record("second"));
    assertEquals(0, ran.count());
    deliveries.handOver();
    assertEquals(Arrays.asList("first begins", "first ends", "second", "third"), ran.recorded());
  }

  @Test
  public void nobodyGoesWithoutBecauseOfAnother() {
    Deliveries deliveries = new Deliveries(Runnable::run);
    IllegalStateException first = new IllegalStateException("first");
    AssertionError second = new AssertionError("second");
    deliveries.add(
        () -> {
          throw first;
        });
    deliveries.add(
        () -> {
          throw second;
        });
    deliveries.add(() -> ran.record("third"));
    assertSame(first, assertThrows(IllegalStateException.class, deliveries::handOver));
    assertSame(second, first.getSuppressed()[0]);
    assertEquals(Collections.singletonList("third"), ran.recorded());
    deliveries.add(() -> ran.record("later"));
    deliveries.handOver();
    assertEquals(2, ran.count());
  }

  @Test
  public void executorThatRefuses() {
    RejectedExecutionException refusal = new RejectedExecutionException();
    Deliveries deliveries =
        new Deliveries(
            task -> {
              throw refusal;
            });
    deliveries.add(() -> ran.record("never"));
    deliveries.add(() -> ran.record("never"));
    assertSame(refusal, assertThrows(RejectedExecutionException.class, deliveries::handOver));
    assertEquals(0, ran.count());
  }

  @Test
  public void neverTwoAtOnce() throws Exception {
    AtomicBoolean isRunning = new AtomicBoolean();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    Deliveries deliveries = new Deliveries(Runnable::run);
    Object lock = new Object();
    int[] next = new int[1];
    CountDownLatch done = new CountDownLatch(8);
    for (int thread = 0; thread < 8; thread++) {
      new Thread(
              () -> {
                for (int count = 0; count < 1000; count++) {
                  synchronized (lock) {
                    int number = next[0]++;
                    deliveries.add(
                        () -> {
                          assertFalse(isRunning.getAndSet(true));
                          order.add(number);
                          isRunning.set(false);
                        });
                  }
                  deliveries.handOver();
                }
                done.countDown();
              })
          .start();
    }
    done.await();
    deliveries.handOver();
    List<Integer> expected = new ArrayList<>();
    for (int number = 0; number < 8000; number++) {
      expected.add(number);
    }
    assertEquals(expected, order);
  }

  /** What an alarm throws is not lost. */
  @Test
  public void alarmThatThrows() throws Exception {
    Recorder<Throwable> uncaught = new Recorder<>();
    CountDownLatch rang = new CountDownLatch(1);
    IllegalStateException thrown = new IllegalStateException("of the app's own");
    SystemClock.SHARED.schedule(
        1,
        () -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler(
                  (thread, error) -> {
                    uncaught.record(error);
                    rang.countDown();
                  });
          throw thrown;
        });
    rang.await();
    assertEquals(Collections.singletonList(thrown), uncaught.recorded());
  }
}
