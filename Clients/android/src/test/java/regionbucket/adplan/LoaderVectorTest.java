package regionbucket.adplan;

import static org.junit.Assert.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;
import regionbucket.adplan.LoaderState.Action;
import regionbucket.adplan.LoaderState.Event;
import regionbucket.testing.HandClock;
import regionbucket.testing.Vectors;

public class LoaderVectorTest {
  private static final String FILE = "loader.json";
  private static final List<String> FIELDS =
      Arrays.asList("name", "plan", "steps", "calls", "dropped", "result");

  private interface Chain {
    void step(Event event, AdProvider provider, long atMillis);
  }

  /** What happened, in the words of the vectors. */
  private static final class Story {
    final List<String> calls = new ArrayList<>();
    final List<String> dropped = new ArrayList<>();
    String result = "null";
  }

  @Test
  public void everySequence() throws IOException {
    Map<AdProvider, Long> timeouts = timeoutsMillis();
    Vectors.runRows(
        FILE, FIELDS,
        row -> {
          Story story = new Story();
          LoaderState state =
              new LoaderState(Vectors.constants(AdProvider.class, row.get("plan")), timeouts);
          run(
              row, story,
              (event, provider, atMillis) -> {
                while (state.deadlineMillis() != null && state.deadlineMillis() <= atMillis) {
                  long deadline = state.deadlineMillis();
                  List<Action> actions = state.handle(Event.WAIT, null, deadline);
                  assertEquals("a time-out at its time", Action.Kind.EXPIRE, actions.get(0).kind);
                  tell(story, actions, null);
                }
                tell(story, state.handle(event, provider, atMillis), event);
              });
        });
  }

  private static void tell(Story story, List<Action> actions, Event event) {
    for (Action action : actions) {
      switch (action.kind) {
        case ASK:
          story.calls.add(line(action.atMillis, action.provider));
          break;
        case EXPIRE:
          break;
        case DROP:
          story.dropped.add(event + " " + line(action.atMillis, action.provider));
          break;
        case FINISH:
          story.result = action.provider == null ? "null" : line(action.atMillis, action.provider);
          break;
      }
    }
  }

  /** The same through the loader itself, save for outcomes of providers that nobody has asked. */
  @Test
  public void everySequenceThroughTheLoader() throws IOException {
    Map<AdProvider, Long> timeouts = timeoutsMillis();
    int[] skipped = new int[1];
    Vectors.runRows(
        Vectors.file(FILE).getAsJsonArray("rows"), FILE, FIELDS,
        row -> {
          Story story = new Story();
          LoaderRun loader =
              new LoaderRun(Vectors.constants(AdProvider.class, row.get("plan")), timeouts, story);
          try {
            run(row, story, loader::step);
          } catch (NobodyAsked unreachable) {
            skipped[0]++;
          }
        });
    assertEquals("rows that no caller can bring about", 2, skipped[0]);
  }

  private static final class NobodyAsked extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class LoaderRun {
    private final HandClock clock = new HandClock();
    private final long originMillis = clock.nowMillis();
    private final Map<AdProvider, AdReply<String>> replies = new EnumMap<>(AdProvider.class);
    private final Story story;
    private final AdLoader<String> loader;
    private Event current;
    private boolean isCancelled;

    LoaderRun(List<AdProvider> plan, Map<AdProvider, Long> timeouts, Story story) {
      this.story = story;
      Map<AdProvider, AdSource<String>> sources = new EnumMap<>(AdProvider.class);
      timeouts.forEach(
          (provider, timeout) ->
              sources.put(
                  provider,
                  new AdSource<>(
                      timeout,
                      reply -> {
                        story.calls.add(line(now(), provider));
                        replies.put(provider, reply);
                      })));
      AdObserver<String> observer =
          new AdObserver<String>() {
            @Override
            public void onDropped(AdProvider provider, String ad) {
              assertEquals(current == Event.SUCCESS, ad != null);
              story.dropped.add(current + " " + line(now(), provider));
            }
          };
      loader = new AdLoader<>(plan, sources, () -> "own content", Runnable::run, observer, clock);
    }

    private long now() {
      return clock.nowMillis() - originMillis;
    }

    void step(Event event, AdProvider provider, long atMillis) {
      clock.advance(atMillis - now());
      current = event;
      switch (event) {
        case START:
          boolean mayHear = !isCancelled && story.result.equals("null");
          loader.load(
              loaded -> {
                if (mayHear && loaded != null) {
                  story.result = line(now(), loaded.getProvider());
                }
              });
          break;
        case CANCEL:
          isCancelled = true;
          loader.cancel();
          break;
        case SUCCESS:
          reply(provider).deliver("ad of " + provider);
          break;
        case FAILURE:
          reply(provider).fail("no fill");
          break;
        case WAIT:
          break;
      }
    }

    private AdReply<String> reply(AdProvider provider) {
      AdReply<String> reply = replies.get(provider);
      if (reply == null) {
        throw new NobodyAsked();
      }
      return reply;
    }
  }

  private static void run(JsonObject row, Story story, Chain chain) {
    for (JsonElement element : row.getAsJsonArray("steps")) {
      JsonObject step = element.getAsJsonObject();
      Event event = Vectors.constant(Event.class, step.get("event"));
      boolean isOutcome = event == Event.SUCCESS || event == Event.FAILURE;
      Vectors.requireFields(
          step, isOutcome ? new String[] {"at", "event", "provider"} : new String[] {"at", "event"});
      AdProvider provider =
          isOutcome ? Vectors.constant(AdProvider.class, step.get("provider")) : null;
      chain.step(event, provider, step.get("at").getAsLong());
    }
    List<String> calls = new ArrayList<>();
    row.getAsJsonArray("calls").forEach(call -> calls.add(line(call, "at", "provider")));
    List<String> dropped = new ArrayList<>();
    for (JsonElement drop : row.getAsJsonArray("dropped")) {
      Event event = Vectors.constant(Event.class, drop.getAsJsonObject().get("event"));
      dropped.add(event + " " + line(drop, "at", "event", "provider"));
    }
    assertEquals("calls", calls, story.calls);
    assertEquals("dropped", dropped, story.dropped);
    JsonElement result = row.get("result");
    assertEquals("result", result.isJsonNull() ? "null" : line(result, "at", "provider"), story.result);
  }

  private static String line(JsonElement element, String... fields) {
    JsonObject object = element.getAsJsonObject();
    Vectors.requireFields(object, fields);
    return line(object.get("at").getAsLong(), Vectors.constant(AdProvider.class, object.get("provider")));
  }

  private static String line(long atMillis, AdProvider provider) {
    return provider + " at " + atMillis;
  }

  private static Map<AdProvider, Long> timeoutsMillis() throws IOException {
    Map<AdProvider, Long> timeouts = new EnumMap<>(AdProvider.class);
    JsonObject named = Vectors.file(FILE).getAsJsonObject("timeoutMilliseconds");
    Vectors.requireFields(named, "regional", "global");
    timeouts.put(AdProvider.REGIONAL, named.get("regional").getAsLong());
    timeouts.put(AdProvider.GLOBAL, named.get("global").getAsLong());
    return timeouts;
  }
}
