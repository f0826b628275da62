package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/**
 * A database in the state that misleads the planner most: it has statistics, and they do not know
 * the repository that is asked for, which is as large as all others. Each of its things refers to
 * the first one. Nothing of it stays: it is one transaction, rolled back in the end.
 */
public final class Plans implements AutoCloseable {
  /** How many things the repository has. */
  public static final int THINGS = 3_000;

  private static final List<String> FILL =
      List.of(
          """
          insert into organization (id, name, created_at) values ('%1$s', 'plans-%1$s', now());
          insert into repository (id, org_id, name, visibility, created_at, updated_at)
          values ('%1$s', '%1$s', 'plans', 'private', now(), now());
          insert into commit_log (repo_id, seq, commit_id, hash, parent_hash, author,
                                  operation_count, created_at, next_entity_id)
          select '%1$s', i, lpad(to_hex(i), 16, '0'), '', '', '', 1, now(), 101 + %2$d
          from generate_series(1, %2$d) i
          """,
          """
          insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                              shape_version, data, data_hash, author, created_seq, created_op,
                              created_at, updated_at)
          select '%1$s'::uuid, 100, 'shape', 1, 'Shape', 'S', 1, true, 1, '{}', ''::bytea, '', 1, 0, now(), now()
          union all
          select '%1$s'::uuid, 100 + i, 'thing', 100, 'S', 'thing-' || i, 1, true, 1,
                 '{"to":"' || chr(1) || 'S/thing-1@v1' || chr(1) || '"}', '', '', 1, i, now(), now()
          from generate_series(1, %2$d) i
          """,
          """
          insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                      active, shape_id, shape_version, data, data_hash)
          select repo_id, id, 1, 1, created_op, 'add', true, shape_id, 1, data, data_hash
          from entity where repo_id = '%s'
          """,
          """
          insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                                 to_repo_id, to_id, to_version, head)
          select repo_id, id, 1, 100, 0, '/to', repo_id, 101, 1, true
          from entity where repo_id = '%s' and id > 100
          """);

  private final Connection connection;
  private int prepared;

  /** The repository that is asked for. */
  public final UUID repoId = UUID.randomUUID();

  public Plans(DataSource dataSource) throws SQLException {
    connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    fill(UUID.randomUUID());
    try (var statement = connection.createStatement()) {
      statement.execute("analyze commit_log, entity, entity_version, reference");
    }
    fill(repoId);
  }

  private void fill(UUID id) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : FILL) {
        statement.execute(sql.formatted(id, THINGS));
      }
    }
  }

  /** Changes more, or sets what a read sets in front of its query. */
  public void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Fails where the statement, which is carried out, has to do with more rows than that. */
  public void assertRows(long most, String sql, Object... parameters)
      throws SQLException, IOException {
    var plan = plan(sql, parameters);
    long touched = rows(plan);
    assertTrue(touched <= most, () -> touched + " rows: " + plan.toPrettyString());
  }

  /** Fails where the statement, which is carried out, looks at more blocks than that. */
  public void assertBlocks(long most, String sql, Object... parameters)
      throws SQLException, IOException {
    var plan = plan(sql, parameters);
    long touched =
        plan.path("Shared Hit Blocks").longValue() + plan.path("Shared Read Blocks").longValue();
    assertTrue(touched <= most, () -> touched + " blocks: " + plan.toPrettyString());
  }

  /**
   * Has a statement planned for whatever there is at this moment, as a connection does that comes
   * to know it on the first day, and keeps the plan.
   *
   * @return what carries it out by that plan, until {@code plan_cache_mode} says otherwise
   */
  public String planned(String sql, Object... parameters) throws SQLException {
    var name = "planned_" + prepared++;
    execute("set local plan_cache_mode = force_generic_plan");
    execute(
        "prepare %s (%s) as %s".formatted(name, joined(parameters, Plans::type), numbered(sql)));
    var execution = "execute %s (%s)".formatted(name, joined(parameters, Plans::literal));
    execute("explain " + execution);
    return execution;
  }

  private static String joined(Object[] values, Function<Object, String> text) {
    return Arrays.stream(values).map(text).collect(Collectors.joining(", "));
  }

  /** With {@code $1} for the first {@code ?} that is in no text. */
  private static String numbered(String sql) {
    var number = new AtomicInteger();
    return Pattern.compile("'[^']*'|\\?")
        .matcher(sql)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group().equals("?") ? "$" + number.incrementAndGet() : found.group()));
  }

  private static String type(Object value) {
    return switch (value) {
      case long[] _ -> "bigint[]";
      case int[] _ -> "int[]";
      case String[] _ -> "text[]";
      case UUID[] _ -> "uuid[]";
      case Boolean[] _ -> "boolean[]";
      case byte[][] _ -> "bytea[]";
      case byte[] _ -> "bytea";
      case UUID _ -> "uuid";
      case Boolean _ -> "boolean";
      case String _ -> "text";
      case OffsetDateTime[] _ -> "timestamptz[]";
      case OffsetDateTime _ -> "timestamptz";
      default -> "bigint";
    };
  }

  private static String literal(Object value) {
    return switch (value) {
      case null -> "null";
      case long[] values -> array(LongStream.of(values).boxed().toArray(), type(value));
      case int[] values -> array(IntStream.of(values).boxed().toArray(), type(value));
      case Object[] values -> array(values, type(value));
      case byte[] bytes -> "'\\x" + HexFormat.of().formatHex(bytes) + "'";
      default -> "'" + value + "'";
    };
  }

  private static String array(Object[] values, String type) {
    return "array[%s]::%s".formatted(joined(values, Plans::literal), type);
  }

  private JsonNode plan(String sql, Object... parameters) throws SQLException, IOException {
    try (var statement =
        connection.prepareStatement("explain (analyze, buffers, timing off, format json) " + sql)) {
      for (int i = 0; i < parameters.length; i++) {
        bind(statement, i + 1, parameters[i]);
      }
      try (var rows = statement.executeQuery()) {
        rows.next();
        return new ObjectMapper().readTree(rows.getString(1)).path(0).path("Plan");
      }
    }
  }

  /** What each node gives on, and what it looked at in vain. */
  private static long rows(JsonNode plan) {
    double rows =
        plan.path("Actual Rows").doubleValue()
            + plan.path("Rows Removed by Filter").doubleValue()
            + plan.path("Rows Removed by Join Filter").doubleValue()
            + plan.path("Rows Removed by Index Recheck").doubleValue();
    long all = Math.round(rows * plan.path("Actual Loops").doubleValue());
    for (var part : plan.path("Plans")) {
      all += rows(part);
    }
    return all;
  }

  private void bind(PreparedStatement statement, int i, Object value) throws SQLException {
    switch (value) {
      case long[] values -> array(statement, i, "int8", LongStream.of(values).boxed().toArray());
      case int[] values -> array(statement, i, "int4", IntStream.of(values).boxed().toArray());
      case String[] values -> array(statement, i, "text", values);
      case UUID[] values -> array(statement, i, "uuid", values);
      case Boolean[] values -> array(statement, i, "bool", values);
      case byte[][] values -> array(statement, i, "bytea", values);
      default -> statement.setObject(i, value);
    }
  }

  private void array(PreparedStatement statement, int i, String type, Object[] values)
      throws SQLException {
    statement.setArray(i, connection.createArrayOf(type, values));
  }

  /** That many copies of a number. */
  public static int[] repeated(int number, int times) {
    var all = new int[times];
    Arrays.fill(all, number);
    return all;
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
    connection.close();
  }
}
