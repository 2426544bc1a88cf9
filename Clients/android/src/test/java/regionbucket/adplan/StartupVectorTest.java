package regionbucket.adplan;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;
import regionbucket.Cancellable;
import regionbucket.RegionBucket;
import regionbucket.RegionCallback;
import regionbucket.testing.Vectors;

public class StartupVectorTest {
  @Test
  public void everySequence() throws IOException {
    Vectors.runRows(
        "startup.json", Arrays.asList("name", "steps", "plans"), row -> new Sequence().run(row));
  }

  private static final class Sequence {
    private final List<RegionCallback> lookups = new ArrayList<>();
    private final AdStartup startup = new AdStartup(AdPolicy.STANDARD, lookups::add, Runnable::run);
    private final Map<String, Cancellable> waiters = new HashMap<>();
    /** In the order in which they were made, found by who hears of a new object first. */
    private final Map<ProviderPlan, Integer> numbers = new IdentityHashMap<>();
    private final List<ProviderPlan> plans = new ArrayList<>();
    private final Map<String, Integer> answered = new TreeMap<>();

    void run(JsonObject row) {
      for (JsonElement element : row.getAsJsonArray("steps")) {
        JsonObject step = element.getAsJsonObject();
        answered.clear();
        perform(step);
        assertEquals(step.toString(), step.get("lookups").getAsInt(), lookups.size());
        Map<String, Integer> expected = new TreeMap<>();
        step.getAsJsonObject("answered").entrySet()
            .forEach(entry -> expected.put(entry.getKey(), entry.getValue().getAsInt()));
        assertEquals(step.toString(), expected, answered);
      }
      List<List<AdProvider>> made = new ArrayList<>();
      plans.forEach(plan -> made.add(plan.getProviders()));
      List<List<AdProvider>> expected = new ArrayList<>();
      row.getAsJsonArray("plans")
          .forEach(plan -> expected.add(Vectors.constants(AdProvider.class, plan)));
      assertEquals(expected, made);
    }

    private void perform(JsonObject step) {
      String event = step.get("event").getAsString();
      switch (event) {
        case "enter":
          Vectors.requireFields(step, "event", "waiter", "consent", "lookups", "answered");
          enter(step.get("waiter").getAsString(), Vectors.constant(ConsentState.class, step.get("consent")));
          break;
        case "answer":
          Vectors.requireFields(step, "event", "lookup", "bucket", "lookups", "answered");
          lookups.get(step.get("lookup").getAsInt() - 1)
              .onRegion(Vectors.constant(RegionBucket.class, step.get("bucket")));
          break;
        case "cancel":
          Vectors.requireFields(step, "event", "waiter", "lookups", "answered");
          waiters.get(step.get("waiter").getAsString()).cancel();
          break;
        case "reset":
          Vectors.requireFields(step, "event", "lookups", "answered");
          startup.reset();
          break;
        default:
          throw new AssertionError("no such event: " + event);
      }
    }

    private void enter(String waiter, ConsentState consent) {
      Cancellable cancellable =
          startup.enter(
              consent,
              plan -> {
                if (!numbers.containsKey(plan)) {
                  plans.add(plan);
                  numbers.put(plan, plans.size());
                }
                Integer before = answered.put(waiter, numbers.get(plan));
                assertSame("answered twice", null, before);
              });
      assertNotNull(cancellable);
      waiters.put(waiter, cancellable);
    }
  }
}
