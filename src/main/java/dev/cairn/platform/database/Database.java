package dev.cairn.platform.database;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.noop.NoopCounter;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Plain SQL for hot paths: statements with bound parameters. Joins the surrounding transaction if
 * there is one. Arrays as parameters ({@code long[]}, {@code String[]}, …) make a statement work on
 * a whole set.
 */
@ApplicationScoped
public class Database {
  private static final int MAX_ATTEMPTS = 4;
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final int GRACE_SECONDS = 10;
  private static final Object[] NO_PARAMETERS = {};

  /** The settings that {@link #inIndexOrder} sends before each statement. */
  public static final String IN_INDEX_ORDER =
      "select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);"
          + " ";

  /** The setting that {@link #withCustomPlan} sends before each statement. */
  public static final String CUSTOM_PLAN =
      "select set_config('plan_cache_mode', 'force_custom_plan', true); ";

  /** The settings that {@link #withGenericPlan} sends before each statement. */
  public static final String GENERIC_PLAN =
      "select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_sort', 'off', true);"
          + " ";

  private static final String TRY_LOCK = "select pg_try_advisory_lock(hashtextextended(?, 0))";
  private static final String UNLOCK = "select pg_advisory_unlock(hashtextextended(?, 0))";

  private static final List<String> WITHOUT_LIMITS =
      List.of(
          "set statement_timeout = 0",
          "set lock_timeout = 0",
          "set client_connection_check_interval = '5s'");

  private static final String WITH_LIMITS =
      "reset statement_timeout; reset lock_timeout; reset client_connection_check_interval";

  private final DataSource dataSource;
  private final TransactionSynchronizationRegistry registry;
  private final Counter statements;

  /** One statement that sets up the planner, sent before each statement; empty for none. */
  private final String planner;

  /** Reads the current row of a result; must not move the cursor. */
  @FunctionalInterface
  public interface RowMapper<T> {
    /** Converts the current row to a value. */
    T map(ResultSet row) throws SQLException;
  }

  /** Takes the current row of a result; false ends the reading. */
  @FunctionalInterface
  public interface RowConsumer {
    /** Takes one row; must not move the cursor. */
    boolean accept(ResultSet row) throws SQLException;
  }

  @Inject
  Database(
      DataSource dataSource, TransactionSynchronizationRegistry registry, MeterRegistry metrics) {
    this(
        dataSource,
        registry,
        Counter.builder("cairn.sql.statements")
            .description("SQL statements sent by the hot paths")
            .register(metrics),
        "");
  }

  private Database(
      DataSource dataSource,
      TransactionSynchronizationRegistry registry,
      Counter statements,
      String planner) {
    this.dataSource = dataSource;
    this.registry = registry;
    this.statements = statements;
    this.planner = planner;
  }

  /**
   * The same database, for statements that read in the order of an index: the planner does not sort
   * all rows instead, even if it estimates that there are few. Applies until the end of the
   * transaction.
   */
  public Database inIndexOrder() {
    return with(IN_INDEX_ORDER);
  }

  /**
   * The same database, whose statements are planned for their parameters and the present sizes of
   * tables, and never for a table that was empty. That costs up to a millisecond for each
   * statement; see {@code docs/decisions/0008-plans.md}. Applies until the end of the transaction.
   */
  public Database withCustomPlan() {
    return with(CUSTOM_PLAN);
  }

  /**
   * The same database, whose statements keep one generic plan, and read in the order of an index
   * rather than sort: for statements with only one good plan, whatever their parameters. Applies
   * until the end of the transaction, so its first statement sets it for all others. See {@code
   * docs/decisions/0008-plans.md}.
   */
  public Database withGenericPlan() {
    return with(GENERIC_PLAN);
  }

  /**
   * The same database, for statements of this service that no request waits for: they do not count
   * among those of the hot paths.
   */
  public Database inBackground() {
    return new Database(dataSource, registry, new NoopCounter(statements.getId()), planner);
  }

  private Database with(String setting) {
    return new Database(dataSource, registry, statements, setting);
  }

  /** All rows of a query. */
  public <T> List<T> list(String sql, RowMapper<T> mapper, Object... parameters) {
    var rows = new ArrayList<T>();
    each(sql, 0, row -> rows.add(mapper.map(row)), parameters);
    return rows;
  }

  /** The first row of a query, if there is one. */
  public <T> Optional<T> first(String sql, RowMapper<T> mapper, Object... parameters) {
    return list(sql, mapper, parameters).stream().findFirst();
  }

