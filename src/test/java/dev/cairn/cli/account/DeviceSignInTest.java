package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.output.Format;
import dev.cairn.cli.output.Output;
import dev.cairn.client.CairnClient;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceSignInTest {
  @Test
  void it_waits_as_long_as_the_server_says_and_longer_after_slow_down() throws Exception {
    try (var server = FakeServer.start();
        var client = CairnClient.builder(URI.create(server.url())).build()) {
      server
          .answer(
              "POST /oauth/device_authorization",
              200,
              """
              {"device_code":"d","user_code":"A","verification_uri":"v","verification_uri_complete":"no url",
               "expires_in":600,"interval":5}\
              """)
          .answer("POST /oauth/token", 400, "{\"error\":\"authorization_pending\"}")
          .answer("POST /oauth/token", 400, "{\"error\":\"slow_down\"}")
          .answer("POST /oauth/token", 400, "{\"error\":\"authorization_pending\"}")
          .answer("POST /oauth/token", 400, "{\"error\":\"slow_down\"}")
          .answer(
              "POST /oauth/token",
              200,
              """
              {"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}\
              """);
      var waits = new ArrayList<Duration>();
      var output = new Output(CliRun.in(Path.of("/nowhere")).context(), Format.TEXT, false, false);
      var tokens =
          new DeviceSignIn(client.signIn(), "cairn-cli", output, waits::add).run(null, null);
      assertEquals("r", tokens.refreshToken());
      assertEquals(
          List.of(5L, 5L, 10L, 10L, 15L), waits.stream().map(Duration::toSeconds).toList());
    }
  }
}
