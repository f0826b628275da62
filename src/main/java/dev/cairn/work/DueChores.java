package dev.cairn.work;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/**
 * Makes a {@link Chore} due early, because there is work for it now. {@code docs/operation.md},
 * Chores, has the rules.
 */
@ApplicationScoped
public class DueChores {
  private static final Logger LOG = Logger.getLogger(DueChores.class);

  private final Database database;

  DueChores(Database database) {
    this.database = database;
  }

  /**
   * Makes a chore due, so that it runs within about a minute. Call it after the transaction that
   * made the work: a run before its commit would not see it. It has a transaction of its own; if
   * that fails, it is only logged.
   *
   * @param name the name of the chore
   * @param rows its work, as SQL after {@code from}; without such a row, nothing is changed
   */
  public void makeDue(String name, String rows) {
    try {
      database.inNewTransaction(
          () ->
              database.update(
                  """
                  update chore set due_at = now()
                  where name = ? and due_at > now() and exists (select from %s)
                  """
                      .formatted(rows),
                  name));
    } catch (RuntimeException e) {
      LOG.warnf(
          "the chore %s could not be made due, so it runs within an hour: %s",
          name, e.getMessage());
    }
  }
}
