package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** The secrets that a callback may repeat; {@code docs/actions.md}, Masking. */
@Singleton
class CallbackSecrets {
  private final Database database;
  private final CredentialSets credentials;

  CallbackSecrets(Database database, CredentialSets credentials) {
    this.database = database;
    this.credentials = credentials;
  }

  /** Masks the secrets of all attempts at a run, and those that are bound now. */
  SecretMask mask(RunningAttempt attempt, String callbackToken) {
    var secrets = new ArrayList<>(List.of(callbackToken));
    for (var set : credentials.everyValue(attempt.repoId(), sets(attempt))) {
      secrets.addAll(WebhookSecrets.of(set));
    }
    return new SecretMask(secrets);
  }

  /** A command may go on after its attempt was given up, and after its subscription was deleted. */
  private List<String> sets(RunningAttempt attempt) {
    return database.list(
        """
        select credential_set from action_attempt
        where repo_id = ? and run_id = ? and credential_set is not null
        union
        select s.credential_set from action_run r
        join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
        where r.repo_id = ? and r.id = ? and s.credential_set is not null
        """,
        row -> row.getString(1),
        attempt.repoId(),
        attempt.runId(),
        attempt.repoId(),
        attempt.runId());
  }
}
