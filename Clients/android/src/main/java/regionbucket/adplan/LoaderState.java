package regionbucket.adplan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jetbrains.annotations.Nullable;

/**
 * A chain of providers being tried: events and times in, actions out.
 *
 * <p>Times are milliseconds on a clock of the owner's. No thread, no alarm: {@link AdLoader} carries the
 * actions out.
 */
final class LoaderState {
  /** What happened. */
  enum Event {
    /** The owner wants an ad. Counts once. */
    START,
    /** A provider delivered. */
    SUCCESS,
    /** A provider did not. */
    FAILURE,
    /** The owner no longer wants one. */
    CANCEL,
    /** Nothing but time. */
    WAIT
  }

  /** What follows. */
  static final class Action {
    enum Kind {
      /** Ask this provider; it became its turn at this time. */
      ASK,
      /** This provider's time is over: stop it if it can be stopped. */
      EXPIRE,
      /** The outcome of this provider that came with the event counts for nothing. */
      DROP,
      /** The chain has ended with this provider, or with none. */
      FINISH
    }

    final Kind kind;
    /** Null only where the chain ended with none. */
    @Nullable final AdProvider provider;
    final long atMillis;

    Action(Kind kind, @Nullable AdProvider provider, long atMillis) {
      this.kind = kind;
      this.provider = provider;
      this.atMillis = atMillis;
    }
  }

  private final Queue<AdProvider> remaining;
  private final Map<AdProvider, Long> timeoutsMillis;
  private final Set<AdProvider> asked = EnumSet.noneOf(AdProvider.class);
  private boolean hasStarted;
  /** The provider being asked. */
  private AdProvider asking;
  private long deadlineMillis;

  /**
   * A chain that has not started.
   *
   * @param timeoutsMillis for each external provider; one without an entry is skipped like one that failed
   */
  LoaderState(List<AdProvider> plan, Map<AdProvider, Long> timeoutsMillis) {
    remaining = new ArrayDeque<>(plan);
    this.timeoutsMillis = timeoutsMillis;
  }

  /** When the provider being asked runs out of time; null if none is. */
  @Nullable
  Long deadlineMillis() {
    return asking == null ? null : deadlineMillis;
  }

  /**
   * Takes an event at its time, behind a time-out that fell due until then: an outcome at the very instant of
   * its time-out is late. The next provider's time begins now, however late the owner's alarm was.
   *
   * @param provider whose outcome it is; null for the other events
   */
  List<Action> handle(Event event, @Nullable AdProvider provider, long nowMillis) {
    List<Action> actions = new ArrayList<>();
    if (asking != null && deadlineMillis <= nowMillis) {
      actions.add(new Action(Action.Kind.EXPIRE, asking, nowMillis));
      advance(actions, nowMillis);
    }
    switch (event) {
      case WAIT:
        break;
      case START:
        if (!hasStarted) {
          hasStarted = true;
          advance(actions, nowMillis);
        }
        break;
      case CANCEL:
        end();
        break;
      case SUCCESS:
        if (provider != asking) {
          actions.add(new Action(Action.Kind.DROP, provider, nowMillis));
        } else {
          end();
          actions.add(new Action(Action.Kind.FINISH, provider, nowMillis));
        }
        break;
      case FAILURE:
        if (provider != asking) {
          actions.add(new Action(Action.Kind.DROP, provider, nowMillis));
        } else {
          advance(actions, nowMillis);
        }
        break;
    }
    return Collections.unmodifiableList(actions);
  }

  /** On to the next provider that has not been asked. */
  private void advance(List<Action> actions, long nowMillis) {
    asking = null;
    while (!remaining.isEmpty()) {
      AdProvider next = remaining.remove();
      if (next == AdProvider.IN_HOUSE) {
        end();
        actions.add(new Action(Action.Kind.FINISH, next, nowMillis));
        return;
      }
      Long timeoutMillis = timeoutsMillis.get(next);
      if (timeoutMillis != null && asked.add(next)) {
        asking = next;
        deadlineMillis = nowMillis + timeoutMillis;
        actions.add(new Action(Action.Kind.ASK, next, nowMillis));
        return;
      }
    }
    actions.add(new Action(Action.Kind.FINISH, null, nowMillis));
  }

  private void end() {
    hasStarted = true;
    asking = null;
    remaining.clear();
  }
}
