package dev.cairn.stream;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.commit.StagedLines;
import dev.cairn.commit.StagedLines.NamedResult;
import dev.cairn.commit.SubmittedLines;
import dev.cairn.commit.SubmittedLines.Line;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.stream.SubmissionStore.Run;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.ByteArrayOutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The parts of atomic submissions, in the table {@code stream_part}: lines that wait until all have
 * come, and their results until the client has them. See {@code docs/streams.md}, All or nothing.
 */
@ApplicationScoped
class StagedParts {
  /** Maximum bytes that all submissions of an account may have staged at a time. */
  static final long MAX_BYTES_OF_ACCOUNT = 4L * 1024 * 1024 * 1024;

  private static final String STAGE =
      """
      with held as (
        update stream_lease
        set staged = staged + ?, lease_until = clock_timestamp() + make_interval(secs => ?)
        where repo_id = ? and stream_id = ? and run_id = ?
        returning repo_id, run_id),
      counted as (
        insert into stored_bytes_change (repo_id, bytes) select repo_id, ? from held)
      insert into stream_part (repo_id, run_id, ordinal, first_op, numbers, lines, created_at)
      select repo_id, run_id, ?, ?, ?, ?, clock_timestamp() from held
      """;

  /** SQL that deletes the parts of a condition, and counts their bytes. */
  private static final String DELETE =
      """
      with deleted as (
        delete from stream_part where ctid in (select ctid from stream_part where %s limit %d)
        returning repo_id, 512 + octet_length(lines) + octet_length(results) as bytes),
      counted as (
        insert into stored_bytes_change (repo_id, bytes)
        select repo_id, -sum(bytes) from deleted group by repo_id)
      select count(*) from deleted
      """;

  /** Parts that are deleted at a time; each has up to a few MiB. */
  private static final int MAX_DELETED = 20;

  /** Operations whose results are deleted at a time. */
  private static final int MAX_FORGOTTEN = 20_000;

  private static final String DELETE_OF_RUN =
      DELETE.formatted("repo_id = ? and run_id = ?", MAX_DELETED);

  private static final String DELETE_ONE =
      DELETE.formatted("repo_id = ? and run_id = ? and ordinal = ?", 1);

  /** A part without a run that has a lease was left behind when a replica died. */
  private static final String DELETE_ABANDONED =
      DELETE.formatted(
          """
          created_at < now() - interval '1 hour' and not exists (
            select from stream_lease l
            where l.repo_id = stream_part.repo_id and l.run_id = stream_part.run_id
              and l.lease_until > now())
          """,
          MAX_DELETED);

  private final Database database;
  private final StoredBytes storedBytes;

  StagedParts(Database database, StoredBytes storedBytes) {
    this.database = database;
    this.storedBytes = storedBytes;
  }

  /**
   * Keeps lines.
   *
   * @param ordinal of the part, from 0
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if the account has too much staged, or the
   *     organization has no room; {@code CONFLICT} if the run has lost its lease; {@code NOT_FOUND}
   *     if the repository was deleted
   */
  void stage(Run run, int ordinal, SubmittedLines lines) {
    var access = run.request().access();
    var bytes = new ByteArrayOutputStream();
    for (var line : lines.lines()) {
      bytes.writeBytes(line.json());
      bytes.write('\n');
    }
    long size = (long) StoredBytes.ROW + bytes.size();
    database.transaction(
        () -> {
          storedBytes.reserve(access.orgId(), size);
          requireRepository(run);
          requireRoom(run, size);
          int staged =
              database.update(
                  STAGE,
                  size,
                  SubmissionStore.LEASE.toSeconds(),
                  run.repoId(),
                  run.request().streamId(),
                  run.id(),
                  size,
                  ordinal,
                  lines.first(),
                  Columns.ints(lines.lines(), Line::number),
                  bytes.toByteArray());
          if (staged == 0) {
            throw SubmissionStore.leaseLost();
          }
          return true;
        });
  }

  /** Locks the repository before the lease, as its deletion does, which ends the lease too. */
  private void requireRepository(Run run) {
    if (database
        .first("select from repository where id = ? for key share", _ -> true, run.repoId())
        .isEmpty()) {
      throw Problem.notFound("The repository was just deleted.");
    }
  }

