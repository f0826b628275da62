package dev.cairn.content;

import dev.cairn.access.Narrowing;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Finds what somebody may mean by a name that nothing has: an entity that had it once, or one whose
 * name is nearly the same. It finds only what the caller may read. See {@code docs/errors.md},
 * Missing names.
 */
@ApplicationScoped
public class NearNames {
  /** How many names are suggested. */
  private static final int MAX_SUGGESTED = 3;

  /** How many names before and after the given one are compared with it. */
  private static final int NEIGHBOURS = 25;

  private static final int MAX_SHAPES = 500;

  /**
   * How many renames of entities that had a name once are looked at, the last ones first. For a
   * narrowed caller many more: those that it may not see would otherwise hide one that it may,
   * which would tell of them.
   */
  private static final int MAX_RENAMES = 100;

  private static final int MAX_RENAMES_OF_NARROWED = 10_000;

  /** Longer names are compared only with their neighbours. */
  private static final int MAX_VARIED_LENGTH = 64;

  private static final int MAX_DISTANCE = 3;

  /** After how many characters of a name one more slip is likely. */
  private static final int CHARACTERS_PER_SLIP = 6;

  private static final String SHAPE = BuiltinShape.SHAPE.shapeName();

  private static final String FORMER =
      """
      select e.shape_name, e.name from (
        select * from entity_rename x where x.old_name = ? and x.repo_id = ?
        order by x.seq desc limit ?) r
      cross join lateral %s e %s and e.shape_name = ? and e.active
      order by r.seq desc limit 1
      """;

  private static final String NAMES = "select e.shape_name, e.name from entity e %s ";

  /** The condition comes after the limit, so that not many rows are read. */
  private static final String NEXT =
      """
      select e.shape_name, e.name from (
        select * from entity k where k.repo_id = ? and k.shape_name = ? and k.name %s ?
        order by k.shape_name %2$s, k.name %2$s limit %3$d) e %4$s
      """;

  private final Database database;

  NearNames(Database database) {
    this.database = database;
  }

  /**
   * The problem that a wref names nothing, with {@code renamedTo} or {@code near} in its details
   * and a hint, if anything is found.
   *
   * @param narrowing what the caller may read
   * @param matching the steps that are left for matching the name with the narrowing
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if they are used up
   */
  public Problem explained(
      Problem problem, UUID repoId, Narrowing narrowing, MatchingBudget matching, Wref wref) {
    try {
      return explainedInTransaction(problem, repoId, narrowing, matching, wref);
    } catch (DatabaseException e) {
      return problem;
    }
  }

  /**
   * The same in a transaction.
   *
   * @throws DatabaseException after which the transaction can do nothing more
   */
  public Problem explainedInTransaction(
      Problem problem, UUID repoId, Narrowing narrowing, MatchingBudget matching, Wref wref) {
    var search = new Search(repoId, narrowing, matching);
    var former = search.former(wref.shape(), wref.name());
    if (former != null) {
      return problem.with("renamedTo", former).hint("It is called `" + former + "` now.");
    }
    var near = search.near(wref);
    return near.isEmpty()
        ? problem
        : problem.with("near", near).hint("Did you mean `" + near.getFirst() + "`?");
  }

  /** A search in one repository, by one caller. */
  private final class Search {
    private final UUID repoId;
    private final Narrowing narrowing;
    private final MatchingBudget matching;

    Search(UUID repoId, Narrowing narrowing, MatchingBudget matching) {
      this.repoId = repoId;
      this.narrowing = narrowing;
      this.matching = matching;
    }

    /** The wref of the entity that had this name last, or null. */
    String former(String shapeName, String name) {
      // A caller who may not read this name must not learn that an entity once had it.
      if (!narrowing.canRead(Wref.local(shapeName, name), matching)) {
        return null;
      }
      int max = narrowing.isUnrestricted() ? MAX_RENAMES : MAX_RENAMES_OF_NARROWED;
      var where = new Predicates("r.repo_id = ?", repoId).narrowed(narrowing);
      return database
          .first(
              FORMER.formatted(ByKey.entity("r.repo_id", "r.entity_id"), where.sql()),
              row -> row.getString(1) + "/" + row.getString(2),
              where.parameters(List.<Object>of(name, repoId, max), shapeName))
          .orElse(null);
    }

