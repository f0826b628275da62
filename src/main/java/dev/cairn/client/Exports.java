package dev.cairn.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Exports of a repository: {@code docs/export.md}. */
final class Exports {
  /** A stream may have to wait for its turn. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final String LINES = "application/x-ndjson";
  private static final String DOWNLOADS = "/api/exports/";

  private Exports() {}

  /** The lines as a stream. */
  static ExportStream stream(Transport transport, Call call) {
    var answer =
        transport.open(call.accept(LINES).header("Accept-Encoding", "gzip").timeout(TIMEOUT));
    var seq = answer.headers().firstValueAsLong("X-Cairn-Repo-Seq").orElse(0);
    boolean isCompressed =
        answer.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
    var body = transport.watched(answer.body());
    try {
      return new ExportStream(seq, isCompressed ? new GZIPInputStream(body) : body);
    } catch (IOException e) {
      close(body);
      throw transport.notReached(e);
    }
  }

  /** A background export; empty until it is built. */
  static Optional<Export> built(Transport transport, Call call) {
    var answer = transport.json(call, JsonNode.class);
    return answer.has("url")
        ? Optional.of(Json.mapper().convertValue(answer, Export.class))
        : Optional.empty();
  }

  /**
   * The content of a built export from a byte on. The link is followed at the server of the client,
   * whatever name its operator gave it.
   */
  static InputStream download(Transport transport, Export export, long from) {
    var link = URI.create(export.url());
    var path = link.getRawPath();
    int begin = path.indexOf(DOWNLOADS);
    if (begin < 0) {
      throw new IllegalArgumentException("This is not the link to an export.");
    }
    var call = Call.get("api", "exports");
    for (var segment : path.substring(begin + DOWNLOADS.length()).split("/", -1)) {
      call.segment(decode(segment));
    }
    for (var parameter : link.getRawQuery().split("&", -1)) {
      var parts = parameter.split("=", 2);
      call.secretQuery(decode(parts[0]), parts.length < 2 ? "" : decode(parts[1]));
    }
    call.anonymous().accept(LINES).header("Accept-Encoding", "identity").timeout(TIMEOUT);
    if (from > 0) {
      call.header("Range", "bytes=" + from + "-");
      call.header("If-Range", '"' + export.contentSha256() + '"');
    }
    var answer = transport.open(call);
    if (from > 0 && answer.statusCode() != 206) {
      throw Problems.unexpected(call.toString(), answer.statusCode());
    }
    return transport.watched(answer.body());
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      // The first failure is the one that is told.
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }
}
