package dev.cairn.query;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.ShownFields.FIELDS;

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
 * @param about the targets of the assertions
 * @param resolveCollections whether assertions about collections that contain a target count too
 * @param where predicates on fields of the shape
 * @param missing the shape of which no active assertion is about the entity
 * @param at the moment to read instead of the current state
 */
public record EntityFilter(
    Optional<String> shape,
    Optional<String> kind,
    AboutFilter about,
    Optional<Glob> match,
    boolean includeInactive,
    boolean resolveCollections,
    List<Where> where,
    Optional<String> missing,
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
          "missing",
          "at");

  /** The parameters that may be given more than once. */
  public static final Set<String> REPEATABLE = Set.of("where", "about");

  /** The names of the parameters, including those of a page. */
  public static final Set<String> PAGED_PARAMETERS =
      Stream.concat(PARAMETERS.stream(), Stream.of(FIELDS, LIMIT, CURSOR))
          .collect(Collectors.toUnmodifiableSet());

  /** The names of the parameters of a list of shapes. */
  public static final Set<String> SHAPES_PARAMETERS =
      Set.of("match", "includeInactive", FIELDS, LIMIT, CURSOR);

  /** Bytes of memory for each text of a filter, and for each of its characters, in all forms. */
  private static final int BYTES_OF_TEXT = 300;

  private static final int BYTES_OF_CHARACTER = 4;

  private static final String MISSING_ABOUT = "about:";

  private static final Set<String> KINDS = Set.of("thing", "assertion", "shape", "collection");

  /** Reads the filter from the parameters of a request. */
  public static EntityFilter of(QueryParameters parameters) {
    return new EntityFilter(
        shape(parameters),
        parameters.text("kind").map(EntityFilter::checkedKind),
        AboutFilter.of(parameters),
        parameters.text("match").map(text -> parsed("?match", text, Glob::parse)),
        parameters.flag("includeInactive"),
        parameters.flag("resolveCollections"),
        Where.parse(parameters.texts("where"), parameters.text("shape").isPresent()),
        parameters.text("missing").map(EntityFilter::missing),
        parameters.text("at").map(text -> At.parse("?at", text)));
  }

  /** The filter of a repository's own shapes, by {@code match} and {@code includeInactive}. */
  public static EntityFilter ofShapes(QueryParameters parameters) {
    return new EntityFilter(
        Optional.empty(),
        Optional.of("shape"),
        AboutFilter.NONE,
        parameters.text("match").map(text -> parsed("?match", text, Glob::parse)),
        parameters.flag("includeInactive"),
        false,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  /** The entity that a request names; a bare name is that of a shape. */
  public static Wref named(String text) {
    return named("?wref", text);
  }

  /** The same for a parameter that a problem names in this way. */
  public static Wref named(String pointer, String text) {
    return parsed(pointer, text, Wref::parseShape);
  }

  /**
   * The shape that a request names, bare or as {@code Shape/Sensor}.
   *
   * @throws Problem {@code VALIDATION_ERROR} for anything else
   */
  public static Wref namedShape(String text) {
    var wref = parsed("?name", text, Wref::parseShape);
    if (!wref.shape().equals(BuiltinShape.SHAPE.shapeName())) {
      throw Problem.invalid(
          "?name", "The name must be that of a shape: `Sensor` or `Shape/Sensor`.");
    }
    return wref;
  }

  /** The shape that a parameter names, if it is given. */
  public static Optional<String> shape(QueryParameters parameters) {
    return parameters.text("shape").map(text -> parsed("?shape", text, EntityFilter::shapeName));
  }

  private static String missing(String text) {
    if (!text.startsWith(MISSING_ABOUT)) {
      throw Problem.invalid(
          "?missing", "`missing` must be `about:` and the name of a shape, such as about:Review.");
    }
    return parsed("?missing", text.substring(MISSING_ABOUT.length()), EntityFilter::shapeName);
  }

  /** A text that identifies the filter, for cursors. */
  public String identity() {
    return Stream.of(
            Stream.of(
                shape.orElse(""),
                kind.orElse(""),
                match.map(Glob::toString).orElse(""),
                includeInactive,
                resolveCollections,
                missing.orElse(""),
                at.map(At::toString).orElse("")),
            about.texts(),
            Stream.of(""),
            where.stream().map(Where::text))
        .flatMap(parts -> parts)
        .map(EntityFilter::withLength)
        .collect(Collectors.joining(" "));
  }

  /** An upper estimate of the bytes of memory that it takes once its patterns are compiled. */
  public int bytes() {
    int patterns =
        Stream.concat(match.stream(), about.patterns().stream()).mapToInt(Glob::bytes).sum();
    int texts =
        Stream.of(
                shape.stream(),
                missing.stream(),
                about.wrefs().stream().map(Wref::toString),
                where.stream().map(Where::text))
            .flatMap(parts -> parts)
            .mapToInt(text -> BYTES_OF_TEXT + BYTES_OF_CHARACTER * text.length())
            .sum();
    return patterns + texts;
  }

  /** The text after its length, so that several in a row are unambiguous. */
  static String withLength(Object part) {
    var text = String.valueOf(part);
    return text.length() + ":" + text;
  }

  /** The only shape that its entities have, if it names one. */
  public Optional<String> onlyShape() {
    return shape.or(() -> match.flatMap(Glob::shapeName));
  }

  /** Whether it selects all active entities, or all of a shape. */
  public boolean isOnlyByShape() {
    return kind.isEmpty()
        && about.isEmpty()
        && where.isEmpty()
        && missing.isEmpty()
        && match.map(g -> g.isEverything() || (shape.isEmpty() && g.isWholeShape())).orElse(true);
  }

  /** The filter on an entity's own fields; {@link #about} needs its targets looked up first. */
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
      throw Problem.invalid("?kind", "`kind` must be thing, assertion, shape or collection.");
    }
    return kind;
  }
}
