package dev.cairn.search;

import dev.cairn.platform.database.Database;
import dev.cairn.tenant.SearchLanguageChosen;
import dev.cairn.work.Worker;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Has a repository's documents written anew when its settings name another language. */
@ApplicationScoped
class LanguageChoice {
  private final Database database;
  private final IndexQueue queue;
  private final Worker<IndexAttempt, IndexKind.Result> worker;

  LanguageChoice(
      Database database, IndexQueue queue, Worker<IndexAttempt, IndexKind.Result> worker) {
    this.database = database;
    this.queue = queue;
    this.worker = worker;
  }

  void chosen(@Observes SearchLanguageChosen event) {
    queue.choose(event.repoId(), event.language());
    database.afterCommit(() -> worker.wake(event.repoId()));
  }
}
