package dev.cairn.content.verification;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.content.CommitHash;
import dev.cairn.content.CommitOperations;
import dev.cairn.content.FormerNames;
import dev.cairn.content.Head;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.EntityKind;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.WaitingRequests;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Recomputes the hash chain of a repository from the stored rows, and so finds any commit or
 * version that was altered, lost or inserted without the service.
 */
@ApplicationScoped
public class HistoryVerification {
  /** Rows that are fetched at a time. */
  private static final int FETCH_ROWS = 50;

  /** A longer payload is read by a query of its own, since it may have 4 MiB. */
  private static final int MAX_BYTES_IN_ROW = 64 * 1024;

  /** Maximum duration; a million versions take about a minute. */
  private static final Duration TIME_LIMIT = Duration.ofMinutes(10);

  /** All commits with their operations, with the names after each commit. */
  private static final String HISTORY =
      """
      select c.seq, c.hash, c.parent_hash, c.author, c.message, c.created_at,
             o.operation, coalesce(e.kind, '') as kind,
             coalesce(%s || '/' || %s, '') as name,
             o.version, o.active, e.about_repo_id, e.about_id, e.about_version, o.data_hash,
             case when octet_length(o.data) <= ? then o.data end as data, o.entity_id,
             o.op_index
      from commit_log c
      left join lateral (%s) o on true
      left join entity e on e.repo_id = c.repo_id and e.id = o.entity_id
      where c.repo_id = ?
      order by c.seq, o.op_index, o.entity_id
      """
          .formatted(
              FormerNames.ofShape("e", "later.seq > c.seq"),
              FormerNames.ofEntity("e", "later.seq > c.seq"),
              CommitOperations.of("c.repo_id", "c.seq"));

  private final Database database;
  private final RepositoryHeads heads;
  private final StoredBytes storedBytes;
  private final ReadBounds bounds;
  private final WaitingRequests requests;

  /**
   * The result of a verification.
   *
   * @param commits how many commits were checked
   * @param hash the hash of the newest commit, hexadecimal
   * @param brokenAt the sequence number of the first commit that does not match; null if all match
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Verification(boolean verified, long commits, String hash, Long brokenAt) {}

  HistoryVerification(
      Database database,
      RepositoryHeads heads,
      StoredBytes storedBytes,
      ReadBounds bounds,
      WaitingRequests requests) {
    this.database = database;
    this.heads = heads;
    this.storedBytes = storedBytes;
    this.bounds = bounds;
    this.requests = requests;
  }

  /**
   * Checks the whole history in one snapshot, in memory that does not grow with it.
   *
   * @throws ClientGoneException at the next row, if the client has closed its connection
   */
  public Verification verify(RepositoryAccess access) {
    return bounds.verifying(
        access,
        () -> storedBytes.ofRepository(access.repoId()),
        () -> database.inReadOnlySnapshot(TIME_LIMIT, () -> new Run(access.repoId()).verify()));
  }

  private final class Run {
    private final UUID repoId;
    private final PayloadVerification payloads;
    private CommitHash hash;
    private byte[] stored = Head.noHash();
    private long seq;
    private Long brokenAt;

    Run(UUID repoId) {
      this.repoId = repoId;
      this.payloads = new PayloadVerification(database, repoId);
    }

    Verification verify() {
      database.each(
          HISTORY,
          FETCH_ROWS,
          row -> {
            requests.requireClient();
            if (row.getLong("seq") != seq) {
              end();
              begin(row);
            }
            operation(row);
            return brokenAt == null;
          },
          MAX_BYTES_IN_ROW,
          repoId);
      end();
      broken(payloads.brokenAt());
      checkHead();
      requests.requireClient();
      broken(StateVerification.brokenAt(database, repoId).orElse(null));
      return new Verification(brokenAt == null, seq, HexFormat.of().formatHex(stored), brokenAt);
    }

    private void begin(ResultSet row) throws SQLException {
      long next = row.getLong("seq");
      if (next != seq + 1 || !Arrays.equals(stored, row.getBytes("parent_hash"))) {
        broken(next);
      }
      seq = next;
      stored = row.getBytes("hash");
      hash =
          new CommitHash(
              row.getBytes("parent_hash"),
              repoId,
              seq,
              row.getString("author"),
              row.getString("message"),
              Rows.instant(row, "created_at"));
    }

    private void operation(ResultSet row) throws SQLException {
      var operation = row.getString("operation");
      if (operation == null) {
        return;
      }
      if (operation.equals("rename")) {
        hash.rename(row.getString("kind"), row.getString("name"));
        return;
      }
      payloads.check(
          new PayloadVerification.Version(
              row.getLong("entity_id"),
              row.getInt("version"),
              seq,
              row.getInt("op_index"),
              row.getString("kind").equals(EntityKind.SHAPE.wire()),
              data(row),
              row.getBytes("data_hash")));
      hash.version(row);
    }

    private String data(ResultSet row) throws SQLException {
      var data = row.getString("data");
      return data != null ? data : data(row.getLong("entity_id"), row.getInt("version"));
    }

    private String data(long entityId, int version) {
      return database
          .first(
              "select data from entity_version where repo_id = ? and entity_id = ? and version = ?",
              row -> row.getString(1),
              repoId,
              entityId,
              version)
          .orElseThrow();
    }

    private void end() {
      if (hash != null && brokenAt == null && !Arrays.equals(hash.value(), stored)) {
        broken(seq);
      }
    }

    /** Keeps the lowest sequence number; null is ignored. */
    private void broken(Long at) {
      if (at != null && (brokenAt == null || at < brokenAt)) {
        brokenAt = at;
      }
    }

    /** The head must name the last commit: this finds a log whose end was cut off. */
    private void checkHead() {
      var head = heads.find(repoId);
      if (head.seq() != seq || !Arrays.equals(head.hash(), stored)) {
        broken(seq + 1);
      }
    }
  }
}
