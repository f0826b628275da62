package dev.cairn.platform.database;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
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
 * Plain SQL for the hot paths: statements with bound parameters in, rows out. Joins the surrounding
 * transaction if there is one. Arrays as parameters ({@code long[]}, {@code String[]}, …) make a
 * statement work on a whole set.
 */
@ApplicationScoped
public class Database {
  private static final int ATTEMPTS = 4;
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final int GRACE_SECONDS = 10;
  private static final Object[] NO_PARAMETERS = {};

  /** What {@link #inIndexOrder} sends before each statement. */
  public static final String IN_INDEX_ORDER =
      "select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);"
          + " ";

  /** What {@link #withCustomPlan} sends before each statement. */
  public static final String CUSTOM_PLAN =
      "select set_config('plan_cache_mode', 'force_custom_plan', true); ";

  /** What {@link #withGenericPlan} sends before each statement. */
  private static final String GENERIC_PLAN =
      "select set_config('plan_cache_mode', 'force_generic_plan', true); ";

  private final DataSource dataSource;
  private final TransactionSynchronizationRegistry registry;
  private final Counter statements;

  /** One statement that sets up the planner, sent before each statement; empty for none. */
  private final String planner;

  /** Reads the current row of a result; must not move the cursor. */
  @FunctionalInterface
  public interface RowMapper<T> {
    /** Makes one value of the current row. */
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
   * The same database, whose statements come in the order of an index: the planner, which may
   * believe that there are few rows, does not gather all of them to sort them. Holds to the end of
   * the transaction.
   */
  public Database inIndexOrder() {
    return with(IN_INDEX_ORDER);
  }

  /**
   * The same database, whose statements get a plan for the sizes of the moment, and none of the
   * time when a table was empty. That costs up to a millisecond each; see {@code
   * docs/decisions/0008-plans.md}. Holds to the end of the transaction.
   */
  public Database withCustomPlan() {
    return with(CUSTOM_PLAN);
  }

  /**
   * The same database, whose statements keep the plan that they were given once: for those that
   * have but one good plan, whatever their parameters. Holds to the end of the transaction, so that
   * its first statement sets it for all. See {@code docs/decisions/0008-plans.md}.
   */
  public Database withGenericPlan() {
    return with(GENERIC_PLAN);
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
   * Hands the rows of a query over one after another.
   *
   * @param fetchSize how many rows are held at a time, which takes a transaction; 0 for all of them
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
    // Rows that come in parts end with their statement, so no check can follow them.
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
   * Hands rows over.
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

  /** Runs an insert, update or delete; answers the number of rows it touched. */
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
   * Runs {@code work} in a transaction of its own that sees one moment of the database, writes
   * nothing, and may take as long as {@code limit}. A statement that takes as long ends by itself
   * before the transaction is taken from it.
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
   * one is retried, up to {@value #ATTEMPTS} times in all, each time after a longer random pause,
   * if the database gave it up in favour of another one (deadlock, serialization). Any other
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
        if (attempt == ATTEMPTS || !DatabaseException.isRetryable(e)) {
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /**
   * Runs {@code action} once the surrounding transaction is committed, and never if it is rolled
   * back; at once if there is none.
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
   * Whether a transaction surrounds the caller, also if it can only be rolled back: what joins it
   * must be rolled back with it.
   */
  public boolean isInTransaction() {
    return registry.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
  }

  /**
   * Waits until no other transaction holds {@code name}, and holds it to the end of this one: for
   * what two of them could both decide on because a row is not there yet. See {@code
   * docs/architecture.md}, Lock order.
   */
  public void lockName(String name) {
    list("select pg_advisory_xact_lock(hashtextextended(?, 0))", _ -> true, name);
  }

  /**
   * Runs {@code reads}, none of whose queries may take longer than {@code limit}. The database
   * itself ends one that does, so that nothing has to be watched here.
   */
  public static <T> T within(Duration limit, Supplier<T> reads) {
    return ReadScope.current().within(limit).run(reads);
  }

  /**
   * Runs {@code reads}, all of which see the same moment. The price is one round trip, the end of
   * the transaction.
   */
  public <T> T snapshot(Supplier<T> reads) {
    return ReadScope.current().asSnapshot().run(() -> transaction(reads::get));
  }

  /**
   * Runs {@code reads}, and {@code check} after each of their queries in the same round trip: at
   * the same moment in a {@link #snapshot}, otherwise a little later. Queries whose rows come in
   * parts are left out.
   *
   * @param answer takes the check's one row
   */
  public static <T> T withCheck(
      String check, RowConsumer answer, Supplier<T> reads, Object... parameters) {
    return ReadScope.current()
        .with(new ReadScope.Check("; " + check, answer, parameters))
        .run(reads);
  }

  /**
   * Runs {@code work}, whose first query asks for {@code condition} in the same round trip. Work
   * that may have sent none, or from other threads, ends with {@link #confirm}.
   */
  public static <T> T onCondition(Condition condition, Supplier<T> work) {
    return ReadScope.current().on(condition).run(work);
  }

  /** Asks now for the condition of the work at hand, unless a query found it met before. */
  public void confirm() {
    if (ReadScope.current().pending() != null) {
      first("select", _ -> true);
    }
  }

  /** Asks for a condition now, unless a query found it met before. */
  public void confirm(Condition condition) {
    if (!condition.isMet()) {
      onCondition(condition, () -> first("select", _ -> true));
    }
  }

  /** Up to 20, 40, 80 ms, at random: those that were in each other's way must not meet again. */
  private static void pause(int attempt) {
    long maxNanos = FIRST_PAUSE_NANOS << (attempt - 1);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(maxNanos));
  }
}
