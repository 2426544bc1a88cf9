package regionbucket.internal;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Hands what has to be run to an executor, in the order in which it was added, never two at once.
 *
 * <p>Add under the lock of the state that the order follows, and hand over behind it: then an executor that
 * runs things at once runs them outside of the lock. Usable from any thread.
 */
public final class Deliveries {
  private final Executor executor;
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private boolean isHandingOver;

  /**
   * Deliveries to one executor.
   *
   * @param executor where to run
   */
  public Deliveries(Executor executor) {
    this.executor = Objects.requireNonNull(executor);
  }

  /**
   * Puts something at the end.
   *
   * @param delivery what to run
   */
  public void add(Runnable delivery) {
    synchronized (queue) {
      queue.add(delivery);
    }
  }

  /**
   * Hands over all that was added, unless another thread, or this one further up, is about to.
   *
   * <p>What the executor throws is thrown behind the last one: nobody goes without because of another.
   */
  public void handOver() {
    synchronized (queue) {
      if (isHandingOver) {
        return;
      }
      isHandingOver = true;
    }
    Throwable thrown = null;
    for (Runnable next = take(); next != null; next = take()) {
      try {
        executor.execute(next);
      } catch (RuntimeException | Error error) {
        if (thrown == null) {
          thrown = error;
        } else if (thrown != error) {
          thrown.addSuppressed(error);
        }
      }
    }
    if (thrown instanceof Error) {
      throw (Error) thrown;
    }
    if (thrown != null) {
      throw (RuntimeException) thrown;
    }
  }

  private Runnable take() {
    synchronized (queue) {
      Runnable next = queue.poll();
      isHandingOver = next != null;
      return next;
    }
  }
}
