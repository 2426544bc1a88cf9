package regionbucket.client;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.concurrent.Executor;
import regionbucket.RegionBucket;
import regionbucket.testing.HandClock;
import regionbucket.testing.Recorder;

/** Resolvers over a transport of the test's own, on a clock moved by hand. */
final class ResolverFixture {
  static final Executor AT_ONCE = Runnable::run;

  final HandClock clock = new HandClock();
  final Recorder<RegionRequest> requests = new Recorder<>();

  /** What the transport does, given which request it is: 1 is the first. */
  interface Exchange {
    RegionResponse run(int number) throws RegionTransportException, InterruptedException;
  }

  RegionResolver resolver(Exchange exchange) {
    return resolver(AT_ONCE, RegionLimits.DEFAULT, exchange);
  }

  RegionResolver resolver(Executor executor, RegionLimits limits, Exchange exchange) {
    RegionEndpoint endpoint =
        new RegionEndpoint(
            "https://region.example.com/v1/region", Collections.singleton("region.example.com"));
    RegionTransport transport =
        request -> {
          requests.record(request);
          try {
            return exchange.run(requests.count());
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
        };
    return new RegionResolver(endpoint, limits, transport, executor, clock);
  }

  static RegionResponse saying(RegionBucket bucket) {
    String body = "{\"bucket\":\"" + bucket.getWireName() + "\"}";
    return new RegionResponse(200, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }
}
