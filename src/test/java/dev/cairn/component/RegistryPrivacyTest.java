package dev.cairn.component;

import static dev.cairn.Api.as;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.Method;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/components.md}, Registering: for callers that may not read the organization as
 * members of it, a private component is as one that does not exist, byte for byte.
 */
@HttpTest
@QuarkusTest
class RegistryPrivacyTest {
  /** Every endpoint of a component: the method, and the path after the component's. */
  private static final List<String> ENDPOINTS =
      List.of(
          "GET ",
          "HEAD ",
          "OPTIONS ",
          "GET ?version=1.2.0",
          "GET ?version=9.9.9",
          "GET ?colour=red",
          "PUT ",
          "DELETE ",
          "POST ",
          "POST /resolve",
          "POST /resolve?colour=red",
          "POST /setup-call",
          "POST /cli/find",
          "POST /cli/none");

  /** Members of a request to install a component, besides its name. */
  private static final List<String> INSTALLATIONS =
      List.of(
          "",
          ",\"dryRun\":true",
          ",\"version\":\"1.2.0\"",
          ",\"version\":\"9.9.9\"",
          ",\"expectedManifestHash\":\"" + "0".repeat(64) + "\"",
          ",\"colour\":\"red\"");

  @Test
  void a_private_component_looks_like_none_to_whoever_is_no_member() {
    var org = Api.newOrg();
    var mixed = Api.newRepository().split("/", -1)[3];
    for (var each : List.of(org, mixed)) {
      Registry.put(each, "hidden", Registry.body(named("hidden"))).statusCode(201);
    }
    Registry.put(mixed, "shown", Registry.publicly(named("shown"))).statusCode(201);
    var repository = Api.newRepository();
    for (var caller : callers(repository).entrySet()) {
      for (var endpoint : ENDPOINTS) {
        for (var body : bodies(repository)) {
          assertAlike(caller, endpoint, body, org);
          assertAlike(caller, endpoint, body, mixed);
        }
      }
    }
  }

  @Test
  void a_private_component_that_somebody_tries_to_install_looks_like_none() {
    var org = Api.newOrg();
    Registry.put(org, "hidden", Registry.body(named("hidden"))).statusCode(201);
    var repository = Api.newRepository();
    for (var caller : callers(repository).entrySet()) {
      for (var members : INSTALLATIONS) {
        assertEquals(
            installed(caller.getValue(), repository, org, "absent", members),
            installed(caller.getValue(), repository, org, "hidden", members),
            caller.getKey() + ": " + members);
      }
      assertEquals(
          listed(caller.getValue(), Api.unique("org")),
          listed(caller.getValue(), org),
          caller.getKey() + ": component_list");
    }
  }

  /** What a request to install a component answers, and a call of the tool. */
  private static String installed(
      Supplier<RequestSpecification> caller,
      String repository,
      String org,
      String name,
      String members) {
    var body = "{\"component\":\"%s/%s\"%s}".formatted(org, name, members);
    var names = repository.split("/", -1);
    var arguments =
        "{\"org\":\"%s\",\"repo\":\"%s\",%s".formatted(names[3], names[4], body.substring(1));
    return (shown(caller.get().body(body).post(repository + "/components"))
            + called(caller, "component_install", arguments))
        .replace(name, "NAME");
  }

  private static String listed(Supplier<RequestSpecification> caller, String org) {
    return called(caller, "component_list", "{\"org\":\"%s\"}".formatted(org)).replace(org, "ORG");
  }

  private static String called(
      Supplier<RequestSpecification> caller, String tool, String arguments) {
    return shown(
        caller
            .get()
            .accept("application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2025-11-25")
            .body(
                """
                {"jsonrpc":"2.0","id":7,"method":"tools/call",
                 "params":{"name":"%s","arguments":%s}}\
                """
                    .formatted(tool, arguments))
            .post("/mcp"));
  }

  private static ObjectNode named(String name) {
    return Manifests.named(name);
  }

  /** Callers without {@code org:read}, of which some may install in the repository. */
  private static Map<String, Supplier<RequestSpecification>> callers(String repository) {
    var stranger = People.stranger().token();
    var installer = People.member(repository.split("/", -1)[3], "admin").token();
    var narrowed = People.pat(Api.adminToken(), "{'permissions':['repo:read','repo:write']}");
    var elsewhere =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['org:read','org:configure']}"
                .formatted(repository.split("/", -1)[3]));
    var callers = new LinkedHashMap<String, Supplier<RequestSpecification>>();
    callers.put("anonymous", Api::anonymous);
    callers.put("stranger", () -> as(stranger));
    callers.put("admin of the repository", () -> as(installer));
    callers.put("member without org:read", () -> as(narrowed));
    callers.put("member with org:read elsewhere", () -> as(elsewhere));
    return callers;
  }

  private static List<String> bodies(String repository) {
    var repo = repository.substring("/api/repos/".length());
    return List.of(
        "{\"nonsense\":1}",
        "not JSON",
        "{\"installRepo\":\"%s\"}".formatted(repo),
        "{\"installRepo\":\"%s\",\"args\":{}}".formatted(repo),
        "{\"installRepo\":\"no/such\"}");
  }

  private static void assertAlike(
      Map.Entry<String, Supplier<RequestSpecification>> caller,
      String endpoint,
      String body,
      String org) {
    assertEquals(
        seen(caller.getValue(), endpoint, body, org, "absent"),
        seen(caller.getValue(), endpoint, body, org, "hidden"),
        caller.getKey() + ": " + endpoint + " " + body);
  }

  /** All that the caller sees of an answer, with the name taken out that the path had. */
  private static String seen(
      Supplier<RequestSpecification> caller,
      String endpoint,
      String body,
      String org,
      String name) {
    var parts = endpoint.split(" ", -1);
    Response response =
        caller
            .get()
            .body(body)
            .request(Method.valueOf(parts[0]), Registry.path(org, name) + parts[1]);
    return shown(response).replace(name, "NAME");
  }

  private static String shown(Response response) {
    return (response.statusLine()
            + response.getHeaders().asList().stream().map(Object::toString).sorted().toList()
            + response.asString())
        .replaceAll("(?i)(\"traceId\":\")[^\"]*", "$1")
        .replaceAll("(?i)(\\\\\"traceId\\\\\":\\\\\")[^\\\\]*", "$1");
  }
}
