package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The API: tags of reads, 304, and what caches are told. */
@HttpTest
@QuarkusTest
class ConditionalReadTest {
  /** Every read of content, after the path of a repository that has {@code Sensor/a}. */
  private static final List<String> READS =
      List.of(
          "/head?limit=1",
          "/head?at=1",
          "/count?at=0",
          "/things/Sensor/a?at=2",
          "/query?shape=Sensor",
          "/query?about=Sensor/a",
          "/count",
          "/count?about=Sensor/a",
          "/things/Sensor/a",
          "/things/Sensor%2Fa?version=1",
          "/about/Sensor/a?depth=2",
          "/history?shape=Sensor",
          "/history?about=Sensor/a",
          "/resolve/Sensor/a",
          "/refs/Sensor/a",
          "/refs/Note/n?direction=outbound",
          "/shapes",
          "/shapes/Sensor",
          "/describe?limit=1",
          "/commits?limit=1");

  /** A repository with one thing and what is said about it. */
  private static String sample() {
    var repository = repository("Sensor/a");
    commit(repository, note("n", "Sensor/a"));
    return repository;
  }

  private static Stream<String> reads(String repository) {
    String commitId = anonymous().get(repository + "/commits").path("items[0].commitId");
    return Stream.concat(READS.stream(), Stream.of("/commits/" + commitId)).map(repository::concat);
  }

  private static String tag(RequestSpecification request, String url) {
    var tag = request.get(url).then().statusCode(200).extract().header("ETag");
    assertTrue(tag != null && tag.matches("\"[A-Za-z0-9_-]{22}(-gzip)?\""), url + " has " + tag);
    return tag;
  }

  private static Response withTags(String url, String first, Object... more) {
    return anonymous().header("If-None-Match", first, more).get(url);
  }

  @Test
  void a_client_that_has_the_answer_gets_304_and_no_content_is_read() {
    var repository = sample();
    reads(repository)
        .forEach(
            url -> {
              var tag = tag(anonymous(), url);
              int statements =
                  Statements.of(
                      () ->
                          withTags(url, tag)
                              .then()
                              .statusCode(304)
                              .header("ETag", tag)
                              .header("Cache-Control", "public, no-cache")
                              .header("Vary", "Authorization, Accept-Encoding")
                              .body(emptyString()));
              assertEquals(1, statements, url);
            });
  }

  @Test
  void each_read_has_a_tag_of_its_own_which_every_commit_changes() {
    var repository = sample();
    var urls = reads(repository).toList();
    var before = urls.stream().map(url -> tag(anonymous(), url)).toList();
    assertEquals(urls.size(), new HashSet<>(before).size());
    assertEquals(before, urls.stream().map(url -> tag(anonymous(), url)).toList());
    commit(repository, thing("Sensor/elsewhere"));
    for (int i = 0; i < urls.size(); i++) {
      assertNotEquals(before.get(i), tag(anonymous(), urls.get(i)));
      withTags(urls.get(i), before.get(i)).then().statusCode(200);
    }
  }

  @Test
  void a_head_request_has_the_tag_and_the_304_of_the_get() {
    var url = sample() + "/head";
    var tag = tag(anonymous(), url);
    anonymous().head(url).then().statusCode(200).header("ETag", tag);
    anonymous().header("If-None-Match", tag).head(url).then().statusCode(304).header("ETag", tag);
  }

  @Test
  void the_header_lists_tags_strong_or_weak() {
    var url = sample() + "/count";
    var tag = tag(anonymous(), url);
    withTags(url, "\"x\", " + tag).then().statusCode(304);
    withTags(url, "W/" + tag + ",\"x\"").then().statusCode(304);
    withTags(url, "\"x\"", tag).then().statusCode(304);
    withTags(url, tag.replace("\"", "")).then().statusCode(200);
    withTags(url, tag + " x").then().statusCode(200);
    withTags(url, "\"x\"").then().statusCode(200).body("count", is(4));
  }

  @Test
  void a_star_is_whatever_there_is() {
    var repository = sample();
    reads(repository).forEach(url -> withTags(url, "*").then().statusCode(304));
    withTags(repository + "/things/Sensor/none", "*").then().statusCode(404);
    withTags(repository + "/commits/0123456789abcdef", "*").then().statusCode(404);
    withTags("/api/repos/none/none/head", "*").then().statusCode(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/head?limit=0",
        "/head?cursor=x",
        "/head?colour=red",
        "/query?shape=!",
        "/about/Sensor/a?depth=9",
        "/history",
        "/things/Sensor/a@v1?version=2",
        "/commits?cursor=x",
        "/commits/xyz"
      })
  void what_is_wrong_is_never_304_and_has_no_tag(String read) {
    withTags(sample() + read, "*")
        .then()
        .statusCode(400)
        .header("ETag", nullValue())
        .header("Cache-Control", "no-store");
  }

