package regionbucket.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Collections;
import org.junit.Test;

/** Why input ended: the server's doing, or that of whoever stopped the exchange. */
public class WireInputTest {
  private final RegionRequest request =
      new RegionRequest(
          RegionEndpoint.allowingPlainLoopback(
              "http://127.0.0.1:1/v1/region", Collections.singleton("127.0.0.1")),
          new RegionLimits(60_000, 1024));

  /** A socket that does something when it is read, and is then at its end. */
  private WireInput endingWith(Runnable deed) throws IOException {
    return new WireInput(
        new Socket() {
          @Override
          public void setSoTimeout(int millis) {}

          @Override
          public InputStream getInputStream() {
            return new InputStream() {
              @Override
              public int read() {
                deed.run();
                return -1;
              }
            };
          }
        },
        request);
  }

  @Test
  public void endOfTheServersOwn() throws Exception {
    WireInput input = endingWith(() -> {});
    assertEquals(-1, input.read());
    assertEquals(RegionRefusal.CONNECTION_FAILED, refusalOf(input));
  }

  /** Neither a broken connection nor, where the end of the connection is that of the body, a whole body. */
  @Test
  public void endOfAStoppedExchange() throws Exception {
    assertEquals(RegionRefusal.TIMED_OUT, refusalOf(endingWith(request::abort)));
  }

  private static RegionRefusal refusalOf(WireInput input) {
    return assertThrows(RegionTransportException.class, input::require).getRefusal();
  }
}
