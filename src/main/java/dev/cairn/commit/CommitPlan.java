package dev.cairn.commit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a commit will write, and what its operations will answer. */
final class CommitPlan {
  final List<OperationResult> results = new ArrayList<>();
  final List<VersionRow> versions = new ArrayList<>();
  final List<Rename> renames = new ArrayList<>();

  /** The entities that get versions, in the order of their first one. */
  final Set<EntityState> touched = new LinkedHashSet<>();

  /** The keys of collections that it makes. */
  final List<byte[]> newCollectionKeys = new ArrayList<>();

  /** The first entity id that stays free. */
  long nextEntityId;

  /** A change of name. */
  record Rename(int opIndex, EntityState entity, String oldName) {
    boolean ofShape() {
      return entity.shape == null;
    }
  }

  CommitPlan(long nextEntityId) {
    this.nextEntityId = nextEntityId;
  }

  boolean changesNothing() {
    return versions.isEmpty() && renames.isEmpty();
  }

  boolean hasErrors() {
    return results.stream().anyMatch(r -> r.status() == OperationResult.Status.ERROR);
  }
}
