package dev.cairn.action;

import static dev.cairn.access.Permission.ORG_ACTION_CALLBACK;
import static dev.cairn.access.Permission.REPO_ACTION_CALLBACK;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes the reports on actions that continue after their attempt was accepted; {@code
 * docs/actions.md}, Callbacks.
 */
@ApplicationScoped
public class Callbacks {
  /** No organization has this name, so what is looked up by it is not found. */
  private static final RunRepository NONE = new RunRepository(null, null, "-", "-");

  private static final String LOCKED = " for update";

  private final Database database;
  private final ChangeLimiter changeLimiter;
  private final Authorizer authorizer;
  private final Recheck recheck;
  private final CallbackTokens tokens;
  private final CallbackSecrets secrets;
  private final AttemptResultRules rules;
  private final AttemptResults results;

  /** The answer to a callback: the run's status after it. */
  @RegisterForReflection
  public record Answer(boolean ok, UUID runId, String status) {}

  private record RunRow(RunningAttempt attempt, String status, int broughtBack) {}

  /** A run that a report may change. */
  private record Found(RunningAttempt attempt, CallbackTokens.Validity validity) {}

  /** What a report shows of secrets depends on this. */
  private record MaskedFor(CallbackTokens.Validity validity, Map<UUID, CallbackSecrets.Use> uses) {}

  /** The repository of a run. */
  private record RunRepository(UUID orgId, UUID repoId, String org, String repo) {}

