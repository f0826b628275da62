package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import jakarta.inject.Singleton;
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
   * The sets of all attempts at a run, and that which is bound now.
   *
   * @param areOfCommands by the names of the sets, whether a command knows all of its values; a
   *     receiver of webhooks only knows those that calls carry
   * @param version another one if any of their values has changed
   */
  record Sets(Map<String, Boolean> areOfCommands, String version) {}

  /** Finds the sets, without their values. */
  Sets sets(RunningAttempt attempt) {
    var areOfCommands = areOfCommands(attempt);
    return new Sets(areOfCommands, credentials.version(attempt.repoId(), areOfCommands.keySet()));
  }

  /**
   * Masks the secrets that the reporter may know; it could find out others by what is masked of its
   * guesses. They are read set by set when something is masked, which must be in the same
   * transaction. Masks everything if there are more sets than are read for one report.
   */
  SecretMask mask(RunningAttempt attempt, Sets sets, String callbackToken) {
    return sets.areOfCommands().size() > MAX_SETS
        ? SecretMask.OF_EVERYTHING
        : new SecretMask(
            secret -> {
              secret.accept(callbackToken);
              credentials.eachSet(
                  attempt.repoId(),
                  sets.areOfCommands().keySet(),
                  (name, set) -> {
                    WebhookSecrets.of(set).forEach(secret);
                    if (sets.areOfCommands().get(name)) {
                      set.values().forEach(secret);
                    }
                  });
            },
            SecretMask.Cut.NONE);
  }

  /**
   * The sets by their names, and one more than are read if there are more. A command may continue
   * after its attempt was given up, and after its subscription was deleted.
   */
  private Map<String, Boolean> areOfCommands(RunningAttempt attempt) {
    var areOfCommands = new HashMap<String, Boolean>();
    database.each(
        """
        select credential_set, bool_or(executor_kind = 'sprite') from (
          select credential_set, executor_kind from action_attempt
          where repo_id = ? and run_id = ?
          union all
          select s.credential_set, s.executor_kind from action_run r
          join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
          where r.repo_id = ? and r.id = ?) b
        where credential_set is not null
        group by credential_set order by credential_set limit ?
        """,
        0,
        row -> {
          areOfCommands.put(row.getString(1), row.getBoolean(2));
          return true;
        },
        attempt.repoId(),
        attempt.runId(),
        attempt.repoId(),
        attempt.runId(),
        MAX_SETS + 1);
    return areOfCommands;
  }
}
