package regionbucket.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;

/** A plain server on the loopback that answers every request by bytes of the test's choice, then hangs up. */
public final class RawServer implements AutoCloseable {
  private final ServerSocket listener;
  private final Recorder<String> requests = new Recorder<>();
  private volatile byte[] response = new byte[0];

  public RawServer() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread thread = new Thread(this::serve, "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** What the next requests get. */
  public void answer(byte[] bytes) {
    response = bytes;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** The heads that came. */
  public Recorder<String> requests() {
    return requests;
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (Socket connection = listener.accept()) {
        requests.record(Heads.read(connection.getInputStream()));
        connection.getOutputStream().write(response);
        connection.shutdownOutput();
        // Waits for the client's end: closing first could destroy what it has not read yet.
        while (connection.getInputStream().read() >= 0) {}
      } catch (SocketException gone) {
        // The client had enough, or the test closed the listener.
        continue;
      } catch (IOException broken) {
        throw new AssertionError(broken);
      }
    }
  }
}
