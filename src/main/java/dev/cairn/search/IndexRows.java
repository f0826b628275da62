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
  public List<String> tablesOfRows() {
    return List.of("search_document", "search_vector", "search_renamed");
  }
}
