package dev.cairn.platform.memory;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.page.Pager;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpMethod;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.Set;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Writes the answer to each read as JSON, and refuses an answer that is too large, because it stays
 * in memory until its client has read it. Pages of lists end long before that ({@link Pager}): this
 * is a safeguard for lists without pages, and for pages whose sizes are added up wrongly.
 */
@ApplicationScoped
class AnswerSize {
  /**
   * After the filter for {@code Link}, which needs the page; before {@code ETag}, which needs
   * bytes.
   */
  private static final int AFTER_NEXT_PAGE = 2000;

  private static final int MAX_BYTES = 2 * Pager.MAX_BYTES;
  private static final Set<HttpMethod> READS = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private final CurrentVertxRequest request;
  private final ObjectMapper json;
  private final int maxBytes;
  private final Counter refused;

  @Inject
  AnswerSize(CurrentVertxRequest request, ObjectMapper json, MeterRegistry metrics) {
    this(request, json, metrics, MAX_BYTES);
  }

  /**
   * @param maxBytes the maximum number of bytes of an answer
   */
  AnswerSize(CurrentVertxRequest request, ObjectMapper json, MeterRegistry metrics, int maxBytes) {
    this.request = request;
    this.json = json;
    this.maxBytes = maxBytes;
    this.refused =
        Counter.builder("cairn.answers.refused")
            .description("Answers to reads that were too large")
            .register(metrics);
  }

  @ServerResponseFilter(priority = AFTER_NEXT_PAGE)
  void write(ContainerResponseContext response) throws IOException {
    var entity = response.getEntity();
    if (response.getStatus() != Response.Status.OK.getStatusCode()
        || !READS.contains(request.getCurrent().request().method())
        || entity == null
        || entity instanceof byte[]
        || entity instanceof String
        || entity instanceof StreamingOutput) {
      return;
    }
    try {
      var written = written(entity);
      if (written.isPresent()) {
        response.setEntity(written.get());
      } else {
        ProblemDocument.replace(response, tooLarge());
      }
    } catch (Problem e) {
      ProblemDocument.replace(response, e);
    }
  }

  /**
   * The answer as JSON; empty if it is too large.
   *
   * @throws Problem {@code UNAVAILABLE} if it is large and there is no room for it
   */
  Optional<byte[]> written(Object entity) throws IOException {
    try (var out = new ByteArrayBuilder()) {
      json.writeValue(new Bounded(out, maxBytes), entity);
      return Optional.of(out.toByteArray());
    } catch (TooLargeException _) {
      return Optional.empty();
    }
  }

  private Problem tooLarge() {
    refused.increment();
    return Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The answer is larger than %d MiB.".formatted(maxBytes / (1024 * 1024)))
        .hint("Ask for fewer items with `limit`, if this list takes it.");
  }

  /** The answer has more bytes than the maximum. */
  private static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Accepts at most a number of bytes, and takes room for them if they are many. */
  private static final class Bounded extends OutputStream {
    private final OutputStream out;
    private int left;
    private int withRoom =
        PageRoom.current().map(PageRoom::held).orElse(PageMemory.SHORT_PAGE_BYTES);

    Bounded(OutputStream out, int left) {
      this.out = out;
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > left) {
        throw new TooLargeException();
      }
      left -= length;
      withRoom -= length;
      if (withRoom < 0) {
        PageRoom.current().ifPresent(room -> room.await(Pager.MAX_BYTES));
        withRoom = Integer.MAX_VALUE;
      }
      out.write(bytes, offset, length);
    }
  }
}
