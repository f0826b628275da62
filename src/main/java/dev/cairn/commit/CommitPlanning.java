package dev.cairn.commit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Plans batches whose entities are loaded, with the collections that only planning finds. */
@ApplicationScoped
class CommitPlanning {
  /** How often a commit is planned again because of collections that exist. */
  private static final int MAX_ROUNDS = 5;

  /** After so long, a commit that was planned twice is not planned again. */
  private static final long MAX_REPEATING_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** For how long the operations of one commit may be checked, in all rounds. */
  private static final long MAX_CHECKING_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final CommitLoader loader;

  CommitPlanning(CommitLoader loader) {
    this.loader = loader;
  }

  /**
   * Plans, and plans again if a collection that the plan would add turns out to exist: the members
   * of a collection are known only during planning. More than two rounds can only be needed for
   * collections within collections.
   *
   * @param nextEntityId the next entity id that is free
   * @param beforeEach called before each operation is planned; what it throws ends the planning
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it takes too long
   */
  CommitPlan plan(LoadingCommit first, long nextEntityId, Runnable beforeEach) {
    var commit = first.commit();
    var collectionKeys = new ArrayList<byte[]>();
    var tried = new HashSet<String>();
    var loaded = first;
    long begun = System.nanoTime();
    Runnable check =
        () -> {
          requireTime(begun);
          beforeEach.run();
        };
    for (int round = 0; isAllowed(round, begun); round++) {
      var admission =
          new Admission(commit.access(), commit.writesInstalls(), loaded.budget().matching());
      var planner =
          new CommitPlanner(
              loaded.known(),
              commit.home(),
              admission,
              new PatchedPayloads(commit.room()),
              loaded.budget().collected(),
              commit.request().numbering(),
              nextEntityId);
      var plan = planner.plan(commit.request().operations(), check);
      var unknown =
          plan.newCollectionKeys.stream()
              .filter(key -> tried.add(HexFormat.of().formatHex(key)))
              .toList();
      if (unknown.isEmpty() || !loader.anyCollection(commit.home(), unknown)) {
        return plan;
      }
      collectionKeys.addAll(unknown);
      loaded = loader.loadAgain(loaded, collectionKeys);
    }
    throw Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "In one commit, collections that exist may contain one another %d times, and twice if it takes long."
                .formatted(MAX_ROUNDS))
        .at("/operations")
        .hint("Add the inner collections in a commit before.");
  }

  /** For the sake of those who wait. */
  private static void requireTime(long begun) {
    if (System.nanoTime() - begun > MAX_CHECKING_NANOS) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "To check the operations of this commit takes more than 30 s.")
          .at("/operations")
          .hint("Send fewer operations at once.");
    }
  }

  private static boolean isAllowed(int round, long begun) {
    return round < 2 || (round < MAX_ROUNDS && System.nanoTime() - begun < MAX_REPEATING_NANOS);
  }
}
