package regionbucket.client;

import javax.net.ssl.SSLSocketFactory;
import org.jetbrains.annotations.NotNull;

/**
 * How bytes travel: an app or a test may bring its own.
 *
 * <p>A transport makes one request, follows no redirect, sends no cookie or credential, stores nothing,
 * retries nothing, and stops reading at the limit. Usable from any thread.
 */
public interface RegionTransport {
  /**
   * Makes the exchange. Blocks; called on a thread of the resolver's own.
   *
   * @param request what to do, and when to stop
   * @return the response
   * @throws RegionTransportException if there is no whole one
   */
  @NotNull
  RegionResponse exchange(@NotNull RegionRequest request) throws RegionTransportException;

  /**
   * What a resolver uses unless told otherwise: a socket, TLS 1.2 or later, HTTP/1.1, no proxy. Trusts what
   * the platform trusts, including an app's network security configuration.
   *
   * @return the transport
   */
  @NotNull
  static RegionTransport system() {
    return new SocketTransport(null);
  }

  /**
   * The same, trusting what the app says; for a certificate authority of one's own.
   *
   * @param sockets makes the TLS sockets; its trust manager must be an {@code X509ExtendedTrustManager}, as
   *     the platform's are, since that is what checks the host's name
   * @return the transport
   */
  @NotNull
  static RegionTransport over(@NotNull SSLSocketFactory sockets) {
    return new SocketTransport(sockets);
  }
}
