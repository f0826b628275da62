package dev.cairn.platform.database;

import java.util.List;

/**
 * Rows of repositories that may be too many for the transaction that deletes their repository: most
 * of them are deleted afterwards, in batches. No foreign key of these tables points to the
 * repository, and whoever reads them reads its row first. Each implementation is a bean; {@code
 * docs/architecture.md}, Storage, has the tables.
 */
public interface RowsOfRepositories {
  /** The names of the tables; each has a column {@code repo_id}, by which an index finds rows. */
  List<String> tablesOfRows();
}
