package dev.cairn.content;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the entities of HEAD that may have values in fields, by an index. */
@ApplicationScoped
public class FieldSearch {
  /**
   * How many entities may be found, also in other repositories, where few have the same hashes. If
   * there are more, a page is full soon without an index.
   */
  private static final int MAX_FOUND = 2_000;

  // The hashes tell repositories apart. With its id beside them, the planner would read all
  // entities
  // of the repository.
  private static final String ENTITIES =
      "select e.repo_id, e.id from entity e where %s limit " + (MAX_FOUND + 1);

  private static final String FOUND =
      "(select x.* from unnest(?) as n (id) cross join lateral "
          + ByKey.entity("?", "n.id")
          + " x)";

  private final Database database;

  /**
   * A field has one of several values.
   *
   * @param path the names of nested fields, outermost first
   * @param values strings or numbers
   */
  public record AnyValue(List<String> path, Iterable<JsonNode> values) {}

  private record Entity(UUID repoId, long id) {}

  FieldSearch(Database database) {
    this.database = database;
  }

  /**
   * A source with all entities of a shape that meet all of the conditions, and maybe others. Must
   * come before statements {@linkplain Database#inIndexOrder in the order of an index}, which set
   * aside the only way to read this index.
   *
   * @return empty if there are no conditions, or many entities may meet them
   */
  public Optional<Source> find(UUID repoId, long shapeId, List<AnyValue> conditions) {
    if (conditions.isEmpty()) {
      return Optional.empty();
    }
    var query = entities(new FieldHashes(repoId, shapeId), conditions);
    var found =
        database.list(
            query.sql(),
            row -> new Entity(row.getObject(1, UUID.class), row.getLong(2)),
            query.with());
    if (found.size() > MAX_FOUND) {
      return Optional.empty();
    }
    var ids = found.stream().filter(e -> e.repoId().equals(repoId)).mapToLong(Entity::id).toArray();
    return Optional.of(found(repoId, ids));
  }

  /** Only these entities are read, whatever the conditions and the order are. */
  static Source found(UUID repoId, long[] ids) {
    return new Source(FOUND, List.of(ids, repoId));
  }

  /** The query for the entities that an index finds, at most one more than may be. */
  static Source entities(FieldHashes hashes, List<AnyValue> conditions) {
    return new Source(
        ENTITIES.formatted(
            String.join(" and ", Collections.nCopies(conditions.size(), "e.field_hashes && ?"))),
        conditions.stream().<Object>map(any -> hashes.ofAny(any.path(), any.values())).toList());
  }
}
