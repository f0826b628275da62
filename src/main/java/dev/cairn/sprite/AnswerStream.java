package dev.cairn.sprite;

import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientResponseContext;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jboss.resteasy.reactive.client.spi.ResteasyReactiveClientRequestContext;

/**
 * The body of an answer. Closing it before its end closes the connection; the stream of the REST
 * client would first receive the rest, which may be endless.
 */
final class AnswerStream extends FilterInputStream {
  private final HttpConnection connection;
  private boolean ended;

  private AnswerStream(InputStream body, HttpConnection connection) {
    super(body);
    this.connection = connection;
  }

  /** A {@link jakarta.ws.rs.client.ClientResponseFilter}. */
  static void replaceEntity(ClientRequestContext call, ClientResponseContext answer) {
    if (answer.hasEntity()) { // it has none if there is no answer
      var request = ((ResteasyReactiveClientRequestContext) call).unwrap(HttpClientRequest.class);
      answer.setEntityStream(new AnswerStream(answer.getEntityStream(), request.connection()));
    }
  }

  /** Makes the present read and all later reads fail. */
  void cutOff() {
    connection.close();
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    ended |= read < 0;
    return read;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = super.read(target, offset, length);
    ended |= read < 0;
    return read;
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      cutOff();
    }
    super.close();
  }
}
