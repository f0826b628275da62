package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.access.token.InstalledComponent;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/live.md: Tickets, When access ends. */
@HttpTest
@QuarkusTest
class LiveAccessTest {
  private static final String SHAPE = "{'operation':'add','name':'Shape/S','data':{'fields':{}}}";

  private String repository;
  private String org;

  @BeforeEach
  void makeRepository() {
    repository = newRepository("private");
    org = repository.split("/", -1)[3];
    commit(repository, SHAPE);
  }

  private static ValidatableResponse sse(String query) {
    return anonymous().get("/sse" + query).then();
  }

  private static void refused(ValidatableResponse answer) {
    answer.statusCode(401).body("code", is("UNAUTHENTICATED"));
  }

  private void add(String name) {
    commit(repository, "{'operation':'add','name':'S/" + name + "','data':{}}").statusCode(201);
  }

  private static void update(String sql, Object... parameters) {
    OwnConnections.database().update(sql, parameters);
  }

  @Test
  void a_ticket_is_used_once() {
    var ticket = ticket(adminToken(), repository);
    try (var events = Events.open("ticket=" + ticket)) {
      events.next("ready");
      refused(sse("?ticket=" + ticket));
    }
    refused(sse("?ticket=" + ticket));
  }

  @Test
  void a_ticket_is_valid_for_a_minute() {
    var ticket = ticket(adminToken(), repository);
    update("update live_ticket set expires_at = now() where repo_id = ?", Api.repoId(repository));
    refused(sse("?ticket=" + ticket));
  }

  @Test
  void nothing_else_is_a_ticket() {
    refused(sse(""));
    refused(sse("?ticket="));
    refused(sse("?ticket=x"));
    refused(sse("?ticket=" + adminToken()));
    var other = ticket(adminToken(), repository);
    refused(sse("?ticket=" + other.substring(0, other.length() - 1)));
    // Nor is a ticket a token.
    as(other).get(repository + "/head").then().statusCode(401);
  }

  @Test
  void only_who_may_read_the_repository_gets_a_ticket() {
    var tickets = repository + "/live/tickets";
    anonymous().post(tickets).then().statusCode(404);
    as(People.stranger().token()).post(tickets).then().statusCode(404);
    as(People.narrowedPat(repository, "repo:write")).post(tickets).then().statusCode(403);
    as(People.member(org, "viewer").token())
        .post(tickets)
        .then()
        .statusCode(201)
        .header("Cache-Control", "no-store")
        .body("ticket", startsWith("cairn_tkt_"));
  }

  @Test
  void a_request_that_is_not_understood_uses_no_ticket() {
    var ticket = ticket(adminToken(), repository);
    sse("?x=1&ticket=" + ticket).statusCode(400).body("errors[0].pointer", is("?x"));
    sse("?shape=%20&ticket=" + ticket).statusCode(400).body("errors[0].pointer", is("?shape"));
    sse("?match=" + "a".repeat(1_025) + "&ticket=" + ticket)
        .statusCode(400)
        .body("errors[0].pointer", is("?match"));
    sse("?ticket=" + ticket + "&ticket=x".repeat(20))
        .statusCode(400)
        .body("errors[0].pointer", is("?ticket"));
    anonymous().head("/sse?ticket=" + ticket).then().statusCode(405);
    Events.open("ticket=" + ticket).close();
  }

  @Test
  void a_ticket_ends_with_the_token_that_it_was_requested_with() {
    var person = People.member(org, "viewer");
    var token = People.pat(person.token(), null);
    var name = Api.unique("gone");
    var pat =
        as(person.token())
            .body(Map.of("name", name))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .<String>path("token");
    var ofPat = ticket(pat, repository);
    var ofMember = ticket(token, repository);
    as(person.token()).delete("/api/pats/" + name).then().statusCode(200);
    add("hidden");
    refused(sse("?lastEventId=1&ticket=" + ofPat));
    admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
    sse("?ticket=" + ofMember).statusCode(404);
  }

