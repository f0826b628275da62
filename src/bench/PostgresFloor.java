import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;

/** The throughput of PostgreSQL alone: the same rows into tables with the same indexes. */
final class PostgresFloor {
  private static final String DATA =
      "{\"n\":1,\"text\":\"a hundred bytes of text, as a small record of something has them in it"
          + " here, more or less\"}";

  private final Database database;
  private final Path directory;
  private final UUID repository;
  private final Map<String, byte[]> rows = new ConcurrentHashMap<>();
  private final AtomicLong runs = new AtomicLong();

  /**
   * Creates the tables.
   *
   * @param directory for the scripts of pgbench
   * @param repository whose rows are copied
   */
  PostgresFloor(Database database, Path directory, UUID repository) throws Exception {
    this.database = database;
    this.directory = directory;
    this.repository = repository;
    database.sql(
        """
        create table floor_head (like repository_head including all);
        create table floor_log (like commit_log including all);
        create table floor_entity (like entity including all);
        create table floor_version (like entity_version including all);
        create table floor_run (like action_run including all);
        create table floor_attempt (like action_attempt including all);
        insert into floor_head (repo_id, hash, next_entity_id)
        select md5(i::text)::uuid, sha256('a'), 100 from generate_series(0, 63) i;
        """);
    var commit =
        """
        begin;
        update floor_head set seq = seq + 1, next_entity_id = next_entity_id + 1, hash = sha256(hash) where repo_id = md5('CLIENT')::uuid returning seq \\gset
        insert into floor_log (repo_id, seq, commit_id, hash, parent_hash, author, operation_count, created_at, next_entity_id) values (md5('CLIENT')::uuid, :seq, to_hex(:seq), sha256('a'), sha256('b'), 'a', 1, now(), 101 + :seq);
        insert into floor_entity (repo_id, id, kind, shape_id, shape_name, name, version, active, shape_version, data, data_hash, author, created_seq, created_op, created_at, updated_at) values (md5('CLIENT')::uuid, 100 + :seq, 'thing', 100, 'S', 'c' || :seq, 1, true, 1, 'DATA', sha256('c'), 'a', :seq, 0, now(), now());
        insert into floor_version (repo_id, entity_id, version, valid_from, op_index, operation, active, shape_id, shape_version, data, data_hash) values (md5('CLIENT')::uuid, 100 + :seq, 1, :seq, 0, 'add', true, 100, 1, 'DATA', sha256('c'));
        commit;
        """
            .replace("DATA", DATA);
    Files.writeString(directory.resolve("commits.sql"), commit.replace("CLIENT", ":client_id"));
    Files.writeString(directory.resolve("one.sql"), commit.replace("CLIENT", "63"));
    database.sql("analyze");
  }

  /** Commits of one operation a second, each client in its own repository. */
  double commits() throws Exception {
    return pgbench("commits");
  }

  /** The same, all in one repository. */
  double commitsOfOne() throws Exception {
    return pgbench("one");
  }

  private double pgbench(String script) throws Exception {
    var said =
        Programs.run(
            Map.of("PGUSER", database.user(), "PGPASSWORD", database.password()),
            "pgbench",
            "-n",
            "-c",
            "" + Load.CLIENTS,
            "-j",
            "2",
            "-T",
            "" + Load.SECONDS,
            "-f",
            directory.resolve(script + ".sql").toString(),
            database.url());
    var rate = Pattern.compile("tps = ([0-9.]+)").matcher(said);
    if (!rate.find()) {
      throw new IllegalStateException(said);
    }
    return Double.parseDouble(rate.group(1));
  }

  /** The rows of this number of operations a second, by COPY in one transaction. */
  double copy(int size) throws Exception {
    long done = 0;
    double taken = 0;
    try (var connection = database.connect()) {
      connection.setAutoCommit(false);
      while (taken < Load.SECONDS) {
        var entities = rows(connection, "entity", "id", size);
        var versions = rows(connection, "entity_version", "entity_id", size);
        long start = System.nanoTime();
        copyIn(connection, "floor_entity", entities);
        copyIn(connection, "floor_version", versions);
        connection.commit();
        taken += Load.seconds(start);
        done += size;
        try (var statement = connection.createStatement()) {
          statement.execute(
              "delete from floor_entity where repo_id = '%1$s'; delete from floor_version where repo_id = '%1$s'"
                  .formatted(repository));
        }
        connection.commit();
      }
    }
    return done / taken;
  }

  private byte[] rows(Connection connection, String table, String id, int size) throws Exception {
    var select =
        "copy (select * from %s where repo_id = '%s' order by %s limit %d) to stdout"
            .formatted(table, repository, id, size);
    if (!rows.containsKey(select)) {
      var bytes = new ByteArrayOutputStream();
      connection.unwrap(PGConnection.class).getCopyAPI().copyOut(select, bytes);
      rows.put(select, bytes.toByteArray());
    }
    return rows.get(select);
  }

