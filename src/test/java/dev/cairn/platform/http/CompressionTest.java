package dev.cairn.platform.http;

import static dev.cairn.platform.http.CodedAnswer.get;
import static dev.cairn.platform.http.CodedAnswer.head;
import static dev.cairn.platform.http.CodedAnswer.post;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/api.md, Compression: answers. Exports are in {@code CompressedExportTest}. */
@HttpTest
@QuarkusTest
class CompressionTest {
  private static final String ACCEPT = "Accept-Encoding";
  private static final String GZIP = "gzip";

  private static String repository;

  /** A repository whose pages, texts and shapes are long. */
  private static String repository() {
    if (repository == null) {
      repository = Api.repositoryOf(20, 200);
      readme(repository, "long ".repeat(1000));
      Prepared.commit(
          repository,
          IntStream.range(0, 10)
              .mapToObj(
                  "{'operation':'add','kind':'shape','name':'T%d','data':{'fields':{}}}"::formatted)
              .collect(Collectors.joining(",")));
    }
    return repository;
  }

  private static void readme(String repository, String text) {
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Content/Readme','data':{'content':'" + text + "'}}");
  }

  private static String raw(String repository) {
    return repository.substring("/api/repos".length());
  }

  private static String tag(String path, String... headers) {
    return get(path, headers).header("ETag");
  }

  /** The path of a list outside of repositories, whose tag is computed from the answer. */
  private static String manyMembers() {
    var org = Api.newOrg();
    for (int i = 0; i < 10; i++) {
      People.member(org, "viewer");
    }
    return "/api/orgs/" + org + "/members";
  }

  /** Asserts that an answer is the same in both forms, and says so to caches. */
  private static CodedAnswer assertCompressed(CodedAnswer plain, CodedAnswer compressed) {
    assertFalse(plain.isCompressed());
    assertTrue(compressed.isCompressed(), compressed::text);
    assertTrue(compressed.sent().length < plain.sent().length);
    assertArrayEquals(plain.body(), compressed.body());
    for (var answer : List.of(plain, compressed)) {
      assertTrue(answer.vary().contains(ACCEPT), () -> "Vary: " + answer.vary());
    }
    return compressed;
  }

  private static CodedAnswer assertCompressed(String path, String... headers) {
    var withCoding = new String[headers.length + 2];
    System.arraycopy(headers, 0, withCoding, 0, headers.length);
    withCoding[headers.length] = ACCEPT;
    withCoding[headers.length + 1] = GZIP;
    return assertCompressed(get(path, headers), get(path, withCoding));
  }

