package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Slots;
import dev.cairn.work.TargetQueue;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Workers: how many queues are found, part by part. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database for queues.")
class ReadyQueuesTest {
  private static final int QUEUES = ReadyQueues.MAX_QUEUES + 300;

  @Inject Database database;

  private final List<UUID> repositories = new ArrayList<>();

  @BeforeEach
  void repositories() {
    for (int i = 0; i < 2; i++) {
      repositories.add(Api.repoId(Api.newRepository("private")));
    }
  }

  @AfterEach
  void delete() {
    for (var repoId : repositories) {
      database.update("delete from action_run where repo_id = ?", repoId);
    }
  }

  /** Runs of as many targets, each to be tried again in an hour, but those of the last two now. */
  private void fill(UUID repoId) {
    database.update(
        """
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                attempt_count, max_attempts, due_at, created_at, updated_at)
        select ?, gen_random_uuid(), gen_random_uuid(), 'hook', lpad(to_hex(i), 16, '0'), '{}', '{}',
               'sprite', 'target-' || lpad(i::text, 5, '0'), gen_random_uuid(), 1, 'retry_wait', 0, 7,
               case when i <= ? - 2 then now() + interval '1 h' else now() end, now(), now()
        from generate_series(1, ?) i
        """,
        repoId,
        QUEUES,
        QUEUES);
  }

  private List<TargetQueue> find(ReadyQueues ready) {
    return ready.find(Optional.empty(), new Slots.Full(Set.of(), Set.of()), 512);
  }

  @Test
  void a_look_has_every_queue_and_the_next_one_begins_with_another_part() {
    repositories.forEach(this::fill);
    var ready = new ReadyQueues(database);
    var first = new HashSet<List<TargetQueue>>();
    int all = 2 * QUEUES / ReadyQueues.MAX_QUEUES + 1;
    for (int look = 0; look < all; look++) {
      var parts = new ArrayList<List<TargetQueue>>();
      do {
        parts.add(find(ready));
      } while (ready.nextPart());
      assertEquals(all + 1, parts.size());
      first.add(parts.getFirst());
      for (var repoId : repositories) {
        assertEquals(
            List.of("target-%05d".formatted(QUEUES - 1), "target-%05d".formatted(QUEUES)),
            parts.stream()
                .limit(all)
                .flatMap(List::stream)
                .filter(queue -> queue.target().repoId().equals(repoId))
                .map(queue -> queue.target().name())
                .sorted()
                .toList());
      }
    }
    assertEquals(all, first.size());
  }

  @Test
  void a_look_with_one_part_takes_it_once() {
    var ready = new ReadyQueues(database);
    find(ready);
    assertFalse(ready.nextPart());
  }
}
