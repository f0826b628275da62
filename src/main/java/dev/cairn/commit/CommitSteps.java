package dev.cairn.commit;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Archived;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.CommitListener.Reaction;
import dev.cairn.commit.CommitListener.Reactions;
import dev.cairn.content.Head;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.write.ContentWriter.LoggedCommit;
import dev.cairn.content.write.CountChanges;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/**
 * The steps of a transaction that writes commits of one repository, in their order: whether it
 * writes one commit, several ({@link CommitGroups}), or one in parts ({@link StagedCommits}).
 */
@ApplicationScoped
class CommitSteps {
  private final Database database;
  private final RepositoryHeads heads;
  private final CommitLoader loader;
  private final CommitPlanning planning;
  private final CommitWriter writer;
  private final List<CommitListener> listeners;
  private final List<CommitObserver> observers;
  private final StoredBytes storedBytes;
  private final RenameBudget renameBudget;
  private final Recheck recheck;
  private final NameHints hints;

  /**
   * The head of a repository, which is locked, and a batch that is being loaded.
   *
   * @param loading to be passed to {@link #load}
   */
  record Locked(Head head, LoadingCommit loading) {}

  /** The listeners of one transaction. */
  record Listening(List<Reactions> all) {
    /** What they do for a commit. */
    List<Reaction> begin(RepositoryAccess access, Head head) {
      return all.stream().flatMap(one -> one.begin(access, head.watchers()).stream()).toList();
    }
  }

  CommitSteps(
      Database database,
      RepositoryHeads heads,
      CommitLoader loader,
      CommitPlanning planning,
      CommitWriter writer,
      @All List<CommitListener> listeners,
      @All List<CommitObserver> observers,
      StoredBytes storedBytes,
      RenameBudget renameBudget,
      Recheck recheck,
      NameHints hints) {
    this.database = database;
    this.heads = heads;
    this.loader = loader;
    this.planning = planning;
    this.writer = writer;
    this.listeners = listeners;
    this.observers = observers;
    this.storedBytes = storedBytes;
    this.renameBudget = renameBudget;
    this.recheck = recheck;
    this.hints = hints;
  }

  /** Locks the head of the repository, and begins to load a batch in the same round trip. */
  Locked lock(PendingCommit batch) {
    var lookUp = new StatementBatch();
    var loading = loader.begin(batch, lookUp);
    var head = heads.lockForCommit(batch.repoId(), lookUp);
    return new Locked(head, loading);
  }

  /** Loads a batch when the head is locked already. */
  LoadingCommit load(PendingCommit batch) {
    var lookUp = new StatementBatch();
    var loading = loader.begin(batch, lookUp);
    database.send(lookUp);
    return load(loading, List.of()).getFirst();
  }

  /** As {@link CommitLoader#load}. */
  List<LoadingCommit> load(LoadingCommit leader, List<PendingCommit> followers) {
    return loader.load(leader, followers);
  }

  /** As {@link CommitPlanning#plan}, without an end before its own. */
  CommitPlan plan(LoadingCommit loaded, long nextEntityId) {
    return plan(loaded, nextEntityId, () -> {});
  }

  /** As {@link CommitPlanning#plan}. */
  CommitPlan plan(LoadingCommit loaded, long nextEntityId, Runnable beforeEach) {
    return planning.plan(loaded, nextEntityId, beforeEach);
  }

  /** As {@link NameHints#explain}. */
  void explain(CommitPlan plan, RepositoryAccess access) {
    hints.explain(plan, access);
  }

  /**
   * Checks the rights of the caller again before an answer that reveals the state of the repository
   * and writes nothing.
   *
   * @return whether the repository is archived by now
   * @throws Problem what a new request would get
   */
  boolean recheck(RepositoryAccess access) {
    return recheck.stillGranted(access, REPO_WRITE).isArchived();
  }

  /**
   * Checks, once the head is locked, what {@link #log} does not check in its own statement: whether
   * the caller's token has expired; or everything, as {@link #recheck}, if nothing will be logged.
   *
   * @return whether the repository is archived, as far as it is known
   * @throws Problem what a new request would get
   */
  boolean recheckBeforeLog(RepositoryAccess access, boolean writesNothing) {
    if (writesNothing) {
      return recheck(access);
    }
    Recheck.requireUnexpired(access.account());
    return access.isArchived();
  }

  /** Begins to listen, once in a transaction. */
  Listening listen() {
    return new Listening(listeners.stream().map(CommitListener::begin).toList());
  }

  /** As {@link StoredBytes#requireRoom}. */
  void requireRoom(UUID orgId, long bytes) {
    storedBytes.requireRoom(orgId, bytes);
  }

  /**
   * Writes all rows of plans but those of the log, and takes what their renames rewrite from the
   * budget.
   *
   * @param parts of the same repository, as {@link CommitWriter#writeRows}
   * @return by how many bytes they increase what is stored
   */
  long writeRows(RepositoryAccess access, List<CommitWriter.Part> parts, CountChanges counts) {
    for (var part : parts) {
      renameBudget.take(access, part.plan().storedRenames());
    }
    return writer.writeRows(access.orgId(), parts, counts);
  }

  /** As {@link CommitWriter#log}. */
  boolean log(UUID orgId, List<LoggedCommit> logged, long rowBytes, CountChanges counts) {
    return writer.log(orgId, logged, rowBytes, counts);
  }

  /** The refusal of a commit whose log was not allowed. */
  Problem refusal(RepositoryAccess access) {
    recheck.requireStill(access, REPO_WRITE);
    return Archived.repository();
  }

  /** Ends what the listeners do, and tells the observers when the transaction is committed. */
  void finish(Listening listening, UUID repoId, long newest) {
    listening.all().forEach(Reactions::finish);
    database.afterCommit(() -> observers.forEach(one -> one.committed(repoId, newest)));
  }
}
