package regionbucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.Test;

/** What the library is made of, read from its class files. */
public class ShapeTest {
  /**
   * Every class of the platform that it uses; all are in Android since API level 24 at the latest. None
   * writes a file or a log: what is not here cannot be done.
   */
  private static final List<String> PLATFORM =
      Arrays.asList(
          "java.io.ByteArrayOutputStream", "java.io.IOException", "java.io.InputStream",
          "java.io.OutputStream", "java.lang.AssertionError", "java.lang.Character",
          "java.lang.Class", "java.lang.Enum", "java.lang.Error", "java.lang.Exception",
          "java.lang.IllegalArgumentException", "java.lang.Integer", "java.lang.Long",
          "java.lang.Math", "java.lang.NoSuchFieldError", "java.lang.Object", "java.lang.Runnable",
          "java.lang.RuntimeException", "java.lang.SecurityException", "java.lang.String",
          "java.lang.StringBuilder", "java.lang.System", "java.lang.Thread",
          "java.lang.Thread$UncaughtExceptionHandler", "java.lang.Throwable",
          "java.net.InetAddress", "java.net.InetSocketAddress", "java.net.Proxy", "java.net.Socket",
          "java.net.SocketAddress", "java.net.SocketTimeoutException",
          "java.net.UnknownHostException", "java.nio.charset.Charset",
          "java.nio.charset.StandardCharsets", "java.util.ArrayDeque", "java.util.ArrayList",
          "java.util.Arrays", "java.util.Collection", "java.util.Collections", "java.util.EnumMap",
          "java.util.EnumSet", "java.util.Iterator", "java.util.LinkedHashSet", "java.util.List",
          "java.util.Map", "java.util.Map$Entry", "java.util.Objects", "java.util.Queue",
          "java.util.Set", "java.util.concurrent.BlockingQueue", "java.util.concurrent.Executor",
          "java.util.concurrent.Future", "java.util.concurrent.LinkedBlockingQueue",
          "java.util.concurrent.ScheduledFuture",
          "java.util.concurrent.ScheduledThreadPoolExecutor", "java.util.concurrent.ThreadFactory",
          "java.util.concurrent.ThreadPoolExecutor", "java.util.concurrent.TimeUnit",
          "javax.net.SocketFactory", "javax.net.ssl.SSLParameters", "javax.net.ssl.SSLSocket",
          "javax.net.ssl.SSLSocketFactory",
          // How javac compiles lambdas, which the Android build translates.
          "java.lang.invoke.CallSite", "java.lang.invoke.LambdaMetafactory",
          "java.lang.invoke.MethodHandle", "java.lang.invoke.MethodHandles",
          "java.lang.invoke.MethodHandles$Lookup", "java.lang.invoke.MethodType");

  /** Which package may use which of the library's own. The plan knows nothing of the client. */
  private static final List<String> OWN =
      Arrays.asList(
          "regionbucket.adplan -> regionbucket", "regionbucket.adplan -> regionbucket.internal",
          "regionbucket.client -> regionbucket", "regionbucket.client -> regionbucket.internal",
          "regionbucket.internal -> regionbucket");

  @Test
  public void usesNothingElseOfThePlatform() {
    Set<String> used = new TreeSet<>();
    for (String[] dependency : dependencies()) {
      if (!dependency[1].startsWith("regionbucket.") && !isNullability(dependency[1])) {
        used.add(dependency[1]);
      }
    }
    Set<String> unlisted = new TreeSet<>(used);
    unlisted.removeAll(PLATFORM);
    assertEquals(new TreeSet<String>(), unlisted);
    Set<String> unused = new TreeSet<>(PLATFORM);
    unused.removeAll(used);
    assertEquals("listed for nothing", new TreeSet<String>(), unused);
  }

  @Test
  public void packagesDependOneWay() {
    Set<String> used = new TreeSet<>();
    for (String[] dependency : dependencies()) {
      String from = packageOf(dependency[0]);
      String to = packageOf(dependency[1]);
      if (to.startsWith("regionbucket") && !from.equals(to)) {
        used.add(from + " -> " + to);
      }
    }
    assertEquals(new TreeSet<>(OWN), used);
  }

  /** For compilers only: nobody has to have them at run time. */
  private static boolean isNullability(String name) {
    return name.startsWith("org.jetbrains.annotations.");
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }

  private static List<String[]> dependencies() {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output);
    int status =
        ToolProvider.findFirst("jdeps").orElseThrow(() -> new AssertionError("this JDK has no jdeps"))
            .run(
                writer, writer, "-verbose:class", "-filter:none", "--multi-release", "base",
                System.getProperty("regionbucket.classes"));
    assertEquals(output.toString(), 0, status);
    List<String[]> dependencies = new ArrayList<>();
    for (String line : output.toString().split("\n")) {
      String[] words = line.trim().split("\\s+");
      if (words[0].startsWith("regionbucket.") && words[1].equals("->")) {
        dependencies.add(new String[] {words[0], words[2]});
      }
    }
    List<String> classes =
        dependencies.stream().map(dependency -> dependency[0]).distinct().collect(Collectors.toList());
    assertTrue("" + classes, classes.contains("regionbucket.client.SocketTransport"));
    return dependencies;
  }
}
