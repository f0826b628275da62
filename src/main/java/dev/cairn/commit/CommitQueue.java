package dev.cairn.commit;

import dev.cairn.commit.PendingCommit.Outcome;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The commits of each repository that wait in this replica, in the order in which they came. Two of
 * a repository lead: one that is being written, and one that waits for the repository's lock and
 * then takes those along that wait here. See {@code docs/commits.md}, Commits that go together.
 */
final class CommitQueue {
  private static final int MAX_LEADERS = 2;

  /** Maximum number of commits that one takes along. */
  static final int MAX_FOLLOWERS = 63;

  /** Only those that have a commit under way. */
  private final Map<UUID, Repository> repositories = new HashMap<>();

  private int waiting;

  private static final class Repository {
    final ArrayDeque<PendingCommit> queue = new ArrayDeque<>();
    int leaders;
  }

  /**
   * Waits until another commit has taken this one along, or it is its turn to lead.
   *
   * @param wait for how long to wait for the turn
   * @param beforeWaiting runs unless it is the commit's turn at once
   * @param lead writes the commit, and those that it takes along
   * @param busy what is thrown if the turn does not come in time
   */
  CommitAnswer call(
      PendingCommit commit,
      Duration wait,
      Runnable beforeWaiting,
      Supplier<CommitAnswer> lead,
      Supplier<Problem> busy) {
    if (!tryLead(commit.repoId())) {
      beforeWaiting.run();
      var outcome = await(commit, wait, busy);
      if (outcome.isPresent()) {
        return outcome.get().get();
      }
    }
    try {
      return lead.get();
    } finally {
      leave(commit.repoId());
    }
  }

  /** Lets a commit lead at once, if fewer than two of its repository do. */
  private synchronized boolean tryLead(UUID repoId) {
    var repository = repositories.computeIfAbsent(repoId, _ -> new Repository());
    if (repository.leaders == MAX_LEADERS) {
      return false;
    }
    repository.leaders++;
    return true;
  }

  /** Waits in the queue. Empty if the commit leads. */
  private Optional<Outcome> await(PendingCommit commit, Duration wait, Supplier<Problem> busy) {
    enter(commit);
    try {
      return commit.await(wait);
    } catch (TimeoutException _) {
      // It may be withdrawn.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    if (withdraw(commit)) {
      throw busy.get();
    }
    // Another one is writing it, or it is its turn at this moment: neither may be given up.
    return commit.awaitUninterruptibly();
  }

  private synchronized void enter(PendingCommit commit) {
    commit.beginToWait();
    if (tryLead(commit.repoId())) {
      commit.lead();
    } else {
      repositories.get(commit.repoId()).queue.add(commit);
      waiting++;
    }
  }

  private synchronized boolean withdraw(PendingCommit commit) {
    var repository = repositories.get(commit.repoId());
    boolean waited = repository != null && repository.queue.remove(commit);
    waiting -= waited ? 1 : 0;
    return waited;
  }

  private synchronized void leave(UUID repoId) {
    var repository = repositories.get(repoId);
    var next = repository.queue.poll();
    if (next != null) {
      waiting--;
      next.lead();
      return;
    }
    repository.leaders--;
    if (repository.leaders == 0) {
      repositories.remove(repoId);
    }
  }

  /**
   * Takes along the commits that wait at the front and may go together with others. Each of them
   * has to be put back or ended. To be called by a leader of the repository.
   */
  synchronized List<PendingCommit> take(UUID repoId) {
    var queue = repositories.get(repoId).queue;
    var taken = new ArrayList<PendingCommit>();
    while (taken.size() < MAX_FOLLOWERS && !queue.isEmpty() && queue.peek().mayJoin()) {
      taken.add(queue.poll());
    }
    waiting -= taken.size();
    return taken;
  }

  /** Puts commits that were taken along back to the front, in their order. */
  synchronized void putBack(UUID repoId, List<PendingCommit> commits) {
    var queue = repositories.get(repoId).queue;
    commits.reversed().forEach(queue::addFirst);
    waiting += commits.size();
  }

  /** How many commits wait here. */
  synchronized int waiting() {
    return waiting;
  }

  /** How many repositories have a commit under way. */
  synchronized int repositories() {
    return repositories.size();
  }
}
