import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The throughput of PostgreSQL alone: the same rows into tables with the same indexes. */
final class PostgresFloor {
  private final Database database;
  private final Path directory;

  PostgresFloor(Database database, Path directory) {
    this.database = database;
    this.directory = directory;
  }

  /** Tables and indexes like the service's, and the statements on them. */
  void tables() throws Exception {
    database.sql(
        """
        create table floor_head (like repository_head including all);
        create table floor_log (like commit_log including all);
        create table floor_entity (like entity including all);
        create table floor_version (like entity_version including all);
        insert into floor_head (repo_id, hash, next_entity_id) select md5(i::text)::uuid, sha256('a'), 100 from generate_series(0, 63) i;
        create table floor_big as select id as repo_id from repository where name = 'big';
        """);
    var commit =
        """
        begin;
        update floor_head set seq = seq + 1, next_entity_id = next_entity_id + 1, hash = sha256(hash) where repo_id = md5('CLIENT')::uuid returning seq \\gset
        insert into floor_log (repo_id, seq, commit_id, hash, parent_hash, author, operation_count, created_at, next_entity_id) values (md5('CLIENT')::uuid, :seq, to_hex(:seq), sha256('a'), sha256('b'), 'a', 1, now(), 101 + :seq);
        insert into floor_entity (repo_id, id, kind, shape_id, shape_name, name, version, active, shape_version, data, data_hash, author, created_seq, created_op, created_at, updated_at) values (md5('CLIENT')::uuid, 100 + :seq, 'thing', 100, 'S', 'c' || :seq, 1, true, 1, '{"n":1,"text":"a hundred bytes of text, as a small record of something has them in it here, more or less"}', sha256('c'), 'a', :seq, 0, now(), now());
        insert into floor_version (repo_id, entity_id, version, valid_from, op_index, operation, active, shape_id, shape_version, data, data_hash) values (md5('CLIENT')::uuid, 100 + :seq, 1, :seq, 0, 'add', true, 100, 1, '{"n":1,"text":"a hundred bytes of text, as a small record of something has them in it here, more or less"}', sha256('c'));
        commit;
        """;
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
        Database.run(
            "pgbench",
            "-n",
            "-c",
            "" + Capacity.CLIENTS,
            "-j",
            "2",
            "-T",
            "" + Capacity.SECONDS,
            "-f",
            directory.resolve(script + ".sql").toString(),
            database.url());
    var rate = Pattern.compile("tps = ([0-9.]+)").matcher(said);
    if (!rate.find()) {
      throw new IllegalStateException(said);
    }
    return Double.parseDouble(rate.group(1));
  }

  /** The rows of this number of operations, by COPY into tables with the same indexes. */
  double copy(int size) throws Exception {
    var entities = directory.resolve("entities-" + size);
    var versions = directory.resolve("versions-" + size);
    if (!Files.exists(entities)) {
      database.sql(
          "\\copy (select * from entity where repo_id = (select repo_id from floor_big) and id >= 101 order by id limit "
              + size
              + ") to '"
              + entities
              + "'");
      database.sql(
          "\\copy (select * from entity_version where repo_id = (select repo_id from floor_big) and entity_id >= 101 order by entity_id limit "
              + size
              + ") to '"
              + versions
              + "'");
    }
    var script = directory.resolve("copy.sql");
    Files.writeString(
        script,
        "begin;\n\\copy floor_entity from '"
            + entities
            + "'\n\\copy floor_version from '"
            + versions
            + "'\ncommit;\n");
    var empty = directory.resolve("empty.sql");
    Files.writeString(empty, "begin;\ncommit;\n");
    long done = 0;
    double taken = 0;
    while (taken < Capacity.SECONDS / 2.0) {
      long before = System.nanoTime();
      Database.run("psql", "-qXf", empty.toString(), database.url());
      double overhead = Capacity.seconds(before);
      long start = System.nanoTime();
      Database.run("psql", "-qXf", script.toString(), database.url());
      taken += Math.max(0.001, Capacity.seconds(start) - overhead);
      done += size;
      database.sql(
          "delete from floor_entity where repo_id = (select repo_id from floor_big); delete from floor_version where repo_id = (select repo_id from floor_big)");
    }
    return done / taken;
  }
}
