package dev.cairn.search;

import dev.cairn.platform.database.RowsOfRepositories;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The rows of search indexes. The row of the index itself is deleted with the repository: a worker
 * that is about to write documents finds that it is gone, and writes nothing.
 */
@Singleton
class IndexRows implements RowsOfRepositories {
  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(
        Rows.with("search_document", "words"),
        Rows.with("search_vector", "vector"),
        Rows.small("search_renamed"));
  }
}
