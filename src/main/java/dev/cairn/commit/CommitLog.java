package dev.cairn.commit;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.CommitId;
import dev.cairn.content.Moments;
import dev.cairn.content.read.StoredCommits;
import dev.cairn.content.read.StoredCommits.StoredCommit;
import dev.cairn.content.read.StoredCommits.StoredOperation;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Paged;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the commits of a repository. */
@ApplicationScoped
public class CommitLog {
  private final Database database;
  private final StoredCommits commits;
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

    static CommitView of(StoredCommit commit) {
      return new CommitView(
          commit.commitId(),
          commit.seq(),
          commit.author(),
          commit.message(),
          commit.createdAt(),
          commit.operationCount(),
          HexFormat.of().formatHex(commit.hash()),
          HexFormat.of().formatHex(commit.parentHash()),
          null,
          null);
    }

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
      String formerName) {

    static CommitOperation of(StoredOperation operation) {
      var hash = operation.dataHash();
      return new CommitOperation(
          operation.opIndex(),
          operation.operation(),
          operation.kind(),
          operation.wref(),
          operation.version(),
          operation.active(),
          hash == null ? null : HexFormat.of().formatHex(hash),
          operation.formerName());
    }
  }

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

  CommitLog(Database database, StoredCommits commits, ReadBounds bounds, Cursors cursors) {
    this.database = database;
    this.commits = commits;
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
    var statement = StoredCommits.page(access.repoId(), before, listing.limit());
    return new Pager(cursors, list, listing.limit())
        .read(
            database,
            statement.sql(),
            row -> CommitView.of(StoredCommit.read(row)),
            commit -> List.of(commit.repoSeq()),
            statement.parameters());
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
        commits
            .find(access.repoId(), commitId)
            .map(CommitView::of)
            .orElseThrow(() -> Moments.missing(commitId));
    return commit.with(operations(access, commit, limit, cursor));
  }

  private Page<CommitOperation> operations(
      RepositoryAccess access, CommitView commit, int limit, Optional<String> cursor) {
    var list = "commit " + access.repoId() + " " + commit.repoSeq();
    var after = cursor.map(c -> cursors.read(list, c, OperationKey::of)).orElse(OperationKey.FIRST);
    var operations =
        commits.operations(
            access.repoId(), commit.repoSeq(), after.opIndex(), after.entityId(), limit + 1);
    var page =
        Page.of(operations, limit, last -> cursors.of(list, last.opIndex(), last.entityId()));
    return new Page<>(page.items().stream().map(CommitOperation::of).toList(), page.nextCursor());
  }
}
