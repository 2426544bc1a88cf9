package regionbucket.testing;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** The test vectors that all clients share. */
public final class Vectors {
  /** {@code Tests} of the repository. */
  public static final Path TESTS = Paths.get(System.getProperty("regionbucket.tests"));

  private Vectors() {}

  /** Runs a row. */
  public interface RowRun {
    void run(JsonObject row) throws Exception;
  }

  /** A whole file. */
  public static JsonObject file(String name) throws IOException {
    byte[] bytes = Files.readAllBytes(TESTS.resolve("Vectors").resolve(name));
    return JsonParser.parseString(new String(bytes, StandardCharsets.UTF_8)).getAsJsonObject();
  }

  /**
   * Runs every row, then counts the file as run for the matrix. One exception for all rows that fail.
   *
   * @param fields what a row may have, and must have
   */
  public static void runRows(String name, List<String> fields, RowRun test) throws IOException {
    runRows(file(name).getAsJsonArray("rows"), name, fields, test);
    Matrix.ran(name, file(name).getAsJsonArray("rows").size());
  }

  /** The same for rows that are no file of the matrix, or run a second time. */
  public static void runRows(JsonArray rows, String name, List<String> fields, RowRun test) {
    if (rows.size() == 0) {
      throw new AssertionError(name + " has no rows");
    }
    List<String> failures = new ArrayList<>();
    for (JsonElement element : rows) {
      JsonObject row = element.getAsJsonObject();
      try {
        requireFields(row, fields);
        test.run(row);
      } catch (AssertionError | Exception failure) {
        failures.add((row.has("name") ? row.get("name") : row) + ": " + failure);
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(
          name + ": " + failures.size() + " rows failed\n" + String.join("\n", failures));
    }
  }

  /** Fails on a field that the runner does not know, or misses. */
  public static void requireFields(JsonObject object, List<String> fields) {
    if (!new TreeSet<>(fields).equals(new TreeSet<>(object.keySet()))) {
      throw new AssertionError("fields are " + object.keySet() + ", expected " + fields);
    }
  }

  /** The same with a variable list. */
  public static void requireFields(JsonObject object, String... fields) {
    requireFields(object, Arrays.asList(fields));
  }

  /** The constant that a vector calls {@code thisWay}. */
  public static <E extends Enum<E>> E constant(Class<E> type, JsonElement name) {
    String snake = name.getAsString().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    return Enum.valueOf(type, snake);
  }

  /** The same for a list. */
  public static <E extends Enum<E>> List<E> constants(Class<E> type, JsonElement names) {
    List<E> constants = new ArrayList<>();
    for (JsonElement name : names.getAsJsonArray()) {
      constants.add(constant(type, name));
    }
    return constants;
  }
}
