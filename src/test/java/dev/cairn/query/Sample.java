package dev.cairn.query;

import static dev.cairn.Api.anonymous;

import dev.cairn.Api;
import dev.cairn.Checked;
import dev.cairn.Prepared;
import io.restassured.response.ValidatableResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Content for the tests of reads, and how they walk through pages. */
final class Sample {
  private static final String SHAPES =
      "{'operation':'add','kind':'shape','name':'Sensor','data':{'fields':{'n?':'number'}}},"
          + "{'operation':'add','kind':'shape','name':'Note','data':{'fields':{'text?':'string'}}}";

  private Sample() {}

  /** A repository with the shapes {@code Sensor} and {@code Note} and nothing else. */
  static String repository() {
    var repository = Api.newRepository();
    commit(repository, SHAPES);
    return repository;
  }

  /** A repository with these things too, in one commit. */
  static String repository(String... wrefs) {
    var repository = repository();
    add(repository, List.of(wrefs));
    return repository;
  }

  static void commit(String repository, String operations) {
    Prepared.commit(repository, operations);
  }

  static void add(String repository, List<String> wrefs) {
    commit(repository, wrefs.stream().map(Sample::thing).collect(Collectors.joining(",")));
  }

  static String thing(String wref) {
    return "{'operation':'add','kind':'thing','name':'" + wref + "','data':{}}";
  }

  static String note(String name, String about) {
    return "{'operation':'add','kind':'assertion','name':'Note/%s','about':'%s','data':{}}"
        .formatted(name, about);
  }

  static String revise(String wref, int n) {
    return "{'operation':'revise','name':'" + wref + "','data':{'n':" + n + "}}";
  }

  static String retract(String wref) {
    return "{'operation':'retract','name':'" + wref + "'}";
  }

  static String rename(String wref, String newName) {
    return "{'operation':'rename','name':'" + wref + "','newName':'" + newName + "'}";
  }

  static ValidatableResponse get(String url) {
    return anonymous().get(url).then();
  }

  /** Asserts that a read is refused at a place. */
  static ValidatableResponse refused(String url, String pointer) {
    return get(url)
        .statusCode(400)
        .body("code", org.hamcrest.Matchers.is("VALIDATION_ERROR"))
        .body("errors[0].pointer", org.hamcrest.Matchers.is(pointer));
  }

  /** Asserts that a list is empty, and says of a name in its filters that it stands for nothing. */
  static void warned(String url, String warning) {
    get(url)
        .statusCode(200)
        .body("items", org.hamcrest.Matchers.empty())
        .body("warnings", org.hamcrest.Matchers.contains(warning));
  }

  static ValidatableResponse missing(String url) {
    return get(url).statusCode(404).body("code", org.hamcrest.Matchers.is("NOT_FOUND"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The wrefs on one page. */
  static List<String> wrefs(String url) {
    return Checked.read(null, url)
        .get("items")
        .valueStream()
        .map(item -> item.get("wref").textValue())
        .toList();
  }

  /** Values of all pages, walked by {@code limit}. */
  static List<String> walk(String url, String values, int limit) {
    var all = new ArrayList<String>();
    var page = url + (url.contains("?") ? "&" : "?") + "limit=" + limit;
    String cursor = null;
    do {
      var answer =
          get(cursor == null ? page : page + "&cursor=" + cursor).statusCode(200).extract();
      List<String> found = answer.path(values);
      cursor = answer.path("nextCursor");
      if (found.size() > limit || (cursor != null && found.size() < limit)) {
        throw new AssertionError("a page of " + found.size() + " for a limit of " + limit);
      }
      all.addAll(found);
    } while (cursor != null);
    return all;
  }

  /** {@code Sensor/n000}, {@code Sensor/n001}, … */
  static List<String> numbered(int count) {
    return Stream.iterate(0, i -> i + 1).limit(count).map("Sensor/n%03d"::formatted).toList();
  }
}
