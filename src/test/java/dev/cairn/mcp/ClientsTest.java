package dev.cairn.mcp;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that we did not write list and call the tools: the protocol's TypeScript SDK in both
 * generations, and its inspector's command line.
 */
@HttpTest
@QuarkusTest
@EnabledIfEnvironmentVariable(
    named = NodeProgram.NODE,
    matches = ".+",
    disabledReason = NodeProgram.WITHOUT)
class ClientsTest {
  private static final String INSPECTOR =
      "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

  @TempDir Path scratch;

  @Test
  void the_sdk_lists_and_calls_without_credentials_what_is_public() throws Exception {
    var output = NodeProgram.run(scratch, "anonymous.mjs", base(), publicRepository()).orFail();

    assertThat(lines(output), is(2L));
  }

  @Test
  void the_sdk_lists_and_calls_with_a_personal_access_token() throws Exception {
    var person = People.stranger();
    var pat = People.pat(person.token(), null);

    var output = NodeProgram.run(scratch, "token.mjs", base(), pat, person.email()).orFail();

    assertThat(lines(output), is(2L));
  }

  @Test
  void the_sdk_finds_its_way_from_the_first_401_to_a_token_and_calls_with_it() throws Exception {
    var person = People.stranger();

    var output =
        NodeProgram.run(scratch, "connect.mjs", base(), person.email(), People.PASSWORD).orFail();

    assertThat(lines(output), is(2L));
  }

  @Test
  void the_sdk_subscribes_to_a_resource_and_is_told_of_its_change() throws Exception {
    var path = publicRepository();
    var pat = People.pat(Api.adminToken(), null);

    var output = NodeProgram.run(scratch, "subscribe.mjs", base(), pat, path).orFail();

    assertThat(lines(output), is(1L));
  }

  @Test
  void the_inspector_finds_nothing_wrong_with_the_schemas_of_the_tools() throws Exception {
    var finished = inspect("", "--method", "tools/list", "--strict");

    assertEquals(0, finished.status(), finished.complaints());
    assertThat(json(finished).at("/tools/0/name").asText(), is("capabilities"));
  }

  @Test
  void the_inspector_calls_without_credentials_what_is_public() throws Exception {
    var path = publicRepository();

    var finished =
        inspect(
            "/" + path,
            "--method",
            "tools/call",
            "--tool-name",
            "thing_head",
            "--tool-arg",
            "shape=Planet");

    assertThat(json(finished).at("/structuredContent/items/0/wref").asText(), is("Planet/mars"));
  }

  @Test
  void the_inspector_calls_with_a_personal_access_token() throws Exception {
    var person = People.stranger();
    var header = "Authorization: Bearer " + People.pat(person.token(), null);

    var finished =
        inspect("", "--method", "tools/call", "--tool-name", "whoami", "--header", header);

    assertThat(json(finished).at("/structuredContent/account/email").asText(), is(person.email()));
  }

  @Test
  void the_inspector_is_told_that_it_has_to_sign_in() throws Exception {
    var finished =
        inspect("", "--method", "tools/call", "--tool-name", "org_list", "--stored-auth-only");

    assertThat(finished.complaints(), containsString("auth_required"));
  }

  private NodeProgram.Finished inspect(String path, String... arguments)
      throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("--cli", base() + "/mcp" + path, "--transport", "http"));
    all.addAll(List.of(arguments));
    return NodeProgram.run(scratch, INSPECTOR, all.toArray(String[]::new));
  }

  private static JsonNode json(NodeProgram.Finished finished) throws IOException {
    return new ObjectMapper().readTree(finished.orFail());
  }

  private static String base() {
    return "http://localhost:" + RestAssured.port;
  }

  /** A public repository with something in it, as {@code org/repo}. */
  private static String publicRepository() {
    var repository = Api.newRepository();
    Prepared.commit(
        repository,
        """
            {'operation':'add','kind':'shape','name':'Planet','data':{'fields':{}}},
            {'operation':'add','name':'Planet/mars','data':{}}""");
    return repository.substring("/api/repos/".length());
  }

  private static long lines(String output) {
    return output.lines().count();
  }
}
