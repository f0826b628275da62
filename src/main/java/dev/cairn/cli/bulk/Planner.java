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
  private final Lookups lookups;
  private Set<String> before = Set.of();

  Planner(Lookups lookups) {
    this.lookups = lookups;
  }

  /** The decisions for the changes of the next segment, in their order. */
  List<Decision> plan(List<Change> changes) {
    Set<String> named = new HashSet<>();
    var found = lookups.find(unknown(changes));
    List<Decision> decisions = new ArrayList<>(changes.size());
    for (var change : changes) {
      decisions.add(decide(change, found, named));
      if (change.isEntity()) {
        named.add(change.wref());
      }
    }
    before = named;
    return decisions;
  }

  /** Takes note of a segment whose decisions were made by an interrupted run. */
  void follow(List<Change> changes) {
    Set<String> named = new HashSet<>();
    changes.stream().filter(Change::isEntity).map(Change::wref).forEach(named::add);
    before = named;
  }

  private List<String> unknown(List<Change> changes) {
    return changes.stream()
        .filter(change -> change.isEntity() && !before.contains(change.wref()))
        .map(Change::wref)
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
    boolean isSame = Json.isSame(existing.data(), change.entity().path("data"));
    return isSame || change.isCollection() ? Decision.LEAVE : Decision.REVISE;
  }
}
