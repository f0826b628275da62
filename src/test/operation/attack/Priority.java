import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Attackers on other machines would take nothing of the service's processors. Here they take only
 * what the service, its database, and the other callers leave: each thread of this process gets the
 * lowest priority, except one that starts the other processes, since a process has the priority of
 * the thread that starts it, and only root could raise it again.
 */
final class Priority {
  /** The nice value of the attackers; 0 is that of all others. */
  private static final int NICE = Integer.getInteger("priority", 19);

  private static final Path THREADS = Path.of("/proc/self/task");

  /** Where the nice value of a thread stands in its state, after its name in parentheses. */
  private static final int NICE_FIELD = 16;

  private static final int ATTEMPTS = 10;

  private static final ExecutorService STARTER =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

  private Priority() {}

  /** Starts a process with the priority that this one had at its beginning. */
  static Process start(ProcessBuilder builder) throws ExecutionException, InterruptedException {
    return STARTER.submit(builder::start).get();
  }

  /** Lowers the priority of this process, whose later threads inherit it; what it is then. */
  static String lower() throws Exception {
    if (NICE == 0) {
      return "attackers at the priority of the service";
    }
    try {
      var starter =
          STARTER.submit(() -> Path.of("/proc/thread-self").toRealPath().getFileName()).get();
      for (int i = 0; i < ATTEMPTS; i++) {
        var others = othersThan(starter);
        if (others.isEmpty()) {
          return "attackers with a nice value of " + NICE;
        }
        renice(others);
      }
    } catch (ExecutionException | IOException e) {
      // Not Linux, or without this command.
    }
    return "attackers at the priority of the service, since it could not be lowered";
  }

  /** Threads of this process that do not have that priority yet. */
  private static List<String> othersThan(Path starter) throws IOException {
    try (var threads = Files.list(THREADS)) {
      return threads
          .filter(thread -> !thread.getFileName().equals(starter))
          .filter(thread -> nice(thread) != NICE)
          .map(thread -> thread.getFileName().toString())
          .toList();
    }
  }

  private static int nice(Path thread) {
    try {
      var state = Files.readString(thread.resolve("stat"));
      var fields = state.substring(state.lastIndexOf(')') + 2).split(" ");
      return Integer.parseInt(fields[NICE_FIELD]);
    } catch (IOException e) {
      // It has ended.
      return NICE;
    }
  }

  private static void renice(List<String> threads) throws IOException, InterruptedException {
    var command =
        Stream.concat(Stream.of("renice", "-n", "" + NICE, "-p"), threads.stream()).toList();
    new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
