package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import regionbucket.RegionBucket;
import regionbucket.testing.RawServer;

/** Names, addresses and the time they take. Every address of 127/8 is this machine; one of them listens. */
public class ConnectTest {
  private static final String LISTENS = "127.0.0.1";
  private static final String REFUSES = "127.0.0.2";
  private static final String HANGS = "127.0.0.3";

  private RawServer server;
  private ServerSocket full;
  private final List<Socket> fillers = new ArrayList<>();

  @Before
  public void start() throws IOException {
    server = new RawServer();
    String body = "{\"bucket\":\"regionalMarket\"}";
    String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
    server.answer((head + body).getBytes(StandardCharsets.US_ASCII));
    hangAtPort(server.port());
  }

  @After
  public void stop() throws IOException {
    server.close();
    full.close();
    for (Socket filler : fillers) {
      filler.close();
    }
  }

  /** Listens and accepts nobody, until the system lets further connections wait. */
  private void hangAtPort(int port) throws IOException {
    full = new ServerSocket(port, 1, InetAddress.getByName(HANGS));
    while (true) {
      Socket filler = new Socket();
      fillers.add(filler);
      try {
        filler.connect(new InetSocketAddress(HANGS, port), 200);
      } catch (SocketTimeoutException isFull) {
        return;
      }
    }
  }

  private RegionEndpoint endpoint() {
    return RegionEndpoint.allowingPlainLoopback(
        "http://localhost:" + server.port() + "/", Collections.singleton("localhost"));
  }

  private static RegionTransport over(String... addresses) {
    InetAddress[] found = new InetAddress[addresses.length];
    return new SocketTransport(
        null,
        host -> {
          assertEquals("localhost", host);
          for (int index = 0; index < addresses.length; index++) {
            found[index] = InetAddress.getByName(addresses[index]);
          }
          return found;
        });
  }

  private RegionAnswer answer(String... addresses) {
    return Exchanges.answer(over(addresses), endpoint(), RegionLimits.DEFAULT);
  }

  @Test
  public void triesTheNextAddress() {
    assertEquals(RegionBucket.REGIONAL_MARKET, answer(LISTENS).bucket);
    assertEquals(RegionBucket.REGIONAL_MARKET, answer(REFUSES, LISTENS).bucket);
    assertEquals(RegionBucket.REGIONAL_MARKET, answer(REFUSES, REFUSES, LISTENS).bucket);
    assertEquals(3, server.requests().count());
    assertEquals(RegionRefusal.CONNECTION_FAILED, answer(REFUSES, REFUSES).refusal);
    assertEquals(RegionRefusal.CONNECTION_FAILED, answer().refusal);
    assertEquals(3, server.requests().count());
  }

  /** An address of which nothing is heard leaves time for the others. */
  @Test
  public void eachAddressHasItsShare() {
    long start = System.nanoTime();
    assertEquals(RegionBucket.REGIONAL_MARKET, answer(HANGS, LISTENS).bucket);
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue("took " + millis, millis >= 1000 && millis < 2000);
  }

  @Test
  public void nobodyAnswers() {
    long start = System.nanoTime();
    assertEquals(RegionRefusal.TIMED_OUT, answer(HANGS, HANGS).refusal);
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue("took " + millis, millis >= 1990 && millis < 3000);
  }

  /** A look-up cannot be stopped. It holds a thread, not the caller's answer, and comes to nothing. */
  @Test
  public void nameLookupThatHangs() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    RegionTransport system =
        new SocketTransport(
            null,
            host -> {
              try {
                gate.await();
              } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
              }
              return new InetAddress[] {InetAddress.getLoopbackAddress()};
            });
    RegionTransport transport =
        request -> {
          try {
            return system.exchange(request);
          } finally {
            ended.countDown();
          }
        };
    RegionResolver resolver =
        new RegionResolver(endpoint(), new RegionLimits(300, 1024), transport, Runnable::run);
    long start = System.nanoTime();
    assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue("took " + millis, millis >= 300 && millis < 1300);
    assertEquals(RegionRefusal.TIMED_OUT, resolver.getRefusal());
    gate.countDown();
    ended.await();
    assertEquals(0, server.requests().count());
  }

  /** A name that cannot exist (RFC 6761, section 6.4), however long the system takes to say so. */
  @Test
  public void nameWithoutAddress() throws Exception {
    RegionEndpoint endpoint =
        new RegionEndpoint("https://region.invalid/", Collections.singleton("region.invalid"));
    long start = System.nanoTime();
    RegionResolver resolver = new RegionResolver(endpoint, Runnable::run);
    assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue("took " + millis, millis < 3000);
    RegionRefusal refusal = resolver.getRefusal();
    assertTrue(
        "" + refusal,
        refusal == RegionRefusal.CONNECTION_FAILED || refusal == RegionRefusal.TIMED_OUT);
  }

  /** Without time there is not even a connection. */
  @Test
  public void noTimeLeft() {
    RegionRequest request = new RegionRequest(endpoint(), RegionLimits.DEFAULT);
    request.abort();
    try {
      RegionTransport.system().exchange(request);
      fail("there was no time");
    } catch (RegionTransportException failure) {
      assertEquals(RegionRefusal.TIMED_OUT, failure.getRefusal());
    }
    assertEquals(0, server.requests().count());
  }
}
