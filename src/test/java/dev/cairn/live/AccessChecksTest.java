package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.access.OngoingReads.Read;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/live.md, When access ends: who is authorized again together, and who waits for it. */
class AccessChecksTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REPOSITORIES = ChangeStreams.MAX_REPOSITORIES;
  private static final long NEWEST = 7;

  private static Read read() {
    return new Read(UUID.randomUUID(), null, null);
  }

  private static Watch client(String caller, List<Read> reads) {
    var followed = reads.stream().map(_ -> new Followed()).toList();
    return new Watch(caller, followed, reads, () -> {}, null, _ -> {});
  }

  private static Watch clientOfMany(String caller) {
    return client(caller, IntStream.range(0, REPOSITORIES).mapToObj(_ -> read()).toList());
  }

  /** The clients that are due, of a caller with far more reads than one statement authorizes. */
  private static List<Watch> flood() {
    int clients = 3 * AccessChecks.MAX_READS / REPOSITORIES;
    var flood = IntStream.range(0, clients).mapToObj(_ -> clientOfMany("flood")).toList();
    flood.forEach(client -> client.access().request());
    return flood;
  }

  private static CheckBatch next(List<Watch> all) {
    return CheckBatch.of(all, AccessChecks.MAX_READS, System.nanoTime());
  }

  @Test
  void a_statement_authorizes_so_many_reads_at_most_and_all_get_their_turn() {
    var left = new ArrayList<>(flood());
    for (int i = 1; i <= 3; i++) {
      var batch = next(left);
      assertEquals(AccessChecks.MAX_READS, batch.reads().size());
      assertTrue(left.removeAll(batch.clients()));
    }
    assertEquals(List.of(), left);
  }

  @Test
  void those_whose_check_has_just_begun_come_after_those_that_wait() {
    var all = flood();
    var batch = next(all);
    batch.clients().forEach(client -> client.access().tried(System.nanoTime()));
    assertTrue(next(all).clients().stream().noneMatch(batch.clients()::contains));
  }

  @Test
  void a_caller_with_many_clients_does_not_come_before_one_with_few() {
    var all = new ArrayList<>(flood());
    var few = client("few", List.of(read()));
    few.access().request();
    all.add(few);
    assertTrue(next(all).clients().contains(few));
  }

  @Test
  void equal_reads_are_authorized_together_however_many_clients_there_are() {
    var read = List.of(read());
    var all =
        IntStream.range(0, 2 * AccessChecks.MAX_READS)
            .mapToObj(i -> client("c" + i, read))
            .toList();
    assertEquals(all.size(), next(all).clients().size());
    assertEquals(Set.copyOf(read), next(all).reads());
  }

  /** A database with a time limit, in which some reads are allowed and others are not. */
  private static Map<Read, Long> allowed(Set<Read> reads, int max, Read denied) {
    if (reads.size() > max) {
      throw new IllegalStateException(new SQLException("canceled", "57014"));
    }
    return reads.stream()
        .filter(read -> !read.equals(denied))
        .collect(Collectors.toMap(read -> read, _ -> NEWEST));
  }

  @Test
  void if_the_database_is_too_slow_for_many_all_are_authorized_in_smaller_numbers()
      throws Exception {
    var refused = client("refused", List.of(read()));
    var all = new CopyOnWriteArrayList<>(flood());
    all.add(refused);
    var checks =
        new AccessChecks(
            () -> all,
            reads -> allowed(reads, AccessChecks.MAX_READS / 2, refused.reads().getFirst()));
    try {
      for (var client : all) {
        assertTrue(checks.await(client, LIMIT));
      }
      assertEquals(Optional.of(Ending.ACCESS_ENDED), refused.ending());
      all.remove(refused);
      assertTrue(all.stream().allMatch(client -> client.ending().isEmpty()));
      assertTrue(all.stream().allMatch(client -> client.newest(0) == NEWEST));
    } finally {
      all.clear();
    }
  }

  @Test
  void while_a_statement_does_not_end_those_of_the_one_before_go_on() throws Exception {
    var goesOn = new CompletableFuture<Void>();
    var few = client("few", List.of(read()));
    var all = new CopyOnWriteArrayList<>(flood());
    var last = all.getLast();
    all.add(few);
    var checks =
        new AccessChecks(
            () -> all,
            reads -> {
              if (!reads.containsAll(few.reads())) {
                goesOn.join();
              }
              return allowed(reads, AccessChecks.MAX_READS, null);
            });
    try {
      assertTrue(checks.await(few, LIMIT));
      assertFalse(checks.await(last, Duration.ofMillis(100)));
    } finally {
      goesOn.complete(null);
      all.clear();
    }
  }
}
