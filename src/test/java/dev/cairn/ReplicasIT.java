package dev.cairn;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.live.Events;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.response.Response;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service twice on one database: what is done at one replica holds at the other one
 * from the next request on.
 */
class ReplicasIT {
  private static final String PASSWORD = "a good long password";
  private static final int SIGN_INS_PER_MINUTE = 60;
  private static final int PATS_PER_HOUR = 20;

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica here;
  private static Replica there;

  /** Signed in once, since sign-ins are limited: at the one replica, and at the other one. */
  private static String admin;

  private static String member;
  private static String maker;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    here = start("here");
    there = start("there");
    admin = here.signIn();
    member = signUp("member@example.org");
    maker = signUp("maker@example.org");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    for (var replica : new Replica[] {here, there}) {
      if (replica != null) {
        replica.stop();
      }
    }
    if (database != null) {
      database.close();
    }
  }

  private static Replica start(String name) throws Exception {
    return Replica.start(
        database,
        directory.resolve(name + ".log"),
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE",
            "8",
            "CAIRN_SIGNUP_OPEN",
            "true",
            "CAIRN_LIMITS_SIGN_INS_PER_MINUTE",
            "" + SIGN_INS_PER_MINUTE,
            "CAIRN_LIMITS_ORGANIZATIONS_PER_HOUR",
            "100",
            "CAIRN_QUOTAS_ORGANIZATIONS_PER_ACCOUNT",
            "0",
            "CAIRN_LIMITS_PATS_PER_HOUR",
            "" + PATS_PER_HOUR));
  }

  /** A new account, signed up at the one replica and in at the other one; answers its token. */
  private static String signUp(String email) {
    here.anonymous()
        .body(Map.of("email", email, "password", PASSWORD))
        .post("/api/auth/signup")
        .then()
        .statusCode(201);
    return there.signIn(email, PASSWORD);
  }

  /** A new repository in an organization of its own, with the member in a role. */
  private static String repository(String visibility, String role) {
    var org = Api.unique("org");
    here.as(admin).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    here.as(admin)
        .body(Map.of("name", "repo", "visibility", visibility))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    setRole(org, role);
    return "/api/repos/" + org + "/repo";
  }

  private static String membership(String org) {
    return "/api/orgs/" + org + "/members/member%40example.org";
  }

  private static void setRole(String org, String role) {
    here.as(admin).body(Map.of("role", role)).put(membership(org)).then().statusCode(200);
  }

  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private static void change(String repository, String field, Object value) {
    here.as(admin).body(Map.of(field, value)).patch(repository).then().statusCode(200);
  }

  private static String pat(Replica replica, String token, String name) {
    return replica
        .as(token)
        .body(Map.of("name", name))
        .post("/api/pats")
        .then()
        .statusCode(201)
        .extract()
        .path("token");
  }

  private static Response commit(Replica replica, String repository, String shape) {
    return replica.as(member).body(shape(shape)).post(repository + "/commits");
  }

  private static String shape(String name) {
    return "{'operations':[{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}}}]}"
        .formatted(name)
        .replace('\'', '"');
  }

  @Test
  void both_publish_the_same_keys_and_take_each_others_tokens() {
    List<Map<String, String>> keys = here.anonymous().get("/.well-known/jwks.json").path("keys");
    assertEquals(1, keys.size());
    assertEquals(keys, there.anonymous().get("/.well-known/jwks.json").path("keys"));
    for (var replica : List.of(here, there)) {
      for (var token : List.of(admin, member)) {
        replica.as(token).get("/api/whoami").then().statusCode(200).body("kind", is("jwt"));
      }
    }
  }

  @Test
  void a_token_that_is_revoked_here_is_refused_there() {
    var token = pat(here, member, "revoked");
    there.as(token).get("/api/whoami").then().statusCode(200).body("token.name", is("revoked"));
    here.as(member).delete("/api/pats/revoked").then().statusCode(200);
    there.as(token).get("/api/whoami").then().statusCode(401);
  }

  @Test
  void a_session_that_is_ended_here_is_refused_there() {
    var repository = repository("public", "editor");
    var account = "member@example.org";
    List<Consumer<Response>> endings =
        List.of(
            session -> refreshToken("logout", session.path("refreshToken")).then().statusCode(200),
            session -> {
              refreshToken("refresh", session.path("refreshToken")).then().statusCode(200);
              refreshToken("refresh", session.path("refreshToken")).then().statusCode(401);
            },
            _ -> here.as(member).delete("/api/sessions").then().statusCode(200));
    for (var ending : endings) {
      var session = here.login(account, PASSWORD);
      String token = session.path("accessToken");
      for (var path : List.of(repository + "/head", "/api/whoami")) {
        there.as(token).get(path).then().statusCode(200);
      }
      ending.accept(session);
      for (var path : List.of(repository + "/head", "/api/whoami")) {
        there.as(token).get(path).then().statusCode(401);
      }
      there.as(token).body(Map.of("name", "stolen")).post("/api/pats").then().statusCode(401);
    }
  }

  private static Response refreshToken(String verb, String token) {
    return here.anonymous().body(Map.of("refreshToken", token)).post("/api/auth/" + verb);
  }

  @Test
  void a_role_that_is_lowered_here_is_lowered_there_for_sign_ins_and_tokens() {
    var repository = repository("private", "editor");
    var token = pat(there, member, "lowered");
    commit(there, repository, "A").then().statusCode(201);
    setRole(org(repository), "viewer");
    commit(there, repository, "B").then().statusCode(403);
    there.as(token).body("{}").post(repository + "/commits").then().statusCode(403);
    there.as(token).get(repository).then().statusCode(200);
  }

  @Test
  void a_member_removed_on_one_replica_finds_nothing_on_another() {
    var repository = repository("private", "editor");
    there.as(member).get(repository).then().statusCode(200);
    here.as(admin).delete(membership(org(repository))).then().statusCode(200);
    there.as(member).get(repository).then().statusCode(404);
    commit(there, repository, "A").then().statusCode(404);
  }

  @Test
  void a_repository_that_is_archived_here_takes_no_writes_there() {
    var repository = repository("private", "editor");
    commit(there, repository, "A").then().statusCode(201);
    change(repository, "archived", true);
    commit(there, repository, "B").then().statusCode(409).body("code", is("ARCHIVED"));
    change(repository, "archived", false);
    commit(there, repository, "B").then().statusCode(201);
    change("/api/orgs/" + org(repository), "archived", true);
    commit(there, repository, "C").then().statusCode(409).body("code", is("ARCHIVED"));
  }

  @Test
  void a_repository_that_is_made_private_here_is_hidden_there() {
    var repository = repository("public", "viewer");
    there.anonymous().get(repository + "/head").then().statusCode(200);
    change(repository, "visibility", "private");
    there.anonymous().get(repository + "/head").then().statusCode(404);
    there.anonymous().get("/api/orgs/" + org(repository)).then().statusCode(404);
  }

  @Test
  void a_repository_that_is_renamed_here_has_its_new_name_only_there() {
    var repository = repository("private", "editor");
    commit(there, repository, "A").then().statusCode(201);
    change(repository, "name", "renamed");
    var renamed = "/api/repos/" + org(repository) + "/renamed";
    there.as(member).get(repository).then().statusCode(404);
    there.as(member).get(renamed + "/shapes").then().body("items.name", contains("A"));
  }

  /**
   * A change, by the administrator at the one replica, and the statuses of requests at the other.
   */
  private record Change(Consumer<String> made, int statusOfRead, int statusOfCommit) {}

  /** Each in a repository of its own; the last one takes the member's token. */
  private static List<Change> changes() {
    return List.of(
        new Change(repository -> setRole(org(repository), "viewer"), 200, 403),
        new Change(repository -> change(repository, "archived", true), 200, 409),
        new Change(repository -> change(repository, "name", "renamed"), 404, 404),
        new Change(
            repository -> change("/api/orgs/" + org(repository), "name", Api.unique("org")),
            404,
            404),
        new Change(
            repository -> here.as(admin).delete(membership(org(repository))).then().statusCode(200),
            404,
            404),
        new Change(
            repository -> here.as(admin).delete(repository).then().statusCode(200), 404, 404),
        new Change(
            _ -> here.as(member).delete("/api/pats/raced").then().statusCode(200), 401, 401));
  }

  @Test
  void no_request_that_begins_there_after_a_change_here_has_what_it_took() throws Exception {
    var token = pat(here, member, "raced");
    for (var change : changes()) {
      var repository = repository("private", "editor");
      assertEquals(
          List.of(Set.of(change.statusOfRead()), Set.of(change.statusOfCommit())),
          AccessRace.late(
              () -> change.made().accept(repository),
              () -> there.as(token).get(repository + "/count").statusCode(),
              () ->
                  there
                      .as(token)
                      .body(shape(Api.unique("S")))
                      .post(repository + "/commits")
                      .statusCode()));
    }
  }

  @Test
  void the_limit_on_new_tokens_holds_for_both_together() {
    var statuses =
        IntStream.range(0, PATS_PER_HOUR + 2)
            .mapToObj(
                i ->
                    (i % 2 == 0 ? here : there)
                        .as(maker)
                        .body(Map.of("name", "t" + i))
                        .post("/api/pats")
                        .statusCode())
            .toList();
    assertEquals(PATS_PER_HOUR, statuses.stream().filter(s -> s == 201).count(), "" + statuses);
    assertEquals(List.of(429, 429), statuses.subList(PATS_PER_HOUR, PATS_PER_HOUR + 2));
  }

  @Test
  void the_limit_on_sign_ins_holds_for_both_together() {
    long start = System.nanoTime();
    int passed = 0;
    for (int i = 0; i < 3 * SIGN_INS_PER_MINUTE; i++) {
      int status = (i % 2 == 0 ? here : there).login(i + "@example.org", "wrong").statusCode();
      assertTrue(status == 401 || status == 429, "status " + status);
      passed += status == 401 ? 1 : 0;
    }
    // The bucket refills meanwhile, at one sign-in a second.
    long refilled = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + 1;
    assertTrue(passed >= SIGN_INS_PER_MINUTE / 2, passed + " passed");
    assertTrue(passed <= SIGN_INS_PER_MINUTE + refilled, passed + " passed");
  }

  @Test
  void a_commit_that_is_acknowledged_here_is_read_there_at_once() {
    var repository = repository("private", "editor");
    for (int i = 1; i <= 50; i++) {
      var writer = i % 2 == 0 ? here : there;
      var reader = i % 2 == 0 ? there : here;
      commit(writer, repository, "S" + i).then().statusCode(201);
      reader.as(member).get(repository).then().body("repoSeq", is(i));
      reader.as(member).get(repository + "/count").then().body("count", is(i));
    }
  }

  @Test
  void an_idempotency_key_that_was_used_here_is_known_there() {
    var repository = repository("private", "editor");
    var answers =
        List.of(here, there).stream()
            .map(
                replica ->
                    replica
                        .as(admin)
                        .header("Idempotency-Key", "once")
                        .body(shape("S"))
                        .post(repository + "/commits"))
            .toList();
    answers.getFirst().then().statusCode(201);
    assertEquals(answers.get(0).asString(), answers.get(1).asString());
    there.as(admin).get(repository).then().body("repoSeq", is(1));
  }

  @Test
  void an_export_that_is_asked_for_here_is_told_and_downloaded_there() throws Exception {
    var repository = repository("private", "editor");
    commit(here, repository, "A").then().statusCode(201);
    var path = repository + "/export";
    String token = here.as(member).get(path + "?prefer=async").path("exportToken");
    var answer =
        Eventually.poll(
            "the export is built",
            () -> there.as(member).get(path + "?token=" + token),
            progress -> progress.statusCode() != 202);
    answer.then().statusCode(200).body("recordCount", is(1));
    String url = answer.path("url");
    var link = url.substring("https://cairn.example.org".length());
    assertEquals(here.as(member).get(path).asString(), there.anonymous().get(link).asString());
  }

  /** Follows a repository by a stream of events of a replica. */
  private static Events follow(Replica replica, String repository, String... headers) {
    String ticket =
        here.as(member)
            .post(repository + "/live/tickets")
            .then()
            .statusCode(201)
            .extract()
            .path("ticket");
    var request = HttpRequest.newBuilder(URI.create(replica.url("/sse?ticket=" + ticket)));
    if (headers.length > 0) {
      request.headers(headers);
    }
    var events = Events.open(request.build());
    events.next("ready");
    return events;
  }

  private static void isTold(Events events, int seq) {
    var event = events.next("invalidate");
    assertEquals(seq, event.data().get("repoSeq").intValue());
    assertEquals("" + seq, event.id());
  }

  @Test
  void a_commit_that_is_made_here_is_told_there() {
    var repository = repository("private", "editor");
    try (var ofHere = follow(here, repository);
        var ofThere = follow(there, repository)) {
      for (int i = 1; i <= 20; i++) {
        commit(i % 2 == 0 ? here : there, repository, "S" + i).then().statusCode(201);
        isTold(ofHere, i);
        isTold(ofThere, i);
      }
    }
  }

  /** A number that is read of the connections on which the replicas are notified. */
  private static int ofListeners(String number) throws SQLException {
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select %s from pg_stat_activity where application_name = 'cairn listen'"
                    .formatted(number))) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void a_commit_is_told_although_the_connections_for_notifications_have_just_broken()
      throws Exception {
    var repository = repository("private", "editor");
    try (var ofThere = follow(there, repository)) {
      for (int i = 1; i <= 2; i++) {
        // Each replica listens for commits and for work.
        Eventually.await("both replicas listen", () -> ofListeners("count(*)") >= 4);
        assertTrue(ofListeners("count(pg_terminate_backend(pid))") >= 4);
        commit(here, repository, "S" + i).then().statusCode(201);
        isTold(ofThere, i);
      }
    }
  }

  @Test
  void whoever_followed_a_replica_that_is_killed_continues_at_another_one() throws Exception {
    var repository = repository("private", "editor");
    var killed = start("killed");
    try (var before = follow(killed, repository)) {
      commit(here, repository, "S1").then().statusCode(201);
      isTold(before, 1);
      commit(killed, repository, "S2").then().statusCode(201);
      isTold(before, 2);
      killed.kill();
      before.isClosed();
      for (int i = 3; i <= 5; i++) {
        commit(here, repository, "S" + i).then().statusCode(201);
      }
      try (var after = follow(there, repository, "Last-Event-ID", "2")) {
        for (int i = 3; i <= 5; i++) {
          isTold(after, i);
        }
        commit(here, repository, "S6").then().statusCode(201);
        isTold(after, 6);
      }
    } finally {
      killed.kill();
    }
  }
}
