package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/client.md, Credentials. */
class AuthorizationTest {
  private static final String CALLER =
      """
      {"authenticated":true,"kind":"jwt","orgs":[]}\
      """;

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void close() {
    server.close();
  }

  private static Tokens tokens(String access, String refresh, Duration valid) {
    return new Tokens(access, refresh, System.currentTimeMillis() + valid.toMillis());
  }

  private static String renewed(String access, String refresh) {
    return """
    {"accessToken":"%s","refreshToken":"%s","expiresAt":%d}\
    """
        .formatted(access, refresh, System.currentTimeMillis() + 3_600_000);
  }

  private String sent(int request) {
    return server.requests().get(request).header("Authorization");
  }

  @Test
  void a_fixed_token_is_sent_and_a_refusal_is_final() {
    server.then(200, CALLER).thenProblem(401, "UNAUTHENTICATED");
    try (var client = server.client().credentials(Credentials.token("cairn_pat_x")).build()) {
      client.account().whoami();
      assertEquals("Bearer cairn_pat_x", sent(0));
      var refused = assertThrows(CairnException.class, () -> client.account().whoami());
      assertEquals(401, refused.status());
    }
    assertEquals(2, server.requests().size());
  }

  @Test
  void without_credentials_nothing_is_sent() {
    server.then(200, CALLER);
    try (var client = server.client().build()) {
      client.account().whoami();
    }
    assertEquals(null, sent(0));
  }

