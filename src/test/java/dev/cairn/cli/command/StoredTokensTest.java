package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.client.Tokens;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTokensTest {
  private static final Profile.SignIn OTHER =
      new Profile.SignIn("other-access", 4102444800000L, "other-refresh", true);

  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  /** The tokens that could have been renewed. */
  private final List<Tokens> offered = new ArrayList<>();

  @BeforeEach
  void start() {
    server.answer("GET /api/whoami", 200, "{\"authenticated\":true,\"kind\":\"jwt\",\"orgs\":[]}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void signedIn(boolean isGrant) {
    var expired = new Profile.SignIn("old-access", 1, "old-refresh", isGrant);
    file()
        .change(
            all ->
                all.with("default", Profile.of(server.url()).withSignIn("g@example.org", expired)));
  }

  private ProfileFile file() {
    return ProfileFile.of(CliRun.in(home).context());
  }

  private List<String> renewals() {
    return server.requests().stream()
        .filter(request -> request.route().startsWith("POST"))
        .map(FakeServer.Request::body)
        .toList();
  }

  @Test
  void an_expired_token_of_a_sign_in_by_password_is_renewed_and_stored() {
    signedIn(false);
    server.answer(
        "POST /api/auth/refresh",
        200,
        """
        {"accessToken":"new-access","refreshToken":"new-refresh","expiresAt":4102444800000}\
        """);
    assertEquals(0, CliRun.in(home).run("whoami").code());
    assertEquals("new-access", server.requests().getLast().token());
    assertEquals(
        new Profile.SignIn("new-access", 4102444800000L, "new-refresh", false),
        file().read().get("default").signIn());
    assertEquals(0, CliRun.in(home).run("whoami").code());
    assertEquals(1, renewals().size());
  }

  @Test
  void an_expired_token_of_a_grant_is_renewed_by_the_client_of_the_cli() {
    signedIn(true);
    server.answer(
        "POST /oauth/token",
        200,
        """
        {"access_token":"new-access","token_type":"Bearer","expires_in":3600,"refresh_token":"new-refresh"}\
        """);
    assertEquals(0, CliRun.in(home).run("whoami").code());
    assertTrue(renewals().getFirst().contains("client_id=cairn-cli"), renewals().getFirst());
    assertTrue(renewals().getFirst().contains("refresh_token=old-refresh"));
    var stored = file().read().get("default").signIn();
    assertEquals("new-refresh", stored.refreshToken());
    assertTrue(stored.isGrant());
  }

  @Test
  void commands_that_run_at_once_renew_the_tokens_once() throws Exception {
    signedIn(false);
    server.answer(
        "POST /api/auth/refresh",
        200,
        """
        {"accessToken":"new-access","refreshToken":"new-refresh","expiresAt":4102444800000}\
        """);
    var codes = Collections.synchronizedList(new ArrayList<Integer>());
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      threads.add(Thread.ofPlatform().start(() -> codes.add(CliRun.in(home).run("whoami").code())));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertEquals(Collections.nCopies(8, 0), codes);
    assertEquals(1, renewals().size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_sign_in_that_has_ended_leads_to_a_new_one(boolean isGrant) {
    signedIn(isGrant);
    server
        .problem("POST /api/auth/refresh", 401, "UNAUTHENTICATED", "The token is not valid.")
        .answer("POST /oauth/token", 400, "{\"error\":\"invalid_grant\"}");
    var result = CliRun.in(home).run("whoami");
    assertEquals(3, result.code());
    assertEquals(
        "cairn: The sign-in of the profile 'default' has ended.\nTry: cairn login\n", result.err());
  }

  /** The profile is signed in again while a command runs, which then needs a new token. */
  private StoredTokens renewAfter(Profile signedInAgain) {
    signedIn(true);
    var tokens = new StoredTokens(file(), "default", file().read().get("default"));
    file().change(all -> all.with("default", signedInAgain));
    tokens.renew(
        newest -> {
          offered.add(newest);
          return newest;
        });
    return tokens;
  }

  @Test
  void a_new_sign_in_of_the_same_account_is_taken_up() {
    var again = Profile.of(server.url()).withSignIn("g@example.org", OTHER);
    assertEquals("other-access", renewAfter(again).tokens().accessToken());
  }

  @Test
  void tokens_of_another_server_are_neither_sent_nor_renewed_for_this_one() {
    assertNotTakenUp(
        Profile.of("https://b.example").withSignIn("g@example.org", OTHER),
        "The profile 'default' was signed in to another server meanwhile.");
  }

  @Test
  void a_running_command_does_not_go_on_as_another_account() {
    assertNotTakenUp(
        Profile.of(server.url()).withSignIn("h@example.org", OTHER),
        "The profile 'default' was signed in as another account meanwhile.");
  }

  private void assertNotTakenUp(Profile signedInAgain, String sentence) {
    var failure = assertThrows(CommandFailure.class, () -> renewAfter(signedInAgain));
    assertEquals(ExitCode.UNAUTHENTICATED, failure.exitCode());
    assertEquals(sentence, failure.getMessage());
    assertEquals(List.of(), offered);
    assertEquals("other-refresh", file().read().get("default").signIn().refreshToken());
  }
}
