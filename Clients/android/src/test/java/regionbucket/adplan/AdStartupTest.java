package regionbucket.adplan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;
import regionbucket.Cancellable;
import regionbucket.RegionBucket;
import regionbucket.RegionCallback;
import regionbucket.testing.HandExecutor;
import regionbucket.testing.Recorder;

public class AdStartupTest {
  private final Recorder<RegionCallback> lookups = new Recorder<>();
  private final Recorder<ProviderPlan> plans = new Recorder<>();
  private final HandExecutor main = new HandExecutor();
  private final AdStartup startup = new AdStartup(AdPolicy.STANDARD, lookups::record, main);

  @Test
  public void everythingComesOnTheExecutor() {
    startup.enter(ConsentState.ADS_ALLOWED, plans::record);
    assertEquals(0, lookups.count());
    main.runAll();
    assertEquals(1, lookups.count());
    lookups.recorded().get(0).onRegion(RegionBucket.REGIONAL_MARKET);
    assertEquals(0, plans.count());
    main.runAll();
    assertEquals(
        Arrays.asList(AdProvider.REGIONAL, AdProvider.GLOBAL, AdProvider.IN_HOUSE),
        plans.recorded().get(0).getProviders());
  }

  @Test
  public void cancelledBehindTheHandOverIsNotCalled() {
    Cancellable waiter = startup.enter(ConsentState.PENDING, plans::record);
    assertEquals(1, main.waiting());
    waiter.cancel();
    main.runAll();
    assertEquals(0, plans.count());
  }

  @Test
  public void lookupThatAnswersTwice() {
    startup.enter(ConsentState.ADS_ALLOWED, plans::record);
    main.runAll();
    RegionCallback answer = lookups.recorded().get(0);
    answer.onRegion(RegionBucket.OTHER_MARKET);
    answer.onRegion(RegionBucket.REGIONAL_MARKET);
    startup.enter(ConsentState.ADS_ALLOWED, plans::record);
    main.runAll();
    assertEquals(2, plans.count());
    assertSame(plans.recorded().get(0), plans.recorded().get(1));
    assertEquals(
        Arrays.asList(AdProvider.GLOBAL, AdProvider.IN_HOUSE), plans.recorded().get(0).getProviders());
  }

  /** Consent withdrawn while a plan is on its way: what comes last is what counts. */
  @Test
  public void plansComeInTheOrderOfConsents() {
    startup.enter(ConsentState.ADS_ALLOWED, plans::record);
    main.runAll();
    lookups.recorded().get(0).onRegion(RegionBucket.REGIONAL_MARKET);
    startup.enter(ConsentState.EXTERNAL_ADS_BLOCKED, plans::record);
    main.runAll();
    assertEquals(3, plans.recorded().get(0).getProviders().size());
    assertEquals(
        Collections.singletonList(AdProvider.IN_HOUSE), plans.recorded().get(1).getProviders());
  }

  @Test
  public void policyOfTheAppsOwn() {
    AdPolicy policy =
        (consent, region) ->
            region == RegionBucket.OTHER_MARKET
                ? Collections.emptyList()
                : Collections.singletonList(AdProvider.REGIONAL);
    AdStartup own = new AdStartup(policy, lookups::record, Runnable::run);
    own.enter(ConsentState.PENDING, plans::record);
    assertEquals(1, lookups.count());
    lookups.recorded().get(0).onRegion(RegionBucket.UNKNOWN);
    assertEquals(
        Collections.singletonList(AdProvider.REGIONAL), plans.recorded().get(0).getProviders());
  }

  @Test
  public void plansCannotBeChanged() {
    startup.enter(ConsentState.PENDING, plans::record);
    main.runAll();
    List<AdProvider> providers = plans.recorded().get(0).getProviders();
    assertThrows(UnsupportedOperationException.class, () -> providers.add(AdProvider.GLOBAL));
  }
}
