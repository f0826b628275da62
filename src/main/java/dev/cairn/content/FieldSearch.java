package dev.cairn.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the entities of HEAD that may have values in fields, by an index. */
@ApplicationScoped
public class FieldSearch {
  /** If more may have them, a page is full soon without an index. */
  private static final int MAX_FOUND = 1_000;

  // The hashes tell repositories apart. With its id or a limit beside them, the planner would read
  // all entities of the repository, or look for the first ones without the index.
  private static final String IDS =
      """
      with found as materialized (select e.repo_id, e.id from entity e where %s)
      select id from found where repo_id = ? limit ?
      """;

  // Only these entities are read, whatever the conditions and the order are.
  private static final String FOUND =
      "(select * from entity where repo_id = ? and id = any (?) offset 0)";

  private final Database database;

  /**
   * A field has one of several values.
   *
   * @param path the names of nested fields, outermost first
   * @param values strings, numbers, or booleans
   */
  public record AnyValue(List<String> path, Iterable<JsonNode> values) {}

  FieldSearch(Database database) {
    this.database = database;
  }

  /**
   * A source with all entities of a shape that meet all of the conditions, and maybe others.
   *
   * @return empty if there are no conditions, or many entities may meet them
   */
  public Optional<Source> find(UUID repoId, long shapeId, List<AnyValue> conditions) {
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    var hashes = new FieldHashes(repoId, shapeId);
    var parameters = new ArrayList<Object>();
    conditions.forEach(any -> parameters.add(hashes.ofAny(any.path(), any.values())));
    Collections.addAll(parameters, repoId, MAX_FOUND + 1);
    var overlaps =
        String.join(" and ", Collections.nCopies(conditions.size(), "e.field_hashes && ?"));
    var ids = database.list(IDS.formatted(overlaps), row -> row.getLong(1), parameters.toArray());
    return ids.size() > MAX_FOUND
        ? Optional.empty()
        : Optional.of(
            new Source(FOUND, List.of(repoId, ids.stream().mapToLong(Long::longValue).toArray())));
  }

  /** The query for the ids, at most one more than may be found. */
  static Source ids(FieldHashes hashes, UUID repoId, List<AnyValue> conditions) {
    var parameters = new ArrayList<Object>();
    conditions.forEach(any -> parameters.add(hashes.ofAny(any.path(), any.values())));
    Collections.addAll(parameters, repoId, MAX_FOUND + 1);
    var overlaps =
        String.join(" and ", Collections.nCopies(conditions.size(), "e.field_hashes && ?"));
    return new Source(IDS.formatted(overlaps), parameters);
  }
}
