package dev.cairn.export;

import static dev.cairn.access.Permission.REPO_CHECKPOINT_READ;

import dev.cairn.access.Recheck;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.Database;
import dev.cairn.platform.SecretBox;
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

/**
 * The content of exports that were built, for whoever has a link to it. A link is signed and good
 * for 15 minutes, and no longer than the role and the token that requested it; nothing of it is
 * stored. See {@code docs/export.md}, The download.
 */
@ApplicationScoped
public class Downloads {
  private static final Duration GOOD_FOR = Duration.ofMinutes(15);
  private static final String PURPOSE = "export download";

  /** So many bytes are held for each download. */
  private static final int PIECE = 128 * 1024;

  private final Database database;
  private final SecretBox secrets;

  /**
   * A place to download from.
   *
   * @param path what goes behind the service's address
   */
  record Link(String path, Instant expiresAt) {}

  /**
   * A content that may be downloaded.
   *
   * @param size in bytes
   * @param sha256 hexadecimal
   */
  record Download(UUID repoId, UUID jobId, int attempt, long size, String sha256) {
    /** The strong ETag. */
    String etag() {
      return '"' + sha256 + '"';
    }
  }

  Downloads(Database database, SecretBox secrets) {
    this.database = database;
    this.secrets = secrets;
  }

  /**
   * A link to an export.
   *
   * @param holder who asks for it, named in the link
   * @param until when it ends at the latest
   */
  Link link(UUID jobId, Recheck.Holder holder, Instant until) {
    long soon = Instant.now().plus(GOOD_FOR).toEpochMilli();
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
   * What a link leads to.
   *
   * @throws Problem {@link ErrorCode#NOT_FOUND} for a link that is not good, or no longer, whose
   *     holder has lost the right to it, and for an export that is gone: the same in each case
   */
  Download open(String jobId, String expires, String holder, String signature) {
    return isGood(jobId, expires, holder, signature)
        ? find(UUID.fromString(jobId), Recheck.Holder.parse(holder)).orElseThrow(Downloads::none)
        : refuse();
  }

  private boolean isGood(String jobId, String expires, String holder, String signature) {
    try {
      return Base64Url.decode(signature)
              .filter(bytes -> secrets.isSignature(bytes, signed(jobId, expires, holder), PURPOSE))
              .isPresent()
          && Instant.now().isBefore(Instant.ofEpochMilli(Long.parseLong(expires)));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Download refuse() {
    throw none();
  }

  private static Problem none() {
    return Problem.notFound("There is no such download, or its link has expired.")
        .hint("Ask for a new link by token=<exportToken>.");
  }

  private Optional<Download> find(UUID jobId, Recheck.Holder holder) {
    var parameters = new ArrayList<Object>(List.of(jobId));
    parameters.addAll(Recheck.parameters(holder, REPO_CHECKPOINT_READ));
    return database.first(
        """
        select j.repo_id, j.id, j.attempt, j.byte_count, j.content_sha256
        from export_job j join repository r on r.id = j.repo_id
        where j.id = ? and j.state = 'complete' and j.expires_at > now() and
        """
            + Recheck.CONDITION,
        row ->
            new Download(
                row.getObject("repo_id", UUID.class),
                row.getObject("id", UUID.class),
                row.getInt("attempt"),
                row.getLong("byte_count"),
                HexFormat.of().formatHex(row.getBytes("content_sha256"))),
        parameters.toArray());
  }

  /**
   * Writes a part of the content. No connection is held while the client reads.
   *
   * @throws IOException what {@code out} throws, or where the export was deleted meanwhile
   */
  void write(Download download, ByteRange range, OutputStream out) throws IOException {
    for (long at = range.first(); at <= range.last(); ) {
      var piece = piece(download, at, (int) Math.min(PIECE, range.last() - at + 1));
      out.write(piece);
      at += piece.length;
    }
  }

  /** Up to so many bytes from a place on: those that are in one row. */
  private byte[] piece(Download download, long at, int most) throws IOException {
    return database
        .first(
            """
            select substr(bytes, (? - start_at)::int + 1, ?)
            from export_chunk
            where repo_id = ? and job_id = ? and attempt = ? and start_at <= ?
            order by start_at desc limit 1
            """,
            row -> row.getBytes(1),
            at,
            most,
            download.repoId(),
            download.jobId(),
            download.attempt(),
            at)
        .filter(bytes -> bytes.length > 0)
        .orElseThrow(() -> new IOException("export " + download.jobId() + " is gone"));
  }
}
