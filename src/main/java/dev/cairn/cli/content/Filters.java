package dev.cairn.cli.content;

import dev.cairn.client.Query;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that select entities: {@code docs/reads.md}, HEAD. */
public final class Filters {
  @Option(
      names = {"-s", "--shape"},
      paramLabel = "<shape>",
      description = "Only entities of this shape.")
  private String shape;

  @Option(
      names = "--kind",
      paramLabel = "<kind>",
      description =
          "Only shapes, things, assertions or collections: shape, thing, assertion, collection.")
  private String kind;

  @Option(
      names = "--match",
      paramLabel = "<glob>",
      description = "Only entities whose wref matches: 'City/o*', 'City/**'.")
  private String match;

  @Option(
      names = "--about",
      paramLabel = "<wref>",
      description = "Only assertions about this entity or glob; may be repeated.")
  private List<String> about = new ArrayList<>();

  @Option(
      names = "--resolve-collections",
      description = "Count assertions about collections with such an entity, too.")
  private boolean resolveCollections;

  @Option(
      names = {"-w", "--where"},
      paramLabel = "<condition>",
      description =
          "A condition on a field, '<path>:<op>:<value>', such as people:gt:500000; needs --shape.")
  private List<String> where = new ArrayList<>();

  @Option(
      names = "--missing",
      paramLabel = "<shape>",
      description = "Only entities without an assertion of this shape about them.")
  private String missing;

  @Option(
      names = {"-a", "--all"},
      description = "Retracted entities, too.")
  private boolean all;

  @Option(
      names = "--fields",
      paramLabel = "<paths>",
      split = ",",
      description = "Only these fields of the data, separated by commas.")
  private List<String> fields = new ArrayList<>();

  /** For picocli. */
  public Filters() {}

  /** The fields that were chosen; empty for all. */
  List<String> fields() {
    return fields;
  }

  /** Whether retracted entities are selected, too. */
  boolean isAll() {
    return all;
  }

  /** The query that they make. */
  Query query() {
    var query = Query.all();
    query = shape == null ? query : query.shape(shape);
    query = kind == null ? query : query.kind(kind);
    query = match == null ? query : query.match(match);
    query = resolveCollections ? query.resolveCollections() : query;
    query = missing == null ? query : query.missing(missing);
    query = all ? query.includeInactive() : query;
    query = fields.isEmpty() ? query : query.fields(fields);
    for (var target : about) {
      query = query.about(target);
    }
    for (var condition : where) {
      query = query.where(condition);
    }
    return query;
  }
}
