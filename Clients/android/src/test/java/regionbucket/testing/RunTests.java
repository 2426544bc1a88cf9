package regionbucket.testing;

import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs every class named {@code …Test} below a directory of classes, prints failures, the matrix, and the
 * count.
 *
 * <p>{@code RunTests CLASSES [PATTERN]}; the pattern is a regular expression that finds part of a class's
 * name.
 */
public final class RunTests {
  private RunTests() {}

  public static void main(String[] arguments) throws Exception {
    String pattern = arguments.length > 1 ? arguments[1] : "";
    Map<String, Class<?>> tests = new TreeMap<>();
    find(new File(arguments[0]), "", tests);
    JUnitCore core = new JUnitCore();
    core.addListener(new Printer());
    int run = 0;
    int failed = 0;
    for (Map.Entry<String, Class<?>> test : tests.entrySet()) {
      if (!Pattern.compile(pattern).matcher(test.getKey()).find()) {
        continue;
      }
      Result result = core.run(Request.aClass(test.getValue()));
      run += result.getRunCount();
      failed += result.getFailureCount();
      if (result.getIgnoreCount() > 0 || result.getAssumptionFailureCount() > 0) {
        System.out.println("FAILED " + test.getKey() + ": tests are not skipped here");
        failed++;
      }
    }
    if (pattern.isEmpty()) {
      run++;
      failed += Matrix.print() ? 0 : 1;
    }
    System.out.println((run - failed) + " passed, " + failed + " failed");
    System.exit(failed == 0 && run > 0 ? 0 : 1);
  }

  private static void find(File directory, String packageName, Map<String, Class<?>> tests)
      throws ClassNotFoundException {
    File[] files = directory.listFiles();
    if (files == null) {
      throw new IllegalArgumentException("no directory of classes: " + directory);
    }
    for (File file : files) {
      if (file.isDirectory()) {
        find(file, packageName + file.getName() + ".", tests);
      } else if (file.getName().matches("[A-Za-z]+Test\\.class")) {
        String name = packageName + file.getName().replaceFirst("\\.class$", "");
        tests.put(name, Class.forName(name));
      }
    }
  }

  private static final class Printer extends RunListener {
    private long startedNanos;

    @Override
    public void testStarted(Description description) {
      startedNanos = System.nanoTime();
    }

    @Override
    public void testFinished(Description description) {
      long millis = (System.nanoTime() - startedNanos) / 1_000_000;
      String name = description.getClassName() + "." + description.getMethodName();
      System.out.println(name + " " + millis + " ms");
    }

    @Override
    public void testFailure(Failure failure) {
      System.out.println("FAILED " + failure.getDescription() + "\n" + failure.getTrimmedTrace());
    }
  }
}
