package dev.cairn.commit;

import dev.cairn.access.Caller;
import dev.cairn.commit.CommitListener.Reaction;
import dev.cairn.content.Commit;
import dev.cairn.content.CommitHash;
import dev.cairn.content.Head;
import dev.cairn.content.write.ContentWriter.LoggedCommit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A commit that is going to be written.
 *
 * @param answer its answer, once it is written
 * @param reactions of the listeners, once it is written
 */
record PlannedCommit(
    PendingCommit pending,
    CommitPlan plan,
    Commit commit,
    CommitAnswer answer,
    List<Reaction> reactions) {

  /**
   * The commit that follows a head.
   *
   * @throws dev.cairn.model.Problem {@code PAYLOAD_TOO_LARGE} if the answer would be too long
   */
  static PlannedCommit of(
      PendingCommit pending, CommitPlan plan, Head head, List<Reaction> reactions) {
    var commit = commit(pending, plan, head);
    var answer = pending.answer(plan, commit);
    return new PlannedCommit(pending, plan, commit, answer, reactions);
  }

  private static Commit commit(PendingCommit pending, CommitPlan plan, Head head) {
    var access = pending.access();
    var request = pending.request();
    var now = head.timeOfNext();
    long seq = head.seq() + 1;
    var author = author(request, access.caller());
    var hash = new CommitHash(head.hash(), access.repoId(), seq, author, request.message(), now);
    addTo(hash, plan);
    var value = hash.value();
    return new Commit(
        access.repoId(),
        seq,
        CommitHash.commitId(value),
        value,
        head.hash(),
        author,
        access.caller().accountIdOrNull(),
        request.message(),
        now);
  }

  /** Adds the operations of a plan to the hash of its commit. */
  static void addTo(CommitHash hash, CommitPlan plan) {
    operations(plan).forEach(operation -> operation.addTo(hash));
  }

  /** The author of a commit. */
  static String author(CommitRequest request, Caller caller) {
    return request.author() == null ? name(caller) : request.author();
  }

  private static String name(Caller caller) {
    return switch (caller) {
      case Caller.SignedIn account -> account.displayName();
      case Caller.Anonymous _ ->
          throw new IllegalStateException("an anonymous caller cannot write");
    };
  }

  /**
   * An operation in the form that is hashed.
   *
   * @param row null for a rename
   */
  private record HashedOperation(int opIndex, EntityState entity, VersionRow row) {

    void addTo(CommitHash hash) {
      if (row == null) {
        hash.rename(entity.kind.wire(), entity.local());
        return;
      }
      var about = entity.about;
      hash.version(
          row.operation(),
          entity.kind.wire(),
          entity.local(),
          row.version(),
          row.active(),
          about == null ? "" : CommitHash.about(about.repoId(), about.id(), about.version()),
          row.dataHash());
    }
  }

  private static List<HashedOperation> operations(CommitPlan plan) {
    var operations = new ArrayList<HashedOperation>();
    for (var row : plan.versions) {
      operations.add(new HashedOperation(row.opIndex(), row.entity(), row));
    }
    for (var rename : plan.renames) {
      operations.add(new HashedOperation(rename.opIndex(), rename.entity(), null));
    }
    operations.sort(
        Comparator.comparingInt(HashedOperation::opIndex).thenComparing(o -> o.entity().id));
    return operations;
  }

  /** The head as this commit leaves it. */
  Head headAfter(Head before) {
    return new Head(
        commit.seq(), plan.nextEntityId, commit.hash(), before.watchers(), commit.createdAt());
  }

  /** The commit as it is logged. */
  LoggedCommit logged() {
    return LoggedCommit.of(commit, pending.access(), plan.results.size(), plan.nextEntityId);
  }
}
