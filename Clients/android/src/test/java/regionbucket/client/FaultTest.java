package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static regionbucket.testing.Eventually.eventually;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.PasswordAuthentication;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import regionbucket.RegionBucket;
import regionbucket.testing.MisbehavingServer;
import regionbucket.testing.Recorder;
import regionbucket.testing.Trust;
import regionbucket.testing.Vectors;

/** The client against a server that misbehaves, over TLS. */
public class FaultTest {
  private static final Executor AT_ONCE = Runnable::run;
  private static final long TIMEOUT_MILLIS = 2000;
  /** How long after the time-out an answer may come; the machine may be busy. */
  private static final long GRACE_MILLIS = 1000;
  /** Tighter than what the rows allow to clients without a say in socket buffers. */
  private static final int BYTES_SENT_MAX = 65536;

  private static final RegionLimits LIMITS = new RegionLimits(TIMEOUT_MILLIS, 1024);

  private static MisbehavingServer server;
  private static RegionTransport transport;

  @BeforeClass
  public static void start() throws Exception {
    server = new MisbehavingServer();
    transport = RegionTransport.over(Trust.authority(server.authority()));
    // A virtual machine's first handshake loads a thousand classes, which is not what these tests measure.
    RegionLimits patient = new RegionLimits(60_000, 1024);
    Exchanges.answer(transport, endpoint("https", "regional/first"), patient);
  }

  @AfterClass
  public static void stop() throws IOException {
    server.close();
  }

  private static RegionEndpoint endpoint(String port, String path) {
    return new RegionEndpoint(
        "https://127.0.0.1:" + server.port(port) + "/" + path, Collections.singleton("127.0.0.1"));
  }

  private static RegionResolver resolver(String port, String path) {
    return new RegionResolver(endpoint(port, path), LIMITS, transport, AT_ONCE);
  }

  @Test
  public void everyFault() throws Exception {
    byte[] file = Files.readAllBytes(Vectors.TESTS.resolve("servers/faults.json"));
    JsonArray rows =
        JsonParser.parseString(new String(file, StandardCharsets.UTF_8))
            .getAsJsonObject().getAsJsonArray("rows");
    Set<String> named = new TreeSet<>();
    for (JsonElement row : rows) {
      if (row.getAsJsonObject().get("port").getAsString().equals("https")) {
        named.add(row.getAsJsonObject().get("path").getAsString());
      }
    }
    Set<String> faults = new TreeSet<>();
    server.ready().getAsJsonArray("faults").forEach(fault -> faults.add(fault.getAsString()));
    assertEquals(faults, named);
    Vectors.runRows(
        rows, "faults.json",
        Arrays.asList("name", "port", "path", "bucket", "connections", "requests", "bytesSentMax"),
        FaultTest::runFault);
  }

  private static void runFault(JsonObject row) throws Exception {
    String port = row.get("port").getAsString();
    String path = row.get("path").getAsString();
    String key = "android-" + port + "-" + path;
    RegionBucket expected = Vectors.constant(RegionBucket.class, row.get("bucket"));
    int acceptedBefore = server.accepted(port);
    RegionResolver resolver = resolver(port, path + "/" + key);
    long start = System.nanoTime();
    assertEquals(expected, Exchanges.resolve(resolver));
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertTrue("took " + millis + " ms", millis < TIMEOUT_MILLIS + GRACE_MILLIS);
    // Asked again it answers from what it has.
    assertEquals(expected, Exchanges.resolve(resolver));
    JsonObject tally = server.tally(key);
    assertEquals(row.get("requests").getAsInt(), tally.get("requests").getAsInt());
    assertEquals(row.get("connections").getAsInt(), server.accepted(port) - acceptedBefore);
    int bytesSentMax = Math.min(row.get("bytesSentMax").getAsInt(), BYTES_SENT_MAX);
    int bytesSent = tally.get("bytesSent").getAsInt();
    assertTrue("sent " + bytesSent, bytesSent <= bytesSentMax);
    assertEquals(0, server.tally(key + "-target").get("requests").getAsInt());
  }

