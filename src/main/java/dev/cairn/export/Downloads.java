package dev.cairn.export;

import static dev.cairn.access.Permission.REPO_CHECKPOINT_READ;

import dev.cairn.access.Recheck;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.StreamedBody;
import dev.cairn.platform.secret.SecretBox;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Downloads of built exports, for a caller that has a link. A link is signed and valid for 15
 * minutes, but no longer than the role and the token that requested it; it is not stored. See
 * {@code docs/export.md}, The download.
 */
@ApplicationScoped
@Startup // Its metric is there before the first download.
public class Downloads {
  private static final Duration LINK_LIFETIME = Duration.ofMinutes(15);
  private static final String PURPOSE = "export download";

  /** Bytes that are held in memory for each download. */
  private static final int PIECE_BYTES = 128 * 1024;

  /** The part of all downloads that one account may have, as its denominator. */
  private static final int ACCOUNT_FRACTION = 4;

  private static final StreamLimiter.Refusals REFUSALS =
      new StreamLimiter.Refusals(
          "The account that requested this link may have at most %d downloads at the same time.",
          "Too many exports are being downloaded.",
          "Try again later; a download can be resumed with `Range`.");

  private final Database database;
  private final ReadBounds bounds;
  private final SecretBox secrets;
  private final StreamLimiter limiter;

  /**
   * A download link.
   *
   * @param path the path after the service's base URL
   */
  record Link(String path, Instant expiresAt) {}

  /**
   * Content that may be downloaded.
   *
   * @param holder the account that requested the link, with its token
   * @param until when the link expires
   * @param size the size in bytes
   * @param sha256 the hash, hexadecimal
   */
  record Download(
      Recheck.Holder holder,
      Instant until,
      UUID repoId,
      UUID jobId,
      int attempt,
      long size,
      String sha256) {
    /** The strong ETag. */
    String etag() {
      return '"' + sha256 + '"';
    }
  }

  Downloads(
      Database database,
      ReadBounds bounds,
      SecretBox secrets,
      CairnConfig config,
      MeterRegistry registry) {
    this.database = database;
    this.bounds = bounds;
    this.secrets = secrets;
    int max = config.limits().downloads();
    this.limiter = new StreamLimiter(max, max / ACCOUNT_FRACTION, REFUSALS);
    Gauge.builder("cairn.exports.downloading", limiter, StreamLimiter::running)
        .description("Downloads of built exports that this replica is sending")
        .register(registry);
  }

  /**
   * A link to an export.
   *
   * @param holder the requester, whose rights the link carries
   * @param until the latest time at which the link expires
   */
  Link link(UUID jobId, Recheck.Holder holder, Instant until) {
    long soon = Instant.now().plus(LINK_LIFETIME).toEpochMilli();
    long expires = Math.min(soon, until.toEpochMilli());
    var signed = signed(jobId.toString(), Long.toString(expires), holder.toString());
    return new Link(
        "/api/exports/%s/content?expires=%d&holder=%s&signature=%s"
            .formatted(jobId, expires, holder, Base64Url.encode(secrets.sign(signed, PURPOSE))),
        Instant.ofEpochMilli(expires));
  }

  private static String signed(String jobId, String expires, String holder) {
    return jobId + " " + expires + " " + holder;
  }

  /**
   * Checks a link and finds its content.
   *
   * @throws Problem {@link ErrorCode#NOT_FOUND} if the link is invalid or expired, if its holder
   *     has lost the right to it, or if the export is gone; the problem is the same in each case
   */
  Download open(String jobId, String expires, String holder, String signature) {
    return isValid(jobId, expires, holder, signature)
        ? find(UUID.fromString(jobId), Recheck.Holder.parse(holder), expiry(expires))
            .orElseThrow(Downloads::notFound)
        : refuse();
  }

  private boolean isValid(String jobId, String expires, String holder, String signature) {
    try {
      return Base64Url.decode(signature)
              .filter(bytes -> secrets.isSignature(bytes, signed(jobId, expires, holder), PURPOSE))
              .isPresent()
          && Instant.now().isBefore(expiry(expires));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Instant expiry(String expires) {
    return Instant.ofEpochMilli(Long.parseLong(expires));
  }

  private static Download refuse() {
    throw notFound();
  }

  private static Problem notFound() {
    return Problem.notFound("There is no such download, or its link has expired.")
        .hint("Request a new link with token=<exportToken>.");
  }

  private Optional<Download> find(UUID jobId, Recheck.Holder holder, Instant until) {
    var parameters = new ArrayList<Object>(List.of(jobId));
    parameters.addAll(Recheck.parameters(holder, REPO_CHECKPOINT_READ));
    return bounds.downloading(
        holder.accountId(),
        () ->
            database.first(
                """
                select j.repo_id, j.id, j.attempt, j.byte_count, j.content_sha256
                from export_job j join repository r on r.id = j.repo_id
                where j.id = ? and j.state = 'complete' and j.expires_at > now() and
                """
                    + Recheck.CONDITION,
                row ->
                    new Download(
                        holder,
                        until,
                        row.getObject("repo_id", UUID.class),
                        row.getObject("id", UUID.class),
                        row.getInt("attempt"),
                        row.getLong("byte_count"),
                        HexFormat.of().formatHex(row.getBytes("content_sha256"))),
                parameters.toArray()));
  }

  /**
   * Writes a part of the content. No connection is held while the client reads.
   *
   * @param hangUp closes the connection of the client
   * @param coding of the content
   * @throws IOException if {@code out} fails, or if the export was deleted in the meantime
   * @throws Problem if there are too many downloads, or if the holder of the link has lost the
   *     right to it while it waited for others; before anything is written
   */
  void write(
      Download download,
      ByteRange range,
      Runnable hangUp,
      UnaryOperator<StreamedBody.Writer> coding,
      OutputStream out)
      throws IOException {
    limiter.send(
        download.holder().accountId(),
        hangUp,
        out,
        coding.apply(
            stream -> {
              requireStillValid(download);
              write(download, range, stream);
            }));
  }

  /** It may have waited for others. */
  private void requireStillValid(Download download) {
    if (!Instant.now().isBefore(download.until())
        || find(download.jobId(), download.holder(), download.until()).isEmpty()) {
      throw notFound();
    }
  }

  private void write(Download download, ByteRange range, OutputStream out) throws IOException {
    for (long at = range.first(); at <= range.last(); ) {
      var piece = piece(download, at, (int) Math.min(PIECE_BYTES, range.last() - at + 1));
      out.write(piece);
      at += piece.length;
    }
  }

  /** At most {@code max} bytes from {@code at} on, as far as they are in one row. */
  private byte[] piece(Download download, long at, int max) throws IOException {
    return bounds
        .downloading(
            download.holder().accountId(),
            () ->
                database.first(
                    """
                    select substr(bytes, (? - start_at)::int + 1, ?)
                    from export_chunk
                    where repo_id = ? and job_id = ? and attempt = ? and start_at <= ?
                      and exists (
                        select from repository r where r.id = export_chunk.repo_id)
                    order by start_at desc limit 1
                    """,
                    row -> row.getBytes(1),
                    at,
                    max,
                    download.repoId(),
                    download.jobId(),
                    download.attempt(),
                    at))
        .filter(bytes -> bytes.length > 0)
        .orElseThrow(() -> new IOException("export " + download.jobId() + " is gone"));
  }
}
