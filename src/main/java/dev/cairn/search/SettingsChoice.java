package dev.cairn.search;

import dev.cairn.platform.database.Database;
import dev.cairn.tenant.SearchSettingsChosen;
import dev.cairn.work.Worker;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Has a repository's documents written anew when the settings of its search change. */
@ApplicationScoped
class SettingsChoice {
  private final Database database;
  private final IndexQueue queue;
  private final Worker<IndexAttempt, IndexKind.Result> worker;

  SettingsChoice(
      Database database, IndexQueue queue, Worker<IndexAttempt, IndexKind.Result> worker) {
    this.database = database;
    this.queue = queue;
    this.worker = worker;
  }

  void chosen(@Observes SearchSettingsChosen event) {
    queue.choose(event.repoId(), event.language(), event.vectors());
    database.afterCommit(() -> worker.wake(event.repoId()));
  }
}
