package dev.cairn.access.token;

import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.matchesRegex;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.People.Person;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Personal access tokens: how they are made, listed and revoked. */
@HttpTest
@QuarkusTest
class PatTest {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final DataSource dataSource = OwnConnections.dataSource();

  private Person person;

  @BeforeEach
  void somebody() {
    person = People.stranger();
  }

  private ValidatableResponse create(String body) {
    return create(person, body);
  }

  /** Makes a token; single quotes stand for double ones. */
  static ValidatableResponse create(Person owner, String body) {
    return as(owner.token()).body(body.replace('\'', '"')).post("/api/pats").then();
  }

  /** That a request is a {@code VALIDATION_ERROR} at this place. */
  static void refused(ValidatableResponse answer, String pointer) {
    answer
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors.pointer", hasItem(pointer));
  }

  /** That the account has no token. */
  static void assertNone(Person owner) {
    as(owner.token()).get("/api/pats").then().statusCode(200).body("", hasSize(0));
  }

  @Test
  void a_token_is_shown_once_and_signs_in() {
    var before = System.currentTimeMillis();
    var created =
        create("{'name':'ci-1','description':'For the build'}")
            .statusCode(201)
            .header("Cache-Control", "no-store")
            .body("name", is("ci-1"))
            .body("description", is("For the build"))
            .body("scopes", nullValue())
            .body("warnings", nullValue())
            .body("token", matchesRegex("cairn_pat_[0-9A-Za-z]{49}"))
            .extract()
            .jsonPath();
    assertEquals(30 * DAY, created.getLong("expiresAt") - created.getLong("createdAt"));
    var token = created.getString("token");
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("pat"))
        .body("account.email", is(person.email()))
        .body("token.name", is("ci-1"))
        .body("token.expiresAt", greaterThan(before + 29 * DAY));
    as(person.token())
        .get("/api/pats")
        .then()
        .statusCode(200)
        .body("", hasSize(1))
        .body("[0].name", is("ci-1"))
        .body("[0].description", is("For the build"))
        .body("[0].revokedAt", nullValue())
        .body("[0].createdAt", lessThanOrEqualTo(System.currentTimeMillis()))
        .body("[0].token", nullValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "é", "a/b", "a.b", "a@b"})
  void a_name_has_letters_digits_hyphens_and_underscores(String name) {
    refused(create("{'name':'" + name + "'}"), "/name");
    assertNone(person);
  }

  @Test
  void a_name_has_at_most_100_characters() {
    create("{'name':'" + "n".repeat(100) + "'}").statusCode(201);
    refused(create("{'name':'" + "n".repeat(101) + "'}"), "/name");
    refused(create("{}"), "/name");
  }

  @Test
  void a_description_has_at_most_500_characters() {
    create("{'name':'a','description':'" + "d".repeat(500) + "'}").statusCode(201);
    refused(create("{'name':'b','description':'" + "d".repeat(501) + "'}"), "/description");
  }

  @Test
  void an_expiry_lies_between_now_and_366_days() {
    var now = System.currentTimeMillis();
    create("{'name':'a','expiresAt':" + (now + 366 * DAY) + "}")
        .statusCode(201)
        .body("expiresAt", is(now + 366 * DAY));
    refused(create("{'name':'b','expiresAt':" + (now + 366 * DAY + 60_000) + "}"), "/expiresAt");
    refused(create("{'name':'c','expiresAt':" + (now - 1) + "}"), "/expiresAt");
    refused(create("{'name':'d','expiresAt':'tomorrow'}"), "/expiresAt");
    refused(create("{'name':'e','expiresAt':1.5}"), "/expiresAt");
  }

  /** Adds valid tokens of the account, up to a number of them. */
  private void fill(int count) throws SQLException {
    execute(
        """
        insert into personal_access_token (id, account_id, name, hash, expires_at, created_at)
        select gen_random_uuid(), a.id, 'filled-' || n, uuid_send(gen_random_uuid()),
               now() + interval '1 day', now()
        from account a, generate_series(1, %d) n where a.email = ?
        """
            .formatted(count));
  }

  /** Executes SQL whose only parameter is the e-mail address of the account. */
  private void execute(String sql) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.prepareStatement(sql)) {
      statement.setString(1, person.email());
      statement.executeUpdate();
    }
  }

  @Test
  void an_account_keeps_1000_tokens_and_the_one_that_ended_first_gives_way() throws Exception {
    fill(998);
    for (var name : List.of("first", "second")) {
      create("{'name':'" + name + "'}").statusCode(201);
    }
    for (var name : List.of("second", "first")) {
      as(person.token()).delete("/api/pats/" + name).then().statusCode(200);
    }
    create("{'name':'new'}").statusCode(429);
    execute(
        "update personal_access_token set revoked_at = revoked_at - interval '1 day' where"
            + " account_id = (select id from account where email = ?)");
    create("{'name':'new'}").statusCode(201);
    as(person.token()).delete("/api/pats/second").then().statusCode(404);
    as(person.token()).delete("/api/pats/first").then().statusCode(200);
    create("{'name':'second'}").statusCode(201);
    create("{'name':'one-more'}")
        .statusCode(429)
        .header("Retry-After", nullValue())
        .body("code", is("RATE_LIMITED"))
        .body("details.limit", is("tokens-per-account"))
        .body("details.max", is(1_000))
        .body("details.used", is(1_000));
  }

  @Test
  void an_expired_token_is_401_and_stays_in_the_list_with_its_name() throws Exception {
    String token = create("{'name':'short'}").extract().path("token");
    as(token).get("/api/whoami").then().statusCode(200);
    execute(
        "update personal_access_token set expires_at = now() - interval '1 second' where"
            + " account_id = (select id from account where email = ?)");
    as(token).get("/api/whoami").then().statusCode(401).body("code", is("UNAUTHENTICATED"));
    as(person.token()).get("/api/pats").then().body("name", is(List.of("short")));
    create("{'name':'short'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
  }

  @Test
  void revoking_acts_on_the_next_request_and_can_be_repeated() {
    String token = create("{'name':'gone'}").extract().path("token");
    as(token).get("/api/whoami").then().statusCode(200);
    as(person.token()).delete("/api/pats/gone").then().statusCode(200).body("ok", is(true));
    as(token)
        .get("/api/whoami")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", containsString("invalid_token"));
    Long revokedAt =
        as(person.token()).get("/api/pats").then().extract().jsonPath().getLong("[0].revokedAt");
    as(person.token()).delete("/api/pats/gone").then().statusCode(200).body("ok", is(true));
    as(person.token()).get("/api/pats").then().body("[0].revokedAt", is(revokedAt));
    create("{'name':'gone'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
  }

  @Test
  void names_are_unique_for_each_account() {
    create("{'name':'same'}").statusCode(201);
    create("{'name':'same'}").statusCode(409).body("code", is("ALREADY_EXISTS"));
    create(People.stranger(), "{'name':'same'}").statusCode(201);
    as(People.stranger().token())
        .delete("/api/pats/same")
        .then()
        .statusCode(404)
        .body("code", is("NOT_FOUND"));
  }

  @Test
  void only_a_sign_in_manages_tokens() {
    String token = create("{'name':'one'}").extract().path("token");
    as(token)
        .body("{\"name\":\"two\"}")
        .post("/api/pats")
        .then()
        .statusCode(403)
        .body("code", is("FORBIDDEN"));
    as(token).get("/api/pats").then().statusCode(403);
    as(token).delete("/api/pats/one").then().statusCode(403);
    for (var method : List.of("POST", "GET")) {
      Api.anonymous()
          .request(method, "/api/pats")
          .then()
          .statusCode(401)
          .body("code", is("UNAUTHENTICATED"))
          .header("WWW-Authenticate", containsString("Bearer"));
    }
    Api.anonymous().delete("/api/pats/one").then().statusCode(401);
    as(person.token()).get("/api/pats").then().body("name", is(List.of("one")));
  }

  @Test
  void a_damaged_token_is_401_everywhere() {
    String token = create("{'name':'one'}").extract().path("token");
    var last = token.charAt(token.length() - 1);
    var damaged = token.substring(0, token.length() - 1) + (last == 'a' ? 'b' : 'a');
    assertFalse(TokenFormat.PERSONAL.isWellFormed(damaged));
    for (var wrong : List.of(damaged, TokenFormat.PERSONAL.random(), "cairn_pat_", token + "0")) {
      as(wrong).get("/api/repos/demo/world/head").then().statusCode(401);
    }
  }

  @Test
  void the_checksum_finds_every_changed_character() {
    var token = TokenFormat.PERSONAL.random();
    assertTrue(TokenFormat.PERSONAL.isWellFormed(token));
    for (int i = TokenFormat.PERSONAL.prefix().length(); i < token.length(); i++) {
      var changed = token.charAt(i) == 'x' ? 'y' : 'x';
      assertFalse(
          TokenFormat.PERSONAL.isWellFormed(
              token.substring(0, i) + changed + token.substring(i + 1)),
          "at " + i);
    }
  }
}
