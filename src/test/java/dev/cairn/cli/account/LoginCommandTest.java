package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.FakeTerminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoginCommandTest {
  private static final String TOKENS =
      """
      {"accessToken":"access-%1$s","refreshToken":"refresh-%1$s","expiresAt":4102444800000}\
      """;
  private static final String CODES =
      """
      {"device_code":"cairn_device_x","user_code":"WDJB-MJHT","verification_uri":"%1$s/device",
       "verification_uri_complete":"%1$s/device?user_code=WDJB-MJHT","expires_in":600,"interval":1}\
      """;
  private static final String GRANTED =
      """
      {"access_token":"access-g","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-g"}\
      """;

  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  @BeforeEach
  void start() {
    server
        .answer(
            "GET /api/whoami",
            200,
            """
            {"authenticated":true,"kind":"jwt","account":{"email":"g@example.org","displayName":"G"},"orgs":[]}\
            """)
        .answer("POST /api/auth/login", 200, TOKENS.formatted("one"))
        .answer("POST /api/auth/login", 200, TOKENS.formatted("two"))
        .answer("POST /api/auth/logout", 200, "{\"ok\":true}")
        .answer("POST /oauth/device_authorization", 200, CODES.formatted(server.url()))
        .answer("POST /oauth/revoke", 200, "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home).with("CAIRN_SERVER", server.url());
  }

  private CliRun.Result byPassword() {
    return cairn().input("g@example.org\nsecret word\n").run("login", "--with-password");
  }

  private String stored() throws Exception {
    return Files.readString(home.resolve(".config/cairn/config.json"));
  }

  private List<String> routes() {
    return server.requests().stream().map(FakeServer.Request::route).toList();
  }

  @Test
  void a_password_from_the_standard_input_signs_in() throws Exception {
    var result = byPassword();
    assertEquals("Signed in to %s as g@example.org.\n".formatted(server.url()), result.err());
    assertEquals(0, result.code());
    assertTrue(server.requests().getFirst().body().contains("\"password\":\"secret word\""));
    assertTrue(stored().contains("refresh-one"));
    CliRun.in(home).run("whoami");
    assertEquals("access-one", server.requests().getLast().token());
  }

  @Test
  void a_password_is_asked_for_on_a_terminal_without_echo() {
    var result =
        cairn()
            .on(new FakeTerminal(true, true, true, 80, "typed word"))
            .input("g@example.org\n")
            .run("login", "--with-password", "--no-color");
    assertEquals(0, result.code());
    assertTrue(result.err().startsWith("E-mail: Signed in to "), result.err());
    assertTrue(server.requests().getFirst().body().contains("typed word"));
    assertFalse((result.out() + result.err()).contains("typed word"));
  }

  @ParameterizedTest
  @CsvSource({"--with-password,''", "--with-password,only@example.org", "--token-stdin,' '"})
  void missing_input_is_a_wrong_call(String option, String input) {
    var result = cairn().input(input).run("login", option);
    assertEquals(2, result.code());
    assertTrue(result.err().contains("found nothing"), result.err());
    assertEquals(List.of(), routes());
  }

  @Test
  void a_personal_access_token_is_checked_and_stored() throws Exception {
    var result = cairn().input("cairn_pat_abc\n").run("login", "--token-stdin");
    assertEquals(0, result.code());
    assertEquals("cairn_pat_abc", server.requests().getFirst().token());
    assertTrue(stored().contains("\"token\" : \"cairn_pat_abc\""), stored());
    assertFalse((result.out() + result.err()).contains("cairn_pat_abc"));
  }

  @Test
  void a_token_that_is_refused_is_not_stored() {
    var refusing = FakeServer.start();
    try (refusing) {
      refusing.problem("GET /api/whoami", 401, "UNAUTHENTICATED", "The token is not valid.");
      var result =
          CliRun.in(home)
              .input("cairn_pat_abc\n")
              .run("login", "--token-stdin", "--server", refusing.url());
      assertEquals(3, result.code());
      assertFalse(Files.exists(home.resolve(".config/cairn/config.json")));
    }
  }

  @Test
  void a_new_sign_in_ends_the_one_before_and_keeps_the_repository() throws Exception {
    byPassword();
    server.answer(
        "GET /api/repos/demo/world",
        200,
        """
        {"orgName":"demo","name":"world","visibility":"public","repoSeq":1,"createdAt":1,"updatedAt":1}\
        """);
    assertEquals(0, cairn().run("use", "demo/world").code());
    byPassword();
    var logout = server.requests().getLast();
    assertEquals("POST /api/auth/logout", logout.route());
    assertTrue(logout.body().contains("refresh-one"), logout.body());
    assertTrue(stored().contains("refresh-two") && stored().contains("demo/world"), stored());
  }

  @Test
  void a_sign_in_at_another_server_forgets_the_repository() throws Exception {
    var before =
        """
        {"current":"default","profiles":{"default":{"server":"http://localhost:1","repository":"a/b"}}}\
        """;
    byPassword();
    Files.writeString(home.resolve(".config/cairn/config.json"), before);
    byPassword();
    assertFalse(stored().contains("a/b"), stored());
    assertTrue(stored().contains(server.url()));
  }

  @Test
  void the_code_is_shown_and_the_tokens_are_fetched_once_the_person_agreed() throws Exception {
    server
        .answer("POST /oauth/token", 400, "{\"error\":\"authorization_pending\"}")
        .answer("POST /oauth/token", 200, GRANTED);
    var result = cairn().run("login", "--scope", "repo:read,repo:write");
    assertEquals(
        """
        Your code: WDJB-MJHT
        Confirm it in a browser, on any machine: %1$s/device?user_code=WDJB-MJHT
        Signed in to %1$s as g@example.org.
        """
            .formatted(server.url()),
        result.err());
    assertEquals(0, result.code());
    assertTrue(
        server.requests().getFirst().body().contains("scope=repo%3Aread+repo%3Awrite"),
        server.requests().getFirst().body());
    assertTrue(stored().contains("refresh-g"));
    assertEquals(0, CliRun.in(home).run("logout").code());
    var revoked = server.requests().getLast();
    assertEquals("POST /oauth/revoke", revoked.route());
    assertTrue(revoked.body().contains("token=refresh-g"), revoked.body());
    assertTrue(revoked.body().contains("client_id=cairn-cli"), revoked.body());
    assertFalse(stored().contains("refresh-g"));
  }

  @ParameterizedTest
  @CsvSource({
    "access_denied, 4, cairn: The sign-in was refused in the browser.",
    "expired_token, 3, cairn: Nobody confirmed the code in time: it has expired."
  })
  void a_refusal_and_an_expiry_end_the_wait(String error, int code, String sentence) {
    server.answer("POST /oauth/token", 400, "{\"error\":\"%s\"}".formatted(error));
    var result = cairn().run("login");
    assertEquals(code, result.code());
    assertTrue(result.err().endsWith(sentence + "\nTry: cairn login\n"), result.err());
  }

  @Test
  void a_browser_is_opened_only_if_there_is_one_on_this_machine() throws Exception {
    server.answer("POST /oauth/token", 200, GRANTED);
    var opened = home.resolve("opened");
    var opener = home.resolve("xdg-open");
    Files.writeString(opener, "#!/bin/sh\necho \"$1\" > " + opened + "\n");
    assertTrue(opener.toFile().setExecutable(true));
    var remote =
        cairn().with("PATH", home.toString()).with("DISPLAY", ":0").with("SSH_CONNECTION", "a b");
    assertTrue(remote.run("login").err().contains("on any machine"));
    var asked = cairn().with("PATH", home.toString()).with("DISPLAY", ":0");
    assertTrue(asked.run("login", "--no-browser").err().contains("on any machine"));
    assertFalse(Files.exists(opened));
    var local = cairn().with("PATH", home.toString()).with("DISPLAY", ":0").run("login");
    assertTrue(local.err().contains("Confirm it in the browser, at " + server.url()), local.err());
    for (int i = 0; i < 100 && (!Files.exists(opened) || Files.size(opened) == 0); i++) {
      Thread.sleep(20);
    }
    assertEquals(server.url() + "/device?user_code=WDJB-MJHT\n", Files.readString(opened));
  }

  @Test
  void a_server_of_another_issuer_is_explained() {
    try (var other = FakeServer.start()) {
      other.problem("POST /oauth/device_authorization", 404, "NOT_FOUND", "There is nothing.");
      var result = cairn().run("login", "--server", other.url());
      assertEquals(5, result.code());
      assertTrue(result.err().contains("another issuer"), result.err());
      assertTrue(result.err().endsWith("Try: cairn login --token-stdin\n"), result.err());
    }
  }

  @Test
  void a_sign_out_without_the_server_forgets_the_tokens_and_says_what_is_left() throws Exception {
    byPassword();
    server.close();
    var result = cairn().run("logout");
    assertEquals(9, result.code());
    assertTrue(result.err().contains("did not end the sign-in"), result.err());
    assertFalse(stored().contains("refresh-one"));
    assertEquals("Nobody was signed in.\n", cairn().run("logout").err());
  }

  @Test
  void a_token_in_the_environment_is_pointed_out() {
    var result =
        cairn()
            .with("CAIRN_TOKEN", "cairn_pat_x")
            .input("g@example.org\nsecret\n")
            .run("login", "--with-password");
    assertTrue(
        result.err().startsWith("Signed in") || result.err().contains("wins over the sign-in"),
        result.err());
    assertTrue(result.err().contains("$CAIRN_TOKEN is set, and wins"), result.err());
  }

  @ParameterizedTest
  @CsvSource({"--with-password --token-stdin", "--token-stdin --scope repo:read"})
  void ways_that_exclude_each_other_are_refused(String options) {
    var result = cairn().run(("login " + options).split(" "));
    assertEquals(2, result.code());
    assertTrue(result.err().endsWith("Try: cairn login --help\n"), result.err());
  }

  @Test
  void spaces_of_a_password_from_the_standard_input_belong_to_it() {
    cairn().input(" g@example.org \r\n secret word \r\n").run("login", "--with-password");
    var body = server.requests().getFirst().body();
    assertTrue(body.contains("\"password\":\" secret word \""), body);
    assertTrue(body.contains("\"email\":\"g@example.org\""), body);
  }

  @Test
  void a_new_sign_in_ends_again_if_it_cannot_be_told_whose_it_is() {
    try (var broken = FakeServer.start()) {
      broken
          .answer("POST /oauth/device_authorization", 200, CODES.formatted(broken.url()))
          .answer("POST /oauth/token", 200, GRANTED)
          .problem("GET /api/whoami", 500, "INTERNAL_ERROR", "It failed.")
          .answer("POST /oauth/revoke", 200, "");
      var result = CliRun.in(home).with("CAIRN_SERVER", broken.url()).run("login");
      assertEquals(1, result.code());
      assertTrue(result.err().endsWith("cairn: It failed.\n"), result.err());
      var last = broken.requests().getLast();
      assertEquals("POST /oauth/revoke", last.route());
      assertTrue(last.body().contains("token=refresh-g"), last.body());
      assertFalse(Files.exists(home.resolve(".config/cairn/config.json")));
    }
  }
}
