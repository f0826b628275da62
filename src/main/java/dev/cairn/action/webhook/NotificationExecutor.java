package dev.cairn.action.webhook;

import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.action.Attempt;
import dev.cairn.action.Codes;
import dev.cairn.action.Executor;
import dev.cairn.action.Notices;
import dev.cairn.action.Outcome;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.work.Step;
import jakarta.inject.Singleton;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Calls the notification URLs of repositories; {@code docs/actions.md}, Notifications. */
@Singleton
class NotificationExecutor implements Executor {
  private static final Logger LOG = Logger.getLogger(NotificationExecutor.class);

  private final Database database;
  private final MemberRoles roles;
  private final AutomaticPauses pauses;
  private final CredentialSets credentials;
  private final WebhookClient client;

  /**
   * The URL to call and the account to call it for.
   *
   * @param principal the account that last changed it; null if it may no longer configure the
   *     repository
   */
  private record Settings(String url, String credentialSet, UUID principal) {}

  NotificationExecutor(
      Database database,
      MemberRoles roles,
      AutomaticPauses pauses,
      CredentialSets credentials,
      WebhookClient client) {
    this.database = database;
    this.roles = roles;
    this.pauses = pauses;
    this.credentials = credentials;
    this.client = client;
  }

  @Override
  public String kind() {
    return Notices.KIND;
  }

  @Override
  public Step<Outcome> execute(Attempt attempt) throws InterruptedException {
    var settings =
        database.first(
            """
            select n.url, n.secrets, r.notifications_principal_id
            from repository r cross join lateral (
              select r.settings::json #>> '{notifications,webhookUrl}' as url,
                     r.settings::json #>> '{notifications,credentialSetName}' as secrets) n
            where r.id = ? and n.url is not null
            """,
            row -> new Settings(row.getString(1), row.getString(2), row.getObject(3, UUID.class)),
            attempt.repoId());
    return new Step.Ended<>(
        settings.isEmpty()
            ? Outcome.Failed.terminal(
                Codes.NOTIFICATIONS_OFF, "The repository no longer has a notification URL.")
            : call(attempt, settings.get()));
  }

  /** A notification contains what only accounts that can configure the repository may see. */
  private Outcome call(Attempt attempt, Settings settings) throws InterruptedException {
    if (!roles.grant(attempt.repoId(), settings.principal(), Permission.REPO_CONFIGURE)) {
      pause(attempt, settings);
      return Outcome.Failed.terminal(
          Codes.NOTIFICATIONS_OFF,
          "The account that set the notification URL may no longer configure the repository.");
    }
    return asToldOnce(client.call(attempt, destination(attempt, settings)));
  }

  /** If the repository is busy, a later call ends them: none is made before that either. */
  private void pause(Attempt attempt, Settings settings) {
    try {
      pauses.pauseNotifications(attempt.repoId(), settings.principal());
    } catch (Problem | DatabaseException e) {
      LOG.infof("notifications cannot be paused yet: %s", e.getMessage());
    }
  }

  private WebhookClient.Destination destination(Attempt attempt, Settings settings) {
    return new WebhookClient.Destination(
        settings.url(),
        credentials.open(attempt.repoId(), settings.credentialSet(), settings.principal()));
  }

  /** An accepted notification is delivered, and there is no subscription that could be paused. */
  private static Outcome asToldOnce(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Accepted(var http) -> new Outcome.Succeeded(http);
      case Outcome.Failed failed when failed.mustPause() ->
          new Outcome.Failed(
              failed.code(), failed.message(), failed.httpStatus(), false, null, false);
      default -> outcome;
    };
  }
}
