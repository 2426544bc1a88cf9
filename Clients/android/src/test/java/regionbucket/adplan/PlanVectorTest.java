package regionbucket.adplan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import org.junit.Test;
import regionbucket.RegionBucket;
import regionbucket.testing.Recorder;
import regionbucket.testing.Vectors;

public class PlanVectorTest {
  @Test
  public void everyRow() throws IOException {
    Vectors.runRows(
        "plan.json", Arrays.asList("consent", "bucket", "plan", "lookups"),
        row -> {
          ConsentState consent = Vectors.constant(ConsentState.class, row.get("consent"));
          RegionBucket bucket = Vectors.constant(RegionBucket.class, row.get("bucket"));
          Recorder<RegionBucket> lookups = new Recorder<>();
          Recorder<ProviderPlan> plans = new Recorder<>();
          RegionLookup lookup =
              callback -> {
                lookups.record(bucket);
                callback.onRegion(bucket);
              };
          new AdStartup(AdPolicy.STANDARD, lookup, Runnable::run).enter(consent, plans::record);
          assertEquals(1, plans.count());
          assertEquals(
              Vectors.constants(AdProvider.class, row.get("plan")),
              plans.recorded().get(0).getProviders());
          assertEquals(row.get("lookups").getAsInt(), lookups.count());
          assertEquals(row.get("lookups").getAsInt() == 1, AdPolicy.STANDARD.needsRegion(consent));
        });
  }

  /** The rows are all there are. */
  @Test
  public void everyCombinationIsARow() throws IOException {
    assertEquals(
        ConsentState.values().length * RegionBucket.values().length,
        Vectors.file("plan.json").getAsJsonArray("rows").size());
  }

  @Test
  public void needsRegionIsDerivedFromThePolicy() {
    AdPolicy never = (consent, region) -> Collections.singletonList(AdProvider.GLOBAL);
    AdPolicy always = (consent, region) -> Collections.nCopies(region.ordinal(), AdProvider.GLOBAL);
    AdPolicy onlyUnknown =
        (consent, region) ->
            region == RegionBucket.UNKNOWN
                ? Collections.emptyList()
                : Collections.singletonList(AdProvider.IN_HOUSE);
    for (ConsentState consent : ConsentState.values()) {
      assertFalse(never.needsRegion(consent));
      assertTrue(always.needsRegion(consent));
      assertTrue(onlyUnknown.needsRegion(consent));
    }
  }
}