  Callbacks(
      Database database,
      ChangeLimiter changeLimiter,
      Authorizer authorizer,
      Recheck recheck,
      CallbackTokens tokens,
      CallbackSecrets secrets,
      AttemptResultRules rules,
      AttemptResults results) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.authorizer = authorizer;
    this.recheck = recheck;
    this.tokens = tokens;
    this.secrets = secrets;
    this.rules = rules;
    this.results = results;
  }

  /**
   * Makes sure that a caller may report on a run: by the token of its callback's URL, or by {@code
   * repo:action-callback} or {@code org:action-callback} on its repository.
   *
   * @param token the one of the URL, if it has one
   * @return the access to the repository; empty with the token of a URL, which needs none
   * @throws Problem {@code UNAUTHENTICATED} for a wrong token, or without any; {@code NOT_FOUND}
   *     for a run that does not exist or that the caller may not see
   */
  public Optional<RepositoryAccess> authorize(Caller caller, UUID runId, Optional<String> token) {
    if (token.isPresent()) {
      if (!tokens.isOfAnyTime(runId, token.get())) {
        throw wrongToken();
      }
      return Optional.empty();
    }
    if (caller instanceof Caller.Anonymous) {
      // Before the first query: anybody can send such requests.
      throw Problem.of(
          ErrorCode.UNAUTHENTICATED,
          "This needs the `token` of the callback's URL, or `Authorization: Bearer <token>`.");
    }
    var repository = repository(runId).orElse(NONE);
    try {
      var access =
          authorizer.repository(
              caller,
              repository.org(),
              repository.repo(),
              REPO_ACTION_CALLBACK,
              ORG_ACTION_CALLBACK);
      access.narrowing().requireUnrestricted();
      // The name may lead to another repository since it was read.
      if (!access.repoId().equals(repository.repoId())) {
        throw none(runId);
      }
      return Optional.of(access);
    } catch (Problem e) {
      throw e.code() == ErrorCode.NOT_FOUND ? none(runId) : e;
    }
  }

  private Optional<RunRepository> repository(UUID runId) {
    return database.first(
        """
        select p.org_id, p.id as repo_id, o.name as org, p.name as repo
        from action_run r
        join repository p on p.id = r.repo_id
        join organization o on o.id = p.org_id
        where r.id = ? and r\
        """
            + Notices.IS_RUN,
        row ->
            new RunRepository(
                row.getObject("org_id", UUID.class),
                row.getObject("repo_id", UUID.class),
                row.getString("org"),
                row.getString("repo")),
        runId);
  }

  private static Problem wrongToken() {
    return Problem.of(
        ErrorCode.UNAUTHENTICATED,
        "The token in the URL is not the one of this run, or was before the run was retried by"
            + " hand, or before what the subscription calls, or for whom, was changed.");
  }

  private static Problem none(UUID runId) {
    return Problem.notFound("There is no run `%s`, or you may not see it.".formatted(runId));
  }

  /**
   * Takes a report, with secrets masked in its texts.
   *
   * @param access as {@link #authorize} answered
   * @param token the one of the URL, if it has one
   * @throws Problem {@code UNAUTHENTICATED} for a token from before the run was brought back, or
   *     before what its subscription calls, or for whom, was changed; {@code CONFLICT} if the run
   *     is not running; what a new request would be refused with, if the caller lost the right
   *     while it waited
   */
  public Answer take(
      UUID runId, Optional<RepositoryAccess> access, Optional<String> token, Report received) {
    var repository = repository(runId).orElseThrow(() -> none(runId));
    return changeLimiter.callForRun(
        runId,
        repository.orgId(),
        access.map(RepositoryAccess::account),
        () -> {
          if (!received.hasTexts()) {
            return apply(find(runId, access, token, LOCKED).attempt(), received);
          }
          if (!mayKnowSecrets(runId, access)) {
            var report = received.masking(SecretMask.OF_TOKENS);
            return apply(find(runId, access, token, LOCKED).attempt(), report);
          }
          // Masking many secrets takes up to seconds, in which the run is not locked.
          var seen = find(runId, access, token, "");
          var maskedFor = maskedFor(seen);
          var masked = masked(received, seen, maskedFor);
          var found = find(runId, access, token, LOCKED);
          var now = maskedFor(found);
          return apply(
              found.attempt(), now.equals(maskedFor) ? masked : masked(received, found, now));
        });
  }

  /** Finds a run that a report may change. */
  private Found find(
      UUID runId, Optional<RepositoryAccess> access, Optional<String> token, String lock) {
    var row =
        database
            .first(
                """
                select repo_id, id, attempt_count, max_attempts, lease, status, brought_back
                from action_run r where id = ? and r\
                """
                    + Notices.IS_RUN
                    + lock,
                Callbacks::row,
                runId)
            .orElseThrow(() -> none(runId));
    access.ifPresent(this::requireStill);
    var validity = validity(row);
    if (token.isPresent() && !tokens.isOf(runId, validity, token.get())) {
      throw wrongToken();
    }
    if (!row.status().equals(RunStatus.RUNNING.wire())) {
      throw Recovery.conflict(
              "run_not_running", "The run is %s, not running.".formatted(row.status()))
          .with("status", row.status());
    }
    return new Found(row.attempt(), validity);
  }

  /**
   * Reports of those who set secrets or are sent them are masked, since they may repeat one by
   * mistake. Anybody else could find out from what is masked of a text whether they guessed one.
   */
  private static boolean mayKnowSecrets(UUID runId, Optional<RepositoryAccess> access) {
    return access
        .map(of -> mayBind(of) || runId.equals(Recheck.Holder.of(of.account()).runId()))
        .orElse(true);
  }

  private static boolean mayBind(RepositoryAccess access) {
    return access.allows(REPO_CONFIGURE)
        && access.allows(REPO_READ)
        && !access.account().token().isDelegated();
  }

  private MaskedFor maskedFor(Found found) {
    return new MaskedFor(found.validity(), secrets.uses(found.attempt()));
  }

  private Report masked(Report received, Found found, MaskedFor maskedFor) {
    var token = tokens.of(found.attempt().runId(), maskedFor.validity());
    return received.masking(secrets.mask(maskedFor.uses(), token));
  }

  private void requireStill(RepositoryAccess access) {
    recheck.requireStill(
        access, access.allows(REPO_ACTION_CALLBACK) ? REPO_ACTION_CALLBACK : ORG_ACTION_CALLBACK);
  }

  /**
   * For which time the token of the run is valid now. A statement of its own after the lock: a
   * change that was made while this report waited counts.
   */
  private CallbackTokens.Validity validity(RunRow row) {
    var attempt = row.attempt();
    int generation =
        database
            .first(
                """
                select coalesce(s.callback_generation, a.callback_generation)
                from action_run r
                left join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
                left join action_attempt a
                  on a.repo_id = r.repo_id and a.run_id = r.id and a.attempt = r.attempt_count
                where r.repo_id = ? and r.id = ?
                """,
                of -> of.getInt(1),
                attempt.repoId(),
                attempt.runId())
            .orElseThrow();
    return new CallbackTokens.Validity(row.broughtBack(), generation);
  }

  private static RunRow row(ResultSet row) throws SQLException {
    return new RunRow(
        RunningAttempt.read(row), row.getString("status"), row.getInt("brought_back"));
  }

  private Answer apply(RunningAttempt attempt, Report report) {
    keep(attempt, report);
    return new Answer(true, attempt.runId(), changed(attempt, report).wire());
  }

  /** A member that the report leaves out keeps its last value. */
  private void keep(RunningAttempt attempt, Report report) {
    if (report.progress() != null || report.message() != null) {
      database.update(
          """
          with before as materialized (
            select repo_id, run_id, attempt, coalesce(octet_length(message), 0) as bytes
            from action_attempt where repo_id = ? and run_id = ? and attempt = ?),
          kept as (
            update action_attempt a
            set progress = coalesce(?, a.progress), message = coalesce(?, a.message)
            from before b
            where a.repo_id = b.repo_id and a.run_id = b.run_id and a.attempt = b.attempt
            returning a.repo_id, coalesce(octet_length(a.message), 0) - b.bytes as bytes)
          insert into stored_bytes_change (repo_id, bytes)
          select repo_id, bytes from kept where bytes <> 0
          """,
          attempt.repoId(),
          attempt.runId(),
          attempt.number(),
          report.progress(),
          report.message());
    }
  }

  private RunStatus changed(RunningAttempt attempt, Report report) {
    return switch (report.kind()) {
      case PROGRESS -> touch(attempt);
      case SUCCEEDED -> write(attempt.to(RunStatus.SUCCEEDED, (Duration) null, null, null));
      case FAILED ->
          write(
              attempt.to(
                  RunStatus.FAILED_TERMINAL, null, report.failure(Codes.CALLBACK_FAILED), null));
      case RETRY -> write(rules.retried(attempt, report.failure(Codes.CALLBACK_RETRY), null, null));
    };
  }

  private RunStatus write(AttemptResult result) {
    results.write(List.of(result));
    return result.status();
  }

  private RunStatus touch(RunningAttempt attempt) {
    database.update(
        """
        update action_run set updated_at = date_trunc('milliseconds', now())
        where repo_id = ? and id = ?
        """,
        attempt.repoId(),
        attempt.runId());
    return RunStatus.RUNNING;
  }
}
