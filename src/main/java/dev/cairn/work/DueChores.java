package dev.cairn.work;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Makes a {@link Chore} due before its hour is over, because there is work for it now. {@code
 * docs/operation.md}, Chores, has the rules.
 */
@ApplicationScoped
public class DueChores {
  private final Database database;

  DueChores(Database database) {
    this.database = database;
  }

  /**
   * Has a chore run within about a minute. Within a transaction, its row is locked until that ends,
   * so call this last.
   *
   * @param name of a chore; without effect if it is due already
   */
  public void makeDue(String name) {
    database.update("update chore set due_at = now() where name = ? and due_at > now()", name);
  }
}
