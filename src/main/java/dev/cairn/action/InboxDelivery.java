package dev.cairn.action;

import dev.cairn.platform.database.Database;
import dev.cairn.work.TransactionalWork;
import jakarta.inject.Singleton;

/**
 * Delivers notifications that wait to the inbox, which is read from the same table. {@code
 * docs/actions.md}, Notifications.
 */
@Singleton
class InboxDelivery implements TransactionalWork {
  private final Database database;

  InboxDelivery(Database database) {
    this.database = database;
  }

  @Override
  public String dueCondition() {
    return """
        (select true from action_notification where status = 'queued' and channel = 'inbox'
         order by created_at limit 1)""";
  }

  @Override
  public int runDue() {
    return database.update(
        """
        update action_notification n set status = 'delivered'
        from (select repo_id, id from action_notification
              where status = 'queued' and channel = 'inbox'
              order by created_at limit 1000 for update skip locked) q
        where n.repo_id = q.repo_id and n.id = q.id
        """);
  }
}
