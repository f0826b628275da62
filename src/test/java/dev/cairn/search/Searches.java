package dev.cairn.search;

import static dev.cairn.Api.as;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.Checked;
import dev.cairn.Eventually;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Searches of a repository whose index has reached its newest commit. */
final class Searches {
  private static final int MAX_WAITS = 12;

  private Searches() {}

  /** The answer to a search; the parameters follow the query. */
  static ValidatableResponse answer(
      String token, String repository, String query, String parameters) {
    long newest = newest(repository);
    var path = path(repository, query) + "&wait=" + newest + parameters;
    var answer = as(token).get(path);
    // The indexes of many other tests may be before this one.
    for (int i = 0; i < MAX_WAITS && isBehind(answer, newest); i++) {
      answer = as(token).get(path);
    }
    return answer.then();
  }

  private static boolean isBehind(Response answer, long newest) {
    return answer.statusCode() == 200 && answer.jsonPath().getLong("indexedSeq") < newest;
  }

  static String path(String repository, String query) {
    return repository + "/search?q=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
  }

  /** The number of the newest commit. */
  static long newest(String repository) {
    return Checked.read(Api.adminToken(), repository).get("repoSeq").longValue();
  }

  /** A page of hits for the administrator. */
  static JsonPath page(String repository, String query, String parameters) {
    return answer(Api.adminToken(), repository, query, parameters)
        .statusCode(200)
        .extract()
        .jsonPath();
  }

  /** The wrefs of the hits, the best first. */
  static List<String> wrefs(String repository, String query) {
    return wrefs(Api.adminToken(), repository, query, "");
  }

  /** The wrefs of all hits, page by page. */
  static List<String> wrefs(String token, String repository, String query, String parameters) {
    var wrefs = new ArrayList<String>();
    var cursor = "";
    do {
      var page = page(token, repository, query, parameters + cursor);
      page.get("items").forEach(hit -> wrefs.add(hit.get("wref").textValue()));
      cursor = page.has("nextCursor") ? "&cursor=" + page.get("nextCursor").textValue() : "";
    } while (!cursor.isEmpty());
    return wrefs;
  }

  private static JsonNode page(String token, String repository, String query, String parameters) {
    long newest = newest(repository);
    var path = path(repository, query) + "&wait=" + newest + parameters;
    var page = Checked.read(token, path);
    for (int i = 0; i < MAX_WAITS && page.get("indexedSeq").longValue() < newest; i++) {
      page = Checked.read(token, path);
    }
    return page;
  }

  /** The vector of a query by the built-in embedder. */
  static float[] vector(String query) {
    return new HashingEmbedder().embedQuery(query);
  }

  /** Waits until the state of a part of the index fulfils a condition in SQL. */
  static void awaitIndex(String repository, IndexPart part, String condition) {
    var id = Api.repoId(repository);
    Eventually.await(
        "the index of " + part.text() + " is there: " + condition,
        () ->
            OwnConnections.database()
                .first(
                    "select from search_index where repo_id = ? and part = ? and " + condition,
                    _ -> true,
                    id,
                    part.text())
                .isPresent());
  }
}