  private void requireRoom(Run run, long more) {
    long staged =
        database
            .first(
                """
                select coalesce(sum(staged), 0) from stream_lease
                where account_id = ? and lease_until > clock_timestamp()
                """,
                row -> row.getLong(1),
                run.request().access().account().accountId())
            .orElseThrow();
    if (staged + more > MAX_BYTES_OF_ACCOUNT) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The atomic submissions of an account may have at most %,d bytes at a time."
                  .formatted(MAX_BYTES_OF_ACCOUNT))
          .hint("Send fewer operations in one submission, or send them with `atomic=false`.");
    }
  }

  /**
   * The parts of a run, to be committed.
   *
   * @param parsedBytes the parsed size of each
   * @param referred the numbers of operations to whose results others may refer
   * @param watch ends the transaction early
   */
  StagedLines of(Run run, List<Integer> parsedBytes, BitSet referred, TransactionWatch watch) {
    int parts = parsedBytes.size();
    var largest = new long[parts + 1];
    for (int i = parts - 1; i >= 0; i--) {
      largest[i] = Math.max(largest[i + 1], parsedBytes.get(i));
    }
    return new StagedLines() {
      private int current;

      @Override
      public long maxParsedBytes() {
        return largest[current];
      }

      @Override
      public void requireGoingOn() {
        watch.requireGoingOn();
      }

      @Override
      public void rename(Runnable work) {
        watch.pause(work);
      }

      @Override
      public boolean isReferred(int number) {
        return referred.get(number);
      }

      @Override
      public void keepNamed(List<NamedResult> results) {
        StagedParts.this.keepNamed(run, results);
      }

      @Override
      public Map<Integer, NamedResult> named(Collection<Integer> numbers) {
        return StagedParts.this.named(run, numbers);
      }

      @Override
      public void forget() {
        for (int from = 0; from < referred.length(); from += MAX_FORGOTTEN) {
          watch.requireGoingOn();
          database.update(
              """
              delete from stream_result
              where repo_id = ? and run_id = ? and number >= ? and number < ?
              """,
              run.repoId(),
              run.id(),
              from,
              from + MAX_FORGOTTEN);
        }
      }

      @Override
      public void each(Predicate<SubmittedLines> part) {
        boolean goesOn = true;
        for (current = 0; current < parts && goesOn; current++) {
          goesOn = part.test(find(run, current));
        }
      }

      @Override
      public void keep(byte[] results) {
        StagedParts.this.keep(run, current, results);
      }
    };
  }

  private SubmittedLines find(Run run, int ordinal) {
    return database
        .first(
            """
            select first_op, numbers, lines from stream_part
            where repo_id = ? and run_id = ? and ordinal = ?
            """,
            StagedParts::read,
            run.repoId(),
            run.id(),
            ordinal)
        .orElseThrow(SubmissionStore::leaseLost);
  }

  private static SubmittedLines read(ResultSet row) throws SQLException {
    var numbers = (Integer[]) row.getArray(2).getArray();
    var bytes = row.getBytes(3);
    var lines = new ArrayList<Line>(numbers.length);
    int from = 0;
    for (int number : numbers) {
      int to = from;
      while (bytes[to] != '\n') {
        to++;
      }
      lines.add(Line.of(number, Arrays.copyOfRange(bytes, from, to)));
      from = to + 1;
    }
    return new SubmittedLines(row.getInt(1), lines);
  }

  private void keep(Run run, int ordinal, byte[] results) {
    database.update(
        """
        update stream_part set results = results || ?
        where repo_id = ? and run_id = ? and ordinal = ?
        """,
        results,
        run.repoId(),
        run.id(),
        ordinal);
    StoredBytes.count(database, Map.of(run.repoId(), (long) results.length));
  }

  private void keepNamed(Run run, List<NamedResult> results) {
    database.update(
        """
        insert into stream_result (repo_id, run_id, number, entity_id, version)
        select ?, ?, n.number, n.entity_id, n.version
        from unnest(?, ?, ?) as n (number, entity_id, version)
        """,
        run.repoId(),
        run.id(),
        Columns.ints(results, NamedResult::number),
        Columns.longs(results, NamedResult::entityId),
        Columns.ints(results, NamedResult::version));
  }

  private Map<Integer, NamedResult> named(Run run, Collection<Integer> numbers) {
    return database
        .list(
            """
            select r.number, r.entity_id, r.version
            from unnest(?) as n (number)
            cross join lateral (
              select * from stream_result x
              where x.repo_id = ? and x.run_id = ? and x.number = n.number offset 0) r
            """,
            row -> new NamedResult(row.getInt(1), row.getLong(2), row.getInt(3)),
            Columns.ints(numbers, Integer::intValue),
            run.repoId(),
            run.id())
        .stream()
        .collect(Collectors.toMap(NamedResult::number, result -> result));
  }

  /** The result lines of a part, which is deleted. */
  byte[] takeResults(Run run, int ordinal) {
    return database.transaction(
        () -> {
          var results =
              database
                  .first(
                      """
                      select results from stream_part
                      where repo_id = ? and run_id = ? and ordinal = ?
                      """,
                      row -> row.getBytes(1),
                      run.repoId(),
                      run.id(),
                      ordinal)
                  .orElse(new byte[0]);
          database.first(DELETE_ONE, row -> row.getInt(1), run.repoId(), run.id(), ordinal);
          return results;
        });
  }

  /** Deletes all parts of a run. */
  void delete(Run run) {
    delete(run.repoId(), run.id());
  }

  /** Deletes all parts of a run, which may be one of another replica. */
  void delete(UUID repoId, UUID runId) {
    while (deleted(DELETE_OF_RUN, repoId, runId) == MAX_DELETED) {
      // There may be more.
    }
  }

  /**
   * Deletes some parts that were left behind.
   *
   * @return whether there may be more
   */
  boolean deleteAbandoned() {
    return deleted(DELETE_ABANDONED) == MAX_DELETED;
  }

  private int deleted(String sql, Object... parameters) {
    return database.first(sql, row -> row.getInt(1), parameters).orElseThrow();
  }
}
