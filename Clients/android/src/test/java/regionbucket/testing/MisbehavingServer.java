package regionbucket.testing;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;

/** {@code Tests/servers/misbehaving_server.py}, running until it is closed or this process ends. */
public final class MisbehavingServer implements AutoCloseable {
  private final Process process;
  private final JsonObject ready;

  public MisbehavingServer() throws IOException {
    process =
        new ProcessBuilder("python3", "-B", Vectors.TESTS.resolve("servers/misbehaving_server.py").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = reader(process.getInputStream()).readLine();
    if (line == null) {
      throw new IOException("the misbehaving server did not start");
    }
    ready = JsonParser.parseString(line).getAsJsonObject();
  }

  /** The line that it prints once it listens. */
  public JsonObject ready() {
    return ready;
  }

  public int port(String name) {
    return ready.get(name).getAsInt();
  }

  public String authority() {
    return ready.get("ca").getAsString();
  }

  /** What happened under a key. */
  public JsonObject tally(String key) throws IOException {
    URL control = new URL("http://127.0.0.1:" + port("control") + "/" + key);
    try (BufferedReader reader = reader(control.openStream())) {
      return JsonParser.parseReader(reader).getAsJsonObject();
    }
  }

  /** How many connections a port has accepted. */
  public int accepted(String portName) throws IOException {
    JsonObject accepted = tally("none").getAsJsonObject("accepted");
    return accepted.has(portName) ? accepted.get(portName).getAsInt() : 0;
  }

  /** Ends it by closing its standard input. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
  }

  private static BufferedReader reader(InputStream stream) {
    return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
  }
}
