package dev.cairn.commit;

import dev.cairn.commit.PendingCommit.Outcome;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The commits of one transaction: the one whose turn it is, and those that it takes along. Their
 * outcomes count once the transaction is committed.
 */
final class CommitGroup {
  private final List<PendingCommit> members = new ArrayList<>();
  private final Map<PendingCommit, Outcome> outcomes = new HashMap<>();
  private State state = State.RUNNING;

  private enum State {
    RUNNING,
    /** If the transaction fails now, nobody knows whether it was committed. */
    COMMITTING,
    COMMITTED
  }

  CommitGroup(PendingCommit leader) {
    members.add(leader);
  }

  PendingCommit leader() {
    return members.getFirst();
  }

  List<PendingCommit> followers() {
    return members.subList(1, members.size());
  }

  boolean isAlone() {
    return members.size() == 1;
  }

  void add(List<PendingCommit> followers) {
    members.addAll(followers);
  }

  /** Gives the room back that the commits took for what they read. */
  void releaseRooms() {
    members.forEach(member -> member.room().release());
  }

  /** The transaction begins, maybe once more. */
  void reset() {
    releaseRooms();
    outcomes.clear();
    state = State.RUNNING;
  }

  /** The transaction has done its work, and is about to be committed. */
  void committing() {
    state = State.COMMITTING;
  }

  void committed() {
    state = State.COMMITTED;
  }

  boolean isCommitting() {
    return state == State.COMMITTING;
  }

  boolean isCommitted() {
    return state == State.COMMITTED;
  }

  /** All that have an outcome end with this failure instead. */
  void fail(RuntimeException failure) {
    outcomes.replaceAll((_, _) -> Outcome.of(failure));
  }

  boolean isUndecided(PendingCommit commit) {
    return !outcomes.containsKey(commit);
  }

  /** The undecided commits; of several with the same idempotency key, the first. */
  List<PendingCommit> undecided() {
    var taken = new HashSet<String>();
    return members.stream()
        .filter(this::isUndecided)
        .filter(c -> c.key().map(key -> taken.add(c.accountId() + " " + key)).orElse(true))
        .toList();
  }

  void answer(PendingCommit commit, CommitAnswer answer) {
    outcomes.put(commit, Outcome.of(answer));
  }

  /**
   * Does some work for a commit. A problem ends only that commit; any other exception ends the
   * transaction.
   *
   * @return the result; empty if there is a problem
   */
  <T> Optional<T> attempt(PendingCommit commit, Supplier<T> work) {
    try {
      return Optional.of(work.get());
    } catch (Problem e) {
      outcomes.put(commit, Outcome.of(e));
      return Optional.empty();
    }
  }

  Outcome outcome(PendingCommit commit) {
    return outcomes.get(commit);
  }

  /**
   * Ends the followers that are decided, if the transaction is; if it was rolled back, all of them
   * are to be written alone.
   *
   * @return those that have to wait again
   */
  List<PendingCommit> releaseFollowers() {
    if (state == State.RUNNING) {
      followers().forEach(PendingCommit::goAlone);
      return followers();
    }
    var waiting = new ArrayList<PendingCommit>();
    for (var follower : followers()) {
      if (isUndecided(follower)) {
        waiting.add(follower);
      } else {
        follower.end(outcome(follower));
      }
    }
    return waiting;
  }
}