  @ParameterizedTest
  @CsvSource({"1024, false", "1025, true"})
  void answers_of_more_than_one_kib_are_compressed(int length, boolean isCompressed) {
    var repository = Api.newRepository();
    readme(repository, "x".repeat(length));
    var answer = get(raw(repository) + "/readme.md", ACCEPT, GZIP);
    assertEquals(length, answer.body().length);
    assertEquals(isCompressed, answer.isCompressed());
    assertEquals(isCompressed, answer.header("ETag").endsWith("-gzip\""));
    assertTrue(answer.vary().contains(ACCEPT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/head", "/query", "/commits", "/describe", "/things/S/0"})
  void short_or_long_json_has_a_vary(String read) {
    for (var coding : List.of(GZIP, "identity")) {
      assertTrue(get(repository() + read, ACCEPT, coding).vary().contains(ACCEPT));
    }
  }

  @Test
  void every_kind_of_content_is_compressed() {
    var repository = repository();
    assertCompressed(repository + "/head");
    assertCompressed(raw(repository) + "/readme.md");
    assertCompressed(raw(repository) + "/readme.md", "Accept", "text/plain");
    assertCompressed(raw(repository) + "/llms.txt");
    assertCompressed("/q/openapi");
    assertCompressed("/q/openapi?format=json");
    var names =
        IntStream.range(0, 20).mapToObj(i -> "'S/" + i + "'").collect(Collectors.joining(","));
    var batch = "{'wrefs':[" + names + "]}";
    assertCompressed(
        post(repository + "/things/batch", batch),
        post(repository + "/things/batch", batch, ACCEPT, GZIP));
  }

  @Test
  void records_of_organizations_are_compressed_and_the_answers_to_changes() {
    assertCompressed(manyMembers());
    var change = "{'name':'other','description':'" + "long ".repeat(300) + "'}";
    var changed = post("/api/orgs/" + Api.newOrg() + "/repos", change, ACCEPT, GZIP);
    assertEquals(201, changed.status(), changed::text);
    assertTrue(changed.isCompressed());
    assertTrue(changed.text().contains("long long"));
  }

  @Test
  void commits_and_problems_are_compressed() {
    var repository = repository();
    var operations =
        IntStream.range(0, 30)
            .mapToObj(i -> "{'operation':'add','name':'S/dry" + i + "','data':{}}")
            .collect(Collectors.joining(","));
    var dry = "{'dryRun':true,'operations':[" + operations + "]}";
    var applied = post(repository + "/commits", dry, ACCEPT, GZIP);
    assertTrue(applied.status() < 300, applied::text);
    assertTrue(applied.isCompressed());
    assertTrue(applied.text().contains("S/dry29"));
    var wrong = dry.replace("'data':{}", "'datum':{}");
    var refused = post(repository + "/commits", wrong, ACCEPT, GZIP);
    assertEquals(400, refused.status());
    assertCompressed(post(repository + "/commits", wrong), refused);
    assertEquals("application/problem+json", refused.header("Content-Type"));
    assertNull(refused.header("ETag"));
  }

  @Test
  void answers_over_mcp_are_compressed() {
    var list = "{'jsonrpc':'2.0','id':1,'method':'tools/list'}";
    var accept = "application/json, text/event-stream";
    var compressed =
        assertCompressed(
            post("/mcp", list, "Accept", accept),
            post("/mcp", list, "Accept", accept, ACCEPT, GZIP));
    assertEquals(200, compressed.status());
    var ping = "{'jsonrpc':'2.0','id':1,'method':'ping'}";
    var answer = post("/mcp", ping, "Accept", accept, ACCEPT, GZIP);
    assertFalse(answer.isCompressed());
    assertTrue(answer.vary().contains(ACCEPT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, deflate, br         | true  | false",
        "*                         | true  | false",
        "br;q=1, gzip;q=0.1        | true  | false",
        "identity;q=0              | true  | true",
        "gzip, *;q=0               | true  | true",
        "gzip;q=0                  | false | false",
        "gzip;q=0, *               | false | false",
        "identity, gzip;q=0.5      | false | false",
        "br                        | false | false",
        "*;q=0                     | false | false",
        "gzip;q=x                  | false | false",
      })
  void the_client_decides(String accepted, boolean isLongCompressed, boolean isShortCompressed) {
    var longer = get(repository() + "/head", ACCEPT, accepted);
    assertEquals(200, longer.status());
    assertEquals(isLongCompressed, longer.isCompressed());
    var shorter = get(repository() + "/count", ACCEPT, accepted);
    assertEquals(200, shorter.status());
    assertEquals(isShortCompressed, shorter.isCompressed());
    assertTrue(shorter.text().contains("\"count\":32"), shorter::text);
  }

  @Test
  void each_form_has_a_tag_of_its_own_and_304_is_for_a_form_that_the_client_takes() {
    for (var path :
        List.of(repository() + "/head", raw(repository()) + "/readme.md", manyMembers())) {
      var plain = tag(path);
      var compressed = tag(path, ACCEPT, GZIP);
      assertEquals(plain.replaceAll("\"$", "-gzip\""), compressed);
      // The form that the client has, if it takes that form.
      assertNotModified(compressed, path, ACCEPT, GZIP, "If-None-Match", compressed);
      assertNotModified(plain, path, "If-None-Match", plain);
      assertNotModified(plain, path, ACCEPT, GZIP, "If-None-Match", plain);
      assertNotModified(compressed, path, ACCEPT, GZIP, "If-None-Match", plain + ", " + compressed);
      assertNotModified(plain, path, "If-None-Match", compressed + ", " + plain);
      assertNotModified(compressed, path, ACCEPT, GZIP, "If-None-Match", "*");
      assertNotModified(plain, path, "If-None-Match", "*");
      // A form that it does not take is sent again.
      assertSent(plain, path, "If-None-Match", compressed);
      assertSent(plain, path, ACCEPT, "gzip;q=0", "If-None-Match", compressed);
      assertSent(compressed, path, ACCEPT, "gzip, identity;q=0", "If-None-Match", plain);
    }
  }

  private static void assertNotModified(String tag, String path, String... headers) {
    for (var answer : List.of(get(path, headers), head(path, headers))) {
      assertEquals(304, answer.status(), path);
      assertEquals(tag, answer.header("ETag"), path);
      assertEquals(0, answer.sent().length);
      assertNull(answer.header("Content-Encoding"));
      assertTrue(answer.vary().contains(ACCEPT), path);
    }
  }

  private static void assertSent(String tag, String path, String... headers) {
    var answer = get(path, headers);
    assertEquals(200, answer.status(), path);
    assertEquals(tag, answer.header("ETag"), path);
    assertTrue(answer.sent().length > 0);
  }

  @Test
  void a_star_with_a_short_answer_is_its_plain_tag() {
    var path = repository() + "/count";
    assertNotModified(tag(path), path, ACCEPT, GZIP, "If-None-Match", "*");
    var compressed = tag(path, ACCEPT, "identity;q=0");
    assertTrue(compressed.endsWith("-gzip\""));
    assertNotModified(compressed, path, ACCEPT, "identity;q=0", "If-None-Match", "*");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity", "identity;q=0"})
  void a_head_request_has_the_headers_of_the_get(String accepted) {
    for (var path :
        List.of(
            repository() + "/head",
            repository() + "/count",
            raw(repository()) + "/readme.md",
            "/api/orgs",
            "/q/openapi")) {
      var got = get(path, ACCEPT, accepted);
      var told = head(path, ACCEPT, accepted);
      assertEquals(200, told.status());
      assertEquals(0, told.sent().length);
      for (var name : List.of("ETag", "Vary", "Content-Encoding")) {
        assertEquals(got.header(name), told.header(name), name + " of " + path);
      }
      var length = told.header("Content-Length");
      assertTrue(length == null || length.equals(got.header("Content-Length")), path);
    }
  }

  @Test
  void a_commit_takes_the_tag_of_either_form() {
    var repository = Api.repositoryOf(20, 200);
    for (int i = 0; i < 10; i++) {
      Prepared.commit(repository, "{'operation':'revise','name':'S/0','data':{'n':" + i + "}}");
    }
    for (var coding : List.of(GZIP, "identity")) {
      var tag = tag(repository + "/commits", ACCEPT, coding);
      assertEquals(coding.equals(GZIP), tag.endsWith("-gzip\""));
      var operation = "{'operations':[{'operation':'revise','name':'S/1','data':{'c':'%s'}}]}";
      var body = operation.formatted(coding);
      assertEquals(201, post(repository + "/commits", body, "If-Match", tag).status());
      assertEquals(412, post(repository + "/commits", body, "If-Match", tag).status());
    }
  }

  @Test
  void answers_to_tokens_are_compressed_and_pages_that_take_cookies_never() {
    for (int i = 0; i < 20; i++) {
      People.pat(Api.adminToken(), null);
    }
    assertEquals("gzip", get("/api/pats", ACCEPT, GZIP).header("Content-Encoding"));
    var wrong = "{'email':'" + "x".repeat(2000) + "','password':1,'other':2}";
    for (var path : List.of("/api/auth/login", "/api/auth/refresh", "/api/pats")) {
      var answer = post(path, wrong, ACCEPT, "identity;q=0");
      assertTrue(answer.status() >= 400);
      assertEquals("gzip", answer.header("Content-Encoding"), path);
    }
    for (var accepted : List.of(GZIP, "identity;q=0")) {
      var page = get("/oauth/sign-in", ACCEPT, accepted, "Accept", "text/html");
      assertTrue(page.header("Content-Type").startsWith("text/html"), page.header("Content-Type"));
      assertNull(page.header("Content-Encoding"));
      assertFalse(page.vary().contains(ACCEPT));
    }
  }

  @Test
  void an_answer_without_a_body_is_never_compressed() {
    var repository = Api.newRepository();
    var answer = get(raw(repository) + "/readme.md", ACCEPT, "identity;q=0");
    assertEquals(200, answer.status());
    assertEquals(0, answer.sent().length);
    assertNull(answer.header("Content-Encoding"));
    assertFalse(answer.header("ETag").endsWith("-gzip\""));
  }
}
