package regionbucket.testing;

import java.util.ArrayList;
import java.util.List;

/** Keeps what it is told, in order. Usable from any thread. */
public final class Recorder<Value> {
  private final List<Value> recorded = new ArrayList<>();

  public synchronized void record(Value value) {
    recorded.add(value);
  }

  public synchronized List<Value> recorded() {
    return new ArrayList<>(recorded);
  }

  public synchronized int count() {
    return recorded.size();
  }
}
