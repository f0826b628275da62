package dev.cairn.content.read;

import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What the assertions that a read selects are about: listed targets, for each of which an index has
 * the assertions about it; and possibly more targets that meet conditions, too many to list them.
 */
public final class AssertionTargets {
  /** The listed targets as a table {@code t}; the parameters are {@link #parameters}. */
  public static final String SQL = "unnest(?, ?, ?) as t (repo_id, id, version)";

  /** The condition that an assertion {@code e} is about the target {@code t}. */
  public static final String ABOUT =
      " and e.about_id = t.id and e.about_repo_id = t.repo_id"
          + " and (t.version = 0 or e.about_version = t.version)";

  private static final int ANY = 0;

  private static final String IN_LIST = " in (select l.* from unnest(?, ?, ?) as l)";

  private final Map<Key, Set<Integer>> listed = new LinkedHashMap<>();

  /** The conditions of targets that are not listed; null if there are none. */
  private Predicates unlisted;

  private record Key(UUID repoId, long id) {}

  /** Adds a target: all of its versions. */
  public void add(UUID repoId, long id) {
    add(repoId, id, ANY);
  }

  /** Adds one version of a target. */
  public void add(UUID repoId, long id, int version) {
    listed.computeIfAbsent(new Key(repoId, id), _ -> new TreeSet<>()).add(version);
  }

  /** Adds all entities of the repository that meet conditions on {@code entity e}. */
  public void addUnlisted(Predicates conditions) {
    unlisted = conditions;
  }

  /** Whether all targets are listed. */
  public boolean areListed() {
    return unlisted == null;
  }

  /** The arrays that {@link #SQL} takes: no assertion is about two of their elements. */
  public List<Object> parameters() {
    var repoIds = new ArrayList<UUID>();
    var ids = new ArrayList<Long>();
    var versions = new ArrayList<Integer>();
    listed.forEach(
        (key, all) -> {
          for (var version : all.contains(ANY) ? Set.of(ANY) : all) {
            repoIds.add(key.repoId());
            ids.add(key.id());
            versions.add(version);
          }
        });
    return List.of(
        repoIds.toArray(UUID[]::new),
        Columns.longs(ids, Long::longValue),
        Columns.ints(versions, Integer::intValue));
  }

  /**
   * Narrows to the assertions about the targets if not all are listed: every assertion that the
   * other conditions select is examined.
   */
  public void narrow(Predicates where) {
    var list = parameters();
    var values = new ArrayList<Object>();
    values.addAll(list);
    values.addAll(list);
    where.and(
        "e.kind = 'assertion' and ((e.about_repo_id, e.about_id, e.about_version)"
            + IN_LIST
            + " or (e.about_repo_id, e.about_id, 0)"
            + IN_LIST
            + " or ("
            + Predicates.ofTarget(unlisted)
            + "))",
        unlisted.parameters(values));
  }
}
