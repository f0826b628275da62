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
  private boolean isWritten;
  private boolean isCommitted;

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

  /** Begins the transaction, maybe again. */
  void begin() {
    outcomes.clear();
    isWritten = false;
  }

  /** Everything is written, and is going to be committed. */
  void written() {
    isWritten = true;
  }

  void committed() {
    isCommitted = true;
  }

  /** Whether everything was written: if the transaction fails then, its end is not known. */
  boolean isWritten() {
    return isWritten;
  }

  boolean isCommitted() {
    return isCommitted;
  }

  /** What was to be committed ends with a failure. */
  void failed(RuntimeException failure) {
    outcomes.replaceAll((_, _) -> Outcome.of(failure));
  }

  /** Whether a commit has no outcome yet. */
  boolean isOpen(PendingCommit commit) {
    return !outcomes.containsKey(commit);
  }

  /** The commits without an outcome; of several with the same idempotency key, the first. */
  List<PendingCommit> open() {
    var taken = new HashSet<String>();
    return members.stream()
        .filter(this::isOpen)
        .filter(c -> c.key().map(key -> taken.add(c.accountId() + " " + key)).orElse(true))
        .toList();
  }

  /**
   * Gives a commit the outcome of some work: its answer if there is one, or its problem. Any other
   * exception ends the transaction.
   */
  void settle(PendingCommit commit, Supplier<Optional<CommitAnswer>> work) {
    try {
      work.get().ifPresent(answer -> outcomes.put(commit, Outcome.of(answer)));
    } catch (Problem e) {
      outcomes.put(commit, Outcome.of(e));
    }
  }

  Outcome outcome(PendingCommit commit) {
    return outcomes.get(commit);
  }

  /**
   * Ends the commits that were taken along, if the transaction has ended. Otherwise each of them is
   * to be written alone.
   *
   * @return those that have to wait again
   */
  List<PendingCommit> dismiss() {
    boolean isDecided = isCommitted || isWritten;
    var again = new ArrayList<PendingCommit>();
    for (var follower : followers()) {
      if (isDecided && !isOpen(follower)) {
        follower.end(outcome(follower));
      } else {
        again.add(follower);
        if (!isDecided) {
          follower.goAlone();
        }
      }
    }
    return again;
  }
}
