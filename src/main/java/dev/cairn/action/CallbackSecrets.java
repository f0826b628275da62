package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.subscription.WebhookSecrets;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** The secrets that a callback may repeat; {@code docs/actions.md}, Masking. */
@Singleton
class CallbackSecrets {
  /** How many sets a run may have had for its secrets to be looked for. */
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
   * The sets that the attempts at a run used, by their ids, and one more than are read if there are
   * more: those that were bound when they were claimed, and the one that is bound now, which a
   * command may have got after its checkout. A command may continue after its attempt was given up,
   * and after its subscription was deleted.
   */
  Map<UUID, Use> uses(RunningAttempt attempt) {
    var uses = new HashMap<UUID, Use>();
    database.each(
        """
        select credential_set_id, bool_or(executor_kind = 'sprite') as is_of_command,
               max(started_at) as last_begun
        from (
          select credential_set_id, executor_kind, started_at from action_attempt
          where repo_id = ? and run_id = ?
          union all
          select c.id, s.executor_kind, a.started_at
          from action_run r
          join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
          join credential_set c on c.id = %s
          cross join lateral (
            select max(x.started_at) as started_at from action_attempt x
            where x.repo_id = r.repo_id and x.run_id = r.id) a
          where r.repo_id = ? and r.id = ? and s.executor_kind = 'sprite') b
        where credential_set_id is not null
        group by credential_set_id order by credential_set_id limit ?
        """
            .formatted(CredentialSets.idOf("s.repo_id", "s.credential_set")),
        0,
        row -> {
          uses.put(
              row.getObject("credential_set_id", UUID.class),
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
   * guesses. They are read set by set when something is masked. Masks everything if there are more
   * sets than are read for one report.
   */
  SecretMask mask(Map<UUID, Use> uses, String callbackToken) {
    if (uses.size() > MAX_SETS) {
      return SecretMask.OF_EVERYTHING;
    }
    return new SecretMask(
        secret -> {
          secret.accept(callbackToken);
          uses.forEach(
              (id, use) -> {
                var set = credentials.used(id, use.isOfCommand() ? null : use.lastBegun());
                WebhookSecrets.of(set).forEach(secret);
                if (use.isOfCommand()) {
                  set.values().forEach(secret);
                }
              });
        },
        SecretMask.Cut.NONE);
  }
}
