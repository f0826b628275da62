package dev.cairn.query;

import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Moment;
import dev.cairn.content.NearNames;
import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.Source;
import dev.cairn.content.StoredShapes;
import dev.cairn.content.read.AssertionTargets;
import dev.cairn.content.read.EntitiesByName;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Masking;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the entities that the wrefs of a request name. */
@ApplicationScoped
class Targets {
  /** The same whether the entity is hidden, missing, or has no such version. */
  private static final String VERSIONS_HINT =
      "The versions of an entity are in its history: `GET /history?wref=…`, or `thing_history` over MCP.";

  private final Database database;
  private final Authorizer authorizer;
  private final StoredShapes shapes;
  private final ShapeDefinitions definitions;
  private final NearNames nearNames;

  /** A shape of the repository. */
  record Shape(long id, ShapeDefinition definition) {}

  /**
   * An entity that a request names.
   *
   * @param pinned the version that the wref pins, or null
   */
  record Target(UUID repoId, long id, int version, Integer pinned) {
    /** Whether it has the version that the wref pins. */
    boolean exists() {
      return pinned == null || pinned <= version;
    }

    /** Adds it to the targets of assertions: the version that the wref pins, or all. */
    void addTo(AssertionTargets targets) {
      if (pinned == null) {
        targets.add(repoId, id);
      } else {
        targets.add(repoId, id, pinned);
      }
    }
  }

  Targets(
      Database database,
      Authorizer authorizer,
      StoredShapes shapes,
      ShapeDefinitions definitions,
      NearNames nearNames) {
    this.database = database;
    this.authorizer = authorizer;
    this.shapes = shapes;
    this.definitions = definitions;
    this.nearNames = nearNames;
  }

  /**
   * The wref without its repository; a wref of another repository is a {@code VALIDATION_ERROR},
   * since its entity must be read there.
   *
   * @param pointer the part of the request that contains the wref
   */
  static Wref here(RepositoryAccess access, Wref wref, String pointer) {
    if (access.isNamedBy(wref)) {
      return local(access, wref);
    }
    throw Problem.invalid(pointer, "`" + wref + "` belongs to another repository: read it there.");
  }

  /**
   * The wref as it is written in this repository: local for its own entities, canonical for others.
   */
  static Wref local(RepositoryAccess access, Wref wref) {
    return access.isNamedBy(wref)
        ? new Wref(null, null, wref.shape(), wref.name(), wref.modifier())
        : wref;
  }

  /** The entity, in this repository or another one, if the caller may read it. */
  Optional<Target> find(RepositoryAccess access, Wref wref) {
    return Optional.ofNullable(find(access, List.of(wref), Optional.empty()).get(wref));
  }

  /**
   * The entities that wrefs name and the caller may read: of this repository in their state at a
   * moment, of other repositories in their current state.
   */
  Map<Wref, Target> find(RepositoryAccess access, Collection<Wref> wrefs, Optional<Moment> moment) {
    var here = wrefs.stream().filter(access::isNamedBy).toList();
    var elsewhere = wrefs.stream().filter(wref -> !access.isNamedBy(wref)).toList();
    if (moment.isEmpty() || here.isEmpty() || elsewhere.isEmpty()) {
      return find(
          access, wrefs, elsewhere.isEmpty() ? Source.byName(moment) : Source.HEAD, Columns.NONE);
    }
    var found = new HashMap<>(find(access, here, Source.byName(moment), Columns.NONE));
    found.putAll(find(access, elsewhere, Source.HEAD, Columns.NONE));
    return found;
  }

  /** The problem that an entity is missing, with what the caller may have meant. */
  Problem missing(RepositoryAccess access, Wref wref) {
    var problem = Problem.notFound("There is no `" + wref.unversioned() + "`.");
    return access.isNamedBy(wref)
        ? nearNames.explained(problem, access.repoId(), access.narrowing(), access.matching(), wref)
        : problem;
  }

