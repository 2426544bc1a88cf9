package regionbucket.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jetbrains.annotations.Nullable;

/**
 * One connection, one request, one response.
 *
 * <p>Not over HttpURLConnection, which repeats a GET whose connection broke, sends and stores the cookies of
 * a process-wide CookieHandler, answers challenges by a process-wide Authenticator, has no time-out but for
 * each read, and none for the look-up of a name.
 */
final class SocketTransport implements RegionTransport {
  /** Little, so that the system does not take for us what we will not read. */
  private static final int RECEIVE_BUFFER_BYTES = 8192;

  /** Where names become addresses; blocks. */
  interface NameLookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  @Nullable private final SSLSocketFactory sockets;
  private final NameLookup names;

  SocketTransport(@Nullable SSLSocketFactory sockets) {
    this(sockets, InetAddress::getAllByName);
  }

  SocketTransport(@Nullable SSLSocketFactory sockets, NameLookup names) {
    this.sockets = sockets;
    this.names = names;
  }

  @Override
  public RegionResponse exchange(RegionRequest request) throws RegionTransportException {
    Socket raw = connect(request);
    try {
      if (request.getEndpoint().isPlain()) {
        return converse(raw, request);
      }
      SSLSocket secure = secure(raw, request);
      try {
        return converse(secure, request);
      } finally {
        // The raw one first: a goodbye to a server that does not read would block.
        hangUp(raw);
        close(secure);
      }
    } finally {
      hangUp(raw);
    }
  }

  /** Tries the host's addresses in order, each for its share of the time. */
  private Socket connect(RegionRequest request) throws RegionTransportException {
    InetAddress[] addresses = addresses(request.getEndpoint().connectHost());
    for (int index = 0; index < addresses.length; index++) {
      long shareMillis = request.getRemainingMillis() / (addresses.length - index);
      if (shareMillis == 0) {
        break;
      }
      Socket raw = new Socket(Proxy.NO_PROXY);
      request.whenAborted(() -> hangUp(raw));
      try {
        raw.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
        raw.connect(
            new InetSocketAddress(addresses[index], request.getEndpoint().port()),
            WireInput.timeoutMillis(shareMillis));
        raw.setTcpNoDelay(true);
        return raw;
      } catch (IOException unreachable) {
        hangUp(raw);
      }
    }
    throw failure(request, RegionRefusal.CONNECTION_FAILED);
  }

  private InetAddress[] addresses(String host) throws RegionTransportException {
    try {
      return names.addresses(host);
    } catch (UnknownHostException | SecurityException unknownOrNotPermitted) {
      throw new RegionTransportException(RegionRefusal.CONNECTION_FAILED);
    }
  }

  private SSLSocket secure(Socket raw, RegionRequest request) throws RegionTransportException {
    RegionEndpoint endpoint = request.getEndpoint();
    // Here and not before: the first call reads the platform's certificate authorities from disk.
    SSLSocketFactory factory =
        sockets != null ? sockets : (SSLSocketFactory) SSLSocketFactory.getDefault();
    SSLSocket secure = null;
    try {
      raw.setSoTimeout(WireInput.timeoutMillis(request.getRemainingMillis()));
      secure = (SSLSocket) factory.createSocket(raw, endpoint.connectHost(), endpoint.port(), true);
      SSLParameters parameters = secure.getSSLParameters();
      parameters.setProtocols(modern(secure.getEnabledProtocols()));
      // Without it a socket accepts a trusted certificate for any name (RFC 9110, section 4.3.4).
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secure.setSSLParameters(parameters);
      secure.startHandshake();
      return secure;
    } catch (IOException refused) {
      hangUp(raw);
      if (secure != null) {
        close(secure);
      }
      throw refused instanceof SocketTimeoutException
          ? new RegionTransportException(RegionRefusal.TIMED_OUT)
          : failure(request, RegionRefusal.SECURE_CONNECTION_FAILED);
    }
  }

  /** Those without known weaknesses; a phone of API level 24 enables older ones too. */
  static String[] modern(String[] enabled) {
    List<String> modern = new ArrayList<>();
    for (String protocol : enabled) {
      if (protocol.equals("TLSv1.2") || protocol.equals("TLSv1.3")) {
        modern.add(protocol);
      }
    }
    return modern.toArray(new String[0]);
  }

  private static RegionResponse converse(Socket socket, RegionRequest request)
      throws RegionTransportException {
    try {
      socket.getOutputStream().write(head(request.getEndpoint()));
      WireInput input = new WireInput(socket, request);
      ResponseHead head = ResponseHead.read(input);
      byte[] body = ResponseBody.read(input, head, request.getBodyBytesMax());
      return new RegionResponse(head.status(), head.contentType(), body);
    } catch (SocketTimeoutException late) {
      throw new RegionTransportException(RegionRefusal.TIMED_OUT);
    } catch (IOException broken) {
      throw failure(request, RegionRefusal.CONNECTION_FAILED);
    }
  }

  /** Nothing about the app, the device or its languages. */
  private static byte[] head(RegionEndpoint endpoint) {
    String head =
        "GET " + endpoint.path() + " HTTP/1.1\r\n"
            + "Host: " + endpoint.authority() + "\r\n"
            + "Accept: application/json\r\n"
            + "Accept-Encoding: identity\r\n"
            + "Connection: close\r\n\r\n";
    return head.getBytes(StandardCharsets.US_ASCII);
  }

  /** Whatever broke, it was the end of the time if that is over. */
  private static RegionTransportException failure(RegionRequest request, RegionRefusal otherwise) {
    return new RegionTransportException(
        request.getRemainingMillis() == 0 ? RegionRefusal.TIMED_OUT : otherwise);
  }

  /** Ends a connection from any thread, and wakes whoever reads or writes. */
  private static void hangUp(Socket raw) {
    try {
      if (raw.isConnected() && !raw.isClosed()) {
        // Closing alone does not wake a reader on every platform.
        raw.shutdownInput();
        raw.shutdownOutput();
      }
    } catch (IOException alreadyDown) {
      // It is closed now all the same.
    } finally {
      close(raw);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyDown) {
      // Nothing more is expected of it.
    }
  }
}