    List<String> near(Wref wref) {
      var shapes = wref.shape().equals(SHAPE) ? List.of(SHAPE) : shapes(wref.shape());
      var found = new LinkedHashSet<String>();
      var batch = new StatementBatch();
      for (var shape : shapes) {
        addNames(batch, shape, wref.name(), found);
      }
      database.send(batch);
      found.remove(wref.local());
      var names = nearest(wref.name(), found);
      if (!names.isEmpty() || shapes.contains(wref.shape())) {
        return names;
      }
      return shapes.stream().map(shape -> SHAPE + "/" + shape).toList();
    }

    /** The shape of that name, otherwise those with nearly the same name, or that had it. */
    private List<String> shapes(String name) {
      if (BuiltinShape.named(name).isPresent() || !shapesWhere("e.name = ?", name).isEmpty()) {
        return List.of(name);
      }
      var former = former(SHAPE, name);
      // In the order of names: with more shapes, the last ones are not compared.
      var all = shapesWhere("e.name > ?", "");
      var near =
          all.stream()
              .filter(shape -> EditDistance.of(name, shape) <= allowed(name))
              .sorted(Comparator.comparingInt(shape -> EditDistance.of(name, shape)));
      return Stream.concat(
              Stream.ofNullable(former).map(wref -> wref.substring(wref.indexOf('/') + 1)), near)
          .distinct()
          .limit(MAX_SUGGESTED)
          .toList();
    }

    private List<String> shapesWhere(String condition, String value) {
      var where =
          new Predicates("e.repo_id = ? and e.active", repoId)
              .shape(SHAPE)
              .and(condition, value)
              .narrowed(narrowing);
      return database.list(
          NAMES.formatted(where.sql()) + "order by e.name limit ?",
          row -> row.getString(2),
          where.parameters(MAX_SHAPES));
    }

    private void addNames(StatementBatch batch, String shape, String name, Set<String> found) {
      var where = new Predicates("e.repo_id = ? and e.active", repoId).narrowed(narrowing);
      var variants = new Predicates("e.repo_id = ? and e.active", repoId).narrowed(narrowing);
      add(
          batch,
          NAMES.formatted(variants.sql()) + "and e.shape_name = ? and e.name = any (?)",
          found,
          variants.parameters(shape, variants(name)));
      if (!narrowing.isUnrestricted()) {
        // Otherwise what is missing among the neighbours would tell how many are hidden.
        return;
      }
      var key = List.<Object>of(repoId, shape, name);
      add(batch, NEXT.formatted(">=", "", NEIGHBOURS, where.sql()), found, where.parameters(key));
      add(
          batch,
          NEXT.formatted("<", "desc", NEIGHBOURS, where.sql()),
          found,
          where.parameters(key));
    }

    private static void add(
        StatementBatch batch, String sql, Set<String> found, Object[] parameters) {
      batch.add(
          sql,
          row -> {
            found.add(row.getString(1) + "/" + row.getString(2));
            return true;
          },
          parameters);
    }
  }

  /** A suggestion. */
  private record Near(String wref, int distance) {}

  private static List<String> nearest(String name, Set<String> wrefs) {
    return wrefs.stream()
        .map(wref -> new Near(wref, EditDistance.of(name, nameOf(wref))))
        .filter(near -> near.distance() <= allowed(name))
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::wref))
        .limit(MAX_SUGGESTED)
        .map(Near::wref)
        .toList();
  }

  private static String nameOf(String wref) {
    return wref.substring(wref.indexOf('/') + 1);
  }

  /** The name without one character, with two exchanged, and in other spellings. */
  private static String[] variants(String name) {
    var variants = new LinkedHashSet<String>();
    variants.add(name);
    variants.add(name.toLowerCase(Locale.ROOT));
    variants.add(name.toUpperCase(Locale.ROOT));
    variants.add(name.replace('_', '-'));
    variants.add(name.replace('-', '_'));
    variants.add(name.replace(' ', '-'));
    variants.add(name + "s");
    for (int i = 0; i < name.length() && name.length() <= MAX_VARIED_LENGTH; i++) {
      variants.add(name.substring(0, i) + name.substring(i + 1));
      if (i > 0) {
        variants.add(
            name.substring(0, i - 1) + name.charAt(i) + name.charAt(i - 1) + name.substring(i + 1));
      }
    }
    return variants.toArray(String[]::new);
  }

  private static int allowed(String wanted) {
    return Math.min(MAX_DISTANCE, 1 + wanted.length() / CHARACTERS_PER_SLIP);
  }
}