  /**
   * Passes the rows of a query to a consumer, one after another.
   *
   * @param fetchSize how many rows are fetched at a time, which requires a transaction; 0 for all
   */
  public void each(String sql, int fetchSize, RowConsumer consumer, Object... parameters) {
    var batch = new StatementBatch().add(sql, consumer, parameters);
    if (fetchSize == 0) {
      send(batch);
      return;
    }
    transaction(
        () -> {
          send(batch, fetchSize);
          return true;
        });
  }

  /** Sends statements in one round trip. */
  public void send(StatementBatch batch) {
    if (!batch.isEmpty()) {
      send(batch, 0);
    }
  }

  private void send(StatementBatch batch, int fetchSize) {
    var sent = batch.statements();
    statements.increment(sent.size());
    var scope = ReadScope.current();
    var before = scope.before(planner);
    // Rows that are fetched in parts end with their statement, so no check can follow.
    var check = fetchSize == 0 ? scope.check() : ReadScope.Check.NONE;
    var condition = scope.pending();
    var text =
        String.join("", before)
            + (condition == null ? "" : condition.sql + "; ")
            + sent.stream().map(StatementBatch.Sent::sql).collect(Collectors.joining("; "))
            + check.sql();
    var all =
        Stream.of(
                Stream.of(condition == null ? NO_PARAMETERS : condition.parameters),
                sent.stream().map(StatementBatch.Sent::parameters).flatMap(Stream::of),
                Stream.of(check.parameters()))
            .flatMap(parameters -> parameters)
            .toArray();
    try (var connection = dataSource.getConnection();
        var statement = StatementParameters.prepare(connection, text, all)) {
      statement.setFetchSize(fetchSize);
      statement.execute();
      for (int i = 0; i < before.size(); i++) {
        statement.getMoreResults();
      }
      if (condition != null) {
        condition.answer(statement.getResultSet());
        statement.getMoreResults();
      }
      for (var one : sent) {
        consume(statement.getResultSet(), one.rows());
        statement.getMoreResults();
      }
      consume(statement.getResultSet(), check.answer());
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  /**
   * Passes rows to a consumer.
   *
   * @param rows null for a statement that has none
   */
  private static void consume(ResultSet rows, RowConsumer consumer) throws SQLException {
    while (rows != null && rows.next()) {
      if (!consumer.accept(rows)) {
        return;
      }
    }
  }

  /**
   * Runs a statement that may take hours, such as the creation of an index, outside of any
   * transaction and without a time limit. The server ends it soon after this service has ended.
   *
   * @param name of all statements with the same name, on all replicas, one runs at a time
   * @param statement what is needed, decided while no other one runs
   * @return false if nothing is needed, or another one is running
   */
  public boolean maintain(String name, Supplier<Optional<String>> statement) {
    statements.increment();
    try (var connection = dataSource.getConnection();
        var lock = StatementParameters.prepare(connection, TRY_LOCK, new Object[] {name});
        var unlock = StatementParameters.prepare(connection, UNLOCK, new Object[] {name})) {
      if (!isTrue(lock.executeQuery())) {
        return false;
      }
      try (var maintained = connection.createStatement()) {
        var sql = statement.get();
        if (sql.isPresent()) {
          withoutLimits(maintained, sql.get());
        }
        unlock.execute();
        return sql.isPresent();
      } catch (SQLException | RuntimeException e) {
        unlockAfter(e, unlock);
        throw e;
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  private static void withoutLimits(Statement statement, String sql) throws SQLException {
    for (var setting : WITHOUT_LIMITS) {
      statement.execute(setting);
    }
    statement.execute(sql);
    statement.execute(WITH_LIMITS);
  }

  /** If that fails too, the connection is broken, and its locks are gone. */
  private static void unlockAfter(Exception failure, PreparedStatement unlock) {
    try (var reset = unlock.getConnection().createStatement()) {
      reset.execute(WITH_LIMITS);
      unlock.execute();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  private static boolean isTrue(ResultSet rows) throws SQLException {
    return rows.next() && rows.getBoolean(1);
  }

  /** Runs an insert, update or delete; returns the number of affected rows. */
  public int update(String sql, Object... parameters) {
    statements.increment();
    try (var connection = dataSource.getConnection();
        var statement = StatementParameters.prepare(connection, planner + sql, parameters)) {
      statement.execute();
      if (!planner.isEmpty()) {
        statement.getMoreResults();
      }
      return statement.getUpdateCount();
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  /**
   * Runs {@code work} in a read-only transaction of its own with one snapshot, which may take up to
   * {@code limit}. A statement that takes as long is cancelled before the transaction times out.
   */
  public <T> T inReadOnlySnapshot(Duration limit, Callable<T> work) {
    return QuarkusTransaction.requiringNew()
        .timeout((int) limit.toSeconds() + GRACE_SECONDS)
        .call(
            () -> {
              update("set transaction isolation level repeatable read, read only");
              update("set local statement_timeout = " + limit.toMillis());
              return work.call();
            });
  }

  /**
   * Runs {@code work} in the surrounding transaction, or in one of its own if there is none. That
   * one is retried, up to {@value #MAX_ATTEMPTS} times in all, each time after a longer random
   * pause, if the database gave it up in favour of another one (deadlock, serialization). Any other
   * exception rolls back and is thrown. Which retries happen when: {@code docs/actions.md},
   * Retries.
   */
  public <T> T transaction(Callable<T> work) {
    return isInTransaction()
        ? QuarkusTransaction.joiningExisting().call(work)
        : inNewTransaction(work);
  }

  /**
   * Runs {@code work} in a transaction of its own, retried as by {@link #transaction}, also if one
   * surrounds it: it is committed by the time this returns. That takes a second connection, so use
   * it only if the surrounding transaction must not see or hold what this one writes, and never for
   * rows that the surrounding one has locked.
   */
  public <T> T inNewTransaction(Callable<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return QuarkusTransaction.requiringNew().call(work);
      } catch (RuntimeException e) {
        if (attempt == MAX_ATTEMPTS || !DatabaseException.isRetryable(e)) {
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /**
   * Runs {@code action} after the surrounding transaction has been committed, and never if it is
   * rolled back; at once if there is no transaction.
   */
  public void afterCommit(Runnable action) {
    if (!isInTransaction()) {
      action.run();
      return;
    }
    registry.registerInterposedSynchronization(
        new Synchronization() {
          @Override
          public void beforeCompletion() {}

          @Override
          public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
              action.run();
            }
          }
        });
  }

  /**
   * Whether there is a surrounding transaction, even one that can only be rolled back: whatever
   * joins it must be rolled back with it.
   */
  public boolean isInTransaction() {
    return registry.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
  }

  /**
   * Locks {@code name} until the end of the transaction, and waits while another transaction holds
   * it. For decisions that two transactions could both make because a row does not exist yet. See
   * {@code docs/architecture.md}, Lock order.
   */
  public void lockName(String name) {
    list("select pg_advisory_xact_lock(hashtextextended(?, 0))", _ -> true, name);
  }

  /**
   * The same, together with others that lock it so: {@link #lockName} waits for all of them. Those
   * that come while it waits come after it, unlike with rows.
   */
  public void lockNameShared(String name) {
    list("select pg_advisory_xact_lock_shared(hashtextextended(?, 0))", _ -> true, name);
  }

  /**
   * Runs {@code reads} with a time limit for each query, which the database enforces; within
   * another one, with the shorter of the two.
   */
  public static <T> T within(Duration limit, Supplier<T> reads) {
    return ReadScope.current().within(limit).run(reads);
  }

  /**
   * Runs {@code reads} in one snapshot. It costs one more round trip, for the end of the
   * transaction.
   */
  public <T> T snapshot(Supplier<T> reads) {
    return ReadScope.current().asSnapshot().run(() -> transaction(reads::get));
  }

  /**
   * Runs {@code reads}, and {@code check} after each of their queries in the same round trip: of
   * the same moment in a {@link #snapshot}, otherwise a little later. Not after queries whose rows
   * are fetched in parts.
   *
   * @param answer reads the one row of the check
   */
  public static <T> T withCheck(
      String check, RowConsumer answer, Supplier<T> reads, Object... parameters) {
    return ReadScope.current()
        .with(new ReadScope.Check("; " + check, answer, parameters))
        .run(reads);
  }

  /**
   * Runs {@code work}, whose first query checks {@code condition} in the same round trip. Work that
   * may have sent no query, or from other threads only, must end with {@link #confirm}.
   */
  public static <T> T onCondition(Condition condition, Supplier<T> work) {
    return ReadScope.current().on(condition).run(work);
  }

  /** Checks the condition of the current work now, unless a query has already found it met. */
  public void confirm() {
    if (ReadScope.current().pending() != null) {
      first("select", _ -> true);
    }
  }

  /** Checks a condition now, unless a query has already found it met. */
  public void confirm(Condition condition) {
    if (!condition.isMet()) {
      onCondition(condition, () -> first("select", _ -> true));
    }
  }

  /** Random, up to 20, 40, 80 ms, so that conflicting transactions do not conflict again. */
  private static void pause(int attempt) {
    long maxNanos = FIRST_PAUSE_NANOS << (attempt - 1);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(maxNanos));
  }
}
