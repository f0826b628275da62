package dev.cairn.action;

import dev.cairn.platform.Database;
import jakarta.inject.Singleton;

/** Calls the webhooks of subscriptions; {@code docs/actions.md}, Webhooks. */
@Singleton
class WebhookExecutor implements Executor {
  private final Database database;
  private final WebhookClient client;

  WebhookExecutor(Database database, WebhookClient client) {
    this.database = database;
    this.client = client;
  }

  @Override
  public String kind() {
    return "webhook";
  }

  @Override
  public Outcome execute(Attempt attempt) throws InterruptedException {
    var destination =
        database.first(
            "select webhook_url, credential_set from subscription where repo_id = ? and id = ?",
            row -> new WebhookClient.Destination(row.getString(1), row.getString(2)),
            attempt.repoId(),
            attempt.subscriptionId());
    return destination.isEmpty()
        ? Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, "The subscription was deleted.")
        : client.call(attempt, destination.get());
  }
}
