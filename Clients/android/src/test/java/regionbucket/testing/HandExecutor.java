package regionbucket.testing;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** An executor that runs nothing until it is told to, like a main thread that is busy. */
public final class HandExecutor implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
    }
  }

  /** How many tasks wait. */
  public int waiting() {
    synchronized (tasks) {
      return tasks.size();
    }
  }

  /** Runs tasks until there are none. */
  public void runAll() {
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  private Runnable take() {
    synchronized (tasks) {
      return tasks.poll();
    }
  }
}
