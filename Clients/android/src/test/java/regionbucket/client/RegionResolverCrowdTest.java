package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static regionbucket.client.ResolverFixture.saying;
import static regionbucket.testing.Eventually.eventually;

import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;
import regionbucket.Cancellable;
import regionbucket.RegionBucket;
import regionbucket.testing.Recorder;

/** A resolver and very many callers at once. */
public class RegionResolverCrowdTest {
  private static final int MANY = 10_000;
  private static final int THREADS = 16;

  private final ResolverFixture fixture = new ResolverFixture();

  @Test
  public void tenThousandAtOnceAreOneRequest() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              gate.await();
              return saying(RegionBucket.REGIONAL_MARKET);
            });
    Recorder<RegionBucket> called = new Recorder<>();
    Crowd.run(THREADS, MANY, index -> resolver.resolve(called::record));
    assertEquals(MANY, resolver.waiting());
    gate.countDown();
    eventually("all are answered", () -> called.count() == MANY);
    assertEquals(Collections.nCopies(MANY, RegionBucket.REGIONAL_MARKET), called.recorded());
    assertEquals(1, fixture.requests.count());
    assertEquals(0, resolver.waiting());
  }

  @Test
  public void everySecondOfTenThousandCancelled() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    RegionResolver resolver =
        fixture.resolver(
            number -> {
              gate.await();
              return saying(RegionBucket.OTHER_MARKET);
            });
    Recorder<Integer> called = new Recorder<>();
    Crowd.run(
        THREADS, MANY,
        index -> {
          Cancellable waiter = resolver.resolve(bucket -> called.record(index));
          if (index % 2 == 0) {
            waiter.cancel();
            waiter.cancel();
          }
        });
    assertEquals(MANY / 2, resolver.waiting());
    gate.countDown();
    eventually("the others are answered", () -> called.count() == MANY / 2);
    assertTrue(called.recorded().stream().allMatch(index -> index % 2 == 1));
    assertEquals(1, fixture.requests.count());
  }

  /** Callers, cancellations and resets in the way of one another: nobody is answered twice or forgotten. */
  @Test
  public void aCrowdWithResets() throws Exception {
    RegionResolver resolver = fixture.resolver(number -> saying(RegionBucket.REGIONAL_MARKET));
    AtomicInteger[] calls = new AtomicInteger[MANY];
    Arrays.setAll(calls, index -> new AtomicInteger());
    Crowd.run(
        THREADS, MANY,
        index -> {
          Cancellable waiter = resolver.resolve(bucket -> calls[index].incrementAndGet());
          if (index % 5 == 0) {
            waiter.cancel();
          }
          if (index % 97 == 0) {
            resolver.reset();
          }
        });
    eventually("nobody waits", () -> resolver.waiting() == 0);
    eventually("all who stayed were answered once", () -> {
      for (int index = 0; index < MANY; index++) {
        int count = calls[index].get();
        if (count > 1 || count == 0 && index % 5 != 0) {
          return false;
        }
      }
      return true;
    });
  }
}
