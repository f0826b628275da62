package dev.cairn.platform.page;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ExtractableResponse;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API: the header {@code Link} of lists. */
@HttpTest
@QuarkusTest
class NextPageTest {
  private static final String ADD = "{'operation':'add','kind':'%s','name':'%s','data':%s}";

  private String repository;
  private String org;
  private String commitId;

  @BeforeEach
  void fill() {
    repository = Api.newRepository();
    org = "/api/orgs/" + repository.split("/", -1)[3];
    admin().body(Map.of("name", "other")).post(org + "/repos").then().statusCode(201);
    admin()
        .body(Map.of("role", "viewer"))
        .put(org + "/members/" + Api.unique("x") + "%40example.org")
        .then()
        .statusCode(200);
    var shape = "{'fields':{'n?':'number'}}";
    Prepared.commit(repository, ADD.formatted("shape", "A", shape));
    var operations = new ArrayList<String>();
    operations.add(ADD.formatted("shape", "B", shape));
    for (int i = 0; i < 3; i++) {
      operations.add(ADD.formatted("thing", "A/" + i, "{}"));
      operations.add("{'operation':'add','name':'B/%d','about':'A/0','data':{}}".formatted(i));
    }
    commitId = Api.commit(repository, String.join(",", operations)).extract().path("commitId");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ":repo/head?limit=2",
        ":repo/query?shape=A&limit=2",
        ":repo/query?match=%7BA,B%7D%2F*&limit=2",
        ":repo/query?limit=2&about=A/0",
        ":repo/about/A/0?limit=1",
        ":repo/history?shape=A&limit=2",
        ":repo/shapes?limit=1",
        ":repo/commits?limit=1",
        ":repo/commits/:commitId?limit=2",
        ":org/members?limit=1",
        ":org/repos?limit=1",
        ":org/audit?limit=1"
      })
  void the_link_leads_to_the_same_pages_as_the_cursor(String list) {
    var url = list.replace(":repo", repository).replace(":commitId", commitId).replace(":org", org);
    var cursors = cursors(url, false);
    assertTrue(cursors.size() > 1, "one page is no list");
    assertEquals(cursors, cursors(url, true));
  }

  private static List<String> cursors(String url, boolean byLink) {
    var cursors = new ArrayList<String>();
    var next = url;
    while (next != null) {
      var answer = admin().get(next).then().statusCode(200).extract();
      String cursor = answer.path("nextCursor");
      var link = link(answer);
      assertEquals(cursor == null, link == null, next);
      cursors.add(cursor);
      next = byLink ? link : cursor == null ? null : url + "&cursor=" + cursor;
    }
    return cursors;
  }

  private static String link(ExtractableResponse<Response> answer) {
    var header = answer.header("Link");
    if (header == null) {
      return null;
    }
    assertTrue(header.startsWith("<" + RestAssured.baseURI + ":" + RestAssured.port + "/"), header);
    assertTrue(header.endsWith(">; rel=\"next\""), header);
    return header.substring(1, header.indexOf('>'));
  }

  @Test
  void what_a_client_sent_unescaped_cannot_break_out_of_the_link() {
    // As the server gives it: a character for each byte.
    var sent = "/h?match={0,>,\"x\"},\u00c3\u00a4 \r\n\u007f|^`&a=%3E;~!#[1]@b+c'(d)*/:=_-.";
    var escaped =
        "/h?match=%7B0,%3E,%22x%22%7D,%C3%A4%20%0D%0A%7F%7C%5E%60&a=%3E;~!#[1]@b+c'(d)*/:=_-.";
    assertEquals(escaped, NextPage.escaped(sent));
  }

  @Test
  void what_is_no_list_has_no_link() {
    admin().get(repository + "/things/A/0").then().header("Link", nullValue());
    admin().get(repository + "/head?limit=500").then().header("Link", nullValue());
  }
}
