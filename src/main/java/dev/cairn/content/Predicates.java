package dev.cairn.content;

import dev.cairn.access.Narrowing;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Columns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds conditions on the table {@code entity e}, with their parameters in order. */
public final class Predicates {
  /**
   * Appended to a prefix, sorts after every name with that prefix: no name contains this code
   * point.
   */
  static final String AFTER_ALL = Character.toString(Character.MAX_CODE_POINT);

  private final StringBuilder sql = new StringBuilder();
  private final List<Object> parameters = new ArrayList<>();

  /** Whether the conditions select entities of a single shape. */
  private boolean isOneShape;

  /**
   * Begins with one condition.
   *
   * @param first SQL with a {@code ?} for each of the values
   */
  public Predicates(String first, Object... values) {
    sql.append("where ").append(first);
    parameters.addAll(Arrays.asList(values));
  }

  /** The same conditions, to which others may be added. */
  public Predicates copy() {
    var copy = new Predicates(sql.substring("where ".length()), parameters.toArray());
    copy.isOneShape = isOneShape;
    return copy;
  }

  /**
   * Adds a condition.
   *
   * @param condition SQL with a {@code ?} for each of the values
   */
  public Predicates and(String condition, Object... values) {
    sql.append(" and ").append(condition);
    parameters.addAll(Arrays.asList(values));
    return this;
  }

  /** Entities of this shape. */
  public Predicates shape(String name) {
    isOneShape = true;
    return and("e.shape_name = ?", name);
  }

  /**
   * The entities after a given one in the order of shape name and name. Within one shape only names
   * are compared: a comparison of both would read the index from the beginning of the shape.
   */
  public Predicates after(String shapeName, String name) {
    return isOneShape
        ? and("e.name > ?", name)
        : and("(e.shape_name, e.name) > (?, ?)", shapeName, name);
  }

  /**
   * The entities that a pattern matches: its literal prefix by an index, the rest by a regular
   * expression, unless it stands for a whole shape.
   */
  public Predicates matches(Glob glob) {
    glob.shapeName().ifPresent(this::shape);
    if (glob.isWholeShape() || glob.isEverything()) {
      return this;
    }
    if (glob.exactName().isPresent()) {
      return and("e.name = ?", glob.exactName().get());
    }
    glob.literalName().ifPresent(name -> and("e.name = ?", name));
    var prefix = glob.namePrefix();
    if (!prefix.isEmpty()) {
      and("e.name >= ? and e.name < ?", prefix, prefix + AFTER_ALL);
    }
    return and("e.shape_name || '/' || e.name ~ ?", glob.regex());
  }

  /**
   * The entities that a narrowed token may read: those that match its patterns, and their shapes.
   * An index is used if every pattern has a literal shape, and for names if every pattern has a
   * literal prefix.
   */
  public Predicates narrowed(Narrowing narrowing) {
    if (narrowing.isUnrestricted()) {
      return this;
    }
    var patterns = narrowing.patterns();
    if (patterns.isEmpty()) {
      return and("false");
    }
    if (patterns.stream().allMatch(p -> p.shapeName().isPresent())) {
      bounds(patterns);
    }
    return matchingAny(patterns, "");
  }

  /** As {@link #narrowed}, within a range {@code r} of names, see {@link NameRanges}. */
  public Predicates narrowedInRange(Narrowing narrowing) {
    return matchingAny(narrowing.patterns(), "r.whole or ");
  }

  private Predicates matchingAny(List<Glob> patterns, String unless) {
    return and(
        "("
            + unless
            + "e.shape_name || '/' || e.name ~ ? or ("
            + StoredShapes.any("e")
            + " and e.name ~ ?))",
        either(patterns.stream().map(Glob::regex)),
        either(patterns.stream().map(p -> p.shapeRegex().map("^(?:%s)$"::formatted).orElse(".*"))));
  }

