package regionbucket.testing;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The service itself, running until it is closed. */
public final class Service implements AutoCloseable {
  private final Process process;
  private final int port;

  /** Starts {@code region-bucket serve} with further arguments, which must make it log JSON. */
  public Service(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("regionbucket.service"));
    command.add("serve");
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // Whoever runs the tests may have configured a service of theirs.
    builder.environment().keySet().removeIf(name -> name.startsWith("REGION_BUCKET_"));
    process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    // Not only when all goes well.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    BufferedReader log =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port = listeningPort(log);
  }

  public int port() {
    return port;
  }

  /** Ends it as an operator would. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new IOException("the service ended with status " + status);
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static int listeningPort(BufferedReader log) throws IOException {
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      JsonObject event = JsonParser.parseString(line).getAsJsonObject();
      if (event.get("event").getAsString().equals("listening")) {
        return event.get("port").getAsInt();
      }
    }
    throw new IOException("the service did not start");
  }
}
