package dev.cairn.search;

import dev.cairn.platform.database.Database;
import dev.cairn.tenant.SearchSettingsChosen;
import dev.cairn.work.Worker;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;

/** Has the index of a repository rebuilt when the settings of its search change. */
@ApplicationScoped
class SettingsChoice {
  private final Database database;
  private final IndexStates states;
  private final List<Worker<IndexAttempt, IndexKind.Result>> workers;

  SettingsChoice(
      Database database,
      IndexStates states,
      @All List<Worker<IndexAttempt, IndexKind.Result>> workers) {
    this.database = database;
    this.states = states;
    this.workers = workers;
  }

  void chosen(@Observes SearchSettingsChosen event) {
    states.choose(event.repoId(), event.language(), event.vectors());
    database.afterCommit(() -> workers.forEach(worker -> worker.wake(event.repoId())));
  }
}
