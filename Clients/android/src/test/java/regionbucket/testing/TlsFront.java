package regionbucket.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Ends TLS in front of a plain service and adds fields to each request, as a CDN does. */
public final class TlsFront implements AutoCloseable {
  private final SSLServerSocket listener;
  private final int servicePort;
  private volatile List<String> fields = Collections.emptyList();

  /**
   * Listens on the loopback.
   *
   * @param store a key and its certificate
   */
  public TlsFront(KeyStore store, char[] password, int servicePort) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    listener =
        (SSLServerSocket)
            context.getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    this.servicePort = servicePort;
    Thread thread = new Thread(this::serve, "tls-front");
    thread.setDaemon(true);
    thread.start();
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** What is added to the next requests. */
  public void add(String... lines) {
    fields = Arrays.asList(lines);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (Socket client = listener.accept();
          Socket service = new Socket(InetAddress.getByName("127.0.0.1"), servicePort)) {
        String head = Heads.read(client.getInputStream());
        StringBuilder forwarded = new StringBuilder(head.substring(0, head.length() - 2));
        fields.forEach(field -> forwarded.append(field).append("\r\n"));
        service.getOutputStream().write((forwarded + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        service.getInputStream().transferTo(client.getOutputStream());
      } catch (IOException ended) {
        // The client hung up, or the test closed the listener.
        continue;
      }
    }
  }
}
