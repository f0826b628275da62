import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The most memory that the service used at one of the moments at which it was watched. */
final class PeakMemory {
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Target service;
  private final Path process;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  private volatile long heapBytes;
  private volatile long residentBytes;
  private volatile int unansweredMetrics;

  PeakMemory(Target service, long processId) {
    this.service = service;
    this.process = Path.of("/proc/" + processId + "/status");
  }

  /** Watches until it is interrupted. */
  void watch() {
    try {
      while (true) {
        residentBytes = Math.max(residentBytes, currentResidentBytes());
        try {
          heapBytes = Math.max(heapBytes, currentHeapBytes());
        } catch (IOException e) {
          unansweredMetrics++;
        }
        Thread.sleep(INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Bytes of the heap that are in use, by the service's metrics. */
  private long currentHeapBytes() throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(service.uri("/q/metrics")).timeout(Duration.ofSeconds(10)).build();
    return client
        .send(request, HttpResponse.BodyHandlers.ofString())
        .body()
        .lines()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Bytes that the process has in memory; 0 if the system does not say. */
  private long currentResidentBytes() {
    try (var lines = Files.lines(process)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public String toString() {
    return "heap %,d MB%s, resident %,d MB"
        .formatted(
            heapBytes >> 20,
            unansweredMetrics == 0 ? "" : " (metrics without an answer: " + unansweredMetrics + ")",
            residentBytes >> 20);
  }
}
