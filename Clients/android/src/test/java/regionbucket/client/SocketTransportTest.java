package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import regionbucket.RegionBucket;
import regionbucket.testing.RawServer;

/** What is sent and how responses are read, byte by byte, over plain sockets. */
public class SocketTransportTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String SENTENCE = "{\"bucket\":\"regionalMarket\"}";
  private static final String LENGTH = "Content-Length: 27\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  /** 27 bytes in two chunks. */
  private static final String CHUNKS = "a\r\n{\"bucket\":\r\n11\r\n\"regionalMarket\"}\r\n0\r\n";

  /** Fills a head of these fields up to 16 KiB, with the two line ends behind it. */
  private static final String PADDING = "X: " + times(16384 - (OK + JSON).length() - 7, "x");

  private RawServer server;

  @Before
  public void start() throws IOException {
    server = new RawServer();
  }

  @After
  public void stop() throws IOException {
    server.close();
  }

  private RegionAnswer answer(String response) {
    server.answer(response.getBytes(StandardCharsets.ISO_8859_1));
    RegionEndpoint endpoint =
        RegionEndpoint.allowingPlainLoopback(
            "http://127.0.0.1:" + server.port() + "/v1/region", Collections.singleton("127.0.0.1"));
    return Exchanges.answer(endpoint, RegionLimits.DEFAULT);
  }

  private static String times(int count, String text) {
    return String.join("", Collections.nCopies(count, text));
  }

  @Test
  public void accepted() {
    for (String response :
        Arrays.asList(
            OK + JSON + LENGTH + "\r\n" + SENTENCE,
            // More than the length is not read.
            OK + JSON + LENGTH + "\r\n" + SENTENCE + "HTTP/1.1 500 No\r\n\r\n",
            OK + JSON + "\r\n" + SENTENCE,
            "HTTP/1.0 200 OK\r\n" + JSON + "\r\n" + SENTENCE,
            "HTTP/1.1 200 \r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 200\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "content-type:application/json\r\ncONTENT-lENGTH:\t 27 \t\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: 00000000000000000000027\r\n\r\n" + SENTENCE,
            OK + JSON + "X: caf\u00e9\r\nEmpty:\r\n" + LENGTH + "\r\n" + SENTENCE,
            OK + JSON + CHUNKED + "\r\n" + CHUNKS + "\r\n",
            OK + JSON + "Transfer-Encoding: Chunked\r\n\r\n"
                + "1B;x=\"y\"\r\n" + SENTENCE + "\r\n000\r\nA: b\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n" + CHUNKS + times(300, "X-Trailer: more\r\n") + "\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                + OK + JSON + LENGTH + "\r\n" + SENTENCE,
            // 1 KiB exactly.
            OK + JSON + "Content-Length: 1024\r\n\r\n" + SENTENCE + times(997, " "),
            OK + JSON + "\r\n" + SENTENCE + times(997, " "),
            OK + JSON + CHUNKED + "\r\n1b\r\n" + SENTENCE + "\r\n" + times(997, "1\r\n \r\n") + "0\r\n\r\n",
            // 16 KiB of head exactly.
            OK + JSON + PADDING + "\r\n\r\n" + SENTENCE)) {
      RegionAnswer answer = answer(response);
      assertEquals(response, null, answer.refusal);
      assertEquals(response, RegionBucket.REGIONAL_MARKET, answer.bucket);
    }
  }

  @Test
  public void broken() {
    for (String response :
        Arrays.asList(
            "", "H", "HTTP/1.1 200 OK", OK, OK + JSON, OK + JSON + LENGTH,
            OK + JSON + LENGTH + "\r\n" + SENTENCE.substring(1),
            OK + JSON + "Content-Length: 28\r\n\r\n" + SENTENCE,
            // Lines end with CRLF.
            "HTTP/1.1 200 OK\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "Content-Type: application/json\n" + LENGTH + "\r\n" + SENTENCE,
            OK + JSON + LENGTH + "\n" + SENTENCE,
            "HTTP/1.1  200 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 2000 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 20\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 +20 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 020 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "http/1.1 200 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.2 200 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/2 200 OK\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            "\r\n" + OK + JSON + LENGTH + "\r\n" + SENTENCE,
            "HTTP/1.1 101 Switching Protocols\r\n\r\n" + OK + JSON + LENGTH + "\r\n" + SENTENCE,
            // Fields.
            OK + "Content-Type : application/json\r\n" + LENGTH + "\r\n" + SENTENCE,
            OK + ": empty name\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "no colon\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + JSON + " folded: line\r\n" + LENGTH + "\r\n" + SENTENCE,
            OK + "N\u00e4me: x\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "X: a\u0000b\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "X: a\rb\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + "X: a\u007fb\r\n" + JSON + LENGTH + "\r\n" + SENTENCE,
            // Framing that two readers may understand in two ways.
            OK + JSON + LENGTH + LENGTH + "\r\n" + SENTENCE,
            OK + JSON + LENGTH + CHUNKED + "\r\n" + CHUNKS + "\r\n",
            OK + JSON + CHUNKED + LENGTH + "\r\n" + CHUNKS + "\r\n",
            OK + JSON + CHUNKED + CHUNKED + "\r\n" + CHUNKS + "\r\n",
            OK + JSON + "Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS + "\r\n",
            OK + JSON + "Transfer-Encoding: identity\r\n\r\n" + SENTENCE,
            OK + JSON + "Transfer-Encoding:\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: 27, 27\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: +27\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: -1\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: 0x1b\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length:\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: 2\u00b2\r\n\r\n" + SENTENCE,
            // Chunks.
            OK + JSON + CHUNKED + "\r\n" + CHUNKS,
            OK + JSON + CHUNKED + "\r\n" + CHUNKS + "A: b\r\n",
            OK + JSON + CHUNKED + "\r\n\r\n" + SENTENCE,
            OK + JSON + CHUNKED + "\r\n1b\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n 1b\r\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n-1b\r\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n0x1b\r\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n1b\r\n" + SENTENCE + "0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n1b\r\n" + SENTENCE + "\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n1c\r\n" + SENTENCE + "\r\n0\r\n\r\n")) {
      assertEquals(response, RegionRefusal.CONNECTION_FAILED, answer(response).refusal);
    }
  }

  @Test
  public void tooLarge() {
    for (String response :
        Arrays.asList(
            OK + JSON + "Content-Length: 1025\r\n\r\n" + SENTENCE + times(998, " "),
            OK + JSON + "Content-Length: 4294967323\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: 18446744073709551643\r\n\r\n" + SENTENCE,
            OK + JSON + "Content-Length: " + times(400, "9") + "\r\n\r\n" + SENTENCE,
            OK + JSON + "\r\n" + SENTENCE + times(998, " "),
            OK + JSON + CHUNKED + "\r\n401\r\n" + SENTENCE + times(998, " ") + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n1b\r\n" + SENTENCE + "\r\n3e6\r\n" + times(998, " ") + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n10000000000000001b\r\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + PADDING + "x\r\n\r\n" + SENTENCE,
            OK + times(2000, "X: yyyyyy\r\n") + JSON + LENGTH + "\r\n" + SENTENCE,
            times(20000, "x"),
            times(1000, "HTTP/1.1 103 Early Hints\r\n\r\n") + OK + JSON + LENGTH + "\r\n" + SENTENCE,
            OK + JSON + CHUNKED + "\r\n1b;" + times(16384, "x") + "\r\n" + SENTENCE + "\r\n0\r\n\r\n",
            OK + JSON + CHUNKED + "\r\n" + CHUNKS + times(2000, "X-Trailer: more\r\n") + "\r\n")) {
      String label = response.substring(0, Math.min(100, response.length()));
      assertEquals(label, RegionRefusal.TOO_LARGE, answer(response).refusal);
    }
  }

  /** Of other statuses only the head counts, and no more is waited for. */
  @Test
  public void otherStatuses() {
    for (int status : new int[] {201, 204, 206, 301, 304, 404, 500, 599, 999}) {
      String head = "HTTP/1.1 " + status + " X\r\n" + JSON + "Content-Length: 1000000\r\n\r\n";
      assertEquals(RegionRefusal.STATUS, answer(head).refusal);
    }
  }

  /** Whatever comes, it ends, in an answer; and in a bucket only where the sentence was left whole. */
  @Test
  public void damagedResponses() {
    Random random = new Random(20261130);
    List<String> originals =
        Arrays.asList(
            OK + JSON + LENGTH + "\r\n" + SENTENCE, OK + JSON + CHUNKED + "\r\n" + CHUNKS + "\r\n");
    int named = 0;
    for (int round = 0; round < 2000; round++) {
      StringBuilder damaged = new StringBuilder(originals.get(round % 2));
      for (int count = 1 + random.nextInt(3); count > 0; count--) {
        int place = random.nextInt(damaged.length());
        switch (random.nextInt(3)) {
          case 0:
            damaged.setCharAt(place, (char) random.nextInt(256));
            break;
          case 1:
            damaged.deleteCharAt(place);
            break;
          default:
            damaged.insert(place, (char) random.nextInt(256));
            break;
        }
      }
      RegionAnswer answer = answer(damaged.toString());
      if (answer.refusal == null) {
        named++;
        assertTrue(damaged.toString(), damaged.indexOf("regionalMarket") > 0);
      } else {
        assertEquals(RegionBucket.UNKNOWN, answer.bucket);
      }
    }
    assertTrue("some damage does not matter, most does: " + named, named > 20 && named < 1000);
  }

  @Test
  public void whatIsSent() {
    answer(OK + JSON + LENGTH + "\r\n" + SENTENCE);
    List<String> expected = new ArrayList<>();
    expected.add(
        "GET /v1/region HTTP/1.1\r\n"
            + "Host: 127.0.0.1:" + server.port() + "\r\n"
            + "Accept: application/json\r\n"
            + "Accept-Encoding: identity\r\n"
            + "Connection: close\r\n\r\n");
    assertEquals(expected, server.requests().recorded());
  }

  @Test
  public void oldProtocolsAreLeftOut() {
    String[] enabled = {"SSLv3", "TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"};
    assertEquals(Arrays.asList("TLSv1.2", "TLSv1.3"), Arrays.asList(SocketTransport.modern(enabled)));
  }
}
