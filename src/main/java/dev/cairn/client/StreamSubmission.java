package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPOutputStream;

/**
 * A streaming submission that is being sent: its operations go up while its results come down.
 * Nothing is collected, and whoever does not read the results stops the operations too. It must be
 * closed; if that is done before the summary, the submission is broken off, and what was applied
 * stays.
 */
public final class StreamSubmission implements AutoCloseable {
  /** Longer than a commit may take. */
  private static final Duration SILENCE = Duration.ofMinutes(6);

  /** Longer than the one commit of all operations may take. */
  private static final Duration SILENCE_OF_ATOMIC = Duration.ofMinutes(20);

  private static final int BUFFER_BYTES = 64 * 1024;

  /** More than a result has with all its warnings. */
  private static final int MAX_LINE_BYTES = 8 * 1024 * 1024;

  private final Transport transport;
  private final DuplexExchange exchange;
  private final LineReader reader;

  StreamSubmission(Transport transport, DuplexExchange exchange) {
    this.transport = transport;
    this.exchange = exchange;
    this.reader = new LineReader(exchange.content(), MAX_LINE_BYTES);
  }

  /** Begins to send one. */
  static StreamSubmission begin(
      Transport transport, Call call, StreamOptions options, StreamBody lines) {
    call.query("message", options.message())
        .query("author", options.author())
        .query("atomic", options.atomic() ? true : null)
        .header("Idempotency-Key", options.idempotencyKey())
        .header("Content-Type", "application/x-ndjson")
        .header("Content-Encoding", options.gzip() ? "gzip" : null)
        .accept("application/x-ndjson")
        .timeout(options.atomic() ? SILENCE_OF_ATOMIC : SILENCE);
    return new StreamSubmission(
        transport, transport.duplex(call, options.gzip() ? compressed(lines) : lines));
  }

  private static StreamBody compressed(StreamBody lines) {
    return new StreamBody() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        var gzip = new GZIPOutputStream(out, BUFFER_BYTES, true);
        lines.writeTo(gzip);
        gzip.finish();
      }

      @Override
      public boolean isRepeatable() {
        return lines.isRepeatable();
      }
    };
  }

  /**
   * The lines of the answer, each as soon as it comes; the last one is the summary. They can be
   * read once.
   *
   * @throws ServerNotReachedException (of the stream) if the connection breaks before the summary:
   *     what was applied is known after the submission has been sent again with its key
   */
  public Stream<StreamLine> lines() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(new Lines(), Spliterator.ORDERED), false);
  }

  private StreamLine read() {
    try {
      var line = reader.next();
      if (line == null) {
        throw new IOException("the answer has no summary");
      }
      return parse(line);
    } catch (IOException e) {
      throw transport.notReached(exchange.causeOf(e));
    }
  }

  private static StreamLine parse(String line) throws IOException {
    JsonNode json = Json.mapper().readTree(line);
    if (json.has("summary")) {
      return Json.mapper().treeToValue(json.get("summary"), StreamLine.Summary.class);
    }
    return json.has("line")
        ? Json.mapper().treeToValue(json, StreamLine.Result.class)
        : Json.mapper().treeToValue(json, StreamLine.Ended.class);
  }

  /** Breaks the submission off, unless it has ended. */
  @Override
  public void close() {
    exchange.close();
  }

  private final class Lines implements Iterator<StreamLine> {
    private boolean hasEnded;

    @Override
    public boolean hasNext() {
      return !hasEnded;
    }

    @Override
    public StreamLine next() {
      if (hasEnded) {
        throw new NoSuchElementException();
      }
      var line = read();
      hasEnded = line instanceof StreamLine.Summary;
      return line;
    }
  }
}
