package dev.cairn.platform.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.cairn.platform.Configs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

class DatabaseHealthTest {
  private static Status status(int port) {
    var url = "jdbc:postgresql://127.0.0.1:" + port + "/cairn";
    return new DatabaseHealth(Configs.with("cairn.database.url", url)).call().getStatus();
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void a_database_that_is_not_there_is_down() throws IOException {
    int port;
    try (var server = server()) {
      port = server.getLocalPort();
    }
    assertEquals(Status.DOWN, status(port));
  }

  @Test
  void a_database_that_never_answers_is_down_within_three_seconds() throws IOException {
    try (var server = server()) {
      assertTimeout(
          Duration.ofSeconds(3), () -> assertEquals(Status.DOWN, status(server.getLocalPort())));
    }
  }
}
