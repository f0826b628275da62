package dev.cairn;

import dev.cairn.platform.database.OwnConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Requests that come to wait for a lock, while something else is done. */
public final class HeldLock {
  /** The lock of the head of a repository, whose id is the parameter: commits wait for it. */
  public static final String HEAD = "select from repository_head where repo_id = ? for update";

  /** The lock that the service takes for a name, which is the parameter. */
  public static final String NAME = "select pg_advisory_xact_lock(hashtextextended(?, 0))";

  private HeldLock() {}

  /** What is done while a request waits. */
  @FunctionalInterface
  public interface Step {
    /** Does it, and returns once it is answered. */
    void take() throws Exception;
  }

  /**
   * The answer to a request that waits for a lock while something is done and answered.
   *
   * @param lock the statement that takes the lock
   */
  public static <T> T during(Supplier<T> request, Step meanwhile, String lock, Object... parameters)
      throws Exception {
    return answer(request, meanwhile, Connection::rollback, lock, parameters);
  }

  /**
   * The answer to a request that waits for a change which is in progress.
   *
   * @param change the statement that makes the change
   */
  public static <T> T afterChange(Supplier<T> request, String change, Object... parameters)
      throws Exception {
    return answer(request, () -> {}, Connection::commit, change, parameters);
  }

  private static <T> T answer(
      Supplier<T> request, Step meanwhile, End end, String statement, Object... parameters)
      throws Exception {
    try (var holder = OwnConnections.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, statement, parameters);
      var answer = CompletableFuture.supplyAsync(request, Threads.OWN);
      Waiting.awaitBlockedBy(holder);
      meanwhile.take();
      end.of(holder);
      return answer.get(30, TimeUnit.SECONDS);
    }
  }

  private interface End {
    void of(Connection holder) throws SQLException;
  }
}
