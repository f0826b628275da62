package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.content.Predicates;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.http.QueryParameters;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects the entities of a read; see {@code docs/reads.md}, HEAD.
 *
 * @param about the target of the assertions
 * @param resolveCollections whether assertions about collections that contain the target count too
 * @param where predicates on fields of the shape
 * @param at the moment to read instead of the current state
 */
public record EntityFilter(
    Optional<String> shape,
    Optional<String> kind,
    Optional<Wref> about,
    Optional<Glob> match,
    boolean includeInactive,
    boolean resolveCollections,
    List<Where> where,
    Optional<At> at) {

  /** The names of the parameters. */
  public static final Set<String> PARAMETERS =
      Set.of(
          "shape",
          "kind",
          "about",
          "match",
          "includeInactive",
          "resolveCollections",
          "where",
          "at");

  /** The parameters that may be given more than once. */
  public static final Set<String> REPEATABLE = Set.of("where");

  /** The names of the parameters, including those of a page. */
  public static final Set<String> PAGED_PARAMETERS =
      Stream.concat(PARAMETERS.stream(), Stream.of(LIMIT, CURSOR))
          .collect(Collectors.toUnmodifiableSet());

  /** The names of the parameters of a list of shapes. */
  public static final Set<String> SHAPES_PARAMETERS =
      Set.of("match", "includeInactive", LIMIT, CURSOR);

  private static final Set<String> KINDS = Set.of("thing", "assertion", "shape", "collection");

  /** Reads the filter from the parameters of a request. */
  public static EntityFilter of(QueryParameters parameters) {
    return new EntityFilter(
        shape(parameters),
        parameters.text("kind").map(EntityFilter::checkedKind),
        parameters.text("about").map(text -> parsed("about", text, Wref::parse)),
        parameters.text("match").map(text -> parsed("match", text, Glob::parse)),
        parameters.flag("includeInactive"),
        parameters.flag("resolveCollections"),
        Where.parse(parameters.texts("where"), parameters.text("shape").isPresent()),
        parameters.text("at").map(text -> At.parse("at", text)));
  }

  /** The filter of a repository's own shapes, by {@code match} and {@code includeInactive}. */
  public static EntityFilter ofShapes(QueryParameters parameters) {
    return new EntityFilter(
        Optional.empty(),
        Optional.of("shape"),
        Optional.empty(),
        parameters.text("match").map(text -> parsed("match", text, Glob::parse)),
        parameters.flag("includeInactive"),
        false,
        List.of(),
        Optional.empty());
  }

  /** The entity that a request names; a bare name is that of a shape. */
  public static Wref named(String text) {
    return parsed("wref", text, Wref::parseShape);
  }

  /**
   * The shape that a request names, bare or as {@code Shape/Sensor}.
   *
   * @throws Problem {@code VALIDATION_ERROR} for anything else
   */
  public static Wref namedShape(String text) {
    var wref = parsed("name", text, Wref::parseShape);
    if (!wref.shape().equals(BuiltinShape.SHAPE.shapeName())) {
      throw Problem.invalid(
          "name", "The name must be that of a shape: `Sensor` or `Shape/Sensor`.");
    }
    return wref;
  }

  /** The shape that a parameter names, if it is given. */
  static Optional<String> shape(QueryParameters parameters) {
    return parameters.text("shape").map(text -> parsed("shape", text, EntityFilter::shapeName));
  }

  /**
   * A text that identifies the filter, for cursors. Each part is preceded by its length, so that
   * the text is unambiguous.
   */
  String identity() {
    return Stream.concat(
            Stream.of(
                shape.orElse(""),
                kind.orElse(""),
                about.map(Wref::toString).orElse(""),
                match.map(Glob::toString).orElse(""),
                includeInactive,
                resolveCollections,
                at.map(At::toString).orElse("")),
            where.stream().map(Where::text))
        .map(String::valueOf)
        .map(part -> part.length() + ":" + part)
        .collect(Collectors.joining(" "));
  }

  /** The filter on an entity's own fields; {@link #about} needs its target looked up first. */
  Predicates predicates(RepositoryAccess access) {
    var where =
        new Predicates("e.repo_id = ? and e.id >= ?", access.repoId(), BuiltinShape.FIRST_FREE_ID)
            .narrowed(access.narrowing());
    shape.ifPresent(where::shape);
    kind.ifPresent(where::kind);
    match.ifPresent(where::matches);
    if (!includeInactive) {
      where.and("e.active");
    }
    return where;
  }

  /** A shape's name, bare or as {@code Shape/Sensor}. */
  static String shapeName(String text) {
    return text.startsWith("Shape/") ? Names.shape(text.substring(6)) : Names.shape(text);
  }

  static <T> T parsed(String parameter, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (Problem e) {
      throw e.at(parameter);
    }
  }

  private static String checkedKind(String kind) {
    if (!KINDS.contains(kind)) {
      throw Problem.invalid("kind", "`kind` must be thing, assertion, shape or collection.");
    }
    return kind;
  }
}