  private void bounds(List<Glob> patterns) {
    var shapes = Columns.strings(patterns, p -> p.shapeName().orElseThrow());
    if (patterns.stream().anyMatch(p -> p.namePrefix().isEmpty())) {
      var withShapes =
          Stream.concat(Stream.of(BuiltinShape.SHAPE.shapeName()), Arrays.stream(shapes))
              .toArray(String[]::new);
      and("e.shape_name = any (?)", (Object) withShapes);
      return;
    }
    var ranges = new StringBuilder("((" + StoredShapes.any("e") + " and e.name = any (?))");
    var values = new ArrayList<Object>();
    values.add(shapes);
    for (var pattern : patterns) {
      ranges.append(" or (e.shape_name = ? and e.name >= ? and e.name < ?)");
      values.add(pattern.shapeName().orElseThrow());
      values.add(pattern.namePrefix());
      values.add(pattern.namePrefix() + AFTER_ALL);
    }
    and(ranges.append(')').toString(), values.toArray());
  }

  /**
   * The entities that at least one of the patterns matches, by a regular expression alone: for
   * entities that are found by other conditions.
   */
  public Predicates matchesAny(List<Glob> globs) {
    return and("e.shape_name || '/' || e.name ~ ?", either(globs.stream().map(Glob::regex)));
  }

  /**
   * The entities that no assertion of this repository is about, of those that have a shape and meet
   * conditions.
   *
   * @param source the assertions
   * @param shape the name of their shape
   * @param assertions the conditions, to which more are added
   */
  public Predicates withoutAssertions(Source source, String shape, Predicates assertions) {
    assertions
        .and("e.about_repo_id = e.repo_id")
        // Only indexes on targets have this range and this order. To a planner whose statistics do
        // not know the repository, that on names looks as good for plain equality, and it reads all
        // assertions of the shape for each target.
        .and("e.about_id is not null and (e.about_id, e.shape_name) >= (t.id, ?)", shape)
        .and("(e.about_id, e.shape_name) <= (t.id, ?)", shape);
    return and(
        "not "
            + exists(
                "e.id", source, assertions, "order by e.about_id, e.shape_name, e.name limit 1"),
        assertions.parameters(source.parameters()));
  }

  /**
   * SQL for whether the target of an assertion {@code e} is in its repository and meets conditions,
   * whose parameters it takes.
   *
   * @param target the conditions, to which one more is added
   */
  public static String ofTarget(Predicates target) {
    return "e.about_repo_id = e.repo_id and "
        + exists("e.about_id", Source.HEAD, target.and("e.id = t.id"), "offset 0");
  }

  /**
   * SQL for whether any entity of a source meets conditions, in which {@code e} is that entity, and
   * {@code t.id} the column of the outer one. It looks that entity up for each outer one: the
   * planner cannot turn it into a join that reads all, because of the end.
   *
   * @param end the order and limit of the look-up
   */
  private static String exists(String column, Source source, Predicates conditions, String end) {
    return """
        exists (
          select 1 from (values (%s)) as t (id)
          cross join lateral (select 1 from %s e %s %s) x)"""
        .formatted(column, source.sql(), conditions.sql(), end);
  }

  private static String either(Stream<String> expressions) {
    return expressions.distinct().collect(Collectors.joining("|"));
  }

  /**
   * The entities of a kind of the read API, in which {@code collection} selects things of
   * collection shapes.
   */
  public Predicates kind(String kind) {
    return switch (kind) {
      // All shapes have the shape name `Shape`: the index on names finds them, and there is none on
      // kinds.
      case "shape" -> shape(BuiltinShape.SHAPE.shapeName()).and("e.kind = ?", kind);
      case "collection" ->
          and("e.kind = 'thing' and e.shape_name = any (?)", (Object) CollectionShapes.names());
      default -> and("e.kind = ?", kind);
    };
  }

  /** The SQL text, for use after the {@code from} clause. */
  public String sql() {
    return sql.toString();
  }

  /** The parameters, followed by those of the rest of the statement. */
  public Object[] parameters(Object... more) {
    return parameters(List.of(), more);
  }

  /** The parameters, between those of the parts before and after the conditions. */
  public Object[] parameters(List<Object> before, Object... more) {
    var all = new ArrayList<>(before);
    all.addAll(parameters);
    all.addAll(Arrays.asList(more));
    return all.toArray();
  }
}
