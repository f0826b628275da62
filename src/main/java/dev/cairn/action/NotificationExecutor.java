package dev.cairn.action;

import dev.cairn.platform.Database;
import dev.cairn.subscription.CredentialSets;
import jakarta.inject.Singleton;

/** Calls the notification URLs of repositories; {@code docs/actions.md}, Notifications. */
@Singleton
class NotificationExecutor implements Executor {
  private final Database database;
  private final CredentialSets credentials;
  private final WebhookClient client;

  private record Settings(String url, String credentialSet) {}

  NotificationExecutor(Database database, CredentialSets credentials, WebhookClient client) {
    this.database = database;
    this.credentials = credentials;
    this.client = client;
  }

  @Override
  public String kind() {
    return Notices.KIND;
  }

  @Override
  public Outcome execute(Attempt attempt) throws InterruptedException {
    var settings =
        database.first(
            """
            select n.url, n.secrets
            from repository r cross join lateral (
              select r.settings::json #>> '{notifications,webhookUrl}' as url,
                     r.settings::json #>> '{notifications,credentialSetName}' as secrets) n
            where r.id = ? and n.url is not null
            """,
            row -> new Settings(row.getString(1), row.getString(2)),
            attempt.repoId());
    return settings.isEmpty()
        ? Outcome.Failed.terminal(
            Codes.NOTIFICATIONS_OFF, "The repository has no notification URL any more.")
        : asToldOnce(client.call(attempt, destination(attempt, settings.get())));
  }

  private WebhookClient.Destination destination(Attempt attempt, Settings settings) {
    return new WebhookClient.Destination(
        settings.url(), credentials.open(attempt.repoId(), settings.credentialSet()));
  }

  /** Whoever accepts a notification has it, and there is no subscription that could be paused. */
  private static Outcome asToldOnce(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted(var http) -> new Outcome.Succeeded(http);
      case Outcome.Failed failed when failed.pauses() ->
          new Outcome.Failed(
              failed.code(), failed.message(), failed.httpStatus(), false, null, false);
      default -> outcome;
    };
  }
}
