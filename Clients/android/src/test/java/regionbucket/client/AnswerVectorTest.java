package regionbucket.client;

import static org.junit.Assert.assertEquals;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import org.junit.Test;
import regionbucket.RegionBucket;
import regionbucket.testing.RawServer;
import regionbucket.testing.Vectors;

public class AnswerVectorTest {
  private static final String FILE = "answers.json";
  private static final List<String> FIELDS =
      Arrays.asList("name", "status", "contentType", "body", "bucket");

  @Test
  public void everyAnswer() throws IOException {
    int limitBytes = Vectors.file(FILE).get("limitBytes").getAsInt();
    assertEquals(limitBytes, RegionLimits.DEFAULT.getBodyBytesMax());
    Vectors.runRows(
        FILE, FIELDS,
        row -> {
          RegionResponse response =
              new RegionResponse(row.get("status").getAsInt(), contentType(row), body(row));
          assertEquals(expected(row), RegionAnswer.of(response, limitBytes).bucket);
        });
  }

  /** The same through a socket: head, length and limit are the transport's to get right. */
  @Test
  public void everyAnswerOverTheWire() throws IOException {
    try (RawServer server = new RawServer()) {
      RegionEndpoint endpoint =
          RegionEndpoint.allowingPlainLoopback(
              "http://127.0.0.1:" + server.port() + "/v1/region", Collections.singleton("127.0.0.1"));
      for (boolean isChunked : new boolean[] {false, true}) {
        Vectors.runRows(
            Vectors.file(FILE).getAsJsonArray("rows"), FILE, FIELDS,
            row -> {
              server.answer(response(row, isChunked));
              assertEquals(expected(row), Exchanges.answer(endpoint, RegionLimits.DEFAULT).bucket);
            });
      }
    }
  }

  private static RegionBucket expected(JsonObject row) {
    return Vectors.constant(RegionBucket.class, row.get("bucket"));
  }

  private static String contentType(JsonObject row) {
    JsonElement contentType = row.get("contentType");
    return contentType.isJsonNull() ? null : contentType.getAsString();
  }

  private static byte[] body(JsonObject row) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (JsonElement element : row.getAsJsonArray("body")) {
      JsonObject part = element.getAsJsonObject();
      int times = part.has("times") ? part.get("times").getAsInt() : 1;
      String form = part.has("text") ? "text" : "base64";
      Vectors.requireFields(part, part.has("times") ? new String[] {form, "times"} : new String[] {form});
      String content = part.get(form).getAsString();
      byte[] bytes =
          form.equals("text")
              ? content.getBytes(StandardCharsets.UTF_8)
              : Base64.getDecoder().decode(content);
      for (int count = 0; count < times; count++) {
        body.write(bytes);
      }
    }
    return body.toByteArray();
  }

  private static byte[] response(JsonObject row, boolean isChunked) throws IOException {
    byte[] body = body(row);
    String contentType = contentType(row);
    String head =
        "HTTP/1.1 " + row.get("status") + " Whatever\r\n"
            + (contentType == null ? "" : "Content-Type: " + contentType + "\r\n")
            + (isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length)
            + "\r\n\r\n";
    ByteArrayOutputStream response = new ByteArrayOutputStream();
    response.write(head.getBytes(StandardCharsets.UTF_8));
    if (isChunked && body.length > 0) {
      response.write((Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    response.write(body);
    if (isChunked) {
      response.write(((body.length > 0 ? "\r\n" : "") + "0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }
    return response.toByteArray();
  }
}
