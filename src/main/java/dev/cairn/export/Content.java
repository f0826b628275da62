package dev.cairn.export;

import dev.cairn.content.Source;
import dev.cairn.platform.Database;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of an export: SQL in which words stand for what is exported, so that one text
 * serves HEAD and any other moment.
 *
 * @param all where the entities are read from, all of them in the order of their ids
 * @param entities where they are looked up
 */
record Content(Database database, UUID repoId, Source all, Source entities) {
  /**
   * A number that orders what is exported: shapes, things, collections, assertions, each by its id,
   * which is the order in which they were made.
   */
  static final String POSITION =
      """
      ((case when e.kind = 'shape' then 0 when e.kind = 'assertion' then 3
             when e.shape_id between 2 and 5 then 2 else 1 end)::bigint << 56) + e.id""";

  private static final int GROUP_BITS = 56;
  private static final Pattern WORD =
      Pattern.compile("\\b(?:ALL|ENTITIES|REPO|CURRENT|POSITION)\\b|\\?");

  /** Of which group a position is: 0 to 3. */
  static int group(long position) {
    return (int) (position >>> GROUP_BITS);
  }

  /** The entity at a position. */
  static long id(long position) {
    return position & ((1L << GROUP_BITS) - 1);
  }

  /**
   * Runs a query.
   *
   * @param template SQL, in which {@code ENTITIES} is the table of entities with their state,
   *     {@code ALL} the same for who reads all of it, {@code REPO} the repository, {@code POSITION}
   *     that of the entity {@code e}, and {@code CURRENT} a condition that edges {@code r} of
   *     present versions fulfil, if it is HEAD
   * @param fetchSize how many rows are held at a time
   */
  void each(String template, int fetchSize, Database.RowConsumer consumer, Object... parameters) {
    var given = Arrays.asList(parameters).iterator();
    List<Object> bound = new ArrayList<>();
    var sql =
        WORD.matcher(template)
            .replaceAll(
                word ->
                    switch (word.group()) {
                      case "ALL" -> source(all, bound);
                      case "ENTITIES" -> source(entities, bound);
                      case "REPO" -> {
                        bound.add(repoId);
                        yield "?";
                      }
                      case "CURRENT" -> entities.equals(Source.HEAD) ? "r.head" : "true";
                      case "POSITION" -> POSITION;
                      default -> {
                        bound.add(given.next());
                        yield "?";
                      }
                    });
    database.each(sql, fetchSize, consumer, bound.toArray());
  }

  private static String source(Source source, List<Object> bound) {
    bound.addAll(source.parameters());
    return Matcher.quoteReplacement(source.sql());
  }
}
