package dev.cairn.query;

import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.Predicates;
import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.Source;
import dev.cairn.content.StoredShapes;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Masking;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Finds the entity that a wref of a request names. */
@ApplicationScoped
class Targets {
  private final Database database;
  private final Authorizer authorizer;
  private final StoredShapes shapes;
  private final ShapeDefinitions definitions;

  /**
   * An entity that a request names.
   *
   * @param pinned the version that the wref pins, or null
   */
  record Target(UUID repoId, long id, int version, Integer pinned) {}

  Targets(
      Database database, Authorizer authorizer, StoredShapes shapes, ShapeDefinitions definitions) {
    this.database = database;
    this.authorizer = authorizer;
    this.shapes = shapes;
    this.definitions = definitions;
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
    return find(access, wref, Source.HEAD, "e.kind", _ -> {});
  }

  /**
   * The entity in its state at a moment of this repository; in another repository, in its current
   * state.
   */
  Optional<Target> find(RepositoryAccess access, Wref wref, Optional<Moment> moment) {
    return find(
        access, wref, source(moment.filter(_ -> access.isNamedBy(wref))), "e.kind", _ -> {});
  }

  private static Source source(Optional<Moment> moment) {
    return moment.map(Moment::byName).orElse(Source.HEAD);
  }

  /**
   * The entity; if it or the version that the wref pins does not exist, a {@code NOT_FOUND}
   * problem.
   */
  Target existing(RepositoryAccess access, Wref wref) {
    return find(access, wref)
        .filter(target -> target.pinned() == null || target.pinned() <= target.version())
        .orElseThrow(() -> Problem.notFound("There is no `" + wref + "`."));
  }

  /** Reads further columns of the row. */
  @FunctionalInterface
  interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  /**
   * The entity, with further columns of its row from the same statement.
   *
   * @param columns the columns of {@code entity e} that {@code reader} expects
   */
  Optional<Target> find(RepositoryAccess access, Wref wref, String columns, RowReader reader) {
    return find(access, wref, Source.HEAD, columns, reader);
  }

  private Optional<Target> find(
      RepositoryAccess access, Wref wref, Source source, String columns, RowReader reader) {
    return repository(access, wref)
        .filter(repository -> repository.narrowing().canRead(wref))
        .map(RepositoryAccess::repoId)
        .flatMap(
            repoId ->
                database.first(
                    "select "
                        + columns
                        + ", e.id as target_id, e.version as target_version from "
                        + source.sql()
                        + " e where e.repo_id = ? and e.shape_name = ? and e.name = ?",
                    row -> {
                      reader.read(row);
                      int version = row.getInt("target_version");
                      return new Target(
                          repoId, row.getLong("target_id"), version, pinned(wref, version));
                    },
                    source.with(repoId, wref.shape(), wref.name())));
  }

  /**
   * Which of the names in a filter stand for nothing, or for nothing that the caller may read, as
   * sentences: an empty list is then no surprise.
   */
  List<String> warnings(
      RepositoryAccess access,
      Optional<String> shape,
      Optional<Wref> about,
      Optional<Moment> moment) {
    var missing = new ArrayList<String>();
    shape
        .filter(name -> BuiltinShape.named(name).isEmpty() && shape(access, name).isEmpty())
        .ifPresent(name -> missing.add("There is no shape `" + Masking.of(name) + "`."));
    about
        .filter(wref -> find(access, wref, moment).isEmpty())
        .ifPresent(wref -> missing.add("There is no `" + Masking.of(wref.unversioned()) + "`."));
    return missing;
  }

  /** The current definition of a shape, if the caller may read it. */
  Optional<ShapeDefinition> shape(RepositoryAccess access, String name) {
    return Optional.of(Wref.local(BuiltinShape.SHAPE.shapeName(), name))
        .filter(access.narrowing()::canRead)
        .flatMap(_ -> shapes.find(access.repoId(), name))
        .map(shape -> definitions.of(shape.definition()));
  }

  private Optional<RepositoryAccess> repository(RepositoryAccess access, Wref wref) {
    if (access.isNamedBy(wref)) {
      return Optional.of(access);
    }
    var name = wref.repository();
    return Optional.ofNullable(authorizer.readable(access.caller(), Set.of(name)).get(name));
  }

  private static Integer pinned(Wref wref, int current) {
    return switch (wref.modifier()) {
      case Wref.Modifier.Pinned(int version) -> version;
      case Wref.Modifier.Head() -> current;
      case Wref.Modifier.None(), Wref.Modifier.All() -> null;
    };
  }

  /** Narrows to assertions about the target, or also about collections that contain it now. */
  void about(Predicates where, Target target, RepositoryAccess access, boolean resolveCollections) {
    about(where, target, access, resolveCollections, Optional.empty());
  }

  /**
   * Narrows to assertions about the target, or also about collections that contained it.
   *
   * @param moment the moment at which the collections were active; empty for the current state
   */
  void about(
      Predicates where,
      Target target,
      RepositoryAccess access,
      boolean resolveCollections,
      Optional<Moment> moment) {
    var direct =
        "e.about_repo_id = ? and e.about_id = ?"
            + (target.pinned() == null ? "" : " and e.about_version = " + target.pinned());
    var containers = resolveCollections ? containers(target, access, source(moment)) : new Long[0];
    if (containers.length == 0) {
      where.and(direct, target.repoId(), target.id());
      return;
    }
    // The first condition uses the index; the second one is exact.
    where.and(
        "e.about_id = any (?)",
        (Object)
            Stream.concat(Stream.of(target.id()), Arrays.stream(containers)).toArray(Long[]::new));
    where.and(
        "((" + direct + ") or (e.about_repo_id = e.repo_id and e.about_id = any (?)))",
        target.repoId(),
        target.id(),
        containers);
  }

  /**
   * The active collections of this repository that contain the target at any version, and that the
   * token may read. Members of a collection never change, so the current references are valid for
   * every moment.
   */
  private Long[] containers(Target target, RepositoryAccess access, Source source) {
    var where =
        new Predicates(
                """
                r.repo_id = ? and r.to_id = ? and r.head and r.from_shape_id = any (?)
                and r.to_repo_id = ? and e.active
                """,
                access.repoId(),
                target.id(),
                CollectionShapes.ids(),
                target.repoId())
            .narrowed(access.narrowing());
    return database
        .list(
            """
            select distinct r.from_id from reference r
            cross join lateral (
              select x.shape_name, x.name, x.active from %s x
              where x.repo_id = r.repo_id and x.id = r.from_id
              offset 0) e
            """
                    .formatted(source.sql())
                + where.sql(),
            row -> row.getLong(1),
            where.parameters(source.parameters()))
        .toArray(Long[]::new);
  }
}
