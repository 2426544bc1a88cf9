package regionbucket.client;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import regionbucket.RegionBucket;

/** Asking and waiting, which only tests do. */
final class Exchanges {
  private Exchanges() {}

  /** What the system's transport makes of an endpoint, without a resolver. */
  static RegionAnswer answer(RegionEndpoint endpoint, RegionLimits limits) {
    return answer(RegionTransport.system(), endpoint, limits);
  }

  static RegionAnswer answer(RegionTransport transport, RegionEndpoint endpoint, RegionLimits limits) {
    try {
      RegionResponse response = transport.exchange(new RegionRequest(endpoint, limits));
      return RegionAnswer.of(response, limits.getBodyBytesMax());
    } catch (RegionTransportException failure) {
      return RegionAnswer.refused(failure.getRefusal());
    }
  }

  /** The bucket that a resolver calls back with. */
  static RegionBucket resolve(RegionResolver resolver) throws InterruptedException {
    CountDownLatch called = new CountDownLatch(1);
    AtomicReference<RegionBucket> answer = new AtomicReference<>();
    resolver.resolve(
        bucket -> {
          answer.set(bucket);
          called.countDown();
        });
    if (!called.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("never called back");
    }
    return answer.get();
  }
}
