package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: the texts that a repository serves under its own name. */
@HttpTest
@QuarkusTest
class ContentTest {
  private static String raw(String repository) {
    return repository.substring("/api/repos".length());
  }

  private static void write(String repository, String name, String text) {
    var operation = Map.of("operation", "add", "name", name, "data", Map.of("content", text));
    admin()
        .body(Map.of("operations", List.of(operation)))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
  }

  private static void assertText(ValidatableResponse answer, String type, String text) {
    var response = answer.statusCode(200).header("X-Content-Type-Options", "nosniff").extract();
    assertEquals(type, response.contentType().replace(" ", "").toLowerCase(Locale.ROOT));
    assertEquals(text, new String(response.asByteArray(), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"readme.md", "agents.md", "llms.txt"})
  void each_text_can_only_be_read(String file) {
    var url = raw(Api.newRepository("public")) + "/" + file;
    Api.anonymous().options(url).then().statusCode(200).header("Allow", "GET, HEAD, OPTIONS");
    for (var method : List.of("PUT", "POST", "PATCH", "DELETE")) {
      admin().request(method, url).then().statusCode(405).header("Allow", "GET, HEAD, OPTIONS");
    }
  }

  @ParameterizedTest
  @CsvSource({"readme.md, Content/Readme", "agents.md, Content/Agents"})
  void a_stored_text_is_served_byte_for_byte(String file, String wref) {
    var repository = Api.newRepository();
    var url = raw(repository) + "/" + file;
    assertText(get(url), "text/markdown;charset=utf-8", "");
    var text = "# T\u00eft\u20ac \ud83c\udf31\r\n\n\t\"<b>\\u0041</b>\" \u0001\u2028\n";
    write(repository, wref, text);
    assertText(get(url), "text/markdown;charset=utf-8", text);
    commit(repository, "{'operation':'retract','name':'" + wref + "'}");
    assertText(get(url), "text/markdown;charset=utf-8", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          */*                               | text/markdown | text/markdown | text/plain
          text/*                            | text/markdown | text/markdown | text/plain
          text/plain                        | text/plain    | text/plain    | text/plain
          text/markdown                     | text/markdown | text/markdown | text/markdown
          text/markdown;q=0, text/plain     | text/plain    | text/plain    | text/plain
          text/plain;q=0, text/markdown     | text/markdown | text/markdown | text/markdown
          text/plain;q=0.5, text/markdown   | text/markdown | text/markdown | text/markdown
          text/plain, text/markdown;q=0.9   | text/plain    | text/plain    | text/plain
          text/html, */*;q=0.1              | text/markdown | text/markdown | text/plain
          """)
  void each_text_is_markdown_or_plain_as_the_client_takes_it(
      String accept, String readme, String agents, String llms) {
    var repository = Api.newRepository();
    write(repository, "Content/Readme", "# R");
    var expected = Map.of("readme.md", readme, "agents.md", agents, "llms.txt", llms);
    expected.forEach(
        (file, type) -> {
          var answer = admin().accept(accept).get(raw(repository) + "/" + file);
          assertEquals(200, answer.statusCode(), accept);
          assertEquals(type, answer.contentType().split(";", 2)[0]);
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "text/markdown;q=0",
        "text/plain;q=0, text/markdown;q=0",
        "text/*;q=0"
      })
  void a_client_that_takes_neither_gets_406(String accept) {
    for (var file : List.of("readme.md", "llms.txt")) {
      admin().accept(accept).get(raw(Api.newRepository()) + "/" + file).then().statusCode(406);
    }
  }

  @Test
  void a_text_of_the_most_bytes_is_served() {
    var repository = Api.newRepository();
    var text = "x".repeat(65_536);
    write(repository, "Content/Readme", text);
    assertText(get(raw(repository) + "/readme.md"), "text/markdown;charset=utf-8", text);
  }

  @Test
  void llms_txt_tells_what_is_there_also_before_the_first_commit() {
    var org = Api.newOrg();
    admin()
        .body(Map.of("name", "r", "visibility", "public", "description", "One\n# two  three"))
        .post("/api/orgs/" + org + "/repos")
        .then()
        .statusCode(201);
    var repository = "/api/repos/" + org + "/r";
    var url = raw(repository) + "/llms.txt";
    var empty = get(url).statusCode(200).extract().asString();
    assertTrue(empty.startsWith("# " + org + "/r\n\n> One # two three\n\n"), empty);
    assertTrue(empty.contains("has 0 entities: nothing has been committed yet."), empty);
    assertTrue(empty.contains("## Shapes\n\nNone yet"), empty);
    commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Sensor','data':{'description':'What\\n- hangs',"
            + "'fields':{}}},{'operation':'add','name':'Sensor/a','data':{}}");
    var text = get(url).statusCode(200).extract().asString();
    assertTrue(text.startsWith("# " + org + "/r\n\n> One # two three\n\n"), text);
    assertTrue(text.contains("has 2 entities, as of commit 1."), text);
    assertTrue(text.contains("head?shape=Sensor): 1. What - hangs\n"), text);
    var links = Pattern.compile("\\]\\(([^)]+)\\)").matcher(text).results().toList();
    assertEquals(7, links.size());
    links.forEach(link -> get(link.group(1)).statusCode(200));
  }

  @Test
  void llms_txt_has_the_beginning_of_a_long_description() {
    var repository = Api.newRepository();
    var most = "\ud83c\udf31".repeat(500);
    commit(
        repository,
        "{'operation':'add','name':'Shape/Fits','data':{'description':'%s','fields':{}}}"
                .formatted(most)
            + ",{'operation':'add','name':'Shape/Long','data':{'description':'%sx','fields':{}}}"
                .formatted(most));
    get(raw(repository) + "/llms.txt")
        .body(containsString("shape=Fits): 0. " + most + "\n"))
        .body(containsString("shape=Long): 0. " + most + "\u2026\n"));
  }

  @Test
  void llms_txt_lists_the_first_shapes_and_says_where_the_others_are() {
    var repository = Api.newRepository();
    var shape = "{'operation':'add','kind':'shape','name':'S%03d','data':{'fields':{}}}";
    var operations = new ArrayList<String>();
    for (int i = 0; i < 201; i++) {
      operations.add(shape.formatted(i));
    }
    commit(repository, String.join(",", operations));
    get(raw(repository) + "/llms.txt")
        .body(containsString("[S199]"))
        .body(not(containsString("[S200]")))
        .body(containsString("[More]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"readme.md", "agents.md", "llms.txt"})
  void tags_and_caching_are_those_of_every_read(String file) {
    var repository = repository("Sensor/a");
    var url = raw(repository) + "/" + file;
    var tag =
        get(url)
            .header("Cache-Control", "public, no-cache")
            .header("Vary", "Authorization, Accept, Accept-Encoding")
            .extract()
            .header("ETag");
    anonymous().header("If-None-Match", tag).get(url).then().statusCode(304).header("ETag", tag);
    admin().get(url).then().header("Cache-Control", "private, no-cache");
    commit(repository, Sample.thing("Sensor/b"));
    anonymous().header("If-None-Match", tag).get(url).then().statusCode(200);
    Sample.refused(url + "?x=1", "?x");
  }

  @Test
  void a_new_description_is_a_new_llms_txt() {
    var repository = repository();
    var url = raw(repository) + "/llms.txt";
    var tag = get(url).extract().header("ETag");
    admin().body(Map.of("description", "New.")).patch(repository).then().statusCode(200);
    anonymous()
        .header("If-None-Match", tag)
        .get(url)
        .then()
        .statusCode(200)
        .body(containsString("> New.\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"readme.md", "agents.md", "llms.txt"})
  void a_narrowed_token_is_refused(String file) {
    var repository = repository();
    as(People.narrowedPat(repository, "repo:read", "**"))
        .get(raw(repository) + "/" + file)
        .then()
        .statusCode(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/api/orgs", "/api/whoami", "/q/health/live", "/.well-known/jwks.json", "/device"})
  void the_service_keeps_its_own_paths(String path) {
    admin().get(path).then().statusCode(200);
    anonymous().get("/api/repos/readme.md").then().statusCode(404).body("code", is("NOT_FOUND"));
  }
}
