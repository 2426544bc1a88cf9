package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static regionbucket.client.ResolverFixture.AT_ONCE;
import static regionbucket.client.ResolverFixture.saying;
import static regionbucket.testing.Eventually.eventually;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;
import regionbucket.Cancellable;
import regionbucket.RegionBucket;
import regionbucket.testing.HandExecutor;
import regionbucket.testing.Recorder;

public class RegionResolverTest {
  private final ResolverFixture fixture = new ResolverFixture();

  @Test
  public void resolves() throws Exception {
    for (RegionBucket bucket : RegionBucket.values()) {
      RegionResolver resolver = fixture.resolver(number -> saying(bucket));
      int before = fixture.requests.count();
      assertEquals(bucket, Exchanges.resolve(resolver));
      assertNull(resolver.getRefusal());
      assertEquals(bucket, Exchanges.resolve(resolver));
      assertEquals(before + 1, fixture.requests.count());
      assertEquals(0, fixture.clock.sleepers());
    }
    RegionRequest request = fixture.requests.recorded().get(0);
    assertEquals("https://region.example.com/v1/region", request.getEndpoint().getUrl());
    assertEquals(1024, request.getBodyBytesMax());
    assertEquals(2000, request.getRemainingMillis());
  }

  @Test
  public void lastWaiterCancelledTheRequestGoesOn() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              gate.await();
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<RegionBucket> called = new Recorder<>();
    resolver.resolve(called::record).cancel();
    assertEquals(0, resolver.waiting());
    gate.countDown();
    assertEquals(RegionBucket.REGIONAL_MARKET, Exchanges.resolve(resolver));
    assertEquals(1, fixture.requests.count());
    assertEquals(0, called.count());
  }

  @Test
  public void failureIsAnAnswerUntilReset() throws Exception {
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              if (number == 1) {
                throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
              }
              return saying(RegionBucket.OTHER_MARKET);
            });
    for (int count = 0; count < 3; count++) {
      assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    }
    assertEquals(RegionRefusal.CONNECTION_FAILED, resolver.getRefusal());
    assertEquals(1, fixture.requests.count());
    resolver.reset();
    assertNull(resolver.getRefusal());
    assertEquals(RegionBucket.OTHER_MARKET, Exchanges.resolve(resolver));
    assertEquals(2, fixture.requests.count());
  }

  @Test
  public void resetDuringFlight() throws Exception {
    List<CountDownLatch> gates = Arrays.asList(new CountDownLatch(1), new CountDownLatch(1));
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              gates.get(number - 1).await();
              return saying(number == 1 ? RegionBucket.REGIONAL_MARKET : RegionBucket.OTHER_MARKET);
            });
    Recorder<String> called = new Recorder<>();
    resolver.resolve(bucket -> called.record("before " + bucket));
    eventually("the first departs", () -> fixture.requests.count() == 1);
    resolver.reset();
    resolver.resolve(bucket -> called.record("behind " + bucket));
    eventually("the second departs", () -> fixture.requests.count() == 2);
    gates.get(1).countDown();
    eventually("the second arrives", () -> called.count() == 1);
    gates.get(0).countDown();
    eventually("the first arrives", () -> called.count() == 2);
    assertEquals(Arrays.asList("behind OTHER_MARKET", "before REGIONAL_MARKET"), called.recorded());
    // The old request came last, and is not what is kept.
    assertEquals(RegionBucket.OTHER_MARKET, Exchanges.resolve(resolver));
    assertEquals(2, fixture.requests.count());
  }

  @Test
  public void timeIsOverThoughTheTransportGoesOn() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    RegionResolver resolver =
        fixture.resolver(
            AT_ONCE, new RegionLimits(1500, 1024),
            number -> {
              gate.await();
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<RegionBucket> called = new Recorder<>();
    resolver.resolve(called::record);
    eventually("it departs", () -> fixture.requests.count() == 1);
    Recorder<String> stopped = new Recorder<>();
    fixture.requests.recorded().get(0).whenAborted(() -> stopped.record("stopped"));
    fixture.clock.advance(1499);
    assertEquals(1, resolver.waiting());
    assertEquals(0, stopped.count());
    fixture.clock.advance(1);
    assertEquals(Collections.singletonList(RegionBucket.UNKNOWN), called.recorded());
    assertEquals(RegionRefusal.TIMED_OUT, resolver.getRefusal());
    assertEquals(1, stopped.count());
    // Too late to be asked to stop: it is told at once.
    fixture.requests.recorded().get(0).whenAborted(() -> stopped.record("told at once"));
    assertEquals(2, stopped.count());
    gate.countDown();
    assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    assertEquals(1, fixture.requests.count());
  }

  /** Name look-ups that hang hold two threads at most, and nobody waits longer for it. */
  @Test
  public void hangingTransportsAreBounded() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              running.incrementAndGet();
              gate.await();
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<RegionBucket> called = new Recorder<>();
    for (int round = 1; round <= 5; round++) {
      resolver.resolve(called::record);
      int expected = Math.min(round, 2);
      eventually("it departs", () -> running.get() == expected);
      fixture.clock.advance(2000);
      assertEquals(Collections.nCopies(round, RegionBucket.UNKNOWN), called.recorded());
      resolver.reset();
    }
    gate.countDown();
    assertEquals(RegionBucket.REGIONAL_MARKET, Exchanges.resolve(resolver));
    // The three that never got a thread made no request when one was free.
    assertEquals(3, fixture.requests.count());
  }

  @Test
  public void refusals() throws Exception {
    List<RegionResponse> responses =
        Arrays.asList(
            new RegionResponse(302, "application/json", new byte[0]),
            new RegionResponse(200, "text/html", new byte[0]),
            new RegionResponse(200, null, new byte[0]),
            new RegionResponse(200, "application/json", new byte[] {'{'}),
            new RegionResponse(200, "application/json", new byte[1025]));
    List<RegionRefusal> expected =
        Arrays.asList(
            RegionRefusal.STATUS, RegionRefusal.CONTENT_TYPE, RegionRefusal.CONTENT_TYPE,
            RegionRefusal.BODY, RegionRefusal.TOO_LARGE);
    for (int index = 0; index < responses.size(); index++) {
      RegionResponse response = responses.get(index);
      RegionResolver resolver = fixture.resolver(number -> response);
      assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
      assertEquals(expected.get(index), resolver.getRefusal());
    }
  }

  /** The caller gets its thread back at once, and its answer where it asked for it. */
  @Test
  public void callbacksComeOnTheExecutor() throws Exception {
    HandExecutor main = new HandExecutor();
    CountDownLatch gate = new CountDownLatch(1);
    RegionResolver resolver =
        fixture.resolver(
            main, RegionLimits.DEFAULT,
            number -> {
              gate.await();
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<Thread> called = new Recorder<>();
    resolver.resolve(bucket -> called.record(Thread.currentThread()));
    gate.countDown();
    eventually("the answer is handed over", () -> main.waiting() == 1);
    resolver.resolve(bucket -> called.record(Thread.currentThread()));
    assertEquals(0, called.count());
    main.runAll();
    assertEquals(Collections.nCopies(2, Thread.currentThread()), called.recorded());
  }

  @Test
  public void cancelledBehindTheHandOverIsNotCalled() throws Exception {
    HandExecutor main = new HandExecutor();
    RegionResolver resolver =
        fixture.resolver(main, RegionLimits.DEFAULT, number -> saying(RegionBucket.REGIONAL_MARKET));
    Recorder<RegionBucket> called = new Recorder<>();
    Cancellable waiter = resolver.resolve(called::record);
    eventually("the answer is handed over", () -> main.waiting() == 1);
    waiter.cancel();
    main.runAll();
    assertEquals(0, called.count());
  }

  /** One callback that throws takes nobody's answer. */
  @Test
  public void callbackThatThrows() throws Exception {
    CyclicBarrier departed = new CyclicBarrier(2);
    Recorder<Throwable> uncaught = new Recorder<>();
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> uncaught.record(error));
              try {
                departed.await();
              } catch (BrokenBarrierException broken) {
                throw new AssertionError(broken);
              }
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<RegionBucket> called = new Recorder<>();
    IllegalStateException thrown = new IllegalStateException("of the app's own");
    resolver.resolve(
        bucket -> {
          throw thrown;
        });
    resolver.resolve(called::record);
    departed.await();
    eventually("the other is answered", () -> called.count() == 1);
    eventually("the app hears of it", () -> uncaught.count() == 1);
    assertEquals(thrown, uncaught.recorded().get(0));
  }

  /** A bug of an app's own transport is the app's crash, and all the same an answer. */
  @Test
  public void transportThatThrows() throws Exception {
    IllegalStateException thrown = new IllegalStateException("of the app's own");
    Recorder<Throwable> uncaught = new Recorder<>();
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> uncaught.record(error));
              throw thrown;
            });
    assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    assertEquals(RegionRefusal.CONNECTION_FAILED, resolver.getRefusal());
    eventually("the app hears of it", () -> uncaught.count() == 1);
    assertEquals(thrown, uncaught.recorded().get(0));
  }

  @Test
  public void askedAgainFromACallback() throws Exception {
    RegionResolver resolver = fixture.resolver(number -> saying(RegionBucket.REGIONAL_MARKET));
    List<RegionBucket> called = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(1);
    resolver.resolve(
        first -> {
          called.add(first);
          resolver.resolve(
              second -> {
                called.add(second);
                done.countDown();
              });
        });
    done.await();
    assertEquals(Collections.nCopies(2, RegionBucket.REGIONAL_MARKET), called);
    assertEquals(1, fixture.requests.count());
  }

  @Test
  public void limitsHaveARange() {
    for (long[] wrong : new long[][] {{0, 1}, {-1, 1}, {86_400_001, 1}, {1, 0}, {1, -1}}) {
      assertThrows(
          IllegalArgumentException.class, () -> new RegionLimits(wrong[0], (int) wrong[1]));
    }
    assertEquals(86_400_000, new RegionLimits(86_400_000, 1).getTimeoutMillis());
    assertEquals(1, new RegionLimits(1, 1).getBodyBytesMax());
  }
}