  @Test
  void a_token_that_is_about_to_expire_is_renewed_first() {
    server.then(200, renewed("new", "next")).then(200, CALLER).then(200, CALLER);
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ofSeconds(29)));
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      client.account().whoami();
      client.account().whoami();
    }
    assertEquals(
        List.of("POST /api/auth/refresh", "GET /api/whoami", "GET /api/whoami"), server.routes());
    assertEquals("{\"refreshToken\":\"first\"}", server.requests().getFirst().body());
    assertEquals(null, sent(0));
    assertEquals("Bearer new", sent(1));
    assertEquals("next", store.tokens().refreshToken());
  }

  @Test
  void a_token_that_is_valid_longer_is_not_renewed() {
    server.then(200, CALLER);
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ofSeconds(35)));
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      client.account().whoami();
    }
    assertEquals("Bearer old", sent(0));
  }

  @Test
  void a_refused_token_is_renewed_once() {
    server
        .thenProblem(401, "UNAUTHENTICATED")
        .then(200, renewed("new", "next"))
        .thenProblem(401, "UNAUTHENTICATED");
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ofHours(1)));
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      assertThrows(CairnException.class, () -> client.account().whoami());
    }
    assertEquals(3, server.requests().size());
    assertEquals("Bearer new", sent(2));
  }

  @Test
  void a_grant_is_renewed_as_an_oauth_client_does() {
    server
        .then(
            200,
            """
            {"access_token":"new","token_type":"Bearer","expires_in":3600,"refresh_token":"next",
             "scope":"repo:read"}\
            """)
        .then(200, CALLER);
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ZERO));
    try (var client =
        server.client().credentials(Credentials.renewing(store, "cairn-cli")).build()) {
      client.account().whoami();
    }
    var request = server.requests().getFirst();
    assertEquals("POST /oauth/token", request.route());
    for (var field :
        Map.of("grant_type", "refresh_token", "client_id", "cairn-cli", "refresh_token", "first")
            .entrySet()) {
      assertTrue(request.body().contains(field.getKey() + "=" + field.getValue()));
    }
    assertTrue(
        store.tokens().expiresAt()
            > System.currentTimeMillis() + Duration.ofMinutes(59).toMillis());
  }

  @Test
  void a_renewal_is_not_repeated_after_a_lost_connection_because_a_second_use_ends_the_sign_in() {
    server.thenLost();
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ZERO));
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      assertThrows(ServerNotReachedException.class, () -> client.account().whoami());
    }
    assertEquals(List.of("POST /api/auth/refresh"), server.routes());
  }

  @Test
  void new_tokens_are_stored_before_they_are_used() {
    server.then(200, renewed("new", "next")).then(200, CALLER);
    var requestsWhenStored = new ArrayList<Integer>();
    var memory = TokenStore.inMemory(tokens("old", "first", Duration.ZERO));
    var store =
        new TokenStore() {
          @Override
          public Tokens tokens() {
            return memory.tokens();
          }

          @Override
          public Tokens renew(UnaryOperator<Tokens> renewal) {
            var stored = memory.renew(renewal);
            requestsWhenStored.add(server.requests().size());
            return stored;
          }
        };
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      client.account().whoami();
    }
    assertEquals(List.of(1), requestsWhenStored);
  }

  @Test
  void threads_that_find_the_same_token_expired_renew_it_once() throws Exception {
    server.then(200, renewed("new", "next"));
    for (int i = 0; i < 20; i++) {
      server.then(200, CALLER);
    }
    var store = TokenStore.inMemory(tokens("old", "first", Duration.ZERO));
    try (var client = server.client().credentials(Credentials.renewing(store)).build();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<Whoami>>();
      for (int i = 0; i < 20; i++) {
        calls.add(threads.submit(() -> client.account().whoami()));
      }
      for (var call : calls) {
        assertTrue(call.get().authenticated());
      }
    }
    assertEquals(1, server.routes().stream().filter("POST /api/auth/refresh"::equals).count());
  }

  @Test
  void redirects_are_not_followed_because_they_would_carry_the_token_away() {
    server.then(302, "", "Location", server.uri() + "/elsewhere");
    try (var client = server.client().credentials(Credentials.token("secret")).build()) {
      var refused = assertThrows(CairnException.class, () -> client.account().whoami());
      assertEquals(ErrorCode.UNEXPECTED_ANSWER, refused.code());
    }
    assertEquals(1, server.requests().size());
  }

  @Test
  void no_secret_is_in_a_text_about_it() {
    var secret = "s3cr3t";
    var strings =
        List.of(
            Credentials.token(secret),
            Credentials.renewing(TokenStore.inMemory(tokens(secret, secret, Duration.ZERO))),
            tokens(secret, secret, Duration.ZERO),
            new OAuthTokens(secret, "Bearer", 1, secret, null),
            new LiveTicket(secret, 1),
            new NewAccount("a@example.org", secret, null),
            new ComponentToken(secret, 1),
            new CreatedPat(secret, "n", null, null, 1, 1, null),
            Call.get("sse").secretQuery("ticket", secret),
            new CredentialChange(JsonNodeFactory.instance.nullNode(), Map.of("k", secret)));
    for (var text : strings) {
      assertFalse(text.toString().contains(secret), text::toString);
    }
  }

  @Test
  void an_answer_that_cannot_be_read_is_not_shown() {
    server.then(200, "{\"authenticated\":\"s3cr3t\"").then(200, "<html>s3cr3t");
    try (var client = server.client().build()) {
      for (int i = 0; i < 2; i++) {
        var failure = assertThrows(CairnException.class, () -> client.account().whoami());
        assertEquals(ErrorCode.UNEXPECTED_ANSWER, failure.code());
        assertEquals(null, failure.getCause());
        assertFalse(failure.getMessage().contains("s3cr3t"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " s3cr3t", "s3cr3t\r", "s3cr3t\u0416", "s3cr3t\n", "s3\tcr3t"})
  void what_cannot_be_a_token_is_refused_without_being_shown(String token) {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> Credentials.token(token).toString());
    assertTrue(refused.getMessage().startsWith("The token is not valid: "), refused.getMessage());
    assertFalse(refused.getMessage().contains("cr3t"), refused.getMessage());
  }

  @Test
  void a_renewed_token_that_cannot_be_sent_is_not_shown_either() {
    var store = TokenStore.inMemory(tokens("s3cr3t\u0416", "first", Duration.ofHours(1)));
    try (var client = server.client().credentials(Credentials.renewing(store)).build()) {
      var refused = assertThrows(IllegalArgumentException.class, () -> client.account().whoami());
      assertFalse(refused.getMessage().contains("s3cr3t"), refused.getMessage());
    }
  }
}
