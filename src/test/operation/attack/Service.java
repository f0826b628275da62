import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The packaged service as a process with its own port, heap, and data directory. */
final class Service implements AutoCloseable, Target {
  static final String ADMIN = "admin@example.org";
  static final String HEAP = System.getProperty("heap", "512m");
  private static final Path JAR =
      Path.of(System.getProperty("jar", "target/quarkus-app/quarkus-run.jar"));
  private static final Duration START = Duration.ofMinutes(3);
  private static final Duration END = Duration.ofSeconds(20);
  private static final int SHOWN_LOG_LINES = 20;
  private static final Set<Service> OPEN = ConcurrentHashMap.newKeySet();

  /** Whether the script was interrupted, so that no service may start any more. */
  private static volatile boolean isStopping;

  static {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  isStopping = true;
                  endAll();
                }));
  }

  private final int port;
  private final Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private Process process;

  private Service() throws IOException {
    if (isStopping) {
      throw new IllegalStateException("the script was interrupted");
    }
    directory = Files.createTempDirectory("cairn-attack-");
    try (var free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    OPEN.add(this);
  }

  /** Ends all services that are still there, and deletes their data. */
  static void endAll() {
    OPEN.forEach(Service::close);
  }

  /** Starts on an empty database; the settings come on top of the defaults. */
  static Service start(Map<String, String> settings) throws Exception {
    var service = new Service();
    service.restart(settings);
    return service;
  }

  /** Not started yet. */
  static Service stopped() throws IOException {
    return new Service();
  }

  /** Stops it if it runs, and starts it on the same data with these settings. */
  void restart(Map<String, String> settings) throws Exception {
    if (!starts(settings)) {
      throw new IllegalStateException("the service did not start:\n" + lastLogLines());
    }
  }

  /** Whether it becomes ready with these settings; otherwise it has ended. */
  boolean starts(Map<String, String> settings) throws Exception {
    end();
    process = launch(settings);
    long deadline = System.nanoTime() + START.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      if (isReady()) {
        return true;
      }
      Thread.sleep(200);
    }
    end();
    return false;
  }

  private Process launch(Map<String, String> settings) throws Exception {
    if (!Files.exists(JAR)) {
      throw new IllegalStateException(JAR + " is missing: run ./mvnw package -DskipTests first");
    }
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
                java,
                "-Xmx" + HEAP,
                "-XX:+ExitOnOutOfMemoryError",
                "-jar",
                JAR.toAbsolutePath().toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()));
    var environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("CAIRN_") || name.startsWith("QUARKUS_"));
    environment.putAll(
        Map.of(
            "QUARKUS_HTTP_PORT",
            "" + port,
            "QUARKUS_HTTP_HOST",
            "127.0.0.1",
            "CAIRN_DATA_DIR",
            data().toString(),
            "CAIRN_ADMIN_EMAIL",
            ADMIN,
            "CAIRN_ADMIN_PASSWORD",
            Account.PASSWORD));
    if (!Loopback.HAS_MANY_ADDRESSES) {
      environment.put("CAIRN_LIMITS_SIGN_INS_PER_MINUTE", "100000");
    }
    environment.putAll(new HashMap<>(settings));
    return Priority.start(builder);
  }

  private boolean isReady() throws InterruptedException {
    var request =
        HttpRequest.newBuilder(uri("/q/health/ready")).timeout(Duration.ofSeconds(10)).build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The id of the process that was started last. */
  long processId() {
    return process.pid();
  }

  /** Whether an OutOfMemoryError is in its log. */
  boolean ranOutOfMemory() throws IOException {
    return log().contains("java.lang.OutOfMemoryError");
  }

  private String lastLogLines() throws IOException {
    var lines = log().lines().toList();
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size()));
  }

  private String log() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  Path data() {
    return directory.resolve("data");
  }

  /** Bytes of all files in the data directory. */
  long diskBytes() throws IOException {
    var sum = new AtomicLong();
    Files.walkFileTree(
        data(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum.addAndGet(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          /** The database deletes files meanwhile. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return sum.get();
  }

  /** Ends the process and deletes its data, also if this thread was interrupted. */
  @Override
  public synchronized void close() {
    boolean wasInterrupted = Thread.interrupted();
    try {
      end();
      delete();
    } catch (IOException | InterruptedException e) {
      System.err.println(directory + " could not be cleaned up: " + e);
    }
    client.shutdownNow();
    OPEN.remove(this);
    if (wasInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() throws IOException, InterruptedException {
    if (process == null) {
      return;
    }
    end(process.toHandle());
    endDatabase();
  }

  /** A service that was killed leaves its PostgreSQL running. */
  private void endDatabase() throws IOException, InterruptedException {
    var pidFile = data().resolve("postgres/postmaster.pid");
    if (!Files.exists(pidFile)) {
      return;
    }
    long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
    var database = ProcessHandle.of(pid);
    if (database.flatMap(handle -> handle.info().command()).orElse("").contains("postgres")) {
      end(database.get());
    }
  }

  private static void end(ProcessHandle handle) throws InterruptedException {
    handle.destroy();
    if (!hasEnded(handle)) {
      handle.destroyForcibly();
      hasEnded(handle);
    }
  }

  private static boolean hasEnded(ProcessHandle handle) throws InterruptedException {
    try {
      handle.onExit().get(END.toSeconds(), TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  /** What a process that is ending still wrote may stand in the way at first. */
  private void delete() throws IOException, InterruptedException {
    for (int i = 0; i < 20 && Files.exists(directory); i++) {
      if (i > 0) {
        Thread.sleep(500);
      }
      deleteWhatCanBe();
    }
    if (Files.exists(directory)) {
      throw new IOException("some files are left");
    }
  }

  private void deleteWhatCanBe() {
    try (var files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException | UncheckedIOException e) {
      // A file went away meanwhile.
    }
  }
}
