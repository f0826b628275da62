package dev.cairn.mcp;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.notNullValue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP: the first hour of an agent, told by nothing but what the tools say. */
@QuarkusTest
@HttpTest
class FirstHourTest {
  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void an_agent_learns_models_writes_errs_mends_and_finds_it_again(String version) {
    var org = Api.newOrg();
    var agent = Mcp.of(version, People.member(org, "owner").token());

    done(agent.call("capabilities", Map.of()))
        .body("result.structuredContent.cookbook.goal", hasItems("Start a repository"))
        .body("result.structuredContent.tools.'The service'.name", hasItems("whoami"));
    done(agent.call("whoami", Map.of())).body("result.structuredContent.orgs.name", hasItems(org));
    done(agent.call("repo_create", Map.of("org", org, "name", "garden", "visibility", "public")));

    var garden = agent.at("/api/repos/" + org + "/garden");
    done(shape(garden, "Sensor", Map.of("room", "string", "celsius?", "number")));
    done(shape(garden, "Note", Map.of("text", "string")));

    var wrong = add("Sensor/north", Map.of("room", 7));
    garden
        .call("commit_submit", Map.of("operations", List.of(wrong)))
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("SHAPE_MISMATCH"))
        .body("result.structuredContent.errors[0].pointer", equalTo("/operations/0/data/room"))
        .body("result.structuredContent.errors[0].detail", containsString("string"));
    done(garden.call("thing_count", Map.of("shape", "Sensor")))
        .body("result.structuredContent.count", equalTo(0));

    var right = add("Sensor/north", Map.of("room", "kitchen", "celsius", 20));
    var note =
        Map.of(
            "operation",
            "add",
            "name",
            "Note/drift",
            "about",
            "$0",
            "data",
            Map.of("text", "drifts"));
    var commit = Map.of("operations", List.of(right, note), "message", "Begin");
    done(garden.call("commit_submit", plus(commit, "dryRun", true)))
        .body("result.structuredContent.commitId", equalTo(null));
    var sent = plus(commit, "idempotencyKey", "first");
    String commitId =
        done(garden.call("commit_submit", sent))
            .extract()
            .path("result.structuredContent.commitId");
    done(garden.call("commit_submit", sent))
        .body("result.structuredContent.commitId", equalTo(commitId));

    done(garden.call(
            "commit_submit",
            Map.of(
                "operations",
                List.of(
                    Map.of(
                        "operation",
                        "revise",
                        "name",
                        "Sensor/north",
                        "expectedVersion",
                        1,
                        "data",
                        Map.of("room", "kitchen", "celsius", 21.5))))))
        .body("result.structuredContent.effects.revise", equalTo(1));
    done(garden.call("thing_query", Map.of("shape", "Sensor", "where", List.of("celsius:gte:21"))))
        .body("result.structuredContent.items.wref", contains("Sensor/north"));
    done(garden.call("thing_about", Map.of("wref", "Sensor/north")))
        .body("result.structuredContent.assertions.wref", contains("Note/drift"));
    done(garden.call("thing_about", Map.of("wref", List.of("Sensor/north", "Sensor/south"))))
        .body("result.structuredContent.items[0].assertions.wref", contains("Note/drift"))
        .body("result.structuredContent.missing", contains("Sensor/south"));
    for (var about : List.of("Sensor/n*", List.of("Sensor/south", "Sensor/north"))) {
      done(garden.call("thing_query", Map.of("about", about)))
          .body("result.structuredContent.items.wref", contains("Note/drift"));
      done(garden.call("thing_count", Map.of("about", about)))
          .body("result.structuredContent.count", equalTo(1));
      done(garden.call("thing_history", Map.of("about", about)))
          .body("result.structuredContent.items.wref", contains("Note/drift"));
    }
    done(garden.call("thing_query", Map.of("missing", "about:Note", "fields", "room")))
        .body("result.structuredContent.items.find { it.wref == 'Sensor/north' }", equalTo(null))
        .body(
            "result.structuredContent.items.find { it.wref == 'Note/drift' }.data",
            equalTo(Map.of()));
    for (var list :
        Map.of(
                "thing_head", Map.of("match", "Note/drift"),
                "thing_history", Map.of("wref", "Note/drift"),
                "shape_list", Map.of("match", "Shape/Note"))
            .entrySet()) {
      var arguments = new HashMap<String, Object>(list.getValue());
      arguments.put("fields", "nothing");
      done(garden.call(list.getKey(), arguments))
          .body("result.structuredContent.items[0].data", equalTo(Map.of()))
          .body("result.structuredContent.repoSeq", greaterThan(0));
    }
    done(garden.call("thing_about", Map.of("wref", "Sensor/north", "fields", "nothing")))
        .body("result.structuredContent.assertions[0].data", equalTo(Map.of()))
        .body("result.structuredContent.repoSeq", greaterThan(0));
    done(garden.call("thing_history", Map.of("wref", "Sensor/north")))
        .body("result.structuredContent.items.version", contains(2, 1))
        .body("result.structuredContent.items[1].message", equalTo("Begin"));
    done(garden.call("thing_get", Map.of("wref", "Sensor/north", "at", commitId)))
        .body("result.structuredContent.data.celsius", equalTo(20));
    done(garden.call("thing_refs", Map.of("wref", "Sensor/north")))
        .body("result.structuredContent.items.wref", contains("Note/drift"));
    done(garden.call("wref_resolve", Map.of("wref", "Sensor/north@v1")));
    done(garden.call("thing_batch", Map.of("wrefs", List.of("Sensor/north", "Sensor/south"))))
        .body("result.structuredContent.missing", contains("Sensor/south"));
    done(garden.call("repo_describe", Map.of()))
        .body("result.structuredContent.shapes.name", contains("Note", "Sensor"));
    done(garden.call("commit_log", Map.of("limit", 1)))
        .body("result.structuredContent.nextCursor", notNullValue());
    done(garden.call("commit_get", Map.of("commitId", commitId)));
    done(garden.call("commit_diff", Map.of("from", commitId)))
        .body("result.structuredContent.items.wref", contains("Sensor/north"))
        .body("result.structuredContent.items[0].change", equalTo("revised"));
    done(garden.call("shape_list", Map.of()));
    done(garden.call("shape_get", Map.of("name", "Sensor")));
    done(
        garden.call(
            "shape_revise",
            Map.of(
                "name",
                "Note",
                "expectedVersion",
                1,
                "definition",
                Map.of("fields", Map.of("text", "string", "by?", "string")))));