  @Test
  void checks_go_token_opacity_permission_before_304() {
    var repository = Api.newRepository("private");
    var url = repository + "/commits";
    var tag = tag(admin(), url);
    var stranger = People.stranger().token();
    var narrowed = People.narrowedPat(repository, "repo:read", "**");
    for (var header : List.of(tag, "*")) {
      as("nonsense").header("If-None-Match", header).get(url).then().statusCode(401);
      anonymous().header("If-None-Match", header).get(url).then().statusCode(404);
      as(stranger).header("If-None-Match", header).get(url).then().statusCode(404);
      as(narrowed).header("If-None-Match", header).get(url).then().statusCode(403);
    }
  }

  @Test
  void a_narrowed_token_and_another_caller_never_share_a_tag() {
    var repository = sample();
    var url = repository + "/head";
    var tokens =
        Stream.of(
                List.of("Sensor/*"),
                List.of("Sensor/**"),
                List.of("Note/*", "Sensor/*"),
                List.of("**"))
            .map(globs -> People.narrowedPat(repository, "repo:read", globs.toArray(String[]::new)))
            .toList();
    var nothing = People.narrowedPat(repository, "repo:read");
    var tags = new HashSet<>(tokens.stream().map(token -> tag(as(token), url)).toList());
    tags.add(tag(as(nothing), url));
    tags.add(tag(anonymous(), url));
    assertEquals(6, tags.size());
    for (var tag : tags) {
      var own = tag(as(nothing), url);
      as(nothing)
          .header("If-None-Match", tag)
          .get(url)
          .then()
          .statusCode(tag.equals(own) ? 304 : 200);
    }
  }

  @Test
  void a_tag_says_nothing_of_the_token() {
    var repository = sample();
    var url = repository + "/head";
    var first = People.narrowedPat(repository, "repo:read", "Sensor/*", "Note/*");
    var second = People.narrowedPat(repository, "repo:read", "Note/*", "Sensor/*");
    assertEquals(tag(as(first), url), tag(as(second), url));
    var viewer = People.member(repository.split("/", -1)[3], "viewer").token();
    assertEquals(tag(admin(), url), tag(as(viewer), url));
  }

  @Test
  void caches_are_told_what_everybody_may_see() {
    var repository = sample();
    anonymous()
        .get(repository + "/head")
        .then()
        .header("Cache-Control", "public, no-cache")
        .header("Vary", "Authorization, Accept-Encoding");
    for (var path : List.of(repository, Api.newRepository("private"))) {
      admin()
          .get(path + "/head")
          .then()
          .header("Cache-Control", "private, no-cache")
          .header("Vary", "Authorization, Accept-Encoding");
    }
    admin()
        .body("{\"wrefs\":[\"Sensor/a\"]}")
        .post(repository + "/things/batch")
        .then()
        .statusCode(200)
        .header("ETag", nullValue());
  }

  @Test
  void a_repository_by_another_name_has_other_tags() {
    var repository = sample();
    var read = "/things/Sensor/a";
    var before = tag(admin(), repository + read);
    admin().body(Map.of("name", "other")).patch(repository).then().statusCode(200);
    var renamed = repository.replaceAll("repo$", "other");
    assertNotEquals(before, tag(admin(), renamed + read));
    admin().body(Map.of("name", "repo")).patch(renamed).then().statusCode(200);
    assertEquals(before, tag(admin(), repository + read));
  }

  static List<String> foreignReads() {
    return List.of("/query?about=%s", "/count?about=%s", "/history?about=%s", "/about/%s");
  }

  @ParameterizedTest
  @MethodSource("foreignReads")
  void what_names_another_repository_has_a_tag_of_both(String read) {
    var there = repository("Sensor/a");
    var wref = "cairn:" + there.substring("/api/repos/".length()) + "/Sensor/a";
    var here = repository();
    commit(here, note("n", wref));
    var url = here + read.formatted(wref);
    var before = tag(admin(), url);
    assertEquals(before, tag(admin(), url));
    admin().header("If-None-Match", before).get(url).then().statusCode(304);
    commit(there, revise("Sensor/a", 1));
    admin().header("If-None-Match", before).get(url).then().statusCode(200);
    assertNotEquals(before, tag(admin(), url));
  }

  @Test
  void a_repository_that_is_hidden_leaves_the_trace_of_none() {
    var there = repository("Sensor/a");
    admin().body(Map.of("visibility", "private")).patch(there).then().statusCode(200);
    var wref = "cairn:" + there.substring("/api/repos/".length()) + "/Sensor/a";
    var here = repository();
    commit(here, note("n", wref));
    var url = here + "/count?about=" + wref;
    var hidden = tag(anonymous(), url);
    commit(there, revise("Sensor/a", 1));
    assertEquals(hidden, tag(anonymous(), url));
    assertNotEquals(hidden, tag(admin(), url));
    admin().body(Map.of("visibility", "public")).patch(there).then().statusCode(200);
    withTags(url, hidden).then().statusCode(200).body("count", is(1));
    assertEquals(tag(admin(), url), tag(anonymous(), url));
  }

  @Test
  void answers_to_the_tag_of_another_read_come_whole() {
    var repository = sample();
    var tag = tag(anonymous(), repository + "/head");
    withTags(repository + "/query", tag)
        .then()
        .statusCode(200)
        .header("ETag", not(is(tag)))
        .header("ETag", notNullValue());
  }
}
