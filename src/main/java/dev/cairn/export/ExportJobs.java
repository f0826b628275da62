package dev.cairn.export;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.Rows;
import dev.cairn.query.At;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Exports that are built apart from any request: asked for, and looked after by their token. */
@ApplicationScoped
public class ExportJobs {
  private static final Logger LOG = Logger.getLogger(ExportJobs.class);
  private static final int KEPT_HOURS = 24;
  private static final int TOKEN_BYTES = 32;

  /** Jobs of a repository that are not built yet, and those that are kept, at the most. */
  static final int MOST_PENDING = 5;

  static final int MOST_KEPT = 50;

  /** How long to wait where too many are not built yet. */
  private static final int PENDING_SECONDS = 30;

  private final Database database;
  private final Contents contents;
  private final ExportWorker worker;
  private final Downloads downloads;
  private final SecureRandom random = new SecureRandom();

  /** The answer to who asks for one; {@code exportToken} is shown here and never again. */
  @RegisterForReflection
  public record Minted(String exportToken, long atRepoSeq) {}

  /** What a token leads to. */
  public sealed interface Progress {}

  /** Not built yet. */
  @RegisterForReflection
  public record Pending(String state) implements Progress {}

  /**
   * Built.
   *
   * @param url where to download it until {@code expiresAt}
   * @param recordCount the number of lines
   * @param contentSha256 of all bytes, hexadecimal
   */
  @RegisterForReflection
  public record Complete(
      String url, Instant expiresAt, long atRepoSeq, long recordCount, String contentSha256)
      implements Progress {}

  private record Job(
      UUID id, String state, long atSeq, long recordCount, byte[] sha256, Instant expiresAt) {}

  private record Counts(int pending, int kept, long secondsToFirstExpiry) {}

  ExportJobs(Database database, Contents contents, ExportWorker worker, Downloads downloads) {
    this.database = database;
    this.contents = contents;
    this.worker = worker;
    this.downloads = downloads;
  }

  /**
   * Asks for an export.
   *
   * @param at the moment to show; the present where it is empty
   * @throws Problem {@link ErrorCode#RATE_LIMITED} where the repository has too many
   */
  public Minted mint(RepositoryAccess access, Optional<At> at) {
    var secret = new byte[TOKEN_BYTES];
    random.nextBytes(secret);
    var token = Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    long seq = database.transaction(() -> insert(access, at, Sha256.of(token)));
    worker.wake();
    return new Minted(token, seq);
  }

  private long insert(RepositoryAccess access, Optional<At> at, byte[] tokenHash) {
    database.lockName("export " + access.repoId());
    refuseTooMany(access.repoId());
    long seq = contents.seq(access, at);
    var id = Ids.next();
    database.update(
        """
        insert into export_job (repo_id, id, token_hash, at_seq, state, due_at, created_at,
                                expires_at)
        values (?, ?, ?, ?, 'pending', now(), now(), now() + make_interval(hours => ?))
        """,
        access.repoId(),
        id,
        tokenHash,
        seq,
        KEPT_HOURS);
    LOG.infof("export %s of repository %s at %d is asked for", id, access.repoId(), seq);
    return seq;
  }

  private void refuseTooMany(UUID repoId) {
    var counts =
        database
            .first(
                """
                select count(*) filter (where state = 'pending'), count(*),
                       ceil(extract(epoch from min(expires_at) - now()))::bigint
                from export_job where repo_id = ? and expires_at > now()
                """,
                row -> new Counts(row.getInt(1), row.getInt(2), row.getLong(3)),
                repoId)
            .orElseThrow();
    if (counts.pending() >= MOST_PENDING) {
      throw tooMany("not built yet", MOST_PENDING, PENDING_SECONDS);
    }
    if (counts.kept() >= MOST_KEPT) {
      throw tooMany("of the last 24 hours", MOST_KEPT, counts.secondsToFirstExpiry());
    }
  }

  private static Problem tooMany(String which, int most, long retryAfter) {
    return Problem.of(
            ErrorCode.RATE_LIMITED,
            "A repository has at most %d exports %s.".formatted(most, which))
        .with("retryAfter", retryAfter);
  }

  /**
   * How far an export is.
   *
   * @param baseUrl what the download's address begins with
   * @throws Problem {@link ErrorCode#NOT_FOUND} for a token that is unknown, expired, or of another
   *     repository; {@link ErrorCode#CONFLICT} where building was given up
   */
  public Progress progress(RepositoryAccess access, String token, String baseUrl) {
    var job = find(access.repoId(), token);
    return switch (job.state()) {
      case "pending" -> new Pending("pending");
      case "complete" -> {
        var link = downloads.link(job.id(), job.expiresAt());
        yield new Complete(
            baseUrl + link.path(),
            link.expiresAt(),
            job.atSeq(),
            job.recordCount(),
            HexFormat.of().formatHex(job.sha256()));
      }
      default ->
          throw Problem.of(ErrorCode.CONFLICT, "The export could not be built.")
              .with("reason", "export_failed")
              .hint("Ask for a new one by prefer=async.");
    };
  }

  private Job find(UUID repoId, String token) {
    return database
        .first(
            """
            select id, state, at_seq, record_count, content_sha256, expires_at
            from export_job where repo_id = ? and token_hash = ? and expires_at > now()
            """,
            row ->
                new Job(
                    row.getObject(1, UUID.class),
                    row.getString(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getBytes(5),
                    Rows.instant(row, 6)),
            repoId,
            Sha256.of(token))
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no export of that token here; it may have expired, 24 hours after"
                        + " it was asked for."));
  }
}
