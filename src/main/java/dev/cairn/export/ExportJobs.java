package dev.cairn.export;

import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.content.At;
import dev.cairn.content.FormerNames;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.secret.SecretBox;
import dev.cairn.work.Worker;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Exports that a worker builds: requested by a client, which polls them with their token. */
@ApplicationScoped
public class ExportJobs {
  private static final Logger LOG = Logger.getLogger(ExportJobs.class);
  private static final int RETENTION_HOURS = 24;
  private static final String PURPOSE = "export token";

  /** What exports are made with. */
  static final Set<Permission> NEEDED =
      Set.of(Permission.REPO_READ, Permission.REPO_CHECKPOINT_READ);

  /** The value of {@code Retry-After} while another export is built. */
  private static final int BUILDING_RETRY_SECONDS = 30;

  private final Database database;
  private final ChangeLimiter limiter;
  private final RepositoryHeads heads;
  private final ExportQueries queries;
  private final Worker<ExportAttempt, BuildResult> worker;
  private final Downloads downloads;
  private final SecretBox secrets;
  private final Quotas quotas;
  private final Recheck recheck;
  private final ExportBytes bytes;
  private final ExportExpiry expiry;

  /**
   * The answer to a request for an export; a later request for the same export gets the same token.
   */
  @RegisterForReflection
  public record RequestedExport(String exportToken, long atRepoSeq) {}

  /** The progress of an export. */
  public sealed interface Progress {}

  /** Not built yet. */
  @RegisterForReflection
  public record Pending(String state) implements Progress {}

  /**
   * Built.
   *
   * @param url the URL of the download until {@code expiresAt}
   * @param recordCount the number of lines
   * @param contentSha256 the SHA-256 of all bytes, hexadecimal
   */
  @RegisterForReflection
  public record Complete(
      String url, Instant expiresAt, long atRepoSeq, long recordCount, String contentSha256)
      implements Progress {}

  private record Job(
      UUID id,
      String state,
      long atSeq,
      long recordCount,
      byte[] sha256,
      Instant expiresAt,
      String failure) {}

  /** The job of a request for an export; not new if an earlier request created it. */
  private record Requested(UUID id, long seq, boolean isNew) {}

  /**
   * The counts for quotas.
   *
   * @param building exports of the repository that are being built for the account
   * @param own exports of the repository that the account requested
   * @param kept all exports of the repository, including those that are being built
   */
  private record Counts(long building, long own, long kept, long secondsToFirstExpiry) {}

  ExportJobs(
      Database database,
      ChangeLimiter limiter,
      RepositoryHeads heads,
      ExportQueries queries,
      Worker<ExportAttempt, BuildResult> worker,
      Downloads downloads,
      SecretBox secrets,
      Quotas quotas,
      Recheck recheck,
      ExportBytes bytes,
      ExportExpiry expiry) {
    this.database = database;
    this.limiter = limiter;
    this.heads = heads;
    this.queries = queries;
    this.worker = worker;
    this.downloads = downloads;
    this.secrets = secrets;
    this.quotas = quotas;
    this.recheck = recheck;
    this.bytes = bytes;
    this.expiry = expiry;
  }

  /**
   * Requests an export. If the account has already requested an export with the same content, that
   * one is used.
   *
   * @param at the moment to export; empty for the current state
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if a quota of exports is full
   */
  public RequestedExport requestExport(RepositoryAccess access, Optional<At> at) {
    var requested = limiter.call(access, () -> request(access, at));
    if (requested.isNew()) {
      expiry.makeDue();
      worker.wakeAll();
    }
    return new RequestedExport(token(requested.id()), requested.seq());
  }

  /**
   * The token of a job, derived from the secret key, so that it can be returned again although only
   * its hash is stored.
   */
  private String token(UUID jobId) {
    return Base64Url.encode(secrets.sign(jobId.toString(), PURPOSE));
  }

  private Requested request(RepositoryAccess access, Optional<At> at) {
    database.lockName("export " + access.repoId());
    recheck.requireStill(access, NEEDED);
    long seq = queries.seq(access, at);
    return same(access, seq).orElseGet(() -> insert(access, seq));
  }

  /**
   * An existing export with the same content: of the same moment, with the same names. An export
   * whose token was derived from another secret key is ignored, since its token cannot be returned
   * again.
   */
  private Optional<Requested> same(RepositoryAccess access, long seq) {
    record Found(UUID id, byte[] tokenHash) {}
    return database
        .list(
            """
            select id, token_hash from export_job j
            where repo_id = ? and account_id = ? and at_seq = ? and state <> 'failed'
              and expires_at > now() and not %s
            order by created_at desc
            """
                .formatted(FormerNames.existAfter("j.repo_id", "j.newest_seq")),
            row -> new Found(row.getObject(1, UUID.class), row.getBytes(2)),
            access.repoId(),
            access.account().accountId(),
            seq)
        .stream()
        .filter(found -> Arrays.equals(found.tokenHash(), Sha256.of(token(found.id()))))
        .findFirst()
        .map(found -> new Requested(found.id(), seq, false));
  }

  private Requested insert(RepositoryAccess access, long seq) {
    refuseTooMany(access);
    var id = Ids.next();
    database.update(
        """
        insert into export_job (repo_id, id, account_id, token_hash, at_seq, newest_seq, state,
                                due_at, created_at, expires_at)
        values (?, ?, ?, ?, ?, ?, 'pending', now(), now(), now() + make_interval(hours => ?))
        """,
        access.repoId(),
        id,
        access.account().accountId(),
        Sha256.of(token(id)),
        seq,
        heads.newest(access.repoId()),
        RETENTION_HOURS);
    LOG.infof("export %s of repository %s at %d was requested", id, access.repoId(), seq);
    return new Requested(id, seq, true);
  }

