package dev.cairn.commit;

import dev.cairn.access.Permission;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.content.write.EntityRename;
import dev.cairn.content.write.Renaming;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/**
 * Bounds the bytes that the renames of an organization rewrite in an hour. A rename is a request of
 * a few bytes that rewrites every text with the name, and the quota of stored bytes counts only
 * texts that get longer. See {@code docs/limits.md}, Renames.
 */
@ApplicationScoped
class RenameBudget {
  private static final String POLICY = "renames";
  private static final Duration HOUR = Duration.ofHours(1);

  /** Callers are told to wait for a multiple of this time. */
  private static final Duration WAIT_STEP = Duration.ofMinutes(10);

  private final Database database;
  private final Renaming renaming;
  private final RateLimiter limiter;
  private final long perHour;

  RenameBudget(Database database, Renaming renaming, RateLimiter limiter, CairnConfig config) {
    this.database = database;
    this.renaming = renaming;
    this.limiter = limiter;
    this.perHour = config.limits().renamedMibPerHour() * 1_048_576L;
  }

  /**
   * Takes the bytes that the renames of a commit rewrite; to be called before they are written. If
   * the commit fails later, the bytes stay taken, because the database has done the work.
   *
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the budget has too little left
   */
  void take(RepositoryAccess access, List<EntityRename> renames) {
    long bytes = bytes(access, renames);
    if (bytes > 0) {
      // In a transaction of its own: otherwise the limiter's row would stay locked during the
      // rename.
      database
          .inNewTransaction(() -> limiter.tryTake(POLICY, key(access), bytes, perHour, HOUR))
          .ifPresent(wait -> refuse(access, bytes, wait));
    }
  }

  private long bytes(RepositoryAccess access, List<EntityRename> renames) {
    return perHour == 0 ? 0 : renaming.rewrittenBytes(access.repoId(), renames);
  }

  private static String key(RepositoryAccess access) {
    return "organization:" + access.orgId();
  }

  /**
   * Tells only roughly how little is left, since that shows how much was rewritten before, by
   * renames of what hidden entities refer to. A caller that does not read everything is not told
   * either how much its own renames would rewrite.
   */
  private void refuse(RepositoryAccess access, long bytes, Duration wait) {
    if (!access.allows(Permission.REPO_READ)) {
      throw refused(
          "The renames of an organization may rewrite %,d bytes an hour, and too few are left."
              .formatted(perHour),
          HOUR);
    }
    throw refused(
            ("The renames of this commit rewrite %,d bytes; the renames of an organization may rewrite"
                    + " %,d bytes an hour, and too few are left.")
                .formatted(bytes, perHour),
            WAIT_STEP.multipliedBy(Math.ceilDiv(wait.toSeconds(), WAIT_STEP.toSeconds())))
        .with("needed", bytes);
  }

  private Problem refused(String detail, Duration wait) {
    return Problem.of(ErrorCode.RATE_LIMITED, detail)
        .with("limit", "renamed-mib-per-hour")
        .with("max", perHour)
        .with("retryAfter", wait.toSeconds())
        .hint(
            "Try again after `Retry-After` seconds, or ask the operator to raise"
                + " `cairn.limits.renamed-mib-per-hour`.");
  }
}
