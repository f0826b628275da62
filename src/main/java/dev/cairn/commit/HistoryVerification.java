package dev.cairn.commit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.platform.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/**
 * Computes the hash chain of a repository anew from what is stored, and so finds any commit or
 * version that was altered, lost or put in behind the service's back.
 */
@ApplicationScoped
public class HistoryVerification {
  private static final int FETCH = 2_000;

  private final Database database;

  /**
   * What was found.
   *
   * @param commits how many commits were checked
   * @param hash the hash of the newest commit, hexadecimal
   * @param brokenAt the sequence number of the first commit that does not fit; null where all do
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Verification(boolean verified, long commits, String hash, Long brokenAt) {}

  HistoryVerification(Database database) {
    this.database = database;
  }

  /** Checks the whole history in one snapshot, in memory that does not grow with it. */
  public Verification verify(RepositoryAccess access) {
    return database.transaction(
        () -> {
          // The whole history may take longer than one ordinary answer may.
          database.update("set local statement_timeout = 0");
          return new Run(access.repoId()).verify();
        });
  }

  private final class Run {
    private final UUID repoId;
    private CommitHash hash;
    private byte[] stored = new byte[32];
    private long seq;
    private Long brokenAt;

    Run(UUID repoId) {
      this.repoId = repoId;
    }

    Verification verify() {
      database.each(
          """
          select c.seq, c.hash, c.parent_hash, c.author, c.message, c.created_at,
                 o.operation, e.kind,
                 coalesce(
                   (select n.old_name from entity_rename n
                    where n.repo_id = c.repo_id and n.entity_id = e.shape_id and n.seq > c.seq
                    order by n.seq limit 1), e.shape_name)
                 || '/' ||
                 coalesce(
                   (select n.old_name from entity_rename n
                    where n.repo_id = c.repo_id and n.entity_id = e.id and n.seq > c.seq
                    order by n.seq limit 1), e.name),
                 o.version, o.active, e.about_repo_id, e.about_id, e.about_version, o.data_hash
          from commit_log c
          left join lateral (
            select op_index, entity_id, operation, version, active, data_hash
            from entity_version v where v.repo_id = c.repo_id and v.valid_from = c.seq
            union all
            select op_index, entity_id, 'rename', null, null, null
            from entity_rename n where n.repo_id = c.repo_id and n.seq = c.seq) o on true
          left join entity e on e.repo_id = c.repo_id and e.id = o.entity_id
          where c.repo_id = ?
          order by c.seq, o.op_index, o.entity_id
          """,
          FETCH,
          row -> {
            if (row.getLong(1) != seq) {
              end();
              begin(row);
            }
            operation(row);
            return brokenAt == null;
          },
          repoId);
      end();
      checkHead();
      return new Verification(brokenAt == null, seq, HexFormat.of().formatHex(stored), brokenAt);
    }

    private void begin(ResultSet row) throws SQLException {
      long next = row.getLong(1);
      if (brokenAt == null && (next != seq + 1 || !Arrays.equals(stored, row.getBytes(3)))) {
        brokenAt = next;
      }
      seq = next;
      stored = row.getBytes(2);
      hash =
          new CommitHash(
              row.getBytes(3),
              repoId,
              seq,
              row.getString(4),
              row.getString(5),
              row.getObject(6, OffsetDateTime.class).toInstant());
    }

    private void operation(ResultSet row) throws SQLException {
      var operation = row.getString(7);
      if (operation == null) {
        return;
      }
      if (operation.equals("rename")) {
        hash.rename(row.getString(8), row.getString(9));
        return;
      }
      var aboutRepo = row.getObject(12, UUID.class);
      hash.version(
          operation,
          row.getString(8),
          row.getString(9),
          row.getInt(10),
          row.getBoolean(11),
          aboutRepo == null ? "" : CommitHash.about(aboutRepo, row.getLong(13), row.getInt(14)),
          row.getBytes(15));
    }

    private void end() {
      if (hash != null && brokenAt == null && !Arrays.equals(hash.value(), stored)) {
        brokenAt = seq;
      }
    }

    /** The head must name the last commit: a log cut off at its end is found here. */
    private void checkHead() {
      boolean fits =
          database
              .first(
                  "select seq, hash from repository_head where repo_id = ?",
                  row -> row.getLong(1) == seq && Arrays.equals(row.getBytes(2), stored),
                  repoId)
              .orElse(false);
      if (!fits && brokenAt == null) {
        brokenAt = seq + 1;
      }
    }
  }
}
