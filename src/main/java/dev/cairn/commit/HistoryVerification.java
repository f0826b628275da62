package dev.cairn.commit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
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
                 o.version, o.active, e.about_repo_id, e.about_id, e.about_version, o.data_hash,
                 o.data, e.id
          from commit_log c
          left join lateral (
            select op_index, entity_id, operation, version, active, data_hash, data
            from entity_version v where v.repo_id = c.repo_id and v.valid_from = c.seq
            union all
            select op_index, entity_id, 'rename', null, null, null, null
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
      if (brokenAt == null && !payloadFits(row)) {
        brokenAt = seq;
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

    /**
     * The payload must have the hash that the chain vouches for. The hash saw references by the
     * names at the time, so a payload that refers to something renamed since cannot be compared.
     */
    private boolean payloadFits(ResultSet row) throws SQLException {
      var text = StoredJson.unversioned(row.getString(16));
      var canonical = CanonicalJson.of(IJson.read(text.getBytes(StandardCharsets.UTF_8)));
      return Arrays.equals(CanonicalJson.hash(canonical), row.getBytes(15))
          || refersToRenamed(row.getLong(17), row.getInt(10));
    }

    private boolean refersToRenamed(long entityId, int version) {
      return database
          .first(
              """
              select exists (
                select from reference r
                join entity t on t.repo_id = r.to_repo_id and t.id = r.to_id
                join entity_rename n
                  on n.repo_id = t.repo_id and n.entity_id in (t.id, t.shape_id)
                where r.repo_id = ? and r.from_id = ? and r.from_version = ?)
                or exists (
                  select from entity e
                  join entity_rename n on n.repo_id = e.repo_id
                  join entity s on s.repo_id = n.repo_id and s.id = n.entity_id
                  where e.repo_id = ? and e.id = ? and e.kind = 'shape' and s.kind = 'shape')
              """,
              found -> found.getBoolean(1),
              repoId,
              entityId,
              version,
              repoId,
              entityId)
          .orElseThrow();
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
      if (brokenAt == null) {
        brokenAt = newestVersionThatIsNotHead().orElse(null);
      }
    }

    /** HEAD is a copy of each entity's newest version, and must be an exact one. */
    private Optional<Long> newestVersionThatIsNotHead() {
      return database.first(
          """
          select v.valid_from
          from entity e
          join entity_version v on v.repo_id = e.repo_id and v.entity_id = e.id
            and v.version = e.version
          where e.repo_id = ?
            and (v.data <> e.data or v.data_hash <> e.data_hash or v.active <> e.active
                 or v.valid_to is not null)
          order by v.valid_from limit 1
          """,
          row -> row.getLong(1),
          repoId);
    }
  }
}
