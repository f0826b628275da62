package dev.cairn.egress;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.vertx.core.http.HttpClosedException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** What kept a permitted call from getting an answer. A later attempt may succeed. */
public enum NetworkFault {
  /** The name has no address, has one that may not be called, or its name servers do not answer. */
  RESOLUTION(
      "The host name does not resolve to public addresses: check its spelling, or have the"
          + " operator list it."),
  /** Nobody listens there, or there is no way. */
  CONNECT("No connection could be made."),
  /** The handshake failed: certificate, name or protocol. */
  TLS("The TLS handshake failed: the certificate, its name or the protocol was not accepted."),
  /** The connection ended before an answer came. */
  RESET("The connection ended before the answer."),
  /** What was sent is not HTTP, or its head is too large. */
  PROTOCOL("The answer was not valid HTTP."),
  /** No answer in time. */
  TIMEOUT("The time limit passed without an answer."),
  /** Too many calls are in progress in this replica. */
  BUSY("Too many calls are in progress."),
  /** This service is stopping. */
  CLOSED("The service is stopping.");

  private final String sentence;

  NetworkFault(String sentence) {
    this.sentence = sentence;
  }

  /** For a person; reveals nothing about the network that the name belongs to. */
  public String sentence() {
    return sentence;
  }

  /** Which one a failure before the request was sent is. */
  static NetworkFault connecting(Throwable failure) {
    var chain = chain(failure);
    if (isAny(chain, TimeoutException.class, ConnectTimeoutException.class)
        || isAny(chain, SslHandshakeTimeoutException.class)) {
      return TIMEOUT;
    }
    return isAny(chain, SSLException.class) ? TLS : CONNECT;
  }

  /** Which one a failure after that is. */
  static NetworkFault answering(Throwable failure) {
    return isAny(chain(failure), IOException.class, HttpClosedException.class) ? RESET : PROTOCOL;
  }

  private static List<Throwable> chain(Throwable failure) {
    return Stream.iterate(failure, f -> f != null, Throwable::getCause).limit(8).toList();
  }

  private static boolean isAny(List<Throwable> chain, Class<?>... types) {
    for (var failure : chain) {
      for (var type : types) {
        if (type.isInstance(failure)) {
          return true;
        }
      }
    }
    return false;
  }
}
