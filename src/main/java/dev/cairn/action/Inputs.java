package dev.cairn.action;

import dev.cairn.platform.Body;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Database.RowMapper;
import dev.cairn.platform.memory.HeapShare;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Loads the input of attempts, with at most a quarter of the connections: a small body at once, a
 * large one in pieces while it is sent. A caller that needs all of a large body waits until there
 * is memory for it.
 */
@Singleton
class Inputs {
  /** A body of at most this length is loaded at once. */
  private static final int MAX_SMALL_BYTES = 256 * 1024;

  private static final int KIB = 1024;

  /** A body takes this many times its length: itself, the text from the database, what is sent. */
  private static final int COPIES_OF_BODY = 4;

  // Operations outlive their repository for a while, but are not sent any more.
  static final String OPERATIONS =
      """
      select count(*),
             case when coalesce(sum(octet_length(m.body)), 0) <= ?
                  then string_agg(m.body, ','::bytea order by m.op_index) end
      from unnest(?) as n (op_index) cross join lateral (
        select x.op_index, x.body from matched_operation x
        where x.repo_id = ? and x.seq = ? and x.op_index = n.op_index offset 0) m
      where exists (select from repository r where r.id = ?)
      """;

  static final String SIZES =
      """
      select m.op_index, octet_length(m.body)
      from unnest(?) as n (op_index) cross join lateral (
        select x.op_index, x.body from matched_operation x
        where x.repo_id = ? and x.seq = ? and x.op_index = n.op_index offset 0) m
      order by m.op_index
      """;

  static final String SLICE =
      """
      select convert_to(?, 'UTF8') || string_agg(m.body, ','::bytea order by m.op_index)
      from unnest(?) as n (op_index) cross join lateral (
        select x.op_index, x.body from matched_operation x
        where x.repo_id = ? and x.seq = ? and x.op_index = n.op_index offset 0) m
      where exists (select from repository r where r.id = ?)
      """;

  static final String PART =
      """
      select convert_to(?, 'UTF8') || substring(body from ? for ?)
      from matched_operation where repo_id = ? and seq = ? and op_index = ?
        and exists (select from repository r where r.id = ?)
      """;

  private final Database database;
  private final CallbackTokens tokens;
  private final Semaphore connections;
  private final Semaphore room;
  private final int size;

  private record Operations(int count, byte[] text) {}

  Inputs(Database database, CallbackTokens tokens, CairnConfig config, MeterRegistry metrics) {
    this.database = database;
    this.tokens = tokens;
    this.connections = new Semaphore(Math.max(1, config.database().poolSize() / 4), true);
    this.size = (int) Math.min(Integer.MAX_VALUE, HeapShare.INPUTS.bytes() / KIB);
    this.room = new Semaphore(size, true);
    Gauge.builder(
            "cairn.attempts.waiting", () -> connections.getQueueLength() + room.getQueueLength())
        .description("Attempts that wait in this replica for a connection, or room for their body")
        .register(metrics);
  }

  /** What the run sends; empty if it no longer exists. */
  Optional<Body> of(ClaimedRun run) throws InterruptedException {
    if (run.isNotice()) {
      return Optional.of(Body.of(run.envelope()));
    }
    var small = small(run);
    if (small.count() < run.matched().length) {
      return Optional.empty();
    }
    var frame = Envelope.frame(run.envelope(), tokens.of(run.running().runId(), run.callback()));
    return Optional.of(
        small.text() != null
            ? Body.of(frame.around(small.text()))
            : new StoredBody(this, run, frame, sizes(run)));
  }

  /** The matched operations, as the elements of an array, if they are small. */
  private Operations small(ClaimedRun run) throws InterruptedException {
    if (run.matched().length == 0) {
      return new Operations(0, new byte[0]);
    }
    return list(
            OPERATIONS,
            Inputs::operations,
            MAX_SMALL_BYTES,
            run.matched(),
            run.sourceRepoId(),
            run.sourceSeq(),
            run.sourceRepoId())
        .getFirst();
  }

  private static Operations operations(ResultSet row) throws SQLException {
    return new Operations(row.getInt(1), row.getBytes(2));
  }

  private List<StoredBody.Operation> sizes(ClaimedRun run) throws InterruptedException {
    return list(
        SIZES,
        row -> new StoredBody.Operation(row.getInt(1), row.getInt(2)),
        run.matched(),
        run.sourceRepoId(),
        run.sourceSeq());
  }

  /**
   * The bytes of a slice, after a comma if another operation is before it.
   *
   * @throws InputDeletedException if an operation was deleted meanwhile
   */
  byte[] slice(ClaimedRun run, StoredBody.Slice slice, String comma) throws InterruptedException {
    var found =
        slice.isPart()
            ? list(
                PART,
                row -> row.getBytes(1),
                comma,
                slice.from() + 1,
                slice.bytes(),
                run.sourceRepoId(),
                run.sourceSeq(),
                slice.indexes()[0],
                run.sourceRepoId())
            : list(
                SLICE,
                row -> row.getBytes(1),
                comma,
                slice.indexes(),
                run.sourceRepoId(),
                run.sourceSeq(),
                run.sourceRepoId());
    var piece = found.isEmpty() ? null : found.getFirst();
    if (piece == null || piece.length != comma.length() + slice.length()) {
      throw new InputDeletedException();
    }
    return piece;
  }

  private <T> List<T> list(String sql, RowMapper<T> mapper, Object... parameters)
      throws InterruptedException {
    connections.acquire();
    try {
      return database.list(sql, mapper, parameters);
    } finally {
      connections.release();
    }
  }

  /** Works with all of a large body, when there is room for it. */
  <T, E extends Exception> T inRoom(Body body, Body.Use<T, E> use) throws E, InterruptedException {
    int kib = (int) Math.min(size, COPIES_OF_BODY * body.length() / KIB);
    room.acquire(kib);
    try {
      return use.with(body.bytes());
    } finally {
      room.release(kib);
    }
  }
}
