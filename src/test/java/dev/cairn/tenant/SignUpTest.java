package dev.cairn.tenant;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.token;
import static dev.cairn.Api.unique;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Waiting;
import dev.cairn.access.authentication.Account;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
@InProcess("It holds transactions of the service.")
class SignUpTest {
  private static final String PASSWORD = "long enough";
  private static final int POOL = 20;

  @Inject SignUp signUp;
  @Inject Database database;
  @Inject MeterRegistry metrics;

  @Test
  void a_new_account_signs_in_and_owns_a_personal_organization() {
    var name = unique("person");
    signUp(Map.of("email", name + "@Example.org", "password", PASSWORD, "displayName", "A Person"))
        .statusCode(201)
        .body("email", equalTo(name + "@example.org"))
        .body("displayName", equalTo("A Person"))
        .body("password", nullValue());
    as(token(name + "@example.org", PASSWORD))
        .get("/api/whoami")
        .then()
        .body("account.displayName", equalTo("A Person"))
        .body("orgs[0].name", equalTo(name))
        .body("orgs[0].role", equalTo("owner"));
  }

  @Test
  void a_reserved_or_taken_name_of_a_personal_organization_gets_a_number() {
    var domain = unique("host");
    signUp(Map.of("email", "support@" + domain + ".org", "password", PASSWORD)).statusCode(201);
    as(token("support@" + domain + ".org", PASSWORD))
        .get("/api/whoami")
        .then()
        .body("orgs[0].name", equalTo("support-2"));
  }

  /** Or the ten-thousandth would try as many names, one after another. */
  @Test
  void after_nine_organizations_of_a_name_the_next_one_gets_random_characters() {
    var name = unique("many");
    for (int i = 1; i <= 10; i++) {
      signUp.create("%s@host%d.example".formatted(name, i), null, PASSWORD, null);
    }
    var email = name + "@last.example";
    signUp(Map.of("email", email, "password", PASSWORD)).statusCode(201);
    as(token(email, PASSWORD))
        .get("/api/whoami")
        .then()
        .body("orgs[0].name", matchesPattern(name + "-[0-9a-f]{12}"));
  }

  @Test
  void two_sign_ups_at_once_with_one_local_part_both_get_an_organization() throws Exception {
    var name = unique("twin");
    try (var executor = Executors.newSingleThreadExecutor()) {
      Future<Integer> second =
          database.transaction(
              () -> {
                signUp.create(name + "@one.example", null, PASSWORD, null);
                var answer =
                    executor.submit(
                        () ->
                            signUp(Map.of("email", name + "@two.example", "password", PASSWORD))
                                .extract()
                                .statusCode());
                Eventually.await(
                    "the second sign-up waits for the first one",
                    () -> {
                      assertFalse(answer.isDone(), "it did not wait for the first one");
                      return somebodyWaits();
                    });
                return answer;
              });
      assertEquals(201, second.get(20, TimeUnit.SECONDS));
    }
    as(token(name + "@two.example", PASSWORD))
        .get("/api/whoami")
        .then()
        .body("orgs[0].name", equalTo(name + "-2"));
  }

  @Test
  void sign_ups_from_many_addresses_take_a_quarter_of_the_connections() throws Exception {
    var name = unique("flood");
    assertWaiting(POOL / 4, "lock table member in share mode", i -> name + i + "@example.org");
  }

  @Test
  void sign_ups_with_one_local_part_take_three_connections() throws Exception {
    var name = unique("same");
    assertWaiting(
        3,
        """
        insert into organization (id, name, display_name, created_at)
        values (gen_random_uuid(), '%s', '', now())
        """
            .formatted(name),
        i -> name + "@host" + i + ".example");
  }

  /** More sign-ups than that have to wait for what a transaction has locked. */
  private void assertWaiting(int connections, String lock, IntFunction<String> email)
      throws Exception {
    var created = new ArrayList<Future<Account>>();
    try (var connection = OwnConnections.plain();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(connection, lock);
      for (int i = 0; i < 2 * connections; i++) {
        var address = "2001:db8:%x::1".formatted(i);
        var each = email.apply(i);
        created.add(executor.submit(() -> signUp.create(each, null, PASSWORD, address)));
      }
      Waiting.awaitWaiters(connection, connections);
      var queue = metrics.get("cairn.credentials.waiting").gauge();
      Waiting.awaitWaitersUnless(connection, connections + 1, () -> queue.value() >= connections);
      assertEquals(connections, Waiting.waiters(connection));
      connection.rollback();
      for (var account : created) {
        assertNotNull(account.get(20, TimeUnit.SECONDS));
      }
    }
  }

  private boolean somebodyWaits() {
    return database
        .first("select exists (select from pg_locks where not granted)", row -> row.getBoolean(1))
        .orElseThrow();
  }

  @Test
  void an_address_has_one_account_in_upper_and_lower_case() {
    var email = unique("twice") + "@example.org";
    signUp(Map.of("email", email, "password", PASSWORD)).statusCode(201);
    signUp(Map.of("email", email.toUpperCase(java.util.Locale.ROOT), "password", PASSWORD))
        .statusCode(409)
        .body("code", equalTo("ALREADY_EXISTS"));
  }

  @Test
  void a_password_has_8_to_128_characters() {
    refused("/password", Map.of("email", "p@example.org", "password", "1234567"));
    refused("/password", Map.of("email", "p@example.org", "password", "x".repeat(129)));
    refused("/password", Map.of("email", "p@example.org"));
    signUp(Map.of("email", unique("p") + "@example.org", "password", "12345678")).statusCode(201);
    signUp(Map.of("email", unique("p") + "@example.org", "password", "x".repeat(128)))
        .statusCode(201);
  }

  @Test
  void an_address_that_is_none_is_refused() {
    refused("/email", Map.of("email", "nobody", "password", PASSWORD));
    refused("/email", Map.of("email", "a b@example.org", "password", PASSWORD));
    refused("/email", Map.of("password", PASSWORD));
  }

  @Test
  void a_display_name_has_1_to_200_characters_on_one_line() {
    for (var name : List.of("x", "Zoë 😀".repeat(40))) {
      signUp(Map.of("email", unique("n") + "@x.org", "password", PASSWORD, "displayName", name))
          .statusCode(201)
          .body("displayName", equalTo(name));
    }
    for (var name : List.of("", "  ", "a\nb", "a\u007fb", "x".repeat(201))) {
      refused(
          "/displayName", Map.of("email", "n@x.org", "password", PASSWORD, "displayName", name));
    }
  }

  private static void refused(String pointer, Map<String, String> body) {
    signUp(body)
        .statusCode(400)
        .body("code", equalTo("VALIDATION_ERROR"))
        .body("errors[0].pointer", equalTo(pointer));
  }

  private static ValidatableResponse signUp(Map<String, String> body) {
    return anonymous().body(body).post("/api/auth/signup").then();
  }
}
