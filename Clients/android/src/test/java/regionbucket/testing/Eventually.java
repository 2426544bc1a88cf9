package regionbucket.testing;

import java.util.concurrent.Callable;

/** Waits for what other threads do. */
public final class Eventually {
  private static final long MILLIS_MAX = 20_000;

  private Eventually() {}

  /** Returns once it holds; fails if it does not come to that. */
  public static void eventually(String what, Callable<Boolean> holds) throws Exception {
    long start = System.nanoTime();
    while (!holds.call()) {
      if ((System.nanoTime() - start) / 1_000_000 > MILLIS_MAX) {
        throw new AssertionError("never: " + what);
      }
      Thread.sleep(5);
    }
  }
}
