package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Moment;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import dev.cairn.content.read.AssertionTargets;
import dev.cairn.content.read.ContainingCollections;
import dev.cairn.content.read.ContainingCollections.Container;
import dev.cairn.content.read.EntityIds;
import dev.cairn.content.read.ShapeWalk;
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

/** Finds what the parameter {@code about} selects; see {@code docs/reads.md}, Targets. */
@ApplicationScoped
class AboutTargets {
  /** Maximum targets of a pattern that are looked up one by one. */
  private static final int MAX_LISTED = 1_000;

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
        containers(
                containersOf(access, moment)
                    .ofMatching(ofPatterns(access, about.patterns(), moment), MAX_CONTAINERS + 1))
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
      var query =
          ShapeWalk.suits(pattern)
              ? EntityIds.ofShapes(access.repoId(), Optional.empty(), where, MAX_LISTED + 1)
              : EntityIds.of(Source.HEAD, where, MAX_LISTED + 1);
      batch.add(query.sql(), row -> ids.add(row.getLong("id")), query.with());
    }
    database.send(batch);
    return matching;
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
        containersOf(access, moment)
            .of(
                Columns.uuids(all, Targets.Target::repoId),
                Columns.longs(all, Targets.Target::id),
                MAX_CONTAINERS + 1));
  }

  private static ContainingCollections containersOf(
      RepositoryAccess access, Optional<Moment> moment) {
    return new ContainingCollections(access.repoId(), access.narrowing(), moment);
  }

  private List<Container> containers(Statement statement) {
    var containers = database.list(statement.sql(), Container::read, statement.parameters());
    if (containers.size() > MAX_CONTAINERS) {
      throw Problem.invalid(
              "?resolveCollections",
              "More than %,d collections contain the targets.".formatted(MAX_CONTAINERS))
          .hint("Leave `resolveCollections` out, or ask about fewer targets at once.");
    }
    return containers;
  }
}
