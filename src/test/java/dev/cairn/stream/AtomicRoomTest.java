package dev.cairn.stream;

import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.BodyMemory;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** docs/streams.md, The transaction: room for the stored data that patches change. */
@HttpTest
@InProcess("it takes the room for bodies")
@QuarkusTest
class AtomicRoomTest {
  private static final int KIB = 1024;

  @Inject BodyMemory memory;

  /** Takes room in pieces of this size, until there is none for another. */
  private void fill(List<BodyMemory.Extra> taken, int bytes) {
    for (boolean hasRoom = true; hasRoom; ) {
      var piece = memory.extra(UUID.randomUUID(), new byte[0]);
      try {
        piece.add(bytes);
        taken.add(piece);
      } catch (Problem _) {
        hasRoom = false;
      }
    }
  }

  @Test
  void patches_wait_for_room_for_the_data_that_they_change() throws Exception {
    var repository = repository();
    Prepared.commit(repository, add("a", "{'text':'%s'}".formatted("x".repeat(30 * KIB))));
    var taken = new ArrayList<BodyMemory.Extra>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      fill(taken, 400 * KIB);
      // What is left is enough for the lines, but not for the data.
      fill(taken, 10 * KIB);
      var patch = lines("{'operation':'revise','name':'S/a','patch':{'n':1}}");
      var answer = threads.submit(() -> Streams.send(repository, "?atomic=true", patch));
      Thread.sleep(1_500);
      assertFalse(answer.isDone(), "it waits");
      taken.forEach(BodyMemory.Extra::release);
      taken.clear();
      assertEquals(200, answer.get().status(), answer.get().text());
      assertEquals(1, answer.get().summary().get("applied").asInt());
    } finally {
      taken.forEach(BodyMemory.Extra::release);
    }
  }
}
