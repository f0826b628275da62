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
 * The body of an answer. If it is closed before its end, so is its connection; the stream of the
 * REST client would receive the rest first, which may have no end.
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

  /** Makes a thread that reads fail, and any later one. */
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
