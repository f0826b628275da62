package dev.cairn.search;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/**
 * The rows of search indexes. The row of the index itself is deleted with the repository: a worker
 * that is about to write documents finds that it is gone, and writes nothing.
 */
@Singleton
class IndexRows implements RowsOfRepositories {
  private final Database database;

  IndexRows(Database database) {
    this.database = database;
  }

  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(
        Rows.with("search_document", "words"),
        Rows.with("search_vector", "vector"),
        Rows.small("search_renamed"));
  }

  /** A worker locks the index before it writes documents. */
  @Override
  public void beforeDeletion(UUID repoId) {
    database.list(
        "select from search_index where repo_id = ? order by part for update", _ -> true, repoId);
  }
}
