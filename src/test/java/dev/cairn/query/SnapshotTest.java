package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.revise;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reads: one answer shows one moment, also when it takes several statements. */
@HttpTest
@QuarkusTest
class SnapshotTest {
  private static final int COMMITS = 150;

  @Test
  void a_target_and_its_assertions_are_of_the_same_moment() throws Exception {
    var repository = repository("Sensor/a");
    commit(repository, note("n0", "Sensor/a") + "," + note("m0", "Note/n0"));
    Api.adminToken();
    try (var executor = Executors.newSingleThreadExecutor()) {
      var writer =
          executor.submit(
              () -> {
                for (int i = 1; i <= COMMITS; i++) {
                  commit(repository, revise("Sensor/a", i) + "," + note("n" + i, "Sensor/a"));
                }
              });
      int version = 1;
      while (version <= COMMITS) {
        var answer = get(repository + "/about/Sensor/a?limit=1").statusCode(200).extract();
        version = answer.path("target.version");
        assertEquals("Sensor/a@v" + version, answer.path("assertions[0].aboutWref"));
      }
      writer.get(1, TimeUnit.SECONDS);
    }
  }
}
