package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members by invitation: pending until the address signs up. */
@HttpTest
@QuarkusTest
class InvitationTest {
  private static final String PASSWORD = "a good password";

  private String members;
  private String org;
  private String email;

  @BeforeEach
  void organization() {
    org = Api.newOrg();
    members = "/api/orgs/" + org + "/members";
    email = Api.unique("invited") + "@example.org";
  }

  private ValidatableResponse invite(RequestSpecification caller, String address, String role) {
    return caller
        .body(Map.of("role", role))
        .put(members + "/" + address.replace("@", "%40"))
        .then();
  }

  private ValidatableResponse withdraw(RequestSpecification caller) {
    return caller.delete(members + "/" + email.replace("@", "%40")).then();
  }

  private String signUp(String address) {
    anonymous()
        .body(Map.of("email", address, "password", PASSWORD))
        .post("/api/auth/signup")
        .then()
        .statusCode(201);
    return Api.token(address.toLowerCase(Locale.ROOT), PASSWORD);
  }

  @Test
  void an_address_without_an_account_is_pending_until_it_signs_up() {
    invite(admin(), email, "viewer")
        .statusCode(200)
        .body("pending", is(true))
        .body("role", is("viewer"))
        .body("displayName", nullValue());
    invite(admin(), email, "editor").statusCode(200).body("role", is("editor"));
    admin()
        .get(members)
        .then()
        .body("items.email", contains("admin@example.org", email))
        .body("items.pending", contains(nullValue(), is(true)));
    var token = signUp(email);
    admin().get(members).then().body("items.pending", contains(nullValue(), nullValue()));
    as(token).get("/api/whoami").then().body("orgs.name", hasItem(org));
    as(token).get("/api/orgs/" + org).then().statusCode(200).body("role", is("editor"));
  }

  @Test
  void the_case_of_the_address_does_not_matter() {
    invite(admin(), email.toUpperCase(Locale.ROOT), "viewer").body("email", is(email));
    as(signUp(email.toUpperCase(Locale.ROOT))).get("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void an_account_that_exists_is_a_member_at_once() {
    var person = People.stranger();
    invite(admin(), person.email(), "viewer").statusCode(200).body("pending", nullValue());
    as(person.token()).get("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void an_invitation_that_was_withdrawn_gives_nothing() {
    invite(admin(), email, "viewer");
    withdraw(admin()).statusCode(200).body("ok", is(true));
    withdraw(admin()).statusCode(404).body("code", is("NOT_FOUND"));
    admin().get(members).then().body("items.email", not(hasItem(email)));
    as(signUp(email)).get("/api/orgs/" + org).then().statusCode(404);
  }

  @Test
  void an_invitation_to_an_archived_organization_counts_when_that_is_unarchived() {
    invite(admin(), email, "viewer").statusCode(200);
    archive(true);
    var token = signUp(email);
    as(token).get("/api/orgs/" + org).then().statusCode(404);
    admin().get(members).then().body("items.pending", contains(nullValue(), is(true)));
    archive(false);
    as(token).get("/api/orgs/" + org).then().statusCode(200).body("role", is("viewer"));
    admin().get(members).then().body("items.pending", contains(nullValue(), nullValue()));
  }

  @Test
  void an_invitation_to_an_archived_organization_can_be_withdrawn() {
    invite(admin(), email, "viewer").statusCode(200);
    archive(true);
    withdraw(admin()).statusCode(200);
    var token = signUp(email);
    archive(false);
    as(token).get("/api/orgs/" + org).then().statusCode(404);
  }

  @Test
  void an_address_that_signs_up_while_the_organization_is_being_archived_is_no_member()
      throws Exception {
    invite(admin(), email, "viewer").statusCode(200);
    try (var archiving = OwnConnections.dataSource().getConnection()) {
      archiving.setAutoCommit(false);
      OwnConnections.execute(
          archiving,
          "select from invitation i join organization o on o.id = i.org_id where o.name = ? for update of i",
          org);
      OwnConnections.execute(
          archiving, "update organization set archived_at = now() where name = ?", org);
      var token = CompletableFuture.supplyAsync(() -> signUp(email), Threads.OWN);
      Waiting.awaitWaiter(archiving);
      archiving.commit();
      as(token.get(30, TimeUnit.SECONDS)).get("/api/orgs/" + org).then().statusCode(404);
    }
  }

  private void archive(boolean archived) {
    admin().body(Map.of("archived", archived)).patch("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void only_owners_invite_owners_and_take_such_invitations_back() {
    var admin = People.member(org, "admin");
    invite(as(admin.token()), email, "owner").statusCode(403);
    invite(admin(), email, "owner").statusCode(200);
    invite(as(admin.token()), email, "viewer").statusCode(403);
    withdraw(as(admin.token())).statusCode(403);
    withdraw(admin()).statusCode(200);
  }

  @Test
  void an_invitation_ends_with_the_right_to_make_it() {
    var admin = People.member(org, "admin");
    var kept = Api.unique("invited") + "@example.org";
    invite(as(admin.token()), email, "admin").statusCode(200);
    invite(admin(), kept, "viewer").statusCode(200);
    invite(admin(), admin.email(), "editor").statusCode(200);
    admin().get(members).then().body("items.email", not(hasItem(email)));
    as(signUp(email)).get("/api/orgs/" + org).then().statusCode(404);
    as(signUp(kept)).get("/api/orgs/" + org).then().statusCode(200);
  }

  @Test
  void an_invitation_ends_when_the_member_leaves_who_changed_its_role_last() {
    var admin = People.member(org, "admin");
    invite(admin(), email, "viewer").statusCode(200);
    invite(as(admin.token()), email, "admin").statusCode(200);
    as(admin.token()).delete(members + "/" + admin.inPath()).then().statusCode(200);
    as(signUp(email)).get("/api/orgs/" + org).then().statusCode(404);
  }

  @Test
  void an_owner_who_becomes_an_admin_has_invited_no_owners_any_longer() {
    var owner = People.member(org, "owner");
    var kept = Api.unique("invited") + "@example.org";
    invite(as(owner.token()), email, "owner").statusCode(200);
    invite(as(owner.token()), kept, "viewer").statusCode(200);
    invite(admin(), owner.email(), "admin").statusCode(200);
    admin()
        .get(members)
        .then()
        .body("items.email", not(hasItem(email)))
        .body("items.email", hasItem(kept));
  }

  @Test
  void an_address_that_is_none_is_refused() {
    invite(admin(), "nobody", "viewer")
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors[0].pointer", is("?email"));
  }

  @Test
  void an_archived_organization_invites_nobody() {
    admin().body(Map.of("archived", true)).patch("/api/orgs/" + org).then().statusCode(200);
    invite(admin(), email, "viewer").statusCode(409).body("code", is("ARCHIVED"));
  }

  @Test
  void a_caller_that_may_not_manage_members_invites_nobody() {
    invite(as(People.member(org, "editor").token()), email, "viewer").statusCode(403);
    invite(as(People.stranger().token()), email, "viewer").statusCode(404);
    admin().get(members).then().body("items.email", not(hasItems(email)));
  }
}
