package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.CredentialSets;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The secrets that a callback may repeat; {@code docs/actions.md}, Masking. */
@Singleton
class CallbackSecrets {
  /** How many names of sets a run may have had for its secrets to be looked for. */
  private static final int MAX_SETS = 10;

  private final Database database;
  private final CredentialSets credentials;

  CallbackSecrets(Database database, CredentialSets credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  /**
   * How the attempts at a run used a set.
   *
   * @param isOfCommand whether a command knows all of its values; a receiver of webhooks only knows
   *     those that calls carry
   * @param lastBegun when the last of these attempts began. A call has the values of that time; a
   *     command may get later ones, since they are read again after its checkout
   */
  record Use(boolean isOfCommand, Instant lastBegun) {}

  /**
   * The sets that the attempts at a run used, by their names, and one more than are read if there
   * are more: those that were bound when they were claimed, and the one that is bound now, which an
   * attempt may have got that was claimed before. A command may continue after its attempt was
   * given up, and after its subscription was deleted.
   */
  Map<String, Use> uses(RunningAttempt attempt) {
    var uses = new HashMap<String, Use>();
    database.each(
        """
        select credential_set, bool_or(executor_kind = 'sprite') as is_of_command,
               max(started_at) as last_begun
        from (
          select credential_set, executor_kind, started_at from action_attempt
          where repo_id = ? and run_id = ?
          union all
          select s.credential_set, s.executor_kind,
                 (select max(a.started_at) from action_attempt a
                  where a.repo_id = r.repo_id and a.run_id = r.id)
          from action_run r
          join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
          where r.repo_id = ? and r.id = ?) b
        where credential_set is not null
        group by credential_set order by credential_set limit ?
        """,
        0,
        row -> {
          uses.put(
              row.getString("credential_set"),
              new Use(row.getBoolean("is_of_command"), Rows.instant(row, "last_begun")));
          return true;
        },
        attempt.repoId(),
        attempt.runId(),
        attempt.repoId(),
        attempt.runId(),
        MAX_SETS + 1);
    return uses;
  }

  /**
   * Masks the secrets that the reporter may know; it could find out others by what is masked of its
   * guesses. They are read set by set when something is masked, which must be in the same
   * transaction. Masks everything if there are more sets than are read for one report.
   */
  SecretMask mask(RunningAttempt attempt, Map<String, Use> uses, String callbackToken) {
    if (uses.size() > MAX_SETS) {
      return SecretMask.OF_EVERYTHING;
    }
    var lastUses = new HashMap<String, Instant>();
    uses.forEach((name, use) -> lastUses.put(name, use.isOfCommand() ? null : use.lastBegun()));
    return new SecretMask(
        secret -> {
          secret.accept(callbackToken);
          credentials.eachSet(
              attempt.repoId(),
              lastUses,
              (name, set) -> {
                WebhookSecrets.of(set).forEach(secret);
                if (uses.get(name).isOfCommand()) {
                  set.values().forEach(secret);
                }
              });
        },
        SecretMask.Cut.NONE);
  }
}
