package regionbucket.adplan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import regionbucket.Cancellable;
import regionbucket.testing.HandClock;
import regionbucket.testing.HandExecutor;
import regionbucket.testing.Recorder;

public class AdLoaderTest {
  private static final List<AdProvider> ALL =
      Arrays.asList(AdProvider.REGIONAL, AdProvider.GLOBAL, AdProvider.IN_HOUSE);
  private static final AdSource.Loading<String> SILENT = reply -> {};

  private final HandClock clock = new HandClock();
  private final Recorder<String> observed = new Recorder<>();
  private final Recorder<String> results = new Recorder<>();

  private final AdObserver<String> observer =
      new AdObserver<String>() {
        @Override
        public void onAsked(AdProvider provider) {
          observed.record("asked " + provider);
        }

        @Override
        public void onLoaded(AdProvider provider) {
          observed.record("loaded " + provider);
        }

        @Override
        public void onFailed(AdProvider provider, Object reason) {
          observed.record("failed " + provider + " " + reason);
        }

        @Override
        public void onTimedOut(AdProvider provider) {
          observed.record("timed out " + provider);
        }

        @Override
        public void onDropped(AdProvider provider, String ad) {
          observed.record("dropped " + provider + " " + ad);
        }
      };

  private AdLoader<String> loader(
      List<AdProvider> plan, AdSource.Loading<String> regional, AdSource.Loading<String> global,
      Executor executor) {
    Map<AdProvider, AdSource<String>> sources = new EnumMap<>(AdProvider.class);
    sources.put(AdProvider.REGIONAL, new AdSource<>(1000, regional));
    sources.put(AdProvider.GLOBAL, new AdSource<>(2000, global));
    return new AdLoader<>(plan, sources, () -> "own content", executor, observer, clock);
  }

  private AdLoader<String> loader(AdSource.Loading<String> regional, AdSource.Loading<String> global) {
    return loader(ALL, regional, global, Runnable::run);
  }

  private void hear(LoadedAd<String> loaded) {
    results.record(loaded == null ? "nothing" : loaded.getAd() + " from " + loaded.getProvider());
  }

  private void assertObserved(String... lines) {
    assertEquals(Arrays.asList(lines), observed.recorded());
  }

  private void assertResults(String... lines) {
    assertEquals(Arrays.asList(lines), results.recorded());
  }

  @Test
  public void firstSucceeds() {
    loader(reply -> reply.deliver("ad"), SILENT).load(this::hear);
    assertResults("ad from REGIONAL");
    assertObserved("asked REGIONAL", "loaded REGIONAL");
    assertEquals(0, clock.sleepers());
  }

  @Test
  public void failureMovesOn() {
    loader(reply -> reply.fail("no fill"), reply -> reply.deliver("ad")).load(this::hear);
    assertResults("ad from GLOBAL");
    assertObserved("asked REGIONAL", "failed REGIONAL no fill", "asked GLOBAL", "loaded GLOBAL");
    assertEquals(0, clock.sleepers());
  }

  @Test
  public void sourceThatThrows() {
    AdSource.Loading<String> broken =
        reply -> {
          throw new IllegalStateException("no SDK");
        };
    loader(broken, reply -> reply.fail(null)).load(this::hear);
    assertResults("own content from IN_HOUSE");
    assertObserved(
        "asked REGIONAL", "failed REGIONAL java.lang.IllegalStateException: no SDK", "asked GLOBAL",
        "failed GLOBAL null", "loaded IN_HOUSE");
  }

  @Test
  public void nothingDelivered() {
    loader(Collections.singletonList(AdProvider.GLOBAL), SILENT, reply -> reply.fail("no"), Runnable::run)
        .load(this::hear);
    assertResults("nothing");
  }

  @Test
  public void providerWithoutSourceIsSkipped() {
    AdLoader<String> loader =
        new AdLoader<>(
            ALL, Collections.emptyMap(), () -> "own content", Runnable::run, observer, clock);
    loader.load(this::hear);
    assertResults("own content from IN_HOUSE");
    assertObserved("loaded IN_HOUSE");
  }

  @Test
  public void lateSuccessIsDropped() {
    Recorder<AdReply<String>> replies = new Recorder<>();
    loader(replies::record, replies::record).load(this::hear);
    clock.advance(1000);
    replies.recorded().get(0).deliver("too late");
    replies.recorded().get(1).deliver("in time");
    replies.recorded().get(1).deliver("once more");
    assertResults("in time from GLOBAL");
    assertObserved(
        "asked REGIONAL", "timed out REGIONAL", "asked GLOBAL", "dropped REGIONAL too late",
        "loaded GLOBAL", "dropped GLOBAL once more");
    assertEquals(0, clock.sleepers());
  }

  @Test
  public void whatIsUnwantedIsStopped() {
    Recorder<String> stopped = new Recorder<>();
    Recorder<AdReply<String>> replies = new Recorder<>();
    AdLoader<String> loader =
        loader(
            reply -> {
              replies.record(reply);
              reply.whenUnwanted(() -> stopped.record("regional"));
            },
            reply -> {
              replies.record(reply);
              reply.whenUnwanted(() -> stopped.record("global"));
            });
    loader.load(this::hear);
    clock.advance(999);
    assertEquals(0, stopped.count());
    clock.advance(1);
    assertEquals(Collections.singletonList("regional"), stopped.recorded());
    // Too late to be told later.
    replies.recorded().get(0).whenUnwanted(() -> stopped.record("regional, at once"));
    assertEquals(Arrays.asList("regional", "regional, at once"), stopped.recorded());
    // Over by itself: there is nothing left to stop.
    replies.recorded().get(0).fail("late");
    replies.recorded().get(0).whenUnwanted(() -> stopped.record("regional, replied"));
    loader.cancel();
    assertEquals(Arrays.asList("regional", "regional, at once", "global"), stopped.recorded());
    assertResults("nothing");
    assertEquals(0, clock.sleepers());
  }

