package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.oauth.Flow;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MCP, Tools: components. */
@QuarkusTest
@HttpTest
class ComponentToolsTest {
  private static final Map<String, Object> MANIFEST =
      Map.of("component", Map.of("id", "finder", "name", "Finder", "version", "1.0.0"));

  private Mcp owner;
  private String org;

  @BeforeEach
  void makeOrganization() {
    owner = Mcp.admin(Mcp.NEW);
    org = Api.newOrg();
  }

  private ValidatableResponse register(Mcp client, Object manifest, String visibility) {
    return client.call(
        "component_register",
        Map.of("org", org, "name", "finder", "manifest", manifest, "visibility", visibility));
  }

  private ValidatableResponse list(Mcp client) {
    return client.call("component_list", Map.of("org", org));
  }

  @Test
  void a_component_is_registered_and_listed() {
    register(owner, MANIFEST, "private")
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.manifest", equalTo(MANIFEST))
        .body("result.structuredContent.versions.version", contains("1.0.0"));
    list(owner).body("result.structuredContent.items.title", contains("Finder"));
    list(Mcp.of(Mcp.NEW, People.stranger().token()))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"));
    register(owner, MANIFEST, "public").body("result.isError", equalTo(false));
    list(Mcp.of(Mcp.NEW, People.stranger().token()))
        .body("result.structuredContent.items.name", contains("finder"));
  }

  @Test
  void everything_that_is_wrong_with_a_manifest_is_told_at_once() {
    var wrong = Map.of("component", Map.of("id", "Finder", "version", "1"));
    register(owner, wrong, "secret")
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body(
            "result.structuredContent.errors.pointer",
            containsInAnyOrder(
                "/visibility",
                "/manifest/component/id",
                "/manifest/component/name",
                "/manifest/component/version"));
    list(owner).body("result.structuredContent.items", empty());
  }

  @Test
  void a_component_is_installed_examined_and_torn_down() {
    register(owner, MANIFEST, "public");
    var client = owner.at(Api.newRepository());
    var component = org + "/finder";
    client
        .call("component_install", Map.of("component", component, "dryRun", true))
        .body("result.isError", equalTo(false))
        .body("result.structuredContent.plan.action", contains("create"));
    var id =
        client
            .call("component_install", Map.of("component", component))
            .body("result.structuredContent.version", equalTo("1.0.0"))
            .extract()
            .<String>path("result.structuredContent.installId");
    client
        .call("component_installs", Map.of())
        .body("result.structuredContent.items.installId", contains(id))
        .body("result.structuredContent.items.component", contains(component));
    client
        .call("component_doctor", Map.of("installId", id))
        .body("result.structuredContent.healthy", equalTo(true));
    client
        .call("component_teardown", Map.of("installId", id, "confirm", id))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body("result.structuredContent.errors.pointer", contains("/confirm"));
    client
        .call(
            "component_teardown",
            Map.of("installId", id, "confirm", component, "subscriptions", "pause"))
        .body("result.structuredContent.plan.action", contains("retract"))
        .body("result.structuredContent.dryRun", equalTo(false));
    client
        .call("component_doctor", Map.of("installId", id))
        .body("result.structuredContent.healthy", equalTo(false));
    client
        .call("component_install", Map.of("component", org + "/none"))
        .body("result.structuredContent.code", equalTo("NOT_FOUND"));
  }

  @Test
  void a_program_registers_nothing() {
    var email = Flow.newAccount();
    Api.admin()
        .body(Map.of("role", "owner"))
        .put("/api/orgs/" + org + "/members/" + email)
        .then()
        .statusCode(200);
    register(Mcp.of(Mcp.NEW, Flow.programToken(email)), MANIFEST, "private")
        .body("result.structuredContent.code", equalTo("FORBIDDEN"));
    list(owner).body("result.structuredContent.items", empty());
  }
}
