package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.output.Format;
import dev.cairn.cli.output.Output;
import dev.cairn.client.CairnClient;
import dev.cairn.client.ServerNotReachedException;
import dev.cairn.client.Tokens;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeviceSignInTest {
  private static final String TOKEN = "POST /oauth/token";
  private static final String PENDING = "{\"error\":\"authorization_pending\"}";
  private static final String SLOW_DOWN = "{\"error\":\"slow_down\"}";
  private static final String GRANTED =
      """
      {"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}\
      """;

  private final FakeServer server = FakeServer.start();
  private final List<Duration> waits = new ArrayList<>();

  @BeforeEach
  void start() {
    server.answer(
        "POST /oauth/device_authorization",
        200,
        """
        {"device_code":"d","user_code":"A","verification_uri":"v","verification_uri_complete":"no url",
         "expires_in":100,"interval":5}\
        """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Tokens signIn() throws InterruptedException {
    var output = new Output(CliRun.in(Path.of("/nowhere")).context(), Format.TEXT, false, false);
    try (var client = CairnClient.builder(URI.create(server.url())).build()) {
      return new DeviceSignIn(client.signIn(), "cairn-cli", output, waits::add).run(null, null);
    }
  }

  private List<Long> seconds() {
    return waits.stream().map(Duration::toSeconds).toList();
  }

  @Test
  void it_waits_as_long_as_the_server_says_and_longer_after_slow_down() throws Exception {
    server
        .answer(TOKEN, 400, PENDING)
        .answer(TOKEN, 400, SLOW_DOWN)
        .answer(TOKEN, 400, PENDING)
        .answer(TOKEN, 400, SLOW_DOWN)
        .answer(TOKEN, 200, GRANTED);
    assertEquals("r", signIn().refreshToken());
    assertEquals(List.of(5L, 5L, 10L, 10L, 15L), seconds());
  }

  @Test
  void a_lost_connection_and_a_busy_server_do_not_end_it_while_the_code_is_valid()
      throws Exception {
    server
        .lost(TOKEN)
        .answer(TOKEN, 503, "{}")
        .answer(TOKEN, 400, PENDING)
        .answer(TOKEN, 429, "{}", Map.of("Retry-After", "20"))
        .answer(TOKEN, 200, GRANTED);
    assertEquals("r", signIn().refreshToken());
    assertEquals(List.of(5L, 10L, 20L, 5L, 20L), seconds());
  }

  @Test
  void it_stops_when_the_code_has_expired_by_the_time_that_the_server_said() {
    server.answer(TOKEN, 400, PENDING);
    var failure = assertThrows(CommandFailure.class, this::signIn);
    assertEquals("Nobody confirmed the code in time: it has expired.", failure.getMessage());
    var total = waits.stream().reduce(Duration.ZERO, Duration::plus);
    assertTrue(total.compareTo(Duration.ofSeconds(100)) <= 0, total::toString);
    assertTrue(total.compareTo(Duration.ofSeconds(80)) > 0, total::toString);
  }

  @Test
  void a_server_that_stays_away_is_the_reason_that_is_told() {
    server.lost(TOKEN);
    assertThrows(ServerNotReachedException.class, this::signIn);
    assertEquals(List.of(5L, 10L, 20L, 30L), seconds().subList(0, 4));
    assertEquals(6, waits.size());
  }
}