  @Test
  void a_revoked_token_hears_of_no_commit_that_is_made_a_second_later() throws Exception {
    var name = Api.unique("revoked");
    String pat =
        admin().body(Map.of("name", name)).post("/api/pats").then().extract().path("token");
    try (var events = Events.of(pat, repository)) {
      add("before");
      events.nextIsCommit(2);
      admin().delete("/api/pats/" + name).then().statusCode(200);
      OwnConnections.database().list("select pg_sleep(1)", _ -> true);
      add("after");
      events.endsFor("access_ended");
    }
  }

  @Test
  void a_component_token_that_is_rotated_ends_its_ticket_and_its_stream() {
    var installer = People.member(org, "viewer");
    var component = new InstalledComponent(repository);
    var token = component.token(installer.email());
    var ticket = ticket(token, repository);
    try (var events = Events.of(token, repository)) {
      add("before");
      events.nextIsCommit(2);
      component.token(installer.email());
      events.endsFor("access_ended");
    }
    refused(sse("?lastEventId=1&ticket=" + ticket));
  }

  @Test
  void a_session_that_ends_ends_its_stream() {
    var person = People.member(org, "viewer");
    try (var events = Events.of(person.token(), repository)) {
      var other = Api.token(person.email(), People.PASSWORD);
      as(other).delete("/api/sessions").then().statusCode(200);
      events.endsFor("access_ended");
    }
  }

  @Test
  void an_expired_token_ends_its_stream() {
    var name = Api.unique("expires");
    String pat =
        admin().body(Map.of("name", name)).post("/api/pats").then().extract().path("token");
    try (var events = Events.of(pat, repository)) {
      update("update personal_access_token set expires_at = now() where name = ?", name);
      events.endsFor("access_ended");
    }
  }

  @Test
  void a_member_who_leaves_hears_nothing_more_and_others_do() {
    var leaves = People.member(org, "viewer");
    var stays = People.member(org, "viewer");
    try (var ended = Events.of(leaves.token(), repository);
        var goesOn = Events.of(stays.token(), repository)) {
      as(leaves.token())
          .delete("/api/orgs/" + org + "/members/" + leaves.inPath())
          .then()
          .statusCode(200);
      ended.endsFor("access_ended");
      add("a");
      goesOn.nextIsCommit(2);
    }
  }

  @Test
  void a_deleted_repository_ends_its_streams() {
    try (var events = Events.of(adminToken(), repository)) {
      admin().delete(repository).then().statusCode(200);
      events.endsFor("access_ended");
    }
  }

  @Test
  void a_repository_that_becomes_private_ends_the_streams_of_strangers_and_no_others() {
    var open = newRepository();
    commit(open, SHAPE);
    try (var ended = Events.of(null, open);
        var goesOn = Events.of(adminToken(), open)) {
      admin().body(Map.of("visibility", "private")).patch(open).then().statusCode(200);
      ended.endsFor("access_ended");
      commit(open, "{'operation':'add','name':'S/a','data':{}}").statusCode(201);
      goesOn.nextIsCommit(2);
    }
  }

  @Test
  void a_stream_of_several_repositories_ends_with_access_to_one() {
    var other = newRepository("private");
    try (var events =
        Events.open(
            "ticket="
                + ticket(adminToken(), repository)
                + "&ticket="
                + ticket(adminToken(), other))) {
      events.next("ready");
      events.next("ready");
      admin().delete(other).then().statusCode(200);
      events.endsFor("access_ended");
    }
  }

  @Test
  void a_token_that_does_not_concern_a_public_repository_follows_it_like_everybody() {
    var open = newRepository();
    commit(open, SHAPE);
    var elsewhere = People.narrowedPat(repository, "repo:read");
    try (var events = Events.of(elsewhere, open)) {
      commit(open, "{'operation':'add','name':'S/a','data':{}}");
      assertEquals(2, events.nextIsCommit(2).data().get("repoSeq").intValue());
    }
  }
}
