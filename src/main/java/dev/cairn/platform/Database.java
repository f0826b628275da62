package dev.cairn.platform;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Plain SQL for the hot paths: statements with bound parameters in, rows out. Joins the surrounding
 * transaction where there is one. Arrays as parameters ({@code long[]}, {@code String[]}, …) make a
 * statement work on a whole set.
 */
@ApplicationScoped
public class Database {
  private static final int ATTEMPTS = 4;
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final int GRACE_SECONDS = 10;

  /** What is sent before each query of a piece of work, in the same round trip. */
  private static final ScopedValue<List<String>> BEFORE = ScopedValue.newInstance();

  /** What is asked behind each query of a piece of work, in the same round trip. */
  private static final ScopedValue<Question> BEHIND = ScopedValue.newInstance();

  private static final String SNAPSHOT =
      "set transaction isolation level repeatable read, read only; ";

  /** What {@link #inOrder} sends before a query. */
  public static final String IN_ORDER =
      "select set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);"
          + " ";

  /** What {@link #plannedAnew} sends before a query. */
  public static final String PLANNED_ANEW =
      "select set_config('plan_cache_mode', 'force_custom_plan', true); ";

  /** What {@link #plannedOnce} sends before a query. */
  private static final String PLANNED_ONCE =
      "select set_config('plan_cache_mode', 'force_generic_plan', true); ";

  private final DataSource dataSource;
  private final TransactionSynchronizationRegistry registry;
  private final Counter statements;

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

  /**
   * A query that has one row.
   *
   * @param answer takes the row
   */
  private record Question(String sql, RowConsumer answer, Object... parameters) {
    static final Question NONE = new Question("", _ -> false);

    /** The parameters of the query in front, with the own ones. */
    Object[] parameters(Object[] first) {
      return Stream.concat(Stream.of(first), Stream.of(parameters)).toArray();
    }
  }

  Database(
      DataSource dataSource, TransactionSynchronizationRegistry registry, MeterRegistry metrics) {
    this.dataSource = dataSource;
    this.registry = registry;
    this.statements =
        Counter.builder("cairn.sql.statements")
            .description("SQL statements sent by the hot paths")
            .register(metrics);
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
    if (fetchSize == 0) {
      rows(sql, fetchSize, consumer, parameters);
      return;
    }
    transaction(
        () -> {
          rows(sql, fetchSize, consumer, parameters);
          return true;
        });
  }