  @Test
  public void whoHasRepliedIsNotStopped() {
    Recorder<String> stopped = new Recorder<>();
    loader(
            reply -> {
              reply.whenUnwanted(() -> stopped.record("regional"));
              reply.deliver("ad");
              reply.whenUnwanted(() -> stopped.record("regional, later"));
            },
            SILENT)
        .load(this::hear);
    assertResults("ad from REGIONAL");
    assertEquals(0, stopped.count());
  }

  @Test
  public void loadedTwiceIsOneChain() {
    Recorder<AdReply<String>> replies = new Recorder<>();
    AdLoader<String> loader = loader(replies::record, SILENT);
    loader.load(this::hear);
    loader.load(this::hear);
    replies.recorded().get(0).deliver("one");
    loader.load(this::hear);
    assertResults("one from REGIONAL", "one from REGIONAL", "one from REGIONAL");
    assertEquals(1, replies.count());
  }

  @Test
  public void oneOfTwoWaitersCancelled() {
    Recorder<AdReply<String>> replies = new Recorder<>();
    AdLoader<String> loader = loader(replies::record, SILENT);
    Cancellable leaving = loader.load(loaded -> results.record("the one who left"));
    loader.load(this::hear);
    leaving.cancel();
    leaving.cancel();
    replies.recorded().get(0).deliver("kept");
    assertResults("kept from REGIONAL");
  }

  @Test
  public void lastWaiterCancelledEndsTheChain() {
    Recorder<AdReply<String>> replies = new Recorder<>();
    AdLoader<String> loader = loader(replies::record, replies::record);
    loader.load(this::hear).cancel();
    replies.recorded().get(0).fail("no fill");
    clock.advance(10_000);
    assertEquals(1, replies.count());
    assertResults();
    assertObserved("asked REGIONAL", "dropped REGIONAL null");
    // For good.
    loader.load(this::hear);
    assertResults("nothing");
    assertEquals(1, replies.count());
  }

  @Test
  public void everythingComesOnTheExecutor() {
    HandExecutor main = new HandExecutor();
    Recorder<Thread> asked = new Recorder<>();
    AdLoader<String> loader =
        loader(
            ALL,
            reply -> {
              asked.record(Thread.currentThread());
              reply.fail("no");
            },
            reply -> reply.deliver("ad"), main);
    loader.load(this::hear);
    assertEquals(0, asked.count());
    assertObserved();
    main.runAll();
    assertEquals(Collections.singletonList(Thread.currentThread()), asked.recorded());
    assertResults("ad from GLOBAL");
  }

  /** The main thread is busy for longer than a provider has time. */
  @Test
  public void executorThatIsLate() {
    HandExecutor main = new HandExecutor();
    Recorder<AdReply<String>> replies = new Recorder<>();
    AdLoader<String> loader = loader(ALL, replies::record, replies::record, main);
    loader.load(this::hear);
    clock.advance(1500);
    main.runAll();
    assertEquals(1, replies.count());
    assertObserved("timed out REGIONAL", "asked GLOBAL");
    replies.recorded().get(0).deliver("ad");
    main.runAll();
    assertResults("ad from GLOBAL");
  }

  @Test
  public void cancelledBeforeInHouseIsMade() {
    HandExecutor main = new HandExecutor();
    Recorder<String> made = new Recorder<>();
    AdLoader<String> loader =
        new AdLoader<>(
            Collections.singletonList(AdProvider.IN_HOUSE), Collections.emptyMap(),
            () -> {
              made.record("made");
              return "own content";
            },
            main, observer, clock);
    Cancellable waiter = loader.load(this::hear);
    assertEquals(1, main.waiting());
    waiter.cancel();
    main.runAll();
    assertEquals(0, made.count());
    assertResults();
  }

  @Test
  public void overTheRealClock() throws Exception {
    Map<AdProvider, AdSource<String>> sources =
        Collections.singletonMap(AdProvider.GLOBAL, new AdSource<>(50, SILENT));
    SynchronousQueue<LoadedAd<String>> ended =
        new SynchronousQueue<>();
    long start = System.nanoTime();
    new AdLoader<>(ALL, sources, () -> "own content", Runnable::run)
        .load(
            loaded -> {
              try {
                ended.put(loaded);
              } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
              }
            });
    LoadedAd<String> loaded = ended.poll(20, TimeUnit.SECONDS);
    assertEquals(AdProvider.IN_HOUSE, loaded.getProvider());
    assertEquals("own content", loaded.getAd());
    assertEquals(true, (System.nanoTime() - start) / 1_000_000 >= 50);
  }

  @Test
  public void timeoutsHaveARange() {
    for (long wrong : new long[] {0, -1, 86_400_001, Long.MAX_VALUE}) {
      assertThrows(IllegalArgumentException.class, () -> new AdSource<>(wrong, SILENT));
    }
    assertEquals(86_400_000, new AdSource<>(86_400_000, SILENT).timeoutMillis());
    assertNull(new LoaderState(ALL, Collections.emptyMap()).deadlineMillis());
  }
}