  /**
   * The entity; if it or the version that the wref pins does not exist, a {@code NOT_FOUND}
   * problem.
   */
  Target existing(RepositoryAccess access, Wref wref) {
    var target = find(access, wref).orElseThrow(() -> missing(access, wref));
    if (!target.exists()) {
      throw Problem.notFound("There is no `" + wref + "`.").hint(VERSIONS_HINT);
    }
    return target;
  }

  /** The problem that an entity, if there is one, does not have a version. */
  static Problem noVersion(int version, String wref) {
    return Problem.notFound("There is no version %d of `%s`.".formatted(version, wref))
        .hint(VERSIONS_HINT);
  }

  /** Reads further columns of the row of the entity that a wref names. */
  @FunctionalInterface
  interface RowReader {
    void read(Wref wref, ResultSet row) throws SQLException;
  }

  /**
   * Further columns of the rows.
   *
   * @param sql columns for {@link EntitiesByName#ofRepositories}; their parameters are {@code
   *     parameters}
   */
  record Columns(String sql, List<Object> parameters, RowReader reader) {
    private static final Columns NONE = new Columns("e.kind", List.of(), (_, _) -> {});
  }

  /** The same in their current state, with further columns of their rows. */
  Map<Wref, Target> find(RepositoryAccess access, Collection<Wref> wrefs, Columns columns) {
    return find(access, wrefs, Source.HEAD, columns);
  }

  private Map<Wref, Target> find(
      RepositoryAccess access, Collection<Wref> wrefs, Source source, Columns columns) {
    var repositories = repositories(access, wrefs);
    var named =
        wrefs.stream()
            .distinct()
            .filter(
                wref -> {
                  var repository = repositories.apply(wref);
                  return repository != null
                      && repository.narrowing().canRead(wref, access.matching());
                })
            .toList();
    var found = new HashMap<Wref, Target>();
    if (named.isEmpty()) {
      return found;
    }
    var repoIds = named.stream().map(wref -> repositories.apply(wref).repoId()).toList();
    var statement =
        EntitiesByName.ofRepositories(columns.sql(), columns.parameters(), source, repoIds, named);
    database.each(
        statement.sql(),
        0,
        row -> {
          int i = row.getInt("ordinal") - 1;
          var wref = named.get(i);
          columns.reader().read(wref, row);
          int version = row.getInt("target_version");
          found.put(
              wref,
              new Target(repoIds.get(i), row.getLong("target_id"), version, pinned(wref, version)));
          return true;
        },
        statement.parameters());
    return found;
  }

  /**
   * Why a list may be empty: that there is no such shape, or none that the caller may read, as a
   * sentence.
   */
  List<String> warnings(RepositoryAccess access, Optional<String> shape) {
    return shape
        .filter(name -> BuiltinShape.named(name).isEmpty() && shape(access, name).isEmpty())
        .map(name -> "There is no shape `" + Masking.of(name) + "`.")
        .stream()
        .toList();
  }

  /** A shape with its current definition, if the caller may read it. */
  Optional<Shape> shape(RepositoryAccess access, String name) {
    return Optional.of(Wref.local(BuiltinShape.SHAPE.shapeName(), name))
        .filter(wref -> access.narrowing().canRead(wref, access.matching()))
        .flatMap(_ -> shapes.find(access.repoId(), name))
        .map(shape -> new Shape(shape.id(), definitions.of(shape.definition())));
  }

  /** Tells which repository a wref belongs to; null if the caller may not read it. */
  private Function<Wref, RepositoryAccess> repositories(
      RepositoryAccess access, Collection<Wref> wrefs) {
    var names =
        wrefs.stream()
            .filter(wref -> !access.isNamedBy(wref))
            .map(Wref::repository)
            .collect(Collectors.toSet());
    var others =
        names.isEmpty()
            ? Map.<String, RepositoryAccess>of()
            : authorizer.readable(access.caller(), names);
    return wref -> access.isNamedBy(wref) ? access : others.get(wref.repository());
  }

  private static Integer pinned(Wref wref, int current) {
    return switch (wref.modifier()) {
      case Wref.Modifier.Pinned(int version) -> version;
      case Wref.Modifier.Head() -> current;
      case Wref.Modifier.None(), Wref.Modifier.All() -> null;
    };
  }
}
