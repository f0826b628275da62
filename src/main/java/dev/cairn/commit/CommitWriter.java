package dev.cairn.commit;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.content.CommitStamp;
import dev.cairn.content.write.ContentWriter;
import dev.cairn.content.write.ContentWriter.LoggedCommit;
import dev.cairn.content.write.CountChanges;
import dev.cairn.content.write.Growth;
import dev.cairn.content.write.ReferenceWriter;
import dev.cairn.content.write.Renaming;
import dev.cairn.content.write.TableStatistics;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Writes the rows of plans, in the caller's transaction. */
@ApplicationScoped
class CommitWriter {
  private final Database database;
  private final ContentWriter content;
  private final Renaming renaming;
  private final ReferenceWriter references;
  private final StoredBytes storedBytes;
  private final TableStatistics statistics;

  CommitWriter(
      Database database,
      ContentWriter content,
      Renaming renaming,
      ReferenceWriter references,
      StoredBytes storedBytes,
      TableStatistics statistics) {
    this.database = database;
    this.content = content;
    this.renaming = renaming;
    this.references = references;
    this.storedBytes = storedBytes;
    this.statistics = statistics;
  }

  /**
   * The rows of a plan, and the commit that they belong to.
   *
   * @param plan of the whole commit or of a part of it
   */
  record Part(CommitPlan plan, CommitStamp stamp) {}

  /**
   * Writes all rows but those of the log.
   *
   * @param parts in the order of their sequence numbers: several only if none of them renames
   *     anything, and no entity is changed by two
   * @param counts takes how the numbers of entities change
   * @return by how many bytes they increase what is stored
   */
  long writeRows(UUID orgId, List<Part> parts, CountChanges counts) {
    storedBytes.requireRoom(orgId, 1);
    // Renames first: they change stored texts. The rows after them are written with the final
    // names.
    long bytes = 0;
    for (var part : parts) {
      bytes += renaming.apply(part.stamp().repoId(), part.plan().storedRenames());
    }
    var growth = new Growth(database);
    writeVersions(growth, parts);
    growth.send();
    bytes += growth.bytes();
    for (var part : parts) {
      bytes +=
          renaming.record(
              part.stamp().repoId(),
              part.stamp().seq(),
              part.plan().renames.stream()
                  .map(rename -> rename.row(part.plan().numbering))
                  .toList());
      count(part.plan(), counts);
    }
    statistics.wrote(parts.stream().mapToInt(part -> part.plan().versions.size()).sum());
    return bytes;
  }

  /**
   * Writes the log and the head.
   *
   * @param rowBytes the bytes of all other rows
   * @return whether all commits were still allowed; if not, the transaction must be rolled back
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if the organization would store more than its quota
   */
  boolean log(UUID orgId, List<LoggedCommit> logged, long rowBytes, CountChanges counts) {
    long bytes = rowBytes;
    for (var one : logged) {
      bytes += StoredBytes.ROW + utf8Length(one.commit().message());
    }
    storedBytes.requireRoom(orgId, bytes);
    boolean areAllowed = content.insertCommits(logged, bytes, counts);
    storedBytes.addAfterCommit(orgId, bytes);
    return areAllowed;
  }

  private static void count(CommitPlan plan, CountChanges counts) {
    for (var entity : plan.touched) {
      if (entity.isNew()) {
        counts.added(entity.shapeId(), entity.kind, entity.active);
      } else if (entity.active != entity.storedActive) {
        counts.activated(entity.shapeId(), entity.kind, entity.active);
      }
    }
  }

  /** A row to be written, by the commit that it belongs to. */
  private record Row<T>(long seq, Numbering numbering, T row) {}

  private static <T> List<Row<T>> rows(List<Part> parts, Function<CommitPlan, Collection<T>> of) {
    return parts.stream()
        .flatMap(
            one ->
                of.apply(one.plan()).stream()
                    .map(row -> new Row<>(one.stamp().seq(), one.plan().numbering, row)))
        .toList();
  }

  private void writeVersions(Growth growth, List<Part> parts) {
    var commits = parts.stream().map(Part::stamp).toList();
    var repoId = commits.getFirst().repoId();
    var versions = rows(parts, plan -> plan.versions);
    var touched = rows(parts, plan -> plan.touched);
    var texts = new StoredTexts(versions.stream().map(Row::row).toList());
    var added = touched.stream().filter(entity -> entity.row().isNew()).toList();
    var revised = touched.stream().filter(entity -> !entity.row().isNew()).toList();
    var firstOp = new HashMap<EntityState, Integer>();
    versions.forEach(v -> firstOp.putIfAbsent(v.row().entity(), v.row().opIndex()));
    StoredTexts.inParts(
        added,
        entity -> texts.last(entity.row()),
        (entity, data) ->
            entity
                .row()
                .added(entity.seq(), data, entity.numbering().of(firstOp.get(entity.row()))),
        rows -> content.insertEntities(growth, commits, rows),
        growth::send);
    StoredTexts.inParts(
        versions,
        version -> texts.of(version.row()),
        (version, data) ->
            version.row().row(version.seq(), version.numbering().of(version.row().opIndex()), data),
        rows -> content.insertVersions(growth, repoId, rows),
        growth::send);
    if (!revised.isEmpty()) {
      references.markOutdated(
          growth, repoId, revised.stream().map(entity -> entity.row().storedEdges()).toList());
      StoredTexts.inParts(
          revised,
          entity -> texts.last(entity.row()),
          (entity, data) -> entity.row().revision(entity.seq(), data),
          rows -> content.revise(growth, commits, rows),
          growth::send);
      references.copy(
          growth,
          repoId,
          versions.stream()
              .map(Row::row)
              .filter(v -> v.data() == null)
              .map(VersionRow::copy)
              .toList());
    }
    references.insert(growth, repoId, versions.stream().flatMap(v -> v.row().edges(repoId)));
  }

  private static int utf8Length(String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
