package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.Test;
import regionbucket.client.RegionEndpointException.Reason;
import regionbucket.testing.Vectors;

public class EndpointVectorTest {
  @Test
  public void everyEndpoint() throws IOException {
    Vectors.runRows(
        "endpoints.json",
        Arrays.asList("name", "url", "allowedHosts", "allowsPlainLoopback", "accepted"),
        row -> assertEquals(row.get("accepted").getAsBoolean(), isAccepted(row)));
  }

  private static boolean isAccepted(JsonObject row) {
    List<String> hosts = new ArrayList<>();
    for (JsonElement host : row.getAsJsonArray("allowedHosts")) {
      hosts.add(host.getAsString());
    }
    String url = row.get("url").getAsString();
    try {
      RegionEndpoint endpoint =
          row.get("allowsPlainLoopback").getAsBoolean()
              ? RegionEndpoint.allowingPlainLoopback(url, hosts)
              : new RegionEndpoint(url, hosts);
      assertEquals(url, endpoint.getUrl());
      return true;
    } catch (RegionEndpointException refused) {
      return false;
    }
  }

  @Test
  public void parts() {
    assertParts("https://a.example/", "a.example", "a.example", 443, "/");
    assertParts("https://a.example:8443/v1/region", "a.example:8443", "a.example", 8443, "/v1/region");
    assertParts("https://[2001:db8::1]/x", "[2001:db8::1]", "2001:db8::1", 443, "/x");
    assertParts("https://[2001:db8::1]:65535/", "[2001:db8::1]:65535", "2001:db8::1", 65535, "/");
    RegionEndpoint plain =
        RegionEndpoint.allowingPlainLoopback("http://localhost/", Collections.singleton("localhost"));
    assertEquals(80, plain.port());
  }

  private static void assertParts(String url, String authority, String host, int port, String path) {
    RegionEndpoint endpoint = new RegionEndpoint(url, Arrays.asList("a.example", "[2001:db8::1]"));
    assertEquals(authority, endpoint.authority());
    assertEquals(host, endpoint.connectHost());
    assertEquals(port, endpoint.port());
    assertEquals(path, endpoint.path());
  }

  @Test
  public void reasons() {
    assertReason(Reason.MALFORMED, "ftp://a.example/");
    assertReason(Reason.MALFORMED, "https://a.example");
    assertReason(Reason.MALFORMED, "https://a.example:0/");
    assertReason(Reason.HOST_NOT_ALLOWED, "https://b.example/");
    assertReason(Reason.NOT_SECURE, "http://a.example/");
    StringBuilder longest = new StringBuilder("https://a.example/");
    while (longest.length() < RegionEndpoint.URL_CHARACTERS_MAX) {
      longest.append('a');
    }
    assertEquals(longest.toString(), new RegionEndpoint(longest.toString(), listed()).getUrl());
    assertReason(Reason.TOO_LONG, longest.append('a').toString());
  }

  /** A set that compares its own way lists nothing more for it. */
  @Test
  public void hostsAreComparedExactly() {
    Set<String> hosts = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    hosts.add("A.example");
    assertEquals(
        Reason.HOST_NOT_ALLOWED,
        assertThrows(RegionEndpointException.class, () -> new RegionEndpoint("https://a.example/", hosts))
            .getReason());
  }

  private static void assertReason(Reason reason, String url) {
    assertEquals(
        reason,
        assertThrows(RegionEndpointException.class, () -> new RegionEndpoint(url, listed())).getReason());
  }

  private static List<String> listed() {
    return Collections.singletonList("a.example");
  }
}
