package dev.cairn.cli.bulk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what is sent for each change: it looks up which entities exist.
 *
 * <p>A segment is planned while the one before it is sent, so what that one adds counts as
 * existing. If an entity may differ, a revise is sent: the service finds out whether it changes
 * anything, since only it knows which texts are references.
 */
final class Planner {
  /** As many as one request can look up; all of a segment would take too much memory. */
  private static final int LOOKUP = 500;

  private final Lookups lookups;
  private Set<String> before = Set.of();

  Planner(Lookups lookups) {
    this.lookups = lookups;
  }

  /** The decisions for the changes of the next segment, in their order. */
  List<Decision> plan(List<Change> changes) {
    Set<String> named = new HashSet<>();
    List<Decision> decisions = new ArrayList<>(changes.size());
    for (int from = 0; from < changes.size(); from += LOOKUP) {
      plan(changes.subList(from, Math.min(from + LOOKUP, changes.size())), named, decisions);
    }
    before = named;
    return decisions;
  }

  private void plan(List<Change> changes, Set<String> named, List<Decision> decisions) {
    var found = lookups.find(unknown(changes, named));
    for (var change : changes) {
      decisions.add(decide(change, found, named));
      if (change.isEntity()) {
        named.add(change.wref());
      }
    }
  }

  /** Takes note of a segment whose decisions were made by an interrupted run. */
  void follow(List<Change> changes) {
    Set<String> named = new HashSet<>();
    changes.stream().filter(Change::isEntity).map(Change::wref).forEach(named::add);
    before = named;
  }

  private List<String> unknown(List<Change> changes, Set<String> named) {
    return changes.stream()
        .filter(Change::isEntity)
        .map(Change::wref)
        .filter(wref -> !before.contains(wref) && !named.contains(wref))
        .distinct()
        .toList();
  }

  private Decision decide(Change change, Map<String, Lookups.Found> found, Set<String> named) {
    if (!change.isEntity()) {
      return Decision.SEND;
    }
    if (named.contains(change.wref()) || before.contains(change.wref())) {
      return change.isCollection() ? Decision.LEAVE : Decision.REVISE;
    }
    var existing = found.get(change.wref());
    if (existing == null) {
      return Decision.ADD;
    }
    if (!existing.isActive()) {
      return Decision.RESTORE;
    }
    boolean isSame = Json.isSame(existing.data(), change.parsed().path("data"));
    return isSame || change.isCollection() ? Decision.LEAVE : Decision.REVISE;
  }
}
