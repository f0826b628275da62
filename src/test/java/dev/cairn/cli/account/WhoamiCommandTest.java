package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.FakeTerminal;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhoamiCommandTest {
  private static final String ROUTE = "GET /api/whoami";
  private static final String GARDENER =
      """
      {"authenticated":true,"kind":"pat","account":{"email":"gardener@example.org","displayName":"Gardener"},\
      "token":{"name":"gateway","expiresAt":1796083200000},"orgs":[{"name":"garden","role":"owner"}]}\
      """;

  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home).with("CAIRN_SERVER", server.url());
  }

  @Test
  void the_caller_and_the_organizations_are_shown() {
    server.answer(ROUTE, 200, GARDENER);
    var result =
        cairn()
            .with("CAIRN_TOKEN", "cairn_pat_x")
            .with("NO_COLOR", "1")
            .on(FakeTerminal.of(80))
            .run("whoami");
    assertEquals(
        """
        Server         %s
        Account        gardener@example.org
        Name           Gardener
        Token          personal access token
        Token name     gateway
        Expires        2026-12-01 00:00:00 +00:00 (in 1 day)
        Organizations  garden (owner)
        """
            .formatted(server.url()),
        result.out());
    assertEquals(0, result.code());
    assertEquals("cairn_pat_x", server.requests().getFirst().token());
  }

  @Test
  void json_is_the_answer_of_the_api() throws Exception {
    server.answer(ROUTE, 200, GARDENER);
    var mapper = new JsonMapper();
    assertEquals(mapper.readTree(GARDENER), mapper.readTree(cairn().run("whoami", "--json").out()));
    assertEquals(GARDENER + "\n", cairn().run("whoami", "--jsonl").out());
  }

  @Test
  void a_caller_without_a_token_is_told_how_to_sign_in() {
    server.answer(ROUTE, 200, "{\"authenticated\":false,\"kind\":\"anonymous\",\"orgs\":[]}");
    var result = cairn().run("whoami");
    assertEquals(0, result.code());
    assertEquals("Server\t" + server.url() + "\nToken\tnone\n", result.out());
    assertEquals("Nobody is signed in. Try: cairn login\n", result.err());
  }

  @Test
  void verbose_shows_the_requests_and_no_token() {
    server.answer(ROUTE, 200, GARDENER);
    var result = cairn().with("CAIRN_TOKEN", "cairn_pat_secret").run("whoami", "-v", "--quiet");
    assertEquals(
        "> GET /api/whoami: 200 in _ ms\n", result.err().replaceAll("in \\d+ ms", "in _ ms"));
  }
}