  @Test
  public void refusalNamesTheFault() throws Exception {
    Object[][] rows = {
      {"https", "redirect-elsewhere", RegionRefusal.STATUS},
      {"https", "slow-first-byte", RegionRefusal.TIMED_OUT},
      {"https", "slow-head", RegionRefusal.TIMED_OUT},
      {"https", "slow-drip", RegionRefusal.TIMED_OUT},
      {"https", "body-never-ends", RegionRefusal.TIMED_OUT},
      {"https", "endless-body", RegionRefusal.TOO_LARGE},
      {"https", "endless-chunks", RegionRefusal.TOO_LARGE},
      {"https", "ten-megabytes", RegionRefusal.TOO_LARGE},
      {"https", "gzip-bomb", RegionRefusal.TOO_LARGE},
      {"https", "gzip-bomb-within-the-limit", RegionRefusal.BODY},
      {"https", "endless-head", RegionRefusal.TOO_LARGE},
      {"https", "endless-interim", RegionRefusal.TOO_LARGE},
      {"https", "half-body-then-reset", RegionRefusal.CONNECTION_FAILED},
      {"https", "half-body-then-close", RegionRefusal.CONNECTION_FAILED},
      {"https", "short-of-its-length", RegionRefusal.CONNECTION_FAILED},
      {"https", "close-without-answer", RegionRefusal.CONNECTION_FAILED},
      {"https", "reset-without-answer", RegionRefusal.CONNECTION_FAILED},
      {"https", "not-http", RegionRefusal.CONNECTION_FAILED},
      {"https", "bad-chunk-size", RegionRefusal.CONNECTION_FAILED},
      {"https", "no-content", RegionRefusal.STATUS},
      {"https", "unauthorized", RegionRefusal.STATUS},
      {"https", "other-case", RegionRefusal.BODY},
      {"https", "two-content-types", RegionRefusal.CONTENT_TYPE},
      {"https", "content-type-in-trailer", RegionRefusal.CONTENT_TYPE},
      {"wrongName", "regional", RegionRefusal.SECURE_CONNECTION_FAILED},
      {"expired", "regional", RegionRefusal.SECURE_CONNECTION_FAILED},
      {"untrusted", "regional", RegionRefusal.SECURE_CONNECTION_FAILED},
      {"plain", "regional", RegionRefusal.SECURE_CONNECTION_FAILED},
      {"silent", "regional", RegionRefusal.TIMED_OUT},
      {"closed", "regional", RegionRefusal.CONNECTION_FAILED},
    };
    for (Object[] row : rows) {
      RegionResolver resolver = resolver((String) row[0], row[1] + "/refusal-" + row[0]);
      assertEquals(row[0] + " " + row[1], RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
      assertEquals(row[0] + " " + row[1], row[2], resolver.getRefusal());
    }
  }

  @Test
  public void tenThousandAtOnceAreOneRequest() throws Exception {
    int accepted = server.accepted("https");
    RegionResolver resolver =
        new RegionResolver(
            endpoint("https", "regional/crowd"), new RegionLimits(20_000, 1024), transport, AT_ONCE);
    Recorder<RegionBucket> called = new Recorder<>();
    Crowd.run(16, 10_000, index -> resolver.resolve(called::record));
    eventually("all are answered", () -> called.count() == 10_000);
    assertEquals(Collections.nCopies(10_000, RegionBucket.REGIONAL_MARKET), called.recorded());
    assertEquals(1, server.tally("crowd").get("requests").getAsInt());
    assertEquals(1, server.accepted("https") - accepted);
  }

  /** An app's process-wide cookies, credentials and logging are none of this request's business. */
  @Test
  public void processWideSettingsStayOut() throws Exception {
    CookieManager cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
    Recorder<String> asked = new Recorder<>();
    CookieHandler.setDefault(cookies);
    Authenticator.setDefault(
        new Authenticator() {
          @Override
          protected PasswordAuthentication getPasswordAuthentication() {
            asked.record("asked for credentials");
            return new PasswordAuthentication("user", "password".toCharArray());
          }
        });
    try {
      RegionResolver resolver = resolver("https", "cookie-and-cache/settings");
      assertEquals(RegionBucket.REGIONAL_MARKET, Exchanges.resolve(resolver));
      resolver.reset();
      assertEquals(RegionBucket.REGIONAL_MARKET, Exchanges.resolve(resolver));
      assertEquals(
          RegionBucket.UNKNOWN, Exchanges.resolve(resolver("https", "unauthorized/settings-401")));
    } finally {
      CookieHandler.setDefault(null);
      Authenticator.setDefault(null);
    }
    assertEquals(Collections.emptyList(), cookies.getCookieStore().getCookies());
    assertEquals(Collections.emptyList(), asked.recorded());
    JsonArray heads = server.tally("settings").getAsJsonArray("heads");
    String head =
        "GET /cookie-and-cache/settings HTTP/1.1\r\n"
            + "Host: 127.0.0.1:" + server.port("https") + "\r\n"
            + "Accept: application/json\r\nAccept-Encoding: identity\r\nConnection: close";
    // The second without the first's cookie, and asked of the server though the first might have been cached.
    assertEquals(2, heads.size());
    assertEquals(head, heads.get(0).getAsString());
    assertEquals(head, heads.get(1).getAsString());
    assertEquals(1, server.tally("settings-401").get("requests").getAsInt());
  }

  @Test
  public void nothingIsLogged() throws Exception {
    Recorder<String> logged = new Recorder<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.record(record.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    PrintStream output = System.out;
    PrintStream errors = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream capture = new PrintStream(printed, true, "UTF-8");
    Logger.getLogger("").addHandler(handler);
    System.setOut(capture);
    System.setErr(capture);
    try {
      for (String path : Arrays.asList("regional", "html", "reset-without-answer", "bad-chunk-size")) {
        Exchanges.resolve(resolver("https", path + "/logged"));
      }
      Exchanges.resolve(resolver("untrusted", "regional/logged"));
      Exchanges.resolve(resolver("closed", "regional/logged"));
    } finally {
      System.setOut(output);
      System.setErr(errors);
      Logger.getLogger("").removeHandler(handler);
    }
    assertEquals("", printed.toString("UTF-8"));
    assertEquals(Collections.emptyList(), logged.recorded());
  }

  @Test
  public void systemAuthoritiesDoNotKnowTheTestsOne() throws Exception {
    RegionResolver resolver =
        new RegionResolver(endpoint("https", "regional/system"), LIMITS, RegionTransport.system(), AT_ONCE);
    assertEquals(RegionBucket.UNKNOWN, Exchanges.resolve(resolver));
    assertEquals(RegionRefusal.SECURE_CONNECTION_FAILED, resolver.getRefusal());
    assertEquals(0, server.tally("system").get("requests").getAsInt());
  }

  /** The transport keeps to its time even if nobody aborts it. */
  @Test
  public void theTransportHasATimeoutOfItsOwn() {
    for (String fault : Arrays.asList("slow-first-byte", "slow-drip", "body-never-ends")) {
      long start = System.nanoTime();
      assertEquals(
          RegionRefusal.TIMED_OUT,
          Exchanges.answer(transport, endpoint("https", fault + "/alone"), LIMITS).refusal);
      long millis = (System.nanoTime() - start) / 1_000_000;
      assertTrue(fault + " took " + millis + " ms", millis < TIMEOUT_MILLIS + GRACE_MILLIS);
    }
  }

  /** A thread of the transport does not outlive the time-out: the socket is closed under it. */
  @Test
  public void abortEndsTheExchange() throws Exception {
    for (String place : Arrays.asList("https", "silent")) {
      RegionRequest request =
          new RegionRequest(
              endpoint(place, "slow-first-byte/abort-" + place), new RegionLimits(60_000, 1024));
      AtomicReference<RegionRefusal> refusal = new AtomicReference<>();
      int accepted = server.accepted(place);
      Thread thread =
          new Thread(
              () -> {
                try {
                  transport.exchange(request);
                } catch (RegionTransportException failure) {
                  refusal.set(failure.getRefusal());
                }
              });
      thread.start();
      eventually(
          "it is waiting",
          () -> place.equals("https")
              ? server.tally("abort-" + place).get("requests").getAsInt() == 1
              : server.accepted(place) == accepted + 1);
      long start = System.nanoTime();
      request.abort();
      thread.join(10_000);
      assertTrue((System.nanoTime() - start) / 1_000_000 < 3000);
      assertEquals(RegionRefusal.TIMED_OUT, refusal.get());
    }
  }

  /** Threads are not kept for a second request that may never come. */
  @Test
  public void noThreadStays() throws Exception {
    Exchanges.resolve(resolver("https", "regional/threads"));
    eventually(
        "they are gone",
        () -> Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("region-bucket-"))
            .collect(Collectors.toList())
            .isEmpty());
  }
}
