package dev.cairn.platform.database;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The statements that are sent with each query, in the same round trip and in this order: the
 * isolation level of a snapshot, the time limit, the setting of the planner, the condition, the
 * query, the check.
 *
 * @param timeLimit null for that of the connection
 * @param condition null for none
 */
record ReadScope(boolean isSnapshot, Duration timeLimit, Condition condition, Check check) {
  /** The scope of the current work. */
  private static final ScopedValue<ReadScope> SCOPE = ScopedValue.newInstance();

  private static final ReadScope UNSCOPED = new ReadScope(false, null, null, Check.NONE);

  /**
   * A second query, which returns one row, with the consumer of the row.
   *
   * @param sql empty for no check
   */
  record Check(String sql, Database.RowConsumer answer, Object... parameters) {
    static final Check NONE = new Check("", _ -> false);
  }

  /** The scope of the current work. */
  static ReadScope current() {
    return SCOPE.orElse(UNSCOPED);
  }

  ReadScope asSnapshot() {
    return new ReadScope(true, timeLimit, condition, check);
  }

  /** A time limit around it stays if it is shorter. */
  ReadScope within(Duration limit) {
    boolean isShorter = timeLimit == null || limit.compareTo(timeLimit) < 0;
    return new ReadScope(isSnapshot, isShorter ? limit : timeLimit, condition, check);
  }

  ReadScope on(Condition required) {
    return new ReadScope(isSnapshot, timeLimit, required, check);
  }

  ReadScope with(Check following) {
    return new ReadScope(isSnapshot, timeLimit, condition, following);
  }

  /** The statements before the query, which have no parameters. */
  List<String> before(String planner) {
    var before = new ArrayList<String>();
    if (isSnapshot) {
      // This is possible only before the first query of a transaction.
      before.add("set transaction isolation level repeatable read, read only; ");
    }
    if (timeLimit != null) {
      // Not `set local`, for which the database logs a warning outside of a transaction.
      before.add(
          "select set_config('statement_timeout', '%d', true); ".formatted(timeLimit.toMillis()));
    }
    if (!planner.isEmpty()) {
      before.add(planner);
    }
    return before;
  }

  /** The condition, unless an earlier query has found it met; null for none. */
  Condition pending() {
    return condition == null || condition.isMet() ? null : condition;
  }

  <T> T run(Supplier<T> reads) {
    return ScopedValue.where(SCOPE, this).call(reads::get);
  }
}
