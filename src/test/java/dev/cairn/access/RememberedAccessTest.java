package dev.cairn.access;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.AccessRace;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Access: what a replica remembers saves round trips, and is never used once it has changed. */
@HttpTest
@QuarkusTest
class RememberedAccessTest {
  private static final int ATTEMPTS = 5;

  /**
   * A repository and a caller that reads it.
   *
   * @param token what the reader sends
   */
  private record Reading(String org, String repo, People.Person reader, String token) {
    /**
     * @param ofToken makes the token that is sent, of the reader's own
     */
    static Reading by(Tokens ofToken) {
      return by("viewer", ofToken);
    }

    static Reading by(String role, Tokens ofToken) {
      var org = Api.unique("org");
      admin().body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
      admin()
          .body(Map.of("name", "repo", "visibility", "private"))
          .post("/api/orgs/" + org + "/repos")
          .then()
          .statusCode(201);
      var reader = People.member(org, role);
      return new Reading(org, "repo", reader, ofToken.of(reader));
    }

    String path() {
      return "/api/repos/" + org + "/" + repo;
    }

    RequestSpecification caller() {
      return token == null ? anonymous() : as(token);
    }

    int read() {
      return caller().get(path() + "/count").statusCode();
    }

    /** The same without RestAssured, for very many reads. */
    int readPlainly() {
      return Prepared.status(token, "GET", path() + "/count", null);
    }

    int commit() {
      return Prepared.status(
          token,
          "POST",
          path() + "/commits",
          """
          {"operations":[{"operation":"add","kind":"shape","name":"%s","data":{"fields":{}}}]}
          """
              .formatted(Api.unique("S")));
    }
  }

  private interface Tokens {
    String of(People.Person reader);
  }

  /** A change of access, and the status of the next read after it. */
  private record Change(String name, Tokens tokens, Made made, int status) {
    static Change bySession(String name, Made made, int status) {
      return new Change(name, People.Person::token, made, status);
    }

