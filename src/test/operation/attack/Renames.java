import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Something that many others refer to, and that somebody renames again and again. */
final class Renames implements AutoCloseable {
  private static final Duration DURATION = Scale.seconds("seconds", 30);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int REFERENCES = Scale.count(20_000);
  private static final int REFERENCES_IN_COMMIT = 2_500;
  private static final int LENGTH = 3_000;
  private static final String REPOSITORY = "eve/busy";

  private final Account editor;
  private final Latencies times = new Latencies();
  private final Thread thread = Thread.ofVirtual().unstarted(this::repeat);

  /** Whether the organization may rename no more in this hour. */
  private boolean isLimited;

  private Renames(Account editor) {
    this.editor = editor;
  }

  /** A13: renames of seconds in a repository in which others commit meanwhile. */
  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var editor = Account.signUp(service, "editor");
        var prober = Prober.start(service)) {
      makeRepository(eve, LENGTH);
      makeEditor(eve, "editor");
      makeEditor(eve, "others");
      prober.commitTo(REPOSITORY);
      prober.endPhase();
      var renames = begin(editor);
      try (renames) {
        Thread.sleep(DURATION);
      }
      return prober.result(renames.toString(), renames.wentOn());
    }
  }

  /**
   * Makes the repository {@code busy} of the organization {@code eve}.
   *
   * @param length how many characters each entity has that refers to the renamed one
   */
  static void makeRepository(Account eve, int length) throws Exception {
    eve.makeRepository("eve", "busy", "private");
    eve.commit(REPOSITORY, Account.note("hub0", "x") + "," + shape()).expectSuccess();
    var text = "x".repeat(length);
    for (int from = 0; from < REFERENCES; from += REFERENCES_IN_COMMIT) {
      eve.commit(REPOSITORY, references(from, text)).expectSuccess();
    }
  }

  private static String shape() {
    return """
        {"operation":"add","name":"Shape/Reference",\
        "data":{"fields":{"to":"wref","text":"string"}}}""";
  }

  private static String references(int from, String text) {
    return IntStream.range(from, Math.min(REFERENCES, from + REFERENCES_IN_COMMIT))
        .mapToObj(
            """
            {"operation":"add","name":"Reference/%d","data":{"to":"Note/hub0","text":"TEXT"}}"""
                ::formatted)
        .collect(Collectors.joining(","))
        .replace("TEXT", text);
  }

  /** Lets the account of this name write to all repositories of the organization {@code eve}. */
  static void makeEditor(Account eve, String name) throws Exception {
    eve.put("/api/orgs/eve/members/" + name + "@example.org", "{\"role\":\"editor\"}")
        .expectSuccess();
  }

  /** Begins to rename, until it is closed. */
  static Renames begin(Account editor) {
    var renames = new Renames(editor);
    renames.thread.start();
    return renames;
  }

  private void repeat() {
    try {
      for (int i = 0; !isLimited; ) {
        if (isRenamed(i)) {
          i++;
        } else {
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Renames once, and counts it as succeeded or failed. */
  private boolean isRenamed(int number) throws InterruptedException {
    long begin = System.nanoTime();
    String failure;
    try {
      int status = rename(number).status();
      if (status == 201) {
        times.succeeded(System.nanoTime() - begin);
        return true;
      }
      isLimited = status == 429;
      failure = "" + status;
    } catch (IOException e) {
      failure = e.getClass().getSimpleName();
    }
    times.failed(failure, System.nanoTime() - begin);
    return false;
  }

  private Account.Answer rename(int number) throws IOException, InterruptedException {
    return editor.commit(
        REPOSITORY,
        "{\"operation\":\"rename\",\"name\":\"Note/hub%d\",\"newName\":\"hub%d\"}"
            .formatted(number, number + 1));
  }

  /** Whether several renames succeeded, and at least half of them. */
  private boolean wentOn() {
    int succeeded = times.count() - times.failed();
    return succeeded >= 2 && succeeded >= times.failed();
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  @Override
  public String toString() {
    return "%d renames, in ms: %s".formatted(times.count(), times);
  }
}