  private void rows(String sql, int fetchSize, RowConsumer consumer, Object... parameters) {
    statements.increment();
    var before = BEFORE.orElse(List.of());
    // Rows that come in parts end with their statement, so nothing is asked behind them.
    var behind = fetchSize == 0 ? BEHIND.orElse(Question.NONE) : Question.NONE;
    var text = String.join("", before) + sql + behind.sql();
    try (var connection = dataSource.getConnection();
        var statement = prepare(connection, text, behind.parameters(parameters))) {
      statement.setFetchSize(fetchSize);
      statement.execute();
      for (int i = 0; i < before.size(); i++) {
        statement.getMoreResults();
      }
      consume(statement.getResultSet(), consumer);
      if (statement.getMoreResults()) {
        consume(statement.getResultSet(), behind.answer());
      }
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  private static void consume(ResultSet rows, RowConsumer consumer) throws SQLException {
    while (rows.next()) {
      if (!consumer.accept(rows)) {
        return;
      }
    }
  }

  /** Runs an insert, update or delete; answers the number of rows it touched. */
  public int update(String sql, Object... parameters) {
    statements.increment();
    try (var connection = dataSource.getConnection();
        var statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new DatabaseException(e);
    }
  }

  /**
   * Runs {@code work} in a transaction of its own that sees one moment of the database, writes
   * nothing, and may take as long as {@code most}. A statement that takes as long ends by itself
   * before the transaction is taken from it.
   */
  public <T> T reading(Duration most, Callable<T> work) {
    return QuarkusTransaction.requiringNew()
        .timeout((int) most.toSeconds() + GRACE_SECONDS)
        .call(
            () -> {
              update("set transaction isolation level repeatable read, read only");
              update("set local statement_timeout = " + most.toMillis());
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
    return registry.getTransactionStatus() == Status.STATUS_ACTIVE
        ? QuarkusTransaction.joiningExisting().call(work)
        : apart(work);
  }

  /**
   * Runs {@code work} in a transaction of its own, retried as by {@link #transaction}, also if one
   * surrounds it: it is committed by the time this returns. That takes a second connection, so use
   * it only if the surrounding transaction must not see or hold what this one writes, and never for
   * rows that the surrounding one has locked.
   */
  public <T> T apart(Callable<T> work) {
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
   * Runs {@code action} once the surrounding transaction is committed, and never where it is rolled
   * back; at once where there is none.
   */
  public void afterCommit(Runnable action) {
    if (registry.getTransactionStatus() == Status.STATUS_NO_TRANSACTION) {
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
   * Waits until no other transaction holds {@code name}, and holds it to the end of this one: for
   * what two of them could both decide on because a row is not there yet.
   */
  public void lockName(String name) {
    list("select pg_advisory_xact_lock(hashtextextended(?, 0))", _ -> true, name);
  }

  /**
   * Runs {@code reads}, of whose queries none may work longer than {@code most}. The database
   * itself ends one that does, so that nothing has to be watched here.
   */
  public static <T> T within(Duration most, Supplier<T> reads) {
    // Not `set local`, of which the database complains in its log outside of a transaction.
    return before(
        "select set_config('statement_timeout', '%d', true); ".formatted(most.toMillis()), reads);
  }

  /**
   * Runs {@code reads}, all of which see the same moment. The price is one round trip, the end of
   * the transaction.
   */
  public <T> T snapshot(Supplier<T> reads) {
    // In front of all else: a transaction is told so before its first query.
    var all = Stream.concat(Stream.of(SNAPSHOT), BEFORE.orElse(List.of()).stream()).toList();
    return ScopedValue.where(BEFORE, all).call(() -> transaction(reads::get));
  }

  /**
   * Runs {@code reads} and asks {@code question} behind each of their queries: at the same moment
   * in a {@link #snapshot}, else a little later. Queries whose rows come in parts are left out.
   *
   * @param answer takes the question's one row
   */
  public static <T> T asking(
      String question, RowConsumer answer, Supplier<T> reads, Object... parameters) {
    return ScopedValue.where(BEHIND, new Question("; " + question, answer, parameters))
        .call(reads::get);
  }

  /**
   * Runs {@code reads}, whose first rows in order an index gives: the planner, which may believe
   * that there are few, does not gather all of them to sort them.
   */
  public static <T> T inOrder(Supplier<T> reads) {
    return before(IN_ORDER, reads);
  }

  /**
   * Runs {@code work}, whose queries get a plan for the sizes of the moment, and none of the time
   * when a table was empty. That costs up to a millisecond each; see {@code
   * docs/decisions/0008-plans.md}.
   */
  public static <T> T plannedAnew(Supplier<T> work) {
    return before(PLANNED_ANEW, work);
  }

  /**
   * Runs {@code first}, after which all statements of the surrounding transaction keep the plan
   * that they were given once: for those that have but one good plan, whatever their parameters.
   * See {@code docs/decisions/0008-plans.md}.
   */
  public static <T> T plannedOnce(Supplier<T> first) {
    return before(PLANNED_ONCE, first);
  }

  private static <T> T before(String statement, Supplier<T> reads) {
    var all = Stream.concat(BEFORE.orElse(List.of()).stream(), Stream.of(statement)).toList();
    return ScopedValue.where(BEFORE, all).call(reads::get);
  }

  /** Up to 20, 40, 80 ms, at random: those that were in each other's way must not meet again. */
  private static void pause(int attempt) {
    long most = FIRST_PAUSE_NANOS << (attempt - 1);
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object[] parameters)
      throws SQLException {
    var statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        bind(statement, i + 1, parameters[i]);
      }
      return statement;
    } catch (SQLException | RuntimeException e) {
      statement.close();
      throw e;
    }
  }

  private static void bind(PreparedStatement statement, int i, Object value) throws SQLException {
    switch (value) {
      case null -> statement.setObject(i, null);
      case Instant instant -> statement.setObject(i, instant.atOffset(ZoneOffset.UTC));
      case long[] values ->
          array(statement, i, "int8", LongStream.of(values).boxed().toArray(Long[]::new));
      case int[] values ->
          array(statement, i, "int4", IntStream.of(values).boxed().toArray(Integer[]::new));
      case Long[] values -> array(statement, i, "int8", values);
      case Integer[] values -> array(statement, i, "int4", values);
      case Boolean[] values -> array(statement, i, "bool", values);
      case String[] values -> array(statement, i, "text", values);
      case byte[][] values -> array(statement, i, "bytea", values);
      case UUID[] values -> array(statement, i, "uuid", values);
      default -> statement.setObject(i, value);
    }
  }

  private static void array(PreparedStatement statement, int i, String type, Object[] values)
      throws SQLException {
    statement.setArray(i, statement.getConnection().createArrayOf(type, values));
  }
}
