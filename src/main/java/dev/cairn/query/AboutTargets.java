package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.AssertionTargets;
import dev.cairn.content.CollectionShapes;
import dev.cairn.content.Moment;
import dev.cairn.content.Predicates;
import dev.cairn.content.ShapeWalk;
import dev.cairn.content.Source;
import dev.cairn.model.Masking;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what the parameter {@code about} selects; see {@code docs/reads.md}, Targets. */
@ApplicationScoped
class AboutTargets {
  /** Maximum targets of a pattern that are looked up one by one. */
  private static final int MAX_LISTED = 1_000;

  private static final String LISTED = "unnest(?, ?) with ordinality as t (repo_id, id, ordinal)";

  private static final String UNLISTED =
      "(select e.repo_id, e.id, 0 as ordinal from entity e %s) t";

  private static final String OF_SHAPES =
      "select x.id from %s cross join lateral (select e.id from entity e %s) x limit ?";

  private static final String CONTAINERS =
      """
      select distinct t.ordinal, r.from_id
      from %s
      cross join lateral (
        select x.from_id from reference x
        where x.repo_id = ? and x.to_id = t.id and x.head and x.from_shape_id = any (?)
          and x.to_repo_id = t.repo_id
        offset 0) r
      cross join lateral (
        select x.shape_name, x.name, x.active from %s x
        where x.repo_id = ? and x.id = r.from_id
        offset 0) e
      """;

  /** Maximum collections that one request resolves: all of them are in memory. */
  private static final int MAX_CONTAINERS = 20_000;

  private final Database database;
  private final Targets targets;

  /**
   * What was found.
   *
   * @param missing why assertions may be missing: for each wref or pattern that names nothing, or
   *     nothing that the caller may read, a sentence
   */
  record Found(AssertionTargets targets, List<String> missing) {}

  /**
   * A collection that contains a target.
   *
   * @param target the position of the target
   * @param id the id of the collection
   */
  record Container(int target, long id) {}

  AboutTargets(Database database, Targets targets) {
    this.database = database;
    this.targets = targets;
  }

  /**
   * The targets of the assertions that a read selects.
   *
   * @param resolveCollections whether collections that contain a target are targets too
   * @param moment the moment at which targets existed and collections were active; empty for the
   *     current state
   */
  Found find(
      RepositoryAccess access,
      AboutFilter about,
      boolean resolveCollections,
      Optional<Moment> moment) {
    var missing = new ArrayList<String>();
    var found = targets.find(access, about.wrefs(), moment);
    for (var wref : about.wrefs()) {
      var target = found.get(wref);
      if (target == null) {
        missing.add("There is no `" + Masking.of(wref.unversioned()) + "`.");
      } else if (!target.exists()) {
        missing.add("There is no `" + Masking.of(wref.toString()) + "`.");
      }
    }
    var listed = new ArrayList<>(found.values());
    var selected = new AssertionTargets();
    var matching = matching(access, about.patterns(), moment);
    matching.forEach(
        (pattern, ids) -> {
          if (ids.isEmpty()) {
            missing.add("Nothing matches `" + Masking.of(pattern.toString()) + "`.");
          }
        });
    if (matching.values().stream().anyMatch(ids -> ids.size() > MAX_LISTED)) {
      selected.addUnlisted(ofPatterns(access, about.patterns(), moment));
      if (resolveCollections) {
        var unlisted = ofPatterns(access, about.patterns(), moment);
        containers(
                access, UNLISTED.formatted(unlisted.sql()), List.of(unlisted.parameters()), moment)
            .forEach(container -> selected.add(access.repoId(), container.id()));
      }
    } else {
      matching.values().stream()
          .flatMap(List::stream)
          .forEach(id -> listed.add(new Targets.Target(access.repoId(), id, 0, null)));
    }
    listed.forEach(target -> target.addTo(selected));
    if (resolveCollections) {
      containers(access, listed, moment)
          .forEach(container -> selected.add(access.repoId(), container.id()));
    }
    return new Found(selected, missing);
  }

  /** The targets that each pattern matches, one more than {@link #MAX_LISTED} at most. */
  private Map<Glob, List<Long>> matching(
      RepositoryAccess access, List<Glob> patterns, Optional<Moment> moment) {
    var matching = new LinkedHashMap<Glob, List<Long>>();
    var batch = new StatementBatch();
    for (var pattern : patterns) {
      var ids = new ArrayList<Long>();
      matching.put(pattern, ids);
      var where = readable(access, moment).matches(pattern);
      var statement = ShapeWalk.suits(pattern) ? ofShapes(access, where) : ofNames(where);
      batch.add(statement.sql(), row -> ids.add(row.getLong(1)), statement.parameters());
    }
    database.send(batch);
    return matching;
  }

  private static EntityReads.Statement ofNames(Predicates where) {
    return new EntityReads.Statement(
        "select e.id from entity e " + where.sql() + " limit ?", where.parameters(MAX_LISTED + 1));
  }

  private static EntityReads.Statement ofShapes(RepositoryAccess access, Predicates where) {
    var shapes = ShapeWalk.of(access.repoId(), Optional.empty(), Optional.empty(), "");
    return new EntityReads.Statement(
        OF_SHAPES.formatted(shapes.sql(), where.sql() + ShapeWalk.WITHIN),
        where.parameters(shapes.parameters(), MAX_LISTED + 1));
  }

  private static Predicates ofPatterns(
      RepositoryAccess access, List<Glob> patterns, Optional<Moment> moment) {
    return readable(access, moment).matchesAny(patterns);
  }

  /** What the caller may read, of what existed at the moment. */
  private static Predicates readable(RepositoryAccess access, Optional<Moment> moment) {
    var where = new Predicates("e.repo_id = ?", access.repoId()).narrowed(access.narrowing());
    moment.ifPresent(m -> where.and("e.id < ?", m.nextEntityId()));
    return where;
  }

  /**
   * The active collections of this repository that contain the targets at any version, and that the
   * token may read. Members of a collection never change, so the current references are valid for
   * every moment.
   *
   * @param moment the moment at which the collections were active; empty for the current state
   */
  List<Container> containers(
      RepositoryAccess access, List<Targets.Target> all, Optional<Moment> moment) {
    return containers(
        access,
        LISTED,
        List.of(Columns.uuids(all, Targets.Target::repoId), Columns.longs(all, Targets.Target::id)),
        moment);
  }

  private List<Container> containers(
      RepositoryAccess access, String relation, List<Object> parameters, Optional<Moment> moment) {
    var source = moment.map(Moment::byName).orElse(Source.HEAD);
    var where = new Predicates("e.active").narrowed(access.narrowing());
    var containers =
        database.list(
            CONTAINERS.formatted(relation, source.sql()) + where.sql() + " limit ?",
            row -> new Container(row.getInt(1) - 1, row.getLong(2)),
            where.parameters(
                Stream.of(
                        parameters,
                        List.<Object>of(access.repoId(), CollectionShapes.ids()),
                        source.parameters(),
                        List.<Object>of(access.repoId()))
                    .flatMap(List::stream)
                    .toList(),
                MAX_CONTAINERS + 1));
    if (containers.size() > MAX_CONTAINERS) {
      throw Problem.invalid(
              "?resolveCollections",
              "More than %,d collections contain the targets.".formatted(MAX_CONTAINERS))
          .hint("Leave `resolveCollections` out, or ask about fewer targets at once.");
    }
    return containers;
  }
}
