package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;

/** The server of a component in {@code examples/components}, as a process. */
record ExampleServer(Process process, String url) implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** The directory of an example. */
  static Path directory(String component) {
    return Path.of("examples/components", component);
  }

  /**
   * Starts one, and returns when it is ready.
   *
   * @param url where it listens
   * @param log what it writes is added to this file
   * @param environment besides {@code OWN_URL}
   */
  static ExampleServer start(
      String component, String url, Path log, Map<String, String> environment) throws IOException {
    var builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                directory(component).resolve("Server.java").toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("OWN_URL", url);
    builder.environment().putAll(environment);
    var server = new ExampleServer(builder.start(), url);
    Eventually.await(() -> "the server is ready: " + TextFile.read(log), server::isReady);
    return server;
  }

  private boolean isReady() throws InterruptedException {
    assertTrue(process.isAlive(), "the server has ended");
    try {
      var request = HttpRequest.newBuilder(URI.create(url + "/health")).build();
      return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // not listening yet
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
