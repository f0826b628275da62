package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.content.Columns;
import dev.cairn.content.Commit;
import dev.cairn.content.ContentWriter;
import dev.cairn.content.ReferenceWriter;
import dev.cairn.content.Renaming;
import dev.cairn.model.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;

/** Writes the rows of a plan, in the caller's transaction. */
@ApplicationScoped
class CommitWriter {
  private final ContentWriter content;
  private final Renaming renaming;
  private final ReferenceWriter references;
  private final StoredBytes storedBytes;

  CommitWriter(
      ContentWriter content,
      Renaming renaming,
      ReferenceWriter references,
      StoredBytes storedBytes) {
    this.content = content;
    this.renaming = renaming;
    this.references = references;
    this.storedBytes = storedBytes;
  }

  /**
   * Writes the whole plan.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if the organization would store more than its quota
   */
  void write(RepositoryAccess access, Commit commit, CommitPlan plan) {
    storedBytes.requireRoom(access.orgId(), 1);
    // Renames first: they change stored texts. The rows after them are written with the final
    // names.
    long bytes = renaming.apply(commit.repoId(), plan.storedRenames());
    bytes += writeVersions(commit, plan);
    bytes +=
        references.insert(
            commit.repoId(), plan.versions.stream().flatMap(v -> v.edges(commit.repoId())));
    bytes +=
        renaming.record(
            commit.repoId(),
            commit.seq(),
            plan.renames.stream().map(CommitPlan.Rename::row).toList());
    bytes += StoredBytes.ROW + utf8Length(commit.message());
    storedBytes.requireRoom(access.orgId(), bytes);
    content.insertCommit(access, commit, plan.results.size(), plan.nextEntityId, bytes);
    storedBytes.addAfterCommit(access.orgId(), bytes);
  }

  private long writeVersions(Commit commit, CommitPlan plan) {
    var texts = new StoredTexts(plan.versions);
    var added = plan.touched.stream().filter(EntityState::isNew).toList();
    var revised = plan.touched.stream().filter(entity -> !entity.isNew()).toList();
    var firstOp = new HashMap<EntityState, Integer>();
    plan.versions.forEach(row -> firstOp.putIfAbsent(row.entity(), row.opIndex()));
    long bytes =
        StoredTexts.inParts(
            added,
            texts::last,
            (entity, data) -> entity.added(data, firstOp.get(entity)),
            rows -> content.insertEntities(commit, rows));
    bytes +=
        StoredTexts.inParts(
            plan.versions,
            texts::of,
            VersionRow::row,
            rows -> content.insertVersions(commit, rows));
    if (!revised.isEmpty()) {
      references.markOutdated(
          commit.repoId(),
          Columns.longs(revised, entity -> entity.id),
          Columns.ints(revised, entity -> entity.storedVersion));
      bytes +=
          StoredTexts.inParts(
              revised, texts::last, EntityState::revision, rows -> content.revise(commit, rows));
      bytes +=
          references.copy(
              commit.repoId(),
              plan.versions.stream().filter(v -> v.data() == null).map(VersionRow::copy).toList());
    }
    return bytes;
  }

  private static int utf8Length(String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
