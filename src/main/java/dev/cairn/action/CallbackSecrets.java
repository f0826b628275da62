package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import jakarta.inject.Singleton;
import java.util.List;

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
   * @param version another one if any of their values has changed
   */
  record Sets(List<String> names, String version) {}

  /** Finds the sets, without their values. */
  Sets sets(RunningAttempt attempt) {
    var names = names(attempt);
    return new Sets(names, credentials.version(attempt.repoId(), names));
  }

  /**
   * Masks the secrets of sets. They are read set by set when something is masked, which must be in
   * the same transaction. Masks everything if there are more sets than are read for one report.
   */
  SecretMask mask(RunningAttempt attempt, Sets sets, String callbackToken) {
    return sets.names().size() > MAX_SETS
        ? SecretMask.OF_EVERYTHING
        : new SecretMask(
            secret -> {
              secret.accept(callbackToken);
              credentials.eachSet(
                  attempt.repoId(), sets.names(), set -> WebhookSecrets.of(set).forEach(secret));
            },
            SecretMask.Cut.NONE);
  }

  /**
   * The names of the sets, and one more than are read if there are more. A command may continue
   * after its attempt was given up, and after its subscription was deleted.
   */
  private List<String> names(RunningAttempt attempt) {
    return database.list(
        """
        select credential_set from action_attempt
        where repo_id = ? and run_id = ? and credential_set is not null
        union
        select s.credential_set from action_run r
        join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
        where r.repo_id = ? and r.id = ? and s.credential_set is not null
        order by 1 limit ?
        """,
        row -> row.getString(1),
        attempt.repoId(),
        attempt.runId(),
        attempt.repoId(),
        attempt.runId(),
        MAX_SETS + 1);
  }
}