  private void refuseTooMany(RepositoryAccess access) {
    var counts = counts(access);
    refuseOneMore(Quota.EXPORTS_BUILDING, counts.building(), BUILDING_RETRY_SECONDS);
    if (!quotas.isOn(Quota.EXPORTS)
        || counts.kept() < quotas.limit(Quota.EXPORTS)
        || !replacesOther(access.repoId(), counts.own())) {
      refuseOneMore(Quota.EXPORTS, counts.kept(), counts.secondsToFirstExpiry());
    }
    bytes.findRoom(access.repoId(), access.account().accountId(), 1).ifPresent(this::refuse);
  }

  private void refuseOneMore(Quota quota, long used, long retryAfter) {
    if (quotas.isOn(quota) && used >= quotas.limit(quota)) {
      refuse(new ExportBytes.Full(quota, used, quotas.limit(quota), retryAfter));
    }
  }

  private void refuse(ExportBytes.Full full) {
    throw quotas
        .refusal(full.quota(), ErrorCode.RATE_LIMITED, full.bytes(), full.max())
        .with("retryAfter", Math.max(1, full.secondsToFirstExpiry()))
        .hint("Stream the export, without `prefer`, or try again later.");
  }

  private Counts counts(RepositoryAccess access) {
    return database
        .first(
            """
            select count(*) filter (where state = 'pending' and account_id = ?) as building,
                   count(*) filter (where account_id = ?) as own,
                   count(*) as kept,
                   ceil(extract(epoch from min(expires_at) - now()))::bigint as seconds
            from export_job
            where repo_id = ? and expires_at > now() and state <> 'failed'
            """,
            row ->
                new Counts(
                    row.getLong("building"),
                    row.getLong("own"),
                    row.getLong("kept"),
                    row.getLong("seconds")),
            access.account().accountId(),
            access.account().accountId(),
            access.repoId())
        .orElseThrow();
  }

  /**
   * Lets a built export of another account expire, so that no account keeps others from having one:
   * of an account that has no role anymore, or otherwise the oldest of the account with the most,
   * if that is still as many as the requesting one then has. Its bytes no longer count for the
   * organization; for its account, and for all, they count until they are deleted.
   *
   * @param own the exports of the requesting account
   * @return whether there was one
   */
  private boolean replacesOther(UUID repoId, long own) {
    return database.update(
            """
            update export_job set expires_at = now()
            where repo_id = ? and id = (
              select j.id
              from (
                select j.id, j.state, j.created_at, m.account_id is not null as is_member,
                       count(*) over (partition by j.account_id) as kept
                from export_job j
                join repository r on r.id = j.repo_id
                left join member m on m.org_id = r.org_id and m.account_id = j.account_id
                where j.repo_id = ? and j.expires_at > now() and j.state <> 'failed') j
              where j.state = 'complete' and (not j.is_member or j.kept > ? + 1)
              order by j.is_member, j.kept desc, j.created_at
              limit 1)
            """,
            repoId,
            repoId,
            own)
        > 0;
  }

  /**
   * The progress of an export.
   *
   * @param baseUrl the base of the download's URL; empty for a relative one
   * @throws Problem {@link ErrorCode#NOT_FOUND} for a token that is unknown, expired, or of another
   *     repository; {@link ErrorCode#CONFLICT} if the export was given up
   */
  public Progress progress(RepositoryAccess access, String token, String baseUrl) {
    var job = find(access.repoId(), token);
    return switch (job.state()) {
      case "pending" -> new Pending("pending");
      case "complete" -> {
        var link = downloads.link(job.id(), access.holder(), end(job, access));
        yield new Complete(
            baseUrl + link.path(),
            link.expiresAt(),
            job.atSeq(),
            job.recordCount(),
            HexFormat.of().formatHex(job.sha256()));
      }
      default -> throw failed(job);
    };
  }

  /** The latest expiry of a link: when the export or the requesting token expires. */
  private static Instant end(Job job, RepositoryAccess access) {
    var token = access.account().token().expiresAt();
    return token != null && token.isBefore(job.expiresAt()) ? token : job.expiresAt();
  }

  private static Problem failed(Job job) {
    return switch (job.failure()) {
      case null ->
          Problem.of(ErrorCode.CONFLICT, "The export could not be built.")
              .with("reason", "export_failed")
              .hint("Request a new export with prefer=async.");
      case "exports_full" -> full(job, "The stored exports leave no room for this export.");
      default ->
          full(
              job,
              "This export is larger than what is left for the exports of this organization, or for"
                  + " those of your account: they have at most export-bytes-share, and at most half"
                  + " of what the exports of others leave of export-bytes.");
    };
  }

  private static Problem full(Job job, String detail) {
    return Problem.of(ErrorCode.CONFLICT, detail)
        .with("reason", job.failure())
        .hint("Stream the export, without `prefer`, or request it when others have expired.");
  }

  private Job find(UUID repoId, String token) {
    return database
        .first(
            """
            select id, state, at_seq, record_count, content_sha256, expires_at, failure
            from export_job where repo_id = ? and token_hash = ? and expires_at > now()
            """,
            row ->
                new Job(
                    row.getObject("id", UUID.class),
                    row.getString("state"),
                    row.getLong("at_seq"),
                    row.getLong("record_count"),
                    row.getBytes("content_sha256"),
                    Rows.instant(row, "expires_at"),
                    row.getString("failure")),
            repoId,
            Sha256.of(token))
        .orElseThrow(
            () ->
                Problem.notFound(
                    "There is no export with that token here; exports expire at most 24 hours after"
                        + " they are requested."));
  }
}
