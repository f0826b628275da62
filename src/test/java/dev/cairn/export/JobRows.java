package dev.cairn.export;

import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.export.Exports.built;
import static dev.cairn.export.Exports.mint;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Jobs as their rows have them, for the tests of what happens to them. */
final class JobRows {
  private static final String SHAPE = "{'operation':'add','name':'Shape/S','data':{'fields':{}}}";

  private final Database database;

  JobRows(Database database) {
    this.database = database;
  }

  static String repository() {
    var repository = newRepository("private");
    commit(repository, SHAPE + "," + thing("a", "1")).statusCode(201);
    return repository;
  }

  static String thing(String name, String n) {
    return "{'operation':'add','name':'S/%s','data':{'n':%s}}".formatted(name, n);
  }

  /** Some 2.4 MB, which are three pieces. */
  static String largeRepository() {
    var repository = repository();
    var text = "'" + "é".repeat(150_000) + "'";
    commit(
            repository,
            IntStream.range(0, 8)
                .mapToObj(i -> thing("large-" + i, text))
                .collect(Collectors.joining(",")))
        .statusCode(201);
    return repository;
  }

  static byte[] hash(String token) {
    return Sha256.of(token);
  }

  /** How many jobs a repository has. */
  long count(UUID repoId) {
    return database
        .first("select count(*) from export_job where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  void set(String token, String assignments) {
    assertEquals(
        1,
        database.update(
            "update export_job set " + assignments + " where token_hash = ?", hash(token)));
  }

  /**
   * A job that nobody has begun, of a repository's first commit; no worker is told of it.
   *
   * @param dueIn when it is due, from now on
   */
  String insert(String repository, UUID accountId, String dueIn) {
    var token = UUID.randomUUID().toString();
    database.update(
        """
        insert into export_job (repo_id, id, account_id, token_hash, at_seq, newest_seq, state,
                                due_at, created_at, expires_at)
        values (?, ?, ?, ?, 1, 1, 'pending', now() + ?::interval, now(), now() + interval '1 day')
        """,
        Api.repoId(repository),
        UUID.randomUUID(),
        accountId,
        hash(token),
        dueIn);
    return token;
  }

  /** Asks for an export that no worker takes before it is due. */
  String mintWaiting(String repository) {
    var token = mint(repository);
    // The one that was built at once, as if it had not been.
    built(repository, token).then().statusCode(200);
    set(
        token,
        """
        state = 'pending', uncounted = 0, record_count = null, byte_count = null,
        content_sha256 = null, due_at = now() + interval '1 hour'\
        """);
    return token;
  }

  <T> T column(String token, String column, Class<T> type) {
    return database
        .first(
            "select " + column + " from export_job where token_hash = ?",
            row -> row.getObject(1, type),
            hash(token))
        .orElseThrow();
  }

  List<Integer> chunks(UUID jobId) {
    return database.list(
        "select attempt from export_chunk where job_id = ? order by start_at",
        row -> row.getInt(1),
        jobId);
  }
}
