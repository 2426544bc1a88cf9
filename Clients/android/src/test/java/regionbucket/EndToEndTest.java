package regionbucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import regionbucket.adplan.AdLoader;
import regionbucket.adplan.AdPolicy;
import regionbucket.adplan.AdProvider;
import regionbucket.adplan.AdSource;
import regionbucket.adplan.AdStartup;
import regionbucket.adplan.ConsentState;
import regionbucket.adplan.LoadedAd;
import regionbucket.client.RegionEndpoint;
import regionbucket.client.RegionLimits;
import regionbucket.client.RegionRefusal;
import regionbucket.client.RegionResolver;
import regionbucket.client.RegionTransport;
import regionbucket.testing.Recorder;
import regionbucket.testing.Service;
import regionbucket.testing.TlsFront;
import regionbucket.testing.Trust;

/** From consent to an ad, with the real service behind a front that ends TLS. */
public class EndToEndTest {
  private static final String CONFIGURATION =
      "{listeners: [{tcp: '127.0.0.1:0'}], trustedPeers: ['loopback'], sources: ['cdn'],"
          + " cdn: {preset: 'cloudfront'}, policy: {regional: ['KR']}, log: {format: 'json'}}";
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static final Path SCRATCH = Paths.get(System.getProperty("regionbucket.scratch"));
  private static final ExecutorService MAIN = Executors.newSingleThreadExecutor();
  private static Service service;
  private static TlsFront front;
  private static RegionTransport transport;

  @BeforeClass
  public static void start() throws Exception {
    Path configuration = SCRATCH.resolve("service.json5");
    Files.write(configuration, CONFIGURATION.getBytes(StandardCharsets.UTF_8));
    service = new Service("--config", configuration.toString());
    KeyStore store = makeKey(SCRATCH.resolve("front.p12"));
    front = new TlsFront(store, PASSWORD, service.port());
    Certificate certificate = store.getCertificate("front");
    Path authority = SCRATCH.resolve("front.pem");
    Files.write(
        authority,
        Arrays.asList(
            "-----BEGIN CERTIFICATE-----",
            Base64.getMimeEncoder().encodeToString(certificate.getEncoded()),
            "-----END CERTIFICATE-----"));
    transport = RegionTransport.over(Trust.authority(authority.toString()));
  }

  @AfterClass
  public static void stop() throws Exception {
    MAIN.shutdownNow();
    if (front != null) {
      front.close();
    }
    if (service != null) {
      service.close();
    }
  }

  private static KeyStore makeKey(Path path) throws Exception {
    Files.deleteIfExists(path);
    Process keytool =
        new ProcessBuilder(
                Paths.get(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
                "-alias", "front", "-keyalg", "EC", "-dname", "CN=front", "-ext", "san=ip:127.0.0.1",
                "-validity", "2", "-storetype", "PKCS12", "-keystore", path.toString(), "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals("keytool's exit status", 0, keytool.waitFor());
    return KeyStore.getInstance(path.toFile(), PASSWORD);
  }

  @Test
  public void threeBucketsAndTheChain() throws Exception {
    assertChain(
        RegionBucket.REGIONAL_MARKET, Arrays.asList(AdProvider.REGIONAL, AdProvider.GLOBAL),
        "CloudFront-Viewer-Country: KR");
    assertChain(
        RegionBucket.OTHER_MARKET, Collections.singletonList(AdProvider.GLOBAL),
        "CloudFront-Viewer-Country: NO");
    assertChain(RegionBucket.UNKNOWN, Collections.singletonList(AdProvider.GLOBAL));
  }

  /** Every external provider says no, so that all of them are walked. */
  private void assertChain(RegionBucket bucket, List<AdProvider> asked, String... fields)
      throws Exception {
    front.add(fields);
    RegionEndpoint endpoint =
        new RegionEndpoint(
            "https://127.0.0.1:" + front.port() + "/v1/region", Collections.singleton("127.0.0.1"));
    RegionResolver resolver =
        new RegionResolver(endpoint, new RegionLimits(20_000, 1024), transport, MAIN);
    Recorder<RegionBucket> answers = new Recorder<>();
    AdStartup startup =
        new AdStartup(
            AdPolicy.STANDARD,
            callback ->
                resolver.resolve(
                    found -> {
                      answers.record(found);
                      callback.onRegion(found);
                    }),
            MAIN);
    Recorder<AdProvider> calls = new Recorder<>();
    Map<AdProvider, AdSource<String>> sources = new EnumMap<>(AdProvider.class);
    for (AdProvider provider : Arrays.asList(AdProvider.REGIONAL, AdProvider.GLOBAL)) {
      sources.put(
          provider,
          new AdSource<>(
              5000,
              reply -> {
                calls.record(provider);
                reply.fail("no fill");
              }));
    }
    SynchronousQueue<LoadedAd<String>> ended = new SynchronousQueue<>();
    startup.enter(
        ConsentState.ADS_ALLOWED,
        plan ->
            new AdLoader<>(plan.getProviders(), sources, () -> "own content", MAIN)
                .load(
                    loaded -> {
                      try {
                        ended.put(loaded);
                      } catch (InterruptedException interrupted) {
                        throw new AssertionError(interrupted);
                      }
                    }));
    LoadedAd<String> loaded = ended.poll(30, TimeUnit.SECONDS);
    assertNotNull("an ad within the time", loaded);
    assertEquals(AdProvider.IN_HOUSE, loaded.getProvider());
    assertEquals(Collections.singletonList(bucket), answers.recorded());
    assertEquals(asked, calls.recorded());
    assertNull("the service itself said so", resolver.getRefusal());
  }

  @Test
  public void anotherPathIsNoAnswer() throws Exception {
    RegionEndpoint endpoint =
        new RegionEndpoint(
            "https://127.0.0.1:" + front.port() + "/v2/region", Collections.singleton("127.0.0.1"));
    RegionResolver resolver =
        new RegionResolver(endpoint, new RegionLimits(20_000, 1024), transport, MAIN);
    assertEquals(RegionBucket.UNKNOWN, resolve(resolver));
    assertEquals(RegionRefusal.STATUS, resolver.getRefusal());
  }

  /** The stand-in for an app's developers, on whose own machine there is no TLS. */
  @Test
  public void standIn() throws Exception {
    for (RegionBucket bucket : RegionBucket.values()) {
      try (Service standIn =
          new Service(
              "--always", bucket.getWireName(), "--listeners", "127.0.0.1:0", "--log-format", "json")) {
        RegionEndpoint endpoint =
            RegionEndpoint.allowingPlainLoopback(
                "http://127.0.0.1:" + standIn.port() + "/v1/region", Collections.singleton("127.0.0.1"));
        RegionResolver resolver = new RegionResolver(endpoint, MAIN);
        assertEquals(bucket, resolve(resolver));
        assertNull(resolver.getRefusal());
      }
    }
  }

  private static RegionBucket resolve(RegionResolver resolver) throws InterruptedException {
    SynchronousQueue<RegionBucket> answered = new SynchronousQueue<>();
    resolver.resolve(
        bucket -> {
          try {
            answered.put(bucket);
          } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
          }
        });
    return answered.poll(30, TimeUnit.SECONDS);
  }
}