  private static void copyIn(Connection connection, String table, byte[] rows) throws Exception {
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("copy " + table + " from stdin", new ByteArrayInputStream(rows));
  }

  /** Lines of an export a second, by COPY of JSON that PostgreSQL makes. */
  double export() throws Exception {
    long start = System.nanoTime();
    long lines = 0;
    try (var connection = database.connect()) {
      while (Load.seconds(start) < Load.SECONDS) {
        lines +=
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut(
                    """
                    copy (
                      select json_build_object(
                        'kind', kind, 'wref', shape_name || '/' || name, 'name', name,
                        'shapeName', shape_name, 'version', version, 'data', data::json,
                        'createdAt', (extract(epoch from created_at) * 1000)::bigint,
                        'updatedAt', (extract(epoch from updated_at) * 1000)::bigint,
                        'author', author, 'dataHash', encode(data_hash, 'hex'))
                      from entity where repo_id = '%s' and active order by id) to stdout
                    """
                        .formatted(repository),
                    OutputStream.nullOutputStream());
      }
    }
    return lines / Load.seconds(start);
  }

  /** Does something with the body that a delivery would send. */
  interface Call {
    void with(String body) throws Exception;
  }

  /**
   * Deliveries a second, each client on its own connection: the rows of a commit and its run, and
   * then the run is read, sent, and its attempt written in one transaction.
   */
  double deliveries(Call call) throws Exception {
    var connections = new Connection[Load.CLIENTS];
    try {
      for (int i = 0; i < connections.length; i++) {
        connections[i] = database.connect();
        connections[i].setAutoCommit(false);
      }
      return Load.each(client -> deliver(connections[client], client, call));
    } finally {
      for (var connection : connections) {
        connection.close();
      }
    }
  }

  private int deliver(Connection connection, int client, Call call) throws Exception {
    var run = new UUID(7, runs.incrementAndGet());
    commitWithRun(connection, client, run);
    try (var read =
        connection.prepareStatement(
            "select envelope, target from floor_run where id = ? for update")) {
      read.setObject(1, run);
      var rows = read.executeQuery();
      rows.next();
      call.with(rows.getString(1));
    }
    try (var write =
        connection.prepareStatement(
            """
            with ended as (
              update floor_run
              set status = 'succeeded', attempt_count = 1, due_at = null, updated_at = now(),
                  ended_at = now()
              where id = ? returning repo_id, id)
            insert into floor_attempt
              (repo_id, run_id, attempt, status, executor_kind, started_at, finished_at, http_status)
            select repo_id, id, 1, 'succeeded', 'webhook', now(), now(), 200 from ended
            """)) {
      write.setObject(1, run);
      write.execute();
    }
    connection.commit();
    return 1;
  }

  private static void commitWithRun(Connection connection, int client, UUID run)
      throws SQLException {
    try (var statement =
        connection.prepareStatement(
            """
            with head as (
              update floor_head
              set seq = seq + 1, next_entity_id = next_entity_id + 1, hash = sha256(hash)
              where repo_id = md5(?)::uuid returning repo_id, seq),
            log as (
              insert into floor_log
                (repo_id, seq, commit_id, hash, parent_hash, author, operation_count, created_at,
                 next_entity_id)
              select repo_id, seq, to_hex(seq), sha256('a'), sha256('b'), 'a', 1, now(), 101 + seq
              from head),
            entity as (
              insert into floor_entity
                (repo_id, id, kind, shape_id, shape_name, name, version, active, shape_version,
                 data, data_hash, author, created_seq, created_op, created_at, updated_at)
              select repo_id, 100 + seq, 'thing', 100, 'S', 'c' || seq, 1, true, 1, data,
                     sha256('c'), 'a', seq, 0, now(), now()
              from head, (select ? as data) d),
            version as (
              insert into floor_version
                (repo_id, entity_id, version, valid_from, op_index, operation, active, shape_id,
                 shape_version, data, data_hash)
              select repo_id, 100 + seq, 1, seq, 0, 'add', true, 100, 1, data, sha256('c')
              from head, (select ? as data) d)
            insert into floor_run
              (repo_id, id, subscription_id, subscription_name, commit_id, matched, envelope,
               executor_kind, target, trace_id, depth, status, max_attempts, due_at, created_at,
               updated_at)
            select repo_id, ?, ?, 's', to_hex(seq), '{0}', ?, 'webhook', 'sink', ?, 0, 'pending', 5,
                   now(), now(), now()
            from head
            """)) {
      statement.setString(1, "" + client);
      statement.setString(2, DATA);
      statement.setString(3, DATA);
      statement.setObject(4, run);
      statement.setObject(5, run);
      statement.setString(6, "{\"operations\":[" + "x".repeat(700) + "]}");
      statement.setObject(7, run);
      statement.execute();
    }
    connection.commit();
  }
}