    setInMotion(garden);
  }

  private static void setInMotion(Mcp garden) {
    done(garden.call(
            "subscription_create",
            Map.of(
                "name",
                "hook",
                "kind",
                "webhook",
                "shapeName",
                "Sensor",
                "filterJson",
                Map.of("operation", "add"),
                "webhookUrl",
                "https://hooks.example.com/x",
                "active",
                false)))
        .body("result.structuredContent.active", equalTo(false));
    done(
        garden.call(
            "credential_set_put",
            Map.of("name", "keys", "keys", Map.of("WEBHOOK_BEARER_TOKEN", "a-secret-of-theirs"))));
    done(garden.call("credential_set_list", Map.of()))
        .body("result.structuredContent.items.keyNames[0]", contains("WEBHOOK_BEARER_TOKEN"));
    done(garden.call("subscription_bind", Map.of("name", "hook", "credentialSetName", "keys")))
        .body("result.structuredContent.bound", equalTo(true));
    done(garden.call("subscription_resume", Map.of("name", "hook")));
    done(garden.call("subscription_pause", Map.of("name", "hook")));
    done(garden.call("subscription_update", Map.of("name", "hook", "notifyOnSuccess", true)));
    done(garden.call("subscription_list", Map.of()))
        .body("result.structuredContent.items.name", contains("hook"));
    done(garden.call("subscription_get", Map.of("name", "hook")));
    done(garden.call("subscription_unbind", Map.of("name", "hook")));
    done(garden.call("action_runs", Map.of("status", "succeeded")));
    done(garden.call("action_feed", Map.of("limit", 200)));
    done(garden.call("action_notifications", Map.of()));
    garden
        .call("action_feed", Map.of("limit", 201))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"));
    garden
        .call("action_attempts", Map.of("subscriptionName", "hook"))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"));
    var keys = Map.of("name", "keys", "confirm", "keys");
    done(garden.call("credential_set_revoke", keys));
    done(garden.call("credential_set_delete", keys));
    done(garden.call("subscription_delete", Map.of("name", "hook", "confirm", "hook")));
  }

  private static ValidatableResponse shape(Mcp garden, String name, Map<String, String> fields) {
    return garden.call(
        "shape_create",
        Map.of("name", name, "definition", Map.of("description", name, "fields", fields)));
  }

  private static Map<String, Object> add(String name, Map<String, ?> data) {
    return Map.of("operation", "add", "name", name, "data", data);
  }

  private static Map<String, Object> plus(Map<String, ?> arguments, String name, Object value) {
    return ToolsTest.with(arguments, name, value);
  }

  private static ValidatableResponse done(ValidatableResponse answer) {
    return answer.statusCode(200).body("result.isError", equalTo(false));
  }
}
