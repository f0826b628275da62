package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Costly;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.access.Narrowing;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a token with {@code allowedMatches} sees of a repository; {@code docs/access.md}. */
@HttpTest
@QuarkusTest
class NarrowedReadTest {
  /** Sensor a, b/c, b/d; notes n1 about a, n2 about b/c, n3 about n1; a pair of a and b/c. */
  private static String repository;

  @BeforeEach
  void content() {
    if (repository != null) {
      return;
    }
    repository = Sample.repository("Sensor/a", "Sensor/b/c", "Sensor/b/d");
    Sample.commit(repository, Sample.note("n1", "Sensor/a"));
    Sample.commit(repository, Sample.note("n2", "Sensor/b/c"));
    Sample.commit(repository, Sample.note("n3", "Note/n1"));
    Sample.commit(
        repository,
        "{'operation':'add','type':'pair','name':'Pair/p','members':['Sensor/a','Sensor/b/c']}");
    Sample.commit(repository, Sample.note("n4", "Pair/p"));
  }

  private static ValidatableResponse get(String token, String path) {
    return as(token).get(repository + path).then();
  }

  private static String reader(String... patterns) {
    return People.narrowedPat(repository, "repo:read", patterns);
  }

  private static void notFound(String token, String path) {
    get(token, path).statusCode(404).body("code", is("NOT_FOUND"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sensor/**        | Sensor/a Sensor/b/c Sensor/b/d Shape/Sensor",
        "Sensor/b/**      | Sensor/b/c Sensor/b/d Shape/Sensor",
        "Sensor/*         | Sensor/a Shape/Sensor",
        "Sensor/a         | Sensor/a Shape/Sensor",
        "*/n1             | Note/n1 Shape/Note Shape/Sensor",
        "Note/n1,Sensor/a | Note/n1 Sensor/a Shape/Note Shape/Sensor",
        "Pair/*           | Pair/p",
        "Nothing/**       | ''",
        "Shape/Note       | Shape/Note",
      })
  void lists_and_counts_show_matching_wrefs_and_their_shapes(String patterns, String visible) {
    var token = reader(patterns.split(",", -1));
    var expected = visible.isEmpty() ? List.<String>of() : List.of(visible.split(" ", -1));
    for (var route : List.of("/head", "/query")) {
      get(token, route).statusCode(200).body("items.wref", is(expected));
    }
    get(token, "/count").body("count", is(expected.size()));
    get(token, "/shapes")
        .body("items.wref", is(expected.stream().filter(w -> w.startsWith("Shape/")).toList()));
  }

  @Test
  void everything_is_shown_by_a_pattern_for_everything() {
    var all = Api.admin().get(repository + "/head").then().extract().path("items.wref");
    get(reader("**"), "/head").body("items.wref", is(all));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sensor/b*;Sensor/b?;Sensor/b/**;Sensor/b1",
        "Sensor/{a,b}1;Sensor/a*;Note/**;Note/a;Sensor/b",
        "Sensor/\ud83d\ude00*;Sensor/\uff5e*;Sensor/\uff5e;Sensor/b",
        "Sensor/**;Sensor/a/**;Shape/*;Shape/Note",
        "Sensor;Note;Sensor/a",
        "Sensor/a1;Sensor/a;Sensor/a*/**;Zebra/**"
      })
  void patterns_that_overlap_show_each_entity_once_and_in_order(String patterns) {
    var own =
        Sample.repository(
            "Sensor/a",
            "Sensor/a/b",
            "Sensor/a1",
            "Sensor/a1/x",
            "Sensor/b",
            "Sensor/b/c",
            "Sensor/b1",
            "Sensor/c",
            "Sensor/\uff5e",
            "Sensor/\uff5e1",
            "Sensor/\ud83d\ude00",
            "Sensor/\ud83d\ude001");
    Sample.commit(own, Sample.note("a", "Sensor/a") + "," + Sample.note("z", "Sensor/b"));
    var globs = Stream.of(patterns.split(";", -1)).map(Glob::parse).toList();
    var visible =
        Sample.walk(own + "/head", "items.wref", 500).stream()
            .filter(
                wref ->
                    globs.stream().anyMatch(g -> g.matches(wref))
                        || (wref.startsWith("Shape/")
                            && globs.stream()
                                .anyMatch(
                                    g ->
                                        g.mayMatchShape(
                                            wref.substring(6), MatchingBudget.unlimited()))))
            .toList();
    var token = People.narrowedPat(own, "repo:read", patterns.split(";", -1));
    for (int limit : List.of(1, 2, 3, 500)) {
      for (var route : List.of("/head?limit=", "/query?at=2&limit=")) {
        var expected =
            route.startsWith("/head")
                ? visible
                : visible.stream().filter(w -> !w.startsWith("Note/")).toList();
        assertEquals(expected, walked(token, own + route + limit), route + limit);
      }
    }
  }

  private static List<String> walked(String token, String url) {
    var all = new ArrayList<String>();
    var cursor = "";
    while (cursor != null) {
      var page = as(token).get(url + cursor).then().statusCode(200).extract().jsonPath();
      all.addAll(page.getList("items.wref", String.class));
      cursor =
          page.getString("nextCursor") == null ? null : "&cursor=" + page.getString("nextCursor");
    }
    return all;
  }

  @Test
  void an_empty_list_of_patterns_denies_all() {
    var token = reader();
    get(token, "/head").statusCode(200).body("items", empty());
    get(token, "/count").body("count", is(0));
    notFound(token, "/things/Sensor%2Fa");
    notFound(token, "/shapes/Sensor");
  }

  @Test
  void filters_and_narrowing_hold_together() {
    var token = reader("Sensor/b/**", "Note/*");
    get(token, "/query?shape=Sensor").body("items.wref", contains("Sensor/b/c", "Sensor/b/d"));
    get(token, "/query?match=**/c").body("items.wref", contains("Sensor/b/c"));
    get(token, "/query?kind=assertion").body("items.name", contains("n1", "n2", "n3", "n4"));
    get(token, "/query?match=Sensor/a").body("items", empty());
    get(token, "/count?shape=Sensor").body("count", is(2));
  }

  @Test
  void pages_hold_as_many_visible_items_as_were_asked_for() {
    var names = IntStream.range(0, 60).mapToObj(i -> "Sensor/%s/%02d".formatted(i % 2, i)).toList();
    var own = Sample.repository(names.toArray(String[]::new));
    var token = People.narrowedPat(own, "repo:read", "Sensor/1/**");
    var walked = new ArrayList<String>();
    String cursor = null;
    do {
      var page =
          as(token)
              .get(own + "/head?shape=Sensor&limit=7" + (cursor == null ? "" : "&cursor=" + cursor))
              .then()
              .statusCode(200)
              .extract()
              .jsonPath();
      List<String> wrefs = page.getList("items.wref");
      walked.addAll(wrefs);
      cursor = page.getString("nextCursor");
      assertEquals(cursor == null ? 2 : 7, wrefs.size());
    } while (cursor != null);
    var glob = Glob.parse("Sensor/1/**");
    assertEquals(names.stream().filter(glob::matches).sorted().toList(), walked);
  }

  @Test
  void a_single_wref_that_does_not_match_is_404_like_one_that_does_not_exist() {
    var token = reader("Sensor/b/**");
    get(token, "/things/Sensor%2Fb%2Fc").statusCode(200);
    get(token, "/shapes/Sensor").statusCode(200);
    for (var path :
        List.of(
            "/things/Sensor%2Fa",
            "/things/Sensor%2Fa?version=1",
            "/things/Sensor%2Fa@v1",
            "/resolve/Sensor%2Fa",
            "/about/Sensor%2Fa",
            "/history?wref=Sensor/a",
            "/shapes/Note")) {
      notFound(token, path);
    }
    var hidden = get(token, "/things/Sensor%2Fa").extract().asString();
    var missing = get(token, "/things/Sensor%2Fx").extract().asString();
    assertEquals(missing.replace("Sensor/x", "W"), hidden.replace("Sensor/a", "W"));
  }

  @Test
  void a_filter_that_names_what_may_not_be_read_is_answered_as_one_that_names_nothing() {
    var token = reader("Sensor/b/**");
    for (var read : List.of("/query", "/count", "/history")) {
      for (var filter : List.of("?about=Sensor/a", "?shape=Note")) {
        var hidden = get(token, read + filter).statusCode(200).extract().asString();
        var nothing = filter.replace("Sensor/a", "Sensor/x").replace("Note", "None");
        var missing = get(token, read + nothing).statusCode(200).extract().asString();
        assertTrue(hidden.contains("There is no "), hidden);
        assertEquals(
            missing.replace("Sensor/x", "Sensor/a").replace("None", "Note"), hidden, read + filter);
      }
    }
  }

  @Test
  void a_batch_lists_what_may_not_be_read_as_missing() {
    var wrefs = List.of("Sensor/a", "Sensor/b/c", "Sensor/none", "Sensor/b/d");
    as(reader("Sensor/b/**"))
        .body(Map.of("wrefs", wrefs))
        .post(repository + "/things/batch")
        .then()
        .statusCode(200)
        .body("items.wref", contains("Sensor/b/c", "Sensor/b/d"))
        .body("missing", contains("Sensor/a", "Sensor/none"));
  }

  @Test
  void about_shows_matching_assertions_only_at_every_depth() {
    get(reader("Sensor/a", "Note/n1"), "/about/Sensor%2Fa?depth=3")
        .body("assertions.wref", contains("Note/n1"))
        .body("assertions[0].children", nullValue());
    get(reader("Sensor/a", "Note/n1", "Note/n3"), "/about/Sensor%2Fa?depth=3")
        .body("assertions[0].children.wref", contains("Note/n3"));
    get(reader("Sensor/a", "Note/n3"), "/about/Sensor%2Fa?depth=3").body("assertions", empty());
    get(reader("Sensor/a", "Note/n4", "Pair/p"), "/about/Sensor%2Fa?resolveCollections=true")
        .body("assertions.wref", contains("Note/n4"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&at=7"})
  void a_hidden_collection_leads_from_its_members_to_nothing(String at) {
    var query = "?about=Sensor/a&resolveCollections=true" + at;
    var hidden = reader("Sensor/a", "Note/n*");
    get(hidden, "/query" + query).body("items.wref", contains("Note/n1"));
    get(hidden, "/count" + query).body("count", is(1));
    var shown = reader("Sensor/a", "Note/n*", "*/p");
    var all = Api.admin().get(repository + "/query" + query).then().extract().path("items.wref");
    get(shown, "/query" + query).body("items.wref", is(all));
    get(hidden, "/about/Sensor%2Fa?resolveCollections=true")
        .body("assertions.wref", contains("Note/n1"));
    get(shown, "/about/Sensor%2Fa?resolveCollections=true")
        .body("assertions.wref", contains("Note/n4", "Note/n1"));
  }

  @Test
  void an_about_filter_on_a_hidden_target_selects_nothing() {
    get(reader("Note/**"), "/query?about=Sensor/a").body("items", empty());
    get(reader("Note/**"), "/count?about=Sensor/a").body("count", is(0));
    get(reader("Note/n1", "Sensor/a"), "/query?about=Sensor/a")
        .body("items.wref", contains("Note/n1"));
  }

  @Test
  void what_a_visible_entity_names_stays_in_it() {
    get(reader("Note/n1"), "/things/Note%2Fn1").body("aboutWref", is("Sensor/a@v1"));
    get(reader("Pair/p"), "/things/Pair%2Fp")
        .body("data.first", is("Sensor/a@v1"))
        .body("data.second", is("Sensor/b/c@v1"));
  }

  @Test
  void history_does_not_show_messages_which_may_be_about_what_the_token_may_not_read() {
    var told = Sample.repository("Sensor/a");
    admin()
        .body(
            "{\"message\":\"about Sensor/hidden\",\"operations\":[{\"operation\":\"retract\",\"name\":\"Sensor/a\"}]}")
        .post(told + "/commits")
        .then()
        .statusCode(201);
    var history = told + "/history?wref=Sensor/a&limit=1";
    admin().get(history).then().body("items[0].message", is("about Sensor/hidden"));
    as(People.narrowedPat(told, "repo:read", "Sensor/a"))
        .get(history)
        .then()
        .body("items[0].wref", is("Sensor/a"))
        .body("items[0]", not(hasKey("message")));
  }

  @Test
  void history_shows_matching_wrefs_only() {
    get(reader("Sensor/b/**"), "/history?shape=Sensor")
        .statusCode(200)
        .body("items.wref", containsInAnyOrder("Sensor/b/c", "Sensor/b/d"));
    get(reader("Sensor/a", "Note/n2"), "/history?about=Sensor/a").body("items", empty());
  }

  /** Ids of entities are counted up, so two of them would tell how many are between. */
  @ParameterizedTest
  @ValueSource(strings = {"/history?shape=Sensor&limit=1", "/refs/Sensor/a?limit=1"})
  void a_cursor_tells_nothing_of_what_the_token_may_not_see(String read) {
    var token = reader("Sensor/**", "Note/n1", "Pair/p");
    String cursor = get(token, read).statusCode(200).extract().path("nextCursor");
    get(token, read).body("nextCursor", is(cursor));
    var text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.ISO_8859_1);
    assertFalse(Pattern.compile("\\d\0\\d+\0\\d").matcher(text).find(), text);
    get(token, read + "&cursor=" + cursor).statusCode(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/commits", "/commits/0123456789abcdef", "/verification"})
  void what_shows_the_content_in_another_form_refuses_a_narrowed_token(String path) {
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read','repo:write'],'allowedMatches':['**']}"
                .formatted(repository.substring("/api/repos/".length())));
    get(token, path).statusCode(403).body("code", is("FORBIDDEN"));
  }

  @Test
  void what_is_about_the_whole_repository_refuses_a_token_that_reads_a_part() {
    var entry = "{'resource':'%s','permissions':['%s']%s}";
    var name = repository.substring("/api/repos/".length());
    for (var permission : List.of("repo:write", "repo:configure", "repo:admin")) {
      var token =
          People.pat(
              Api.adminToken(),
              entry.formatted(name, "repo:read", ",'allowedMatches':['Sensor/a']")
                  + ","
                  + entry.formatted(name, permission, ""));
      get(token, "/verification").statusCode(403);
      get(token, "/credential-sets").statusCode(403);
      as(token).body(Map.of("visibility", "public")).patch(repository).then().statusCode(403);
      as(token).body(Map.of("description", "d")).patch(repository).then().statusCode(403);
      as(token).delete(repository).then().statusCode(403);
    }
    as(Api.adminToken()).get(repository).then().statusCode(200);
  }

  @Test
  void a_narrowed_token_is_narrowed_where_it_is_named_from_another_repository() {
    var token =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read'],'allowedMatches':['Note/**']},{'permissions':['repo:read']}"
                .formatted(repository.substring("/api/repos/".length())));
    var other = Sample.repository();
    var target = "cairn:" + repository.substring("/api/repos/".length()) + "/Sensor/a";
    Sample.commit(other, Sample.note("n", target));
    as(Api.adminToken())
        .get(other + "/query?about=" + target)
        .then()
        .body("items.wref", contains("Note/n"));
    as(token).get(other + "/query?about=" + target).then().body("items", empty());
    as(token).get(other + "/about/" + target.replace("/", "%2F")).then().statusCode(404);
  }

  /** Patterns that take more steps for one name than a read may take. */
  private static String slow(String repository) {
    var pattern = "Sensor/*{" + "a,".repeat(12) + "aa}" + "a".repeat(110) + "b?";
    return People.narrowedPat(
        repository, "repo:read", Collections.nCopies(100, pattern).toArray(String[]::new));
  }

  private static void refusedForSteps(ValidatableResponse answer) {
    answer
        .statusCode(413)
        .body("code", is("PAYLOAD_TOO_LARGE"))
        .body("detail", containsString("of the token takes more than 10,000,000 steps"));
  }

  @Test
  void a_read_that_takes_too_many_steps_to_match_is_refused_on_every_route() {
    var token = slow(repository);
    var name = "Sensor/" + "a".repeat(490);
    for (var path :
        List.of(
            "/things/" + name,
            "/things/" + name + "?version=1",
            "/things/" + name + "?at=1",
            "/resolve/" + name,
            "/about/" + name,
            "/about?wref=" + name,
            "/query?about=" + name,
            "/count?about=" + name,
            "/history?wref=" + name,
            "/history?wref=" + name + "@HEAD",
            "/history?about=" + name,
            "/refs/" + name)) {
      refusedForSteps(get(token, path));
    }
    refusedForSteps(
        as(token)
            .body(Map.of("wrefs", List.of("Sensor/a", name)))
            .post(repository + "/things/batch")
            .then());
  }

  @Test
  void the_names_of_one_read_share_its_steps() {
    var token = slow(repository);
    var names = IntStream.range(0, 20).mapToObj(i -> "Sensor/" + i + "a".repeat(145)).toList();
    get(token, "/about?wref=" + names.getFirst()).statusCode(200);
    refusedForSteps(get(token, "/about?wref=" + String.join("&wref=", names)));
    refusedForSteps(get(token, "/query?about=" + String.join("&about=", names)));
    var batch = Map.of("wrefs", names.subList(0, 1));
    as(token).body(batch).post(repository + "/things/batch").then().statusCode(200);
    refusedForSteps(
        as(token).body(Map.of("wrefs", names)).post(repository + "/things/batch").then());
  }

  @Test
  void a_refusal_for_steps_does_not_depend_on_what_is_hidden() {
    var name = "Sensor/" + "a".repeat(490);
    var own = Sample.repository();
    var token = slow(own);
    var path = own + "/things/" + name;
    var before = as(token).get(path).then().statusCode(413).extract().asString();
    Sample.commit(own, Sample.thing(name));
    assertEquals(before, as(token).get(path).then().statusCode(413).extract().asString());
  }

  @Test
  void the_most_names_and_ordinary_patterns_take_a_tenth_of_the_steps() {
    var patterns =
        IntStream.range(0, 100).mapToObj(i -> "Sensor/building-%02d/*".formatted(i)).toList();
    var narrowing = Narrowing.to(Optional.of(patterns.stream().map(Glob::parse).toList()));
    var budget = new MatchingBudget(MatchingBudget.MAX_STEPS_OF_READ / 10, 0);
    for (int i = 0; i < 500; i++) {
      var wref = Wref.parse("Sensor/building-%03d/temperature".formatted(i));
      assertFalse(narrowing.canRead(wref, budget), wref::local);
    }
  }

  @Test
  void the_costliest_patterns_that_a_token_may_have_read_and_costlier_ones_are_refused() {
    var patterns = new ArrayList<>(List.of(Costly.patterns(125)));
    var token = reader(patterns.toArray(String[]::new));
    for (var path :
        List.of(
            "/head",
            "/count",
            "/describe",
            "/shapes",
            "/history?shape=Sensor",
            "/query?match=**")) {
      get(token, path).statusCode(200);
    }
    get(token, "/count").body("count", is(1));
    var refused =
        "{'name':'costly','scopes':[{'permissions':['repo:read'],'allowedMatches':['%s']}]}"
            .formatted(String.join("','", Costly.patterns(126)))
            .replace('\'', '"');
    as(Api.adminToken())
        .body(refused)
        .post("/api/pats")
        .then()
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors[0].pointer", is("/scopes/0/allowedMatches"));
  }
}
