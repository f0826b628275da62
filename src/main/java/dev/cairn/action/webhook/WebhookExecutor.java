package dev.cairn.action.webhook;

import dev.cairn.action.Attempt;
import dev.cairn.action.Codes;
import dev.cairn.action.Executor;
import dev.cairn.action.Outcome;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.work.Step;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Calls the webhooks of subscriptions; {@code docs/actions.md}, Webhooks. */
@Singleton
class WebhookExecutor implements Executor {
  private final Database database;
  private final CredentialSets credentials;
  private final WebhookClient client;

  /**
   * The configuration of a subscription.
   *
   * @param principal the account that it acts for; null if it was deleted
   */
  private record Found(String url, String credentialSet, UUID principal) {}

  WebhookExecutor(Database database, CredentialSets credentials, WebhookClient client) {
    this.database = database;
    this.credentials = credentials;
    this.client = client;
  }

  @Override
  public String kind() {
    return "webhook";
  }

  @Override
  public Step<Outcome> execute(Attempt attempt) throws InterruptedException {
    var found =
        database.first(
            """
            select webhook_url, credential_set, principal_id from subscription
            where repo_id = ? and id = ?
            """,
            row -> new Found(row.getString(1), row.getString(2), row.getObject(3, UUID.class)),
            attempt.repoId(),
            attempt.subscriptionId());
    return new Step.Ended<>(
        found.isEmpty()
            ? Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, "The subscription was deleted.")
            : client.call(attempt, destination(attempt, found.get())));
  }

  private WebhookClient.Destination destination(Attempt attempt, Found found) {
    return new WebhookClient.Destination(
        found.url(), credentials.open(attempt.repoId(), found.credentialSet(), found.principal()));
  }
}
