package dev.cairn.tenant;

import static dev.cairn.Api.admin;
import static dev.cairn.Limited.MEMBERS;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.mcp.Mcp;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access: the limit on members that an account adds, which the other tests run without. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class MemberLimitTest {
  @BeforeEach
  void refill() {
    Limited.refill();
  }

  private static ValidatableResponse put(String org, String body) {
    return admin()
        .body(body)
        .put("/api/orgs/" + org + "/members/" + Api.unique("m") + "%40example.org")
        .then();
  }

  private static void assertLimited(ValidatableResponse answer) {
    answer
        .statusCode(429)
        .body("code", is("RATE_LIMITED"))
        .header("Retry-After", notNullValue())
        .header("RateLimit-Policy", containsString("\"members\";q=" + MEMBERS));
  }

  @Test
  void an_account_adds_no_more_members_in_a_minute_whatever_the_organization() {
    var orgs = new String[] {Api.newOrg(), Api.newOrg()};
    for (int i = 0; i < MEMBERS; i++) {
      put(orgs[i % 2], "{\"role\":\"viewer\"}")
          .statusCode(200)
          .header("RateLimit", containsString("\"members\";r=" + (MEMBERS - 1 - i)));
    }
    for (var org : orgs) {
      assertLimited(put(org, "{\"role\":\"viewer\"}"));
    }
    admin().get("/api/orgs/" + orgs[0] + "/members").then().statusCode(200);
  }

  @Test
  void failed_attempts_count() {
    var org = Api.newOrg();
    for (int i = 0; i < MEMBERS; i++) {
      put(org, i == 0 ? "no JSON" : "{\"role\":\"king\"}").statusCode(400);
    }
    assertLimited(put(org, "{\"role\":\"viewer\"}"));
  }

  @Test
  void the_tool_of_mcp_counts_too() {
    var org = Api.newOrg();
    for (int i = 0; i < MEMBERS; i++) {
      put(org, "{\"role\":\"viewer\"}").statusCode(200);
    }
    Mcp.of(Mcp.OLD, Api.adminToken())
        .call("org_member_set", Map.of("org", org, "email", "x@example.org", "role", "viewer"))
        .statusCode(200)
        .body("result.isError", is(true))
        .body("result.structuredContent.code", is("RATE_LIMITED"));
  }
}
