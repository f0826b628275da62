package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Wire;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/live.md, Live queries: who may open a WebSocket, when access ends, and limits. */
@HttpTest
@QuarkusTest
class SocketAccessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SHAPE =
      "{'operation':'add','name':'Shape/S','data':{'fields':{'text?':'string'}}}";
  private static final List<String> HANDSHAKE =
      List.of(
          "Connection: keep-alive, Upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");

  private static String repository(String visibility) {
    var repository = newRepository(visibility);
    Prepared.commit(repository, SHAPE);
    return repository;
  }

  private static void add(String repository, String name) {
    Prepared.commit(repository, "{'operation':'add','name':'S/%s','data':{}}".formatted(name));
  }

  private static Wire.Answer handshake(String query, List<String> headers) throws IOException {
    try (var wire = new Wire(RestAssured.port, null)) {
      wire.head("GET", "/live" + query, 0, headers.toArray(String[]::new));
      return wire.answer();
    }
  }

  private static JsonNode problem(Wire.Answer answer, int status) throws IOException {
    assertEquals(status, answer.status(), answer::text);
    assertEquals("application/problem+json", answer.headers().get("content-type"));
    return JSON.readTree(answer.body());
  }

  @Test
  void a_ticket_opens_one_socket() throws IOException {
    var ticket = Events.ticket(adminToken(), repository("private"));
    try (var _ = new RawSocket(ticket)) {
      var again = problem(handshake("?ticket=" + ticket, HANDSHAKE), 401);
      assertEquals("UNAUTHENTICATED", again.get("code").textValue());
      assertEquals("?ticket", again.get("errors").get(0).get("pointer").textValue());
    }
  }

  @Test
  void a_ticket_is_valid_for_a_minute() throws IOException {
    var ticket = Events.ticket(adminToken(), repository("private"));
    OwnConnections.database()
        .update("update live_ticket set expires_at = clock_timestamp() where expires_at > now()");
    problem(handshake("?ticket=" + ticket, HANDSHAKE), 401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?ticket=", "?ticket=x", "?ticket=ct_0000"})
  void without_a_ticket_there_is_no_socket(String query) throws IOException {
    var answer = handshake(query, HANDSHAKE);
    problem(answer, 401);
    assertEquals("Bearer", answer.headers().get("www-authenticate"));
  }

  @Test
  void what_is_no_handshake_is_refused_and_uses_no_ticket() throws IOException {
    var ticket = Events.ticket(adminToken(), repository("private"));
    var query = "?ticket=" + ticket;
    for (var missing : HANDSHAKE) {
      var headers = new ArrayList<>(HANDSHAKE);
      headers.remove(missing);
      problem(handshake(query, headers), 400);
    }
    var old = new ArrayList<>(HANDSHAKE);
    old.set(2, "Sec-WebSocket-Version: 8");
    assertEquals("13", handshake(query, old).headers().get("sec-websocket-version"));
    var malformed = new ArrayList<>(HANDSHAKE);
    malformed.add("Sec-WebSocket-Extensions: permessage-deflate;");
    problem(handshake(query, malformed), 400);
    problem(handshake(query + "&more=1", HANDSHAKE), 400);
    problem(handshake(query + "&ticket=" + ticket, HANDSHAKE), 400);
    var post = anonymous().post("/live" + query);
    assertEquals(405, post.statusCode());
    assertEquals("GET, OPTIONS", post.header("Allow"));
    new RawSocket(ticket).close();
  }

  @Test
  void a_page_of_another_site_needs_a_ticket_too() throws IOException {
    var headers = new ArrayList<>(HANDSHAKE);
    headers.add("Origin: https://elsewhere.example.org");
    headers.add("Cookie: session=x");
    problem(handshake("", headers), 401);
    var ticket = Events.ticket(adminToken(), repository("private"));
    new RawSocket(ticket, "Origin: https://elsewhere.example.org").close();
  }

  @Test
  void a_ticket_of_a_revoked_token_opens_no_socket() throws IOException {
    var repository = repository("private");
    var person = People.member(repository.split("/", -1)[3], "viewer");
    var pat = People.pat(person.token(), null);
    var ticket = Events.ticket(pat, repository);
    revokeOnlyPat(person);
    var answer = problem(handshake("?ticket=" + ticket, HANDSHAKE), 401);
    assertEquals("UNAUTHENTICATED", answer.get("code").textValue());
  }

  private static void revokeOnlyPat(People.Person person) {
    var name =
        Prepared.answer(200, person.token(), "GET", "/api/pats", null)
            .get(0)
            .get("name")
            .textValue();
    as(person.token()).delete("/api/pats/" + name).then().statusCode(200);
  }

  @Test
  void a_revoked_token_hears_nothing_of_commits_a_second_later() throws InterruptedException {
    var repository = repository("private");
    var person = People.member(repository.split("/", -1)[3], "viewer");
    var pat = People.pat(person.token(), null);
    try (var client = LiveClient.of(pat, repository)) {
      client.snapshot("q", "{'shape':'S'}");
      revokeOnlyPat(person);
      Thread.sleep(Duration.ofSeconds(1));
      add(repository, "late");
      client.endsWith(1008, "access_ended");
      client.hearsNothing();
    }
  }

  @Test
  void a_client_without_a_role_any_longer_is_ended() {
    var repository = repository("private");
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "viewer");
    try (var client = LiveClient.of(person.token(), repository)) {
      client.snapshot("q", "{'shape':'S'}");
      admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
      client.endsWith(1008, "access_ended");
    }
  }

  @Test
  void a_client_of_an_ended_session_is_ended() {
    var repository = repository("private");
    var person = People.member(repository.split("/", -1)[3], "viewer");
    var tokens = Api.login(person.email(), People.PASSWORD).extract();
    try (var client = LiveClient.of(tokens.path("accessToken"), repository)) {
      client.snapshot("q", "{'shape':'S'}");
      anonymous()
          .body(Map.of("refreshToken", tokens.<String>path("refreshToken")))
          .post("/api/auth/logout")
          .then()
          .statusCode(200);
      client.endsWith(1008, "access_ended");
    }
  }

  @Test
  void clients_of_a_deleted_or_renamed_repository_are_ended() {
    var deleted = repository("private");
    var renamed = repository("private");
    try (var first = LiveClient.of(adminToken(), deleted);
        var second = LiveClient.of(adminToken(), renamed)) {
      first.snapshot("q", "{'shape':'S'}");
      second.snapshot("q", "{'shape':'S'}");
      admin().delete(deleted).then().statusCode(200);
      first.endsWith(1008, "access_ended");
      OwnConnections.database()
          .update("update repository set name = 'other' where id = ?", Api.repoId(renamed));
      add(renamed.replaceFirst("repo$", "other"), "a");
      second.endsWith(1008, "access_ended");
    }
  }

  @Test
  void a_socket_follows_at_most_50_queries() {
    var repository = repository("private");
    try (var client = LiveClient.of(adminToken(), repository)) {
      for (int i = 0; i < 50; i++) {
        client.snapshot("q" + i, "{'shape':'S','limit':%d}".formatted(i + 1));
      }
      client.subscribe("more", "{'shape':'S'}");
      var error = client.error("more", "RATE_LIMITED");
      assertEquals("live-queries", error.get("details").get("limit").textValue());
      client.send("{'type':'unsubscribe','id':'q7'}");
      client.snapshot("more", "{'shape':'S'}");
    }
  }

  @Test
  void a_client_that_does_not_read_is_sent_no_more_than_one_message_at_a_time() throws IOException {
    var repository = repository("private");
    Prepared.commit(repository, "{'operation':'add','name':'S/a','data':{'text':''}}");
    try (var socket = new RawSocket(Events.ticket(adminToken(), repository))) {
      socket.send("{'type':'subscribe','id':'q','query':{'match':'S/a'}}");
      int commits = 60;
      for (int i = 1; i <= commits; i++) {
        Prepared.commit(
            repository,
            "{'operation':'revise','name':'S/a','data':{'text':'%s%02d'}}"
                .formatted("x".repeat(500_000), i));
      }
      int messages = 1;
      var last = "x" + commits + "\"}";
      while (!socket.nextText().contains(last)) {
        messages++;
      }
      assertTrue(messages < commits / 2, messages + " messages");
    }
  }
}