    static Change byPat(String name, Made made, int status) {
      return new Change(name, reader -> People.pat(reader.token(), null), made, status);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private interface Made {
    void to(Reading reading);
  }

  private static void sent(RequestSpecification caller, String method, String path, Object body) {
    var request = body == null ? caller : caller.body(body);
    int status = request.request(method, path).statusCode();
    assertEquals(2, status / 100, method + " " + path + " is " + status);
  }

  private static void byAdmin(String method, String path, Object body) {
    sent(admin(), method, path, body);
  }

  private static String organization(Reading reading) {
    return "/api/orgs/" + reading.org();
  }

  private static void revokePat(Reading reading) {
    String name = as(reading.reader().token()).get("/api/pats").path("[0].name");
    sent(as(reading.reader().token()), "DELETE", "/api/pats/" + name, null);
  }

  private static void signOut(Reading reading) {
    var caller = as(reading.reader().token());
    String own = caller.get("/api/sessions").path("items.find { it.current }.id");
    sent(as(reading.reader().token()), "DELETE", "/api/sessions/" + own, null);
  }

  private static void changePassword(Reading reading) {
    sent(
        as(Api.token(reading.reader().email(), People.PASSWORD)),
        "POST",
        "/api/auth/password",
        Map.of("currentPassword", People.PASSWORD, "newPassword", "another long password"));
  }

  private static void removeMember(Reading reading) {
    byAdmin("DELETE", organization(reading) + "/members/" + reading.reader().inPath(), null);
  }

  private static void rename(Reading reading) {
    byAdmin("PATCH", reading.path(), Map.of("name", "renamed"));
  }

  private static void renameOrganization(Reading reading) {
    byAdmin("PATCH", organization(reading), Map.of("name", Api.unique("renamed")));
  }

  private static void delete(Reading reading) {
    byAdmin("DELETE", reading.path(), null);
  }

  private static void publish(Reading reading) {
    byAdmin("PATCH", reading.path(), Map.of("visibility", "public"));
  }

  private static void lower(Reading reading) {
    setRole(reading, "viewer");
  }

  private static void setRole(Reading reading, String role) {
    byAdmin(
        "PUT",
        organization(reading) + "/members/" + reading.reader().inPath(),
        Map.of("role", role));
  }

  private static void archive(Reading reading) {
    byAdmin("PATCH", reading.path(), Map.of("archived", true));
  }

  private static void hide(Reading reading) {
    byAdmin("PATCH", reading.path(), Map.of("visibility", "private"));
  }

  static Stream<Change> changes() {
    return Stream.of(
        Change.byPat("a revoked token", RememberedAccessTest::revokePat, 401),
        Change.bySession("an ended session", RememberedAccessTest::signOut, 401),
        Change.bySession("a changed password", RememberedAccessTest::changePassword, 401),
        Change.byPat("a lost role, by token", RememberedAccessTest::removeMember, 404),
        Change.bySession("a lost role, by session", RememberedAccessTest::removeMember, 404),
        Change.byPat("a renamed repository", RememberedAccessTest::rename, 404),
        Change.bySession("a renamed organization", RememberedAccessTest::renameOrganization, 404),
        Change.byPat("a deleted repository", RememberedAccessTest::delete, 404));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void a_change_holds_for_the_next_read(Change change) {
    var reading = Reading.by(change.tokens());
    IntStream.range(0, 3).forEach(_ -> assertEquals(200, reading.read()));
    change.made().to(reading);
    assertEquals(change.status(), reading.read());
    assertEquals(change.status(), reading.read());
  }

  /** The changes, and those that take only what is written, with the status of a commit. */
  static Stream<Arguments> races() {
    return Stream.concat(
        changes().map(change -> Arguments.of(change, change.status())),
        Stream.of(
            Arguments.of(
                Change.byPat("a lowered role, by token", RememberedAccessTest::lower, 200), 403),
            Arguments.of(
                Change.bySession("a lowered role, by session", RememberedAccessTest::lower, 200),
                403),
            Arguments.of(
                Change.byPat("an archived repository", RememberedAccessTest::archive, 200), 409)));
  }

  @ParameterizedTest
  @MethodSource("races")
  void no_request_that_begins_after_a_change_has_what_it_took(Change change, int statusOfCommit)
      throws Exception {
    var access = Reading.by("editor", change.tokens());
    assertEquals(200, access.read());
    assertEquals(201, access.commit());
    assertEquals(
        List.of(Set.of(change.status()), Set.of(statusOfCommit)),
        AccessRace.late(() -> change.made().to(access), access::readPlainly, access::commit));
  }

  @Test
  void no_read_that_begins_after_a_repository_was_hidden_is_answered() throws Exception {
    var reading = Reading.by(_ -> null);
    var member = new Reading(reading.org(), reading.repo(), null, Api.adminToken());
    publish(reading);
    assertEquals(200, reading.read());
    assertEquals(
        List.of(Set.of(404), Set.of(201)),
        AccessRace.late(() -> hide(reading), reading::readPlainly, member::commit));
  }

  static Stream<Change> endsOfTokens() {
    return changes().filter(change -> change.status() == 401);
  }

  /** Of what gets as far as access, and of what ends before it. */
  @ParameterizedTest
  @MethodSource("endsOfTokens")
  void a_token_that_has_ended_is_401_whatever_is_asked_for(Change change) {
    var reading = Reading.by(change.tokens());
    assertEquals(200, reading.read());
    assertEquals(
        List.of(404, 404, 200, 405, 406, 415),
        withoutAccess(reading).map(Response::statusCode).toList());
    change.made().to(reading);
    assertEquals(
        List.of("401 Bearer error=\"invalid_token\" null"),
        withoutAccess(reading)
            .map(
                answer ->
                    answer.statusCode()
                        + " "
                        + answer.header("WWW-Authenticate")
                        + " "
                        + answer.header("Allow"))
            .distinct()
            .toList());
  }

  /** Requests that are answered without a look at the repository. */
  private static Stream<Response> withoutAccess(Reading reading) {
    var path = reading.path();
    return Stream.of(
        reading.caller().get(path + "/nope"),
        reading.caller().get("/api/repos/" + reading.org()),
        reading.caller().options(path + "/count"),
        reading.caller().body("{}").put(path + "/commits"),
        reading.caller().accept("image/png").get(path + "/count"),
        reading.caller().contentType("text/plain").body("x").post(path + "/commits"));
  }

  @Test
  void what_was_public_is_hidden_at_once_and_shown_at_once() {
    var reading = Reading.by(_ -> null);
    for (int i = 0; i < 2; i++) {
      assertEquals(404, reading.read());
      publish(reading);
      assertEquals(200, reading.read());
      assertEquals(200, reading.read());
      hide(reading);
    }
  }

  @Test
  void a_role_that_is_given_holds_for_the_next_read() {
    var reading = Reading.by(reader -> People.pat(reader.token(), null));
    var write = reading.path() + "/verification";
    assertEquals(200, reading.read());
    assertEquals(403, reading.caller().get(write).statusCode());
    setRole(reading, "editor");
    assertEquals(200, reading.read());
    assertEquals(200, reading.caller().get(write).statusCode());
  }

  @Test
  void the_repository_that_takes_a_name_is_the_one_that_is_read() {
    var reading = Reading.by(reader -> People.pat(reader.token(), null));
    var other = organization(reading) + "/repos";
    byAdmin("POST", other, Map.of("name", "other", "visibility", "private"));
    byAdmin(
        "POST",
        "/api/repos/" + reading.org() + "/other/commits",
        Map.of(
            "operations",
            List.of(
                Map.of(
                    "operation",
                    "add",
                    "kind",
                    "shape",
                    "name",
                    "Only",
                    "data",
                    Map.of("fields", Map.of())))));
    assertEquals(404, reading.caller().get(reading.path() + "/things/Shape/Only").statusCode());
    byAdmin("PATCH", reading.path(), Map.of("name", "former"));
    byAdmin("PATCH", "/api/repos/" + reading.org() + "/other", Map.of("name", "repo"));
    assertEquals(200, reading.caller().get(reading.path() + "/things/Shape/Only").statusCode());
  }

  @Test
  void a_read_takes_one_round_trip() {
    var byPat = Reading.by(reader -> People.pat(reader.token(), null));
    var bySession = Reading.by(People.Person::token);
    var byNobody = Reading.by(_ -> null);
    publish(byNobody);
    for (var reading : List.of(byPat, bySession, byNobody)) {
      IntStream.range(0, 3).forEach(_ -> assertEquals(200, reading.read()));
      assertStatements(1, reading::read);
      assertStatements(1, () -> reading.caller().get(reading.path() + "/head").statusCode());
      var tag = reading.caller().get(reading.path() + "/count").header("ETag");
      assertStatements(
          1,
          () ->
              reading
                  .caller()
                  .header("If-None-Match", tag)
                  .get(reading.path() + "/count")
                  .statusCode());
    }
  }

  /** What the service does by itself at the same time counts too. */
  private static void assertStatements(int expected, Supplier<Integer> request) {
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS && fewest != expected; i++) {
      int before = Statements.sentInSilence();
      assertNotEquals(0, request.get());
      fewest = Math.min(fewest, Statements.sent() - before);
    }
    assertEquals(expected, fewest);
  }
}
