package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Tokens: rotation. */
@HttpTest
@QuarkusTest
class RuntimeTokenTest {
  private Installs installs;
  private String repository;

  @BeforeEach
  void registerComponent() {
    installs = Installs.registered();
    repository = installs.repository();
  }

  @Test
  void a_token_is_rotated_and_the_former_one_ends() {
    var answer = installs.install().statusCode(201).extract();
    String id = answer.path("installId");
    String former = answer.path("token");
    as(former).get("/api/whoami").then().statusCode(200);
    var rotated = installs.rotate(id).statusCode(200).body("expiresAt", notNullValue()).extract();
    assertNotEquals(former, rotated.path("token"));
    as(former).get("/api/whoami").then().statusCode(401);
    as(rotated.<String>path("token")).get("/api/whoami").then().statusCode(200);
    admin()
        .get("/api/orgs/" + installs.org() + "/audit")
        .then()
        .body("items[0].action", is("component.token_rotated"));
    var event = "items.findAll { it.action == 'component_token.created' }";
    admin()
        .get("/api/audit")
        .then()
        .body(event + "[0].target", is(installs.owner() + "/" + Installs.NAME))
        .body(event + "[0].details.repository", is(installs.org() + "/repo"));
  }

  @Test
  void a_token_ends_for_ever_when_its_component_mints_none_any_more() {
    String token = installs.install().statusCode(201).extract().path("token");
    String elsewhere =
        installs.in(Api.newRepository()).install().statusCode(201).extract().path("token");
    for (var mints : List.of(false, true)) {
      minting(mints);
      as(token).get("/api/whoami").then().statusCode(401);
      as(elsewhere).get("/api/whoami").then().statusCode(401);
    }
    assertTrue(Installs.actions(installs.install()).contains("token cycle-finder create"));
  }

  @Test
  void no_token_is_minted_that_its_component_no_longer_mints_when_it_is_its_turn()
      throws Exception {
    String id = installs.installed();
    HeldLock.during(
            () -> installs.rotate(id),
            () -> minting(false),
            "select from component_install where id = ? for update",
            UUID.fromString(id))
        .statusCode(409)
        .body("details.reason", is("mints_no_token"));
  }

  @Test
  void no_token_is_minted_once_archiving_was_answered() throws Exception {
    String id = installs.installed();
    HeldLock.afterChange(
            () -> installs.rotate(id),
            "update repository set archived_at = now() where id = ?",
            Api.repoId(repository))
        .statusCode(409)
        .body("code", is("ARCHIVED"));
  }

  @Test
  void a_token_that_is_being_minted_when_its_component_ceases_to_mint_ends_too() throws Exception {
    String id = installs.installed();
    try (var row = OwnConnections.dataSource().getConnection()) {
      row.setAutoCommit(false);
      OwnConnections.execute(
          row, "select from member where org_id = ? for update", Api.orgId(Api.repoId(repository)));
      var minted = CompletableFuture.supplyAsync(() -> installs.rotate(id), Threads.OWN);
      Waiting.awaitWaiter(row);
      var ceased = CompletableFuture.runAsync(() -> minting(false), Threads.OWN);
      Waiting.awaitWaiters(row, 2);
      row.rollback();
      ceased.get(30, TimeUnit.SECONDS);
      String token = minted.get(30, TimeUnit.SECONDS).statusCode(200).extract().path("token");
      as(token).get("/api/whoami").then().statusCode(401);
      minting(true);
      as(token).get("/api/whoami").then().statusCode(401);
    }
  }

  private void minting(boolean mintsToken) {
    var body = Registry.body(Installs.manifest()).put("mintsToken", mintsToken);
    admin()
        .body(body.toString())
        .put(Registry.path(installs.owner(), Installs.NAME))
        .then()
        .statusCode(200);
  }

  @Test
  void a_token_is_minted_only_by_a_sign_in() {
    var pat = People.pat(Api.adminToken(), null);
    var answer = installs.install(pat, "").statusCode(201).body("token", nullValue());
    assertTrue(Installs.actions(answer).contains("token cycle-finder leave"));
    String id = answer.extract().path("installId");
    as(pat).post(installs.path(id, "/token")).then().statusCode(403).body("code", is("FORBIDDEN"));
    var minted = installs.install().statusCode(200);
    assertTrue(Installs.actions(minted).contains("token cycle-finder create"));
    as(minted.extract().<String>path("token")).get("/api/whoami").then().statusCode(200);
    as(pat).post(installs.path(id, "/token")).then().statusCode(403);
    installs.rotate(id).statusCode(200);
  }

  @Test
  void a_token_is_rotated_only_for_a_component_that_mints_one_and_is_installed() {
    var answer = installs.install().statusCode(201).extract();
    String id = answer.path("installId");
    var editor = People.member(installs.org(), "editor").token();
    as(editor).post(installs.path(id, "/token")).then().statusCode(403);
    as(answer.<String>path("token")).post(installs.path(id, "/token")).then().statusCode(403);
    for (var absent : List.of("01890000-0000-7000-8000-000000000000", "nonsense")) {
      installs.rotate(absent).statusCode(404);
    }
    ObjectNode without = Registry.publicly(Installs.manifest()).put("mintsToken", false);
    Registry.put(installs.owner(), Installs.NAME, without).statusCode(200);
    installs.rotate(id).statusCode(409).body("details.reason", is("mints_no_token"));
    as(answer.<String>path("token")).get("/api/whoami").then().statusCode(401);
    installs.register(Installs.manifest()).statusCode(200);
    installs.teardown(id, "{}").statusCode(200);
    installs.rotate(id).statusCode(409).body("details.reason", is("not_installed"));
    installs.install().statusCode(201);
    admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
    installs.rotate(id).statusCode(409).body("details.reason", is("deregistered"));
    admin().body("{\"archived\":true}").patch(repository).then().statusCode(200);
    installs.rotate(id).statusCode(409).body("code", is("ARCHIVED"));
  }
}
