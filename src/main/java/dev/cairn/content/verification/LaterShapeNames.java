package dev.cairn.content.verification;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the shape names in definitions have become by renames, for one moment after another, the
 * newest first. A rename changes a name in all stored definitions, also in those that were written
 * before the shape existed; but a shape that is renamed by the commit that adds it is stored with
 * its new name, so that only definitions of the same commit change.
 */
final class LaterShapeNames {
  private final List<ShapeRename> renames;

  /** What renames of later commits made of the names. */
  private final Map<String, String> byLaterCommits = new HashMap<>();

  /** What later renames of the same commit, and then those of later ones, made of the names. */
  private final Map<String, String> bySameCommit = new HashMap<>();

  private long seq = Long.MAX_VALUE;
  private int nextOfLaterCommits;
  private int nextOfSameCommit;

  /**
   * The name of a shape changed.
   *
   * @param isOfStored whether an earlier commit added the shape
   */
  record ShapeRename(long seq, int opIndex, String oldName, String newName, boolean isOfStored) {}

  /**
   * The names of today.
   *
   * @param renames of all shapes, the newest first
   */
  LaterShapeNames(List<ShapeRename> renames) {
    this.renames = renames;
  }

  /** Goes back to the moment after an operation. */
  void goBackTo(long seq, int opIndex) {
    if (seq < this.seq) {
      this.seq = seq;
      bySameCommit.clear();
      while (isNext(nextOfLaterCommits) && renames.get(nextOfLaterCommits).seq() > seq) {
        var rename = renames.get(nextOfLaterCommits++);
        if (rename.isOfStored()) {
          byLaterCommits.put(
              rename.oldName(), byLaterCommits.getOrDefault(rename.newName(), rename.newName()));
        }
      }
      nextOfSameCommit = nextOfLaterCommits;
    }
    while (isNext(nextOfSameCommit)
        && renames.get(nextOfSameCommit).seq() == seq
        && renames.get(nextOfSameCommit).opIndex() > opIndex) {
      var rename = renames.get(nextOfSameCommit++);
      bySameCommit.put(rename.oldName(), today(rename.newName()));
    }
  }

  private boolean isNext(int index) {
    return index < renames.size();
  }

  /** What a name of that moment is today. */
  String today(String name) {
    return bySameCommit.getOrDefault(name, byLaterCommits.getOrDefault(name, name));
  }
}
