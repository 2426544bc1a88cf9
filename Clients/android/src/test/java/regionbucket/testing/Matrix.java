package regionbucket.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * This client's column of the matrix of clients and vector files, without blanks: a file was run, or the
 * table in the vectors' own README says why this platform does not.
 */
public final class Matrix {
  private static final Map<String, Integer> RAN = new TreeMap<>();

  private Matrix() {}

  /** Every row of a file has been run, and passed. */
  static synchronized void ran(String name, int rows) {
    RAN.put(name, rows);
  }

  /** Prints a line for each file; whether all is as the README says. */
  static synchronized boolean print() throws IOException {
    Map<String, String> table = table();
    TreeSet<String> files = new TreeSet<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Vectors.TESTS.resolve("Vectors"), "*.json")) {
      found.forEach(path -> files.add(path.getFileName().toString()));
    }
    boolean isRight = files.equals(new TreeSet<>(table.keySet()));
    if (!isRight) {
      System.out.println("FAILED matrix: the README lists " + table.keySet() + ", there are " + files);
    }
    for (String file : files) {
      String word = table.getOrDefault(file, "");
      Integer rows = RAN.get(file);
      if (rows != null && word.equals("yes")) {
        System.out.println("matrix android " + file + " " + rows);
      } else if (rows == null && !word.isEmpty() && !word.equals("yes")) {
        System.out.println("matrix android " + file + " n/a: " + word);
      } else {
        System.out.println(
            "FAILED matrix: " + file + " ran " + rows + " rows, the README says '" + word + "'");
        isRight = false;
      }
    }
    return isRight;
  }

  /** The Android column of the README's first table. */
  private static Map<String, String> table() throws IOException {
    Map<String, String> table = new LinkedHashMap<>();
    int column = -1;
    Path readme = Vectors.TESTS.resolve("Vectors/README.md");
    for (String line : Files.readAllLines(readme, StandardCharsets.UTF_8)) {
      String[] cells = line.split("\\s*\\|\\s*");
      if (column < 0) {
        column = Arrays.asList(cells).indexOf("Android");
      } else if (cells.length > column && cells[1].startsWith("`")) {
        table.put(cells[1].replace("`", ""), cells[column]);
      } else if (!table.isEmpty()) {
        break;
      }
    }
    return table;
  }
}
