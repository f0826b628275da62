package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who wakes virtual threads: {@code docs/decisions/0020-pollers.md}. */
class PollersIT {
  @TempDir static Path directory;

  @Test
  void threads_of_the_system_poll_in_an_executable() throws Exception {
    assumeTrue(Artifact.isNative(), "a JVM has pollers of its own choice");
    try (var database = new EmbeddedPostgres().start(directory.resolve("database"), false)) {
      var replica = Replica.start(database, directory.resolve("service.log"), Map.of());
      try {
        assertTrue(threads(replica).contains("Read-Poller"), () -> "no poller");
      } finally {
        replica.stop();
      }
    }
  }

  private static Set<String> threads(Replica replica) throws IOException {
    var names = new TreeSet<String>();
    try (var tasks = Files.list(Path.of("/proc/" + replica.process().pid() + "/task"))) {
      for (var task : tasks.toList()) {
        names.add(Files.readString(task.resolve("comm")).strip());
      }
    }
    return names;
  }
}
