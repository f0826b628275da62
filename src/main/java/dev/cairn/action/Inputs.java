package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Loads what attempts hand over, by a quarter of the connections at the most. Bodies that are large
 * wait until there is room for them beside the others that are under way.
 */
@Singleton
class Inputs {
  private static final int SMALL = 256 * 1024;
  private static final int KIB = 1024;

  /** The body itself, what is made of it to be sent, and the text from the database. */
  private static final int COPIES = 4;

  private static final int SHARE_OF_HEAP = 8;

  static final String OPERATIONS =
      """
      select count(*), coalesce(sum(octet_length(m.body)), 0),
             case when coalesce(sum(octet_length(m.body)), 0) <= ?
                  then string_agg(m.body, ',' order by m.op_index) end
      from unnest(?) as n (op_index) cross join lateral (
        select x.op_index, x.body from matched_operation x
        where x.repo_id = ? and x.seq = ? and x.op_index = n.op_index offset 0) m
      """;

  private final Database database;
  private final CallbackTokens tokens;
  private final Semaphore connections;
  private final Semaphore room;
  private final int size;

  /** Works with a body. */
  @FunctionalInterface
  interface Use {
    /** Hands the body over, which is not to be kept. */
    Step with(byte[] body) throws InterruptedException;
  }

  private record Operations(int count, long bytes, byte[] text) {}

  Inputs(Database database, CallbackTokens tokens, CairnConfig config, MeterRegistry metrics) {
    this.database = database;
    this.tokens = tokens;
    this.connections = new Semaphore(Math.max(1, config.database().poolSize() / 4), true);
    this.size = (int) (Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / KIB);
    this.room = new Semaphore(size, true);
    Gauge.builder(
            "cairn.attempts.waiting", () -> connections.getQueueLength() + room.getQueueLength())
        .description("Attempts that wait in this replica for a connection, or room for their body")
        .register(metrics);
  }

  /** Hands over what the run sends; empty where it is not there any more. */
  Optional<Step> use(Claimed run, Use use) throws InterruptedException {
    if (run.isNotice()) {
      return Optional.of(use.with(run.envelope()));
    }
    var small = load(run, SMALL);
    if (small.count() < run.matched().length) {
      return Optional.empty();
    }
    if (small.bytes() <= SMALL) {
      return Optional.of(use.with(body(run, small)));
    }
    int kib = (int) Math.min(size, COPIES * small.bytes() / KIB);
    room.acquire(kib);
    try {
      return Optional.of(use.with(body(run, load(run, Long.MAX_VALUE))));
    } finally {
      room.release(kib);
    }
  }

  private byte[] body(Claimed run, Operations operations) {
    return Envelope.body(run.envelope(), operations.text(), tokens.of(run.running().runId()));
  }

  /** The matched operations, as the elements of an array, where they are no more than that. */
  private Operations load(Claimed run, long most) throws InterruptedException {
    if (run.matched().length == 0) {
      return new Operations(0, 0, new byte[0]);
    }
    connections.acquire();
    try {
      return database
          .first(
              OPERATIONS,
              Inputs::operations,
              most,
              run.matched(),
              run.sourceRepoId(),
              run.sourceSeq())
          .orElseThrow();
    } finally {
      connections.release();
    }
  }

  private static Operations operations(ResultSet row) throws SQLException {
    return new Operations(row.getInt(1), row.getLong(2), row.getBytes(3));
  }
}
