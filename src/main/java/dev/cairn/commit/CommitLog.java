package dev.cairn.commit;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.CommitId;
import dev.cairn.content.CommitOperations;
import dev.cairn.content.Moments;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Paged;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the commits of a repository. */
@ApplicationScoped
public class CommitLog {

  private static final String COLUMNS =
      "commit_id, seq, author, %s as message, created_at, operation_count, hash, parent_hash";

  /**
   * The size of a commit in a list, in bytes; 512 are for its hashes, times and JSON member names.
   */
  private static final String SIZE =
      Pager.jsonBytes("message") + " + " + Pager.jsonBytes("author") + " + 512";

  private static final String PAGE =
      "select "
          + COLUMNS.formatted(Pager.fitting("message", SIZE))
          + ", "
          + Pager.fits(SIZE)
          + " from commit_log where repo_id = ? and seq < ?"
          + Pager.inOrder("seq desc")
          + " limit ?";

  private static final String ONE =
      "select "
          + COLUMNS.formatted("message")
          + " from commit_log where repo_id = ? and commit_id = ?";

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /**
   * A commit as callers see it.
   *
   * @param hash the full hash, hexadecimal; it covers {@code parentHash}, the hash of the previous
   *     commit
   * @param operations its operations, in the order of their index; null in lists
   * @param nextCursor the cursor of the next page of operations; null on the last page
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CommitView(
      String commitId,
      long repoSeq,
      String author,
      String message,
      Instant createdAt,
      int operationCount,
      String hash,
      String parentHash,
      List<CommitOperation> operations,
      String nextCursor)
      implements Paged {

    CommitView with(Page<CommitOperation> page) {
      return new CommitView(
          commitId,
          repoSeq,
          author,
          message,
          createdAt,
          operationCount,
          hash,
          parentHash,
          page.items(),
          page.nextCursor());
    }
  }

  /**
   * One change that a commit made.
   *
   * @param wref the entity by its current name
   * @param version the version that was made; null for a rename
   * @param active the entity's state after the change; null for a rename
   * @param formerName the name before a rename; null for anything else
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CommitOperation(
      int opIndex,
      String operation,
      String kind,
      String wref,
      Integer version,
      Boolean active,
      String dataHash,
      String formerName) {}

  /**
   * Which commits are listed.
   *
   * @param since only those made after this time
   */
  public record Listing(Optional<Instant> since, int limit, Optional<String> cursor) {
    /** The names of the parameters. */
    public static final Set<String> PARAMETERS = Set.of("since", LIMIT, CURSOR);

    /**
     * The listing of parameters.
     *
     * @param parameters of {@link #PARAMETERS}
     */
    public static Listing of(QueryParameters parameters) {
      return new Listing(parameters.time("since"), Page.limit(parameters), parameters.text(CURSOR));
    }
  }

  /** The position of an operation; the next page begins after it. */
  private record OperationKey(int opIndex, long entityId) {
    static final OperationKey FIRST = new OperationKey(-1, 0);

    static OperationKey of(List<String> keys) {
      return new OperationKey(Integer.parseInt(keys.get(0)), Long.parseLong(keys.get(1)));
    }
  }

  private record OperationRow(long entityId, CommitOperation operation) {}

  CommitLog(Database database, ReadBounds bounds, Cursors cursors) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
  }

  /** The commits, newest first. */
  public Page<CommitView> list(RepositoryAccess access, Listing listing) {
    return bounds.within(
        access,
        () -> {
          var page = page(access, listing);
          return listing
              .since()
              .map(time -> after(time, page))
              .orElse(page)
              .withRepoSeq(access.seq(), listing.cursor());
        });
  }

  private Page<CommitView> page(RepositoryAccess access, Listing listing) {
    var list = "commits %s %s".formatted(access.repoId(), listing.since());
    long before =
        listing
            .cursor()
            .map(c -> cursors.read(list, c, keys -> Long.parseLong(keys.getFirst())))
            .orElse(Long.MAX_VALUE);
    return new Pager(cursors, list, listing.limit())
        .read(
            database,
            PAGE,
            CommitLog::view,
            commit -> List.of(commit.repoSeq()),
            PageBytes.max(),
            PageBytes.max(),
            access.repoId(),
            before,
            listing.limit() + 1);
  }

  /**
   * The commits of a page that were made after a time. Since times never run backwards along the
   * commits, all others on this page and on later ones are older.
   */
  private static Page<CommitView> after(Instant time, Page<CommitView> page) {
    var newer =
        page.items().stream().takeWhile(commit -> commit.createdAt().isAfter(time)).toList();
    return newer.size() == page.items().size() ? page : new Page<>(newer, null);
  }

  /** One commit with a page of its operations. */
  public CommitView get(
      RepositoryAccess access, String commitId, int limit, Optional<String> cursor) {
    return bounds.within(access, () -> commit(access, commitId, limit, cursor));
  }

  private CommitView commit(
      RepositoryAccess access, String commitId, int limit, Optional<String> cursor) {
    CommitId.require(commitId);
    var commit =
        database
            .first(ONE, CommitLog::view, access.repoId(), commitId)
            .orElseThrow(() -> Moments.missing(commitId));
    return commit.with(operations(access, commit, limit, cursor));
  }

  private Page<CommitOperation> operations(
      RepositoryAccess access, CommitView commit, int limit, Optional<String> cursor) {
    var list = "commit " + access.repoId() + " " + commit.repoSeq();
    var after = cursor.map(c -> cursors.read(list, c, OperationKey::of)).orElse(OperationKey.FIRST);
    var rows =
        database.list(
            """
            select o.op_index, o.operation, e.kind, e.shape_name || '/' || e.name as wref,
                   o.version, o.active, o.data_hash, o.former_name, o.entity_id
            from (%s) o
            join entity e on e.repo_id = ? and e.id = o.entity_id
            where (o.op_index, o.entity_id) > (?, ?)
            order by o.op_index, o.entity_id limit ?
            """
                .formatted(CommitOperations.of("?", "?")),
            CommitLog::operation,
            access.repoId(),
            commit.repoSeq(),
            access.repoId(),
            commit.repoSeq(),
            access.repoId(),
            after.opIndex(),
            after.entityId(),
            limit + 1);
    var page =
        Page.of(rows, limit, last -> cursors.of(list, last.operation().opIndex(), last.entityId()));
    return new Page<>(
        page.items().stream().map(OperationRow::operation).toList(), page.nextCursor());
  }

  private static OperationRow operation(ResultSet row) throws SQLException {
    var hash = row.getBytes("data_hash");
    return new OperationRow(
        row.getLong("entity_id"),
        new CommitOperation(
            row.getInt("op_index"),
            row.getString("operation"),
            row.getString("kind"),
            row.getString("wref"),
            row.getObject("version", Integer.class),
            row.getObject("active", Boolean.class),
            hash == null ? null : HexFormat.of().formatHex(hash),
            row.getString("former_name")));
  }

  private static CommitView view(ResultSet row) throws SQLException {
    return new CommitView(
        row.getString("commit_id"),
        row.getLong("seq"),
        row.getString("author"),
        row.getString("message"),
        Rows.instant(row, "created_at"),
        row.getInt("operation_count"),
        HexFormat.of().formatHex(row.getBytes("hash")),
        HexFormat.of().formatHex(row.getBytes("parent_hash")),
        null,
        null);
  }
}
