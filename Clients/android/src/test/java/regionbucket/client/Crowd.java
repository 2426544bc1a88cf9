package regionbucket.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many callers at once. */
final class Crowd {
  interface Member {
    void act(int index) throws Exception;
  }

  private Crowd() {}

  /** Lets so many act, on so many threads that start together; returns when all have. */
  static void run(int threads, int count, Member member) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<Void>> shares = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread;
        shares.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int index = first; index < count; index += threads) {
                    member.act(index);
                  }
                  return null;
                }));
      }
      for (Future<Void> share : shares) {
        share.get();
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
