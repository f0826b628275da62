package dev.cairn.access.limit;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.limiter.LockLimiter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;

/**
 * Opens the transactions that change organizations, repositories, and what belongs to them, except
 * for commits. They lock what others of the same organization may hold for long, such as the head
 * of a repository that is committed to, so they wait for one another without a connection ({@link
 * LockLimiter}), and have a quarter of the connections together. See {@code docs/limits.md},
 * Database connections. Must not be called in a transaction: work that waits for its turn holds no
 * connection and no lock.
 *
 * <p>Each change ends with a check of the caller's token, since it may have waited for any lock:
 * {@code docs/access.md}, Order of checks.
 */
@ApplicationScoped
public class ChangeLimiter {
  /** The denominator of the part of the connections to the database. */
  private static final int POOL_FRACTION = 4;

  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** How many changes of one organization that wait for commits may be under way and wait. */
  private static final int MAX_WAITING_FOR_COMMITS = 256;

  private final Database database;
  private final EntityManager entities;
  private final Recheck recheck;
  private final LockLimiter limiter;
  private final KeyedLimiter<UUID> waitingForCommits =
      new KeyedLimiter<>(1, MAX_WAITING_FOR_COMMITS);

  ChangeLimiter(
      Database database,
      EntityManager entities,
      Recheck recheck,
      CairnConfig config,
      MeterRegistry metrics) {
    this.database = database;
    this.entities = entities;
    this.recheck = recheck;
    this.limiter =
        new LockLimiter(
            KeyedLimiter.part(config, POOL_FRACTION),
            ChangeLimiter::busy,
            ChangeLimiter::busyAccount);
    Gauge.builder("cairn.changes.waiting", this, ChangeLimiter::waiting)
        .description(
            "Changes other than commits that wait in this replica for others of the same"
                + " organization, repository or account")
        .register(metrics);
  }

  /**
   * Changes a repository, or what belongs to it, in a transaction.
   *
   * @throws Problem {@code UNAVAILABLE} if others change it for too long; {@code UNAUTHENTICATED}
   *     if the caller's token has expired or was revoked, or its session was ended, meanwhile
   */
  public <T> T call(RepositoryAccess access, Callable<T> change) {
    return call(access.repoId(), MAX_WAIT, access.account(), change);
  }

  /** The same for an organization, and for what belongs to the organization itself. */
  public <T> T call(OrganizationAccess access, Callable<T> change) {
    return call(access.orgId(), Recheck.MAX_WAIT_FOR_ORGANIZATION, access.account(), change);
  }

  /**
   * The same for a change of an organization that waits for commits, of which one has its turn at a
   * time: all other changes of the organization wait for it, and would have no turn if several did.
   */
  public <T> T callWaitingForCommits(OrganizationAccess access, Callable<T> change) {
    return waitingForCommits.call(
        access.orgId(),
        Recheck.MAX_WAIT_FOR_ORGANIZATION,
        () -> call(access, change),
        ChangeLimiter::busy);
  }

  private int waiting() {
    return limiter.waiting() + waitingForCommits.waiting();
  }

  private <T> T call(UUID changed, Duration wait, Caller.SignedIn account, Callable<T> change) {
    return call(changed, wait, account.accountId(), endingWithCheck(account, change));
  }

  private <T> Callable<T> endingWithCheck(Caller.SignedIn account, Callable<T> change) {
    return () -> {
      T done = change.call();
      // What Hibernate has not written yet may have to wait too.
      entities.flush();
      recheck.requireLiveToken(account);
      return done;
    };
  }

  /**
   * The same for a run.
   *
   * @param orgId whose share it takes, like one of an account
   * @param account empty for a caller without one
   */
  public <T> T callForRun(
      UUID runId, UUID orgId, Optional<Caller.SignedIn> account, Callable<T> change) {
    return call(
        runId,
        MAX_WAIT,
        orgId,
        account.map(caller -> endingWithCheck(caller, change)).orElse(change));
  }

  private <T> T call(UUID changed, Duration wait, UUID owner, Callable<T> change) {
    return limiter.call(changed, owner, wait, () -> database.transaction(change));
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE, "Another change to the same is still being written; try again.");
  }

  private static Problem busyAccount() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many changes of one account or organization are being written; wait for some, or try"
            + " again.");
  }
}
