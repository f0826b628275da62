package dev.cairn.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.narayana.jta.QuarkusTransactionException;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@HttpTest
@QuarkusTest
@InProcess("It is about the bean.")
class DatabaseTest {
  @Inject Database database;

  private void fail(String state) {
    database.update("do $$ begin raise exception using errcode = '" + state + "'; end $$");
  }

  @ParameterizedTest
  @ValueSource(strings = {"40001", "40P01"})
  void work_that_was_given_up_for_another_transaction_is_done_again(String state) {
    var attempts = new AtomicInteger();

    int result =
        database.transaction(
            () -> {
              if (attempts.incrementAndGet() < 4) {
                fail(state);
              }
              return attempts.get();
            });

    assertEquals(4, result);
  }

  @Test
  void work_in_a_transaction_that_is_marked_for_rollback_begins_no_other_one() {
    var ids = new ArrayList<String>();

    assertThrows(
        QuarkusTransactionException.class,
        () ->
            QuarkusTransaction.requiringNew()
                .run(
                    () -> {
                      ids.add(database.transaction(this::transactionId));
                      QuarkusTransaction.setRollbackOnly();
                      ids.add(database.transaction(this::transactionId));
                    }));

    assertEquals(2, ids.size());
    assertEquals(ids.getFirst(), ids.getLast());
  }

  private String transactionId() {
    return database
        .first("select pg_current_xact_id()::text", row -> row.getString(1))
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"40001, 4", "22012, 1"})
  void a_collision_is_tried_four_times_and_any_other_failure_once(String state, int times) {
    var attempts = new AtomicInteger();

    assertThrows(
        DatabaseException.class,
        () ->
            database.transaction(
                () -> {
                  attempts.incrementAndGet();
                  fail(state);
                  return 0;
                }));

    assertEquals(times, attempts.get());
  }

  @Test
  void those_that_collide_wait_for_different_moments() throws Exception {
    int clients = 8;
    var together = new CyclicBarrier(clients);
    var moments = new ArrayList<Future<List<Long>>>();
    try (var executor = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        moments.add(
            executor.submit(
                () -> {
                  var tries = new ArrayList<Long>();
                  database.transaction(
                      () -> {
                        if (tries.isEmpty()) {
                          together.await(20, TimeUnit.SECONDS);
                        }
                        tries.add(System.nanoTime());
                        if (tries.size() < 3) {
                          fail("40P01");
                        }
                        return 0;
                      });
                  return tries;
                }));
      }
      long earliest = Long.MAX_VALUE;
      long latest = Long.MIN_VALUE;
      for (var future : moments) {
        long last = future.get(30, TimeUnit.SECONDS).getLast();
        earliest = Math.min(earliest, last);
        latest = Math.max(latest, last);
      }
      var spread = Duration.ofNanos(latest - earliest);
      assertTrue(spread.compareTo(Duration.ofMillis(2)) > 0, "all came back within " + spread);
    }
  }

  @Test
  void a_read_only_snapshot_sees_one_moment_and_writes_nothing() {
    var key = "reading-" + System.nanoTime();
    database.inReadOnlySnapshot(
        Duration.ofSeconds(20),
        () -> {
          assertEquals(0, buckets(key));
          try (var executor = Executors.newSingleThreadExecutor()) {
            executor.submit(() -> insert(key)).get(20, TimeUnit.SECONDS);
          }
          assertEquals(0, buckets(key));
          return true;
        });
    assertEquals(1, buckets(key));

    assertThrows(
        DatabaseException.class,
        () -> database.inReadOnlySnapshot(Duration.ofSeconds(20), () -> insert(key + "-too")));
    assertEquals(0, buckets(key + "-too"));
  }

  @Test
  void a_read_only_snapshot_ends_a_statement_after_its_own_time() {
    var failure =
        assertThrows(
            DatabaseException.class,
            () ->
                database.inReadOnlySnapshot(
                    Duration.ofSeconds(1),
                    () -> database.first("select pg_sleep(20)", row -> true)));
    assertEquals(Optional.of(DatabaseException.Kind.TOO_LONG), DatabaseException.kind(failure));
  }

  private long buckets(String key) {
    return database
        .first("select count(*) from rate_limit where bucket = ?", row -> row.getLong(1), key)
        .orElseThrow();
  }

  private int insert(String key) {
    return database.update(
        "insert into rate_limit (bucket, tokens, updated_at) values (?, 1, now())", key);
  }
}
