package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.tenant.Tenancy.ORGS;
import static dev.cairn.tenant.Tenancy.invalid;
import static dev.cairn.tenant.Tenancy.members;
import static dev.cairn.tenant.Tenancy.org;
import static dev.cairn.tenant.Tenancy.refused;
import static dev.cairn.tenant.Tenancy.remove;
import static dev.cairn.tenant.Tenancy.role;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Tenancy: who belongs to an organization, and in which role. */
@HttpTest
@QuarkusTest
class MemberRolesTest {
  @Test
  void a_role_is_one_of_four() {
    var org = Api.newOrg();
    var person = People.stranger();
    for (var role : List.of("", "Owner", "root", "member")) {
      invalid(role(admin(), org, person, role), "/role");
    }
    invalid(admin().body("{}").put(members(org) + "/" + person.inPath()), "/role");
    refused(remove(admin(), org, person), 404, "NOT_FOUND");
    role(admin(), org, person, "viewer").then().statusCode(200).body("role", is("viewer"));
    role(admin(), org, person, "editor").then().statusCode(200).body("role", is("editor"));
    admin().get(members(org)).then().body("items.role", contains("owner", "editor"));
  }

  @Test
  void the_last_owner_can_be_neither_removed_nor_demoted() {
    var org = Api.newOrg();
    var owner = People.member(org, "owner");
    as(owner.token()).delete(members(org) + "/admin%40example.org").then().statusCode(200);
    refused(remove(as(owner.token()), org, owner), 409, "CONFLICT")
        .body("details.reason", is("last_owner"));
    refused(role(as(owner.token()), org, owner, "admin"), 409, "CONFLICT")
        .body("details.reason", is("last_owner"));
    role(as(owner.token()), org, owner, "owner").then().statusCode(200);
    as(owner.token()).get(members(org)).then().body("items.role", contains("owner"));
  }

  @Test
  void everybody_may_leave() {
    var org = Api.newOrg();
    for (var role : List.of("viewer", "editor", "admin", "owner")) {
      var person = People.member(org, role);
      var path = members(org) + "/" + person.inPath().toUpperCase(Locale.ROOT);
      as(person.token()).delete(path).then().statusCode(200).body("ok", is(true));
      as(person.token()).get(ORGS).then().body("items.name", not(hasItem(org)));
      refused(as(person.token()).delete(path), 404, "NOT_FOUND");
    }
    admin()
        .get(ORGS + "/" + org + "/audit?limit=1")
        .then()
        .body("items[0].action", is("member.removed"))
        .body("items[0].actor", not(is("admin@example.org")))
        .body("items[0].address", nullValue());
  }

  @Test
  void a_member_that_leaves_by_a_token_finds_it_in_their_own_log() {
    var org = Api.newOrg();
    var person = People.member(org, "editor");
    remove(as(People.pat(person.token(), null)), org, person).then().statusCode(200);
    as(person.token())
        .get("/api/audit?limit=1")
        .then()
        .body("items[0].action", is("organization.left"))
        .body("items[0].target", is(org))
        .body("items[0].address", is("127.0.0.1"))
        .body("items[0].details.token", startsWith("pat-"));
  }

  @Test
  void everybody_may_leave_an_archived_organization_too() {
    var org = Api.newOrg();
    var person = People.member(org, "editor");
    var other = People.member(org, "viewer");
    admin().body(Map.of("archived", true)).patch(ORGS + "/" + org).then().statusCode(200);
    refused(remove(admin(), org, other), 409, "ARCHIVED");
    remove(as(People.pat(person.token(), null)), org, person).then().statusCode(200);
    remove(as(other.token()), org, other).then().statusCode(200);
    admin().get(members(org)).then().body("items.role", contains("owner"));
  }

  @Test
  void a_narrowed_token_leaves_nothing_and_nobody_removes_others_so() {
    var org = Api.newOrg();
    var person = People.member(org, "editor");
    var other = People.member(org, "viewer");
    var narrowed = People.pat(person.token(), "{'permissions':['repo:read','org:read']}");
    refused(remove(as(narrowed), org, person), 403, "FORBIDDEN");
    refused(remove(as(person.token()), org, other), 403, "FORBIDDEN");
    refused(remove(anonymous(), org, person), 404, "NOT_FOUND");
    admin().get(members(org)).then().body("items.role", contains("owner", "editor", "viewer"));
    remove(as(People.pat(person.token(), null)), org, person).then().statusCode(200);
  }

  @Test
  void two_owners_who_demote_each_other_at_once_leave_one() throws Exception {
    for (int round = 0; round < 5; round++) {
      var org = Api.newOrg();
      var first = People.member(org, "owner");
      var second = People.member(org, "owner");
      as(first.token()).delete(members(org) + "/admin%40example.org").then().statusCode(200);
      Callable<Integer> one = () -> role(as(first.token()), org, second, "viewer").statusCode();
      Callable<Integer> other = () -> role(as(second.token()), org, first, "viewer").statusCode();
      try (var pool = Executors.newFixedThreadPool(2)) {
        for (var future : pool.invokeAll(List.of(one, other))) {
          future.get();
        }
      }
      List<String> roles = as(first.token()).get(members(org)).then().extract().path("items.role");
      assertEquals(1, roles.stream().filter("owner"::equals).count(), roles.toString());
    }
  }

  @Test
  void an_admin_neither_makes_nor_touches_owners() {
    var org = Api.newOrg();
    var admin = People.member(org, "admin");
    var owner = People.member(org, "owner");
    var other = People.member(org, "viewer");
    var stranger = People.stranger();
    refused(role(as(admin.token()), org, stranger, "owner"), 403, "FORBIDDEN");
    refused(role(as(admin.token()), org, other, "owner"), 403, "FORBIDDEN");
    refused(role(as(admin.token()), org, admin, "owner"), 403, "FORBIDDEN");
    refused(role(as(admin.token()), org, owner, "viewer"), 403, "FORBIDDEN");
    refused(remove(as(admin.token()), org, owner), 403, "FORBIDDEN");
    role(as(admin.token()), org, other, "admin").then().statusCode(200);
    role(as(admin.token()), org, other, "viewer").then().statusCode(200);
    remove(as(admin.token()), org, other).then().statusCode(200).body("ok", is(true));
    as(owner.token())
        .get(members(org))
        .then()
        .body("items.findAll { it.role == 'owner' }.size()", is(2))
        .body("items.email", not(hasItem(stranger.email())));
  }
}
