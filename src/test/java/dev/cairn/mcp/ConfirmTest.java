package dev.cairn.mcp;

import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** MCP, Tools: what deletes something takes the name of that twice, in every revision. */
@QuarkusTest
@HttpTest
class ConfirmTest {
  @Test
  void confirm_is_required_by_what_deletes_and_taken_by_nothing_else() {
    var listed = Mcp.anonymous(Mcp.NEW).send("tools/list", Map.of()).extract().asString();
    int deleting = 0;
    for (var tool : Outputs.parsed(listed).at("/result/tools")) {
      var input = tool.path("inputSchema");
      boolean deletes = tool.at("/annotations/destructiveHint").asBoolean();
      assertEquals(deletes, input.path("properties").has("confirm"), tool::toString);
      assertEquals(
          deletes,
          input.path("required").valueStream().anyMatch(name -> name.asText().equals("confirm")),
          tool::toString);
      deleting += deletes ? 1 : 0;
    }
    assertTrue(deleting >= 5, deleting + " tools delete");
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.FIRST, Mcp.NEW})
  void a_repository_is_deleted_if_its_name_is_repeated(String version) {
    var repository = Api.newRepository();
    var in = ToolsTest.in(repository);
    var client = Mcp.admin(version);
    refused(client, "repo_delete", in);
    for (var wrong : new String[] {"", "Repo", "other", "repo ", in.get("org").toString()}) {
      refused(client, "repo_delete", ToolsTest.with(in, "confirm", wrong));
    }
    client.call("repo_get", in).body("result.isError", equalTo(false));

    client
        .call("repo_delete", ToolsTest.with(in, "confirm", "repo"))
        .body("result.structuredContent.ok", equalTo(true));
    client.call("repo_get", in).body("result.structuredContent.code", equalTo("NOT_FOUND"));
  }

  @Test
  void the_whole_name_of_a_repository_confirms_too_if_the_path_names_it() {
    var repository = Api.newRepository();
    var name = repository.substring("/api/repos/".length());
    var client = Mcp.admin(Mcp.OLD).at(repository);
    refused(client, "repo_delete", Map.of("confirm", "other/repo"));
    client
        .call("repo_delete", Map.of("confirm", name))
        .body("result.structuredContent.ok", equalTo(true));
  }

  @ParameterizedTest
  @ValueSource(strings = {Mcp.OLD, Mcp.NEW})
  void members_subscriptions_and_credential_sets_are_confirmed_in_the_same_way(String version) {
    var repository = Api.newRepository();
    var in = ToolsTest.in(repository);
    var client = Mcp.admin(version);
    var email = People.member(in.get("org").toString(), "viewer").email();
    client.call(
        "credential_set_put",
        with(in, "name", "keys", "keys", Map.of("WEBHOOK_BEARER_TOKEN", "a-secret-of-theirs")));
    client.call(
        "subscription_create",
        with(
            in,
            "name",
            "hook",
            "kind",
            "cron",
            "executorKind",
            "webhook",
            "webhookUrl",
            "https://hooks.example.com/x",
            "cronConfig",
            Map.of("cronspec", "0 5 * * *")));

    twice(client, "subscription_delete", with(in, "name", "hook"), "hook");
    twice(client, "credential_set_revoke", with(in, "name", "keys"), "keys");
    twice(client, "credential_set_delete", with(in, "name", "keys"), "keys");
    twice(client, "org_member_remove", Map.of("org", in.get("org"), "email", email), email);
  }

  private static void twice(Mcp client, String tool, Map<String, ?> arguments, String name) {
    refused(client, tool, arguments);
    refused(client, tool, ToolsTest.with(arguments, "confirm", name + "x"));
    client
        .call(tool, ToolsTest.with(arguments, "confirm", name))
        .body("result.isError", equalTo(false));
  }

  private static void refused(Mcp client, String tool, Map<String, ?> arguments) {
    client
        .call(tool, arguments)
        .statusCode(200)
        .body("result.isError", equalTo(true))
        .body("result.structuredContent.code", equalTo("VALIDATION_ERROR"))
        .body("result.structuredContent.errors[0].pointer", equalTo("/confirm"));
  }

  private static Map<String, Object> with(Map<String, ?> arguments, Object... more) {
    var all = new HashMap<String, Object>(arguments);
    for (int i = 0; i < more.length; i += 2) {
      all.put((String) more[i], more[i + 1]);
    }
    return all;
  }
}
