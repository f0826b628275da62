package dev.cairn.search;

import static dev.cairn.search.Searches.answer;
import static dev.cairn.search.Searches.page;
import static dev.cairn.search.Searches.wrefs;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Search: queries, filters, pages and snippets; {@code docs/search.md}. */
@HttpTest
@QuarkusTest
class SearchTest {
  private static final String SHAPES =
      """
      {'operation':'add','kind':'shape','name':'Tool','data':{'fields':{
        'summary':'string','deep?':'any','n?':'number','part?':{'type':'wref'}}}},
      {'operation':'add','kind':'shape','name':'Review','data':{'fields':{'text':'string'}}},
      """;

  private static final String THINGS =
      """
      {'operation':'add','name':'Tool/web-browser','data':{'summary':'Shows pages','n':1}},
      {'operation':'add','name':'Tool/fox','data':{'summary':'A web browser of the desktop','n':2}},
      {'operation':'add','name':'Tool/term','data':{'summary':'A terminal emulator','n':3}},
      {'operation':'add','name':'Tool/train','data':{'summary':'An emulator of a terminal station','n':4}},
      {'operation':'add','name':'Tool/XmlParser2','data':{'summary':'Café of markup',
        'deep':{'a':[{'b':['nested treasure']}]}}},
      {'operation':'add','name':'Tool/libstdc++6','data':{'summary':'Standard library'}},
      {'operation':'add','name':'Tool/old-browser','data':{'summary':'No longer used'}},
      {'operation':'add','name':'Review/r1','about':'Tool/fox','data':{'text':'a good browser'}},
      {'operation':'add','name':'Review/r2','about':'Tool/term','data':{'text':'no browser at all'}}
      """;

  private static String repository;

  @BeforeEach
  void content() {
    if (repository == null) {
      repository = Api.newRepository();
      Api.commit(repository, SHAPES + THINGS).statusCode(201);
      Api.commit(repository, "{'operation':'retract','name':'Tool/old-browser'}").statusCode(201);
    }
  }

  private static Set<String> found(String query, String parameters) {
    return Set.copyOf(wrefs(Api.adminToken(), repository, query, parameters));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "browser              ~ Tool/web-browser Tool/fox Review/r1 Review/r2",
        "web browser          ~ Tool/web-browser Tool/fox",
        "\"terminal emulator\" ~ Tool/term",
        "terminal emulator    ~ Tool/term Tool/train",
        "terminal -station    ~ Tool/term",
        "station or treasure  ~ Tool/train Tool/XmlParser2",
        "emul                 ~ Tool/term Tool/train",
        "emul term            ~ ''",
        "BROWSER -good -no    ~ Tool/web-browser Tool/fox",
        "cafe                 ~ Tool/XmlParser2",
        "CAFÉ                 ~ Tool/XmlParser2",
        "parser               ~ Tool/XmlParser2",
        "xmlparser2           ~ Tool/XmlParser2",
        "nested treasure      ~ Tool/XmlParser2",
        "stdc                 ~ Tool/libstdc++6",
        "libstdc++6           ~ Tool/libstdc++6",
        "review               ~ Review/r1 Review/r2 Shape/Review",
        "nothing              ~ ''",
      })
  void what_matches_a_query_is_found(String query, String expected) {
    assertEquals(
        expected.equals("''") ? Set.of() : Set.of(expected.strip().split(" ")),
        found(query.strip(), ""));
  }

  @Test
  void a_whole_name_is_first_and_a_name_is_before_a_text() {
    assertEquals(List.of("Tool/web-browser", "Tool/fox"), wrefs(repository, "web browser"));
    assertEquals("Tool/web-browser", wrefs(repository, "browser").getFirst());
    assertEquals("Tool/term", wrefs(repository, "term").getFirst());
    var scores = page(repository, "web browser", "").getList("items.score", Double.class);
    assertTrue(scores.getFirst() > scores.getLast());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "&shape=Tool                      ~ Tool/web-browser Tool/fox",
        "&kind=assertion                  ~ Review/r1 Review/r2",
        "&kind=shape                      ~ ''",
        "&match=Tool/w*                   ~ Tool/web-browser",
        "&match=Tool/**                   ~ Tool/web-browser Tool/fox",
        "&match=*/r*                      ~ Review/r1 Review/r2",
        "&about=Tool/fox                  ~ Review/r1",
        "&about=Tool/*                    ~ Review/r1 Review/r2",
        "&shape=Tool&where=n:gt:1         ~ Tool/fox",
        "&shape=Tool&includeInactive=true ~ Tool/web-browser Tool/fox Tool/old-browser",
        "&shape=Nothing                   ~ ''",
        "&about=Tool/nothing              ~ ''",
      })
  void the_filters_of_queries_apply(String filter, String expected) {
    assertEquals(
        expected.equals("''") ? Set.of() : Set.of(expected.strip().split(" ")),
        found("browser", filter.strip()));
  }

  @Test
  void a_filter_that_names_nothing_is_explained() {
    answer(Api.adminToken(), repository, "browser", "&shape=Nothing")
        .statusCode(200)
        .body("items", empty())
        .body("warnings", contains("There is no shape `Nothing`."));
  }

  @Test
  void assertions_about_collections_are_found() {
    var own = Api.newRepository();
    Api.commit(
            own,
            SHAPES
                + """
                {'operation':'add','name':'Tool/a','data':{'summary':'a'}},
                {'operation':'add','name':'Tool/b','data':{'summary':'b'}},
                {'operation':'add','type':'pair','name':'Pair/p','members':['Tool/a','Tool/b']},
                {'operation':'add','name':'Review/both','about':'Pair/p','data':{'text':'similar'}}
                """)
        .statusCode(201);
    assertEquals(
        List.of("Review/both"),
        wrefs(Api.adminToken(), own, "similar", "&about=Tool/a&resolveCollections=true"));
    assertEquals(List.of(), wrefs(Api.adminToken(), own, "similar", "&about=Tool/a"));
  }

  @Test
  void pages_have_each_hit_once_and_the_same_order() {
    var own = Api.newRepository();
    Api.commit(
            own,
            SHAPES
                + IntStream.range(0, 25)
                    .mapToObj(
                        i ->
                            "{'operation':'add','name':'Tool/t%d','data':{'summary':'%s page'}}"
                                .formatted(i, "word ".repeat(1 + i % 3)))
                    .collect(Collectors.joining(",")))
        .statusCode(201);
    var all = wrefs(Api.adminToken(), own, "page", "");
    assertEquals(25, all.size());
    assertEquals(25, Set.copyOf(all).size());
    assertEquals(all, wrefs(Api.adminToken(), own, "page", "&limit=4"));
    var first = page(own, "page", "&limit=4");
    Api.admin()
        .get(own + "/search?q=other&limit=4&cursor=" + first.getString("nextCursor"))
        .then()
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"));
  }

  @Test
  void the_first_page_counts_the_hits_by_shape_if_that_is_asked_for() {
    var counted = page(repository, "browser", "&facets=shape&limit=1");
    assertEquals(List.of("Review", "Tool"), counted.getList("facets.shape.value"));
    assertEquals(List.of(2, 2), counted.getList("facets.shape.count"));
    var next =
        page(
            repository,
            "browser",
            "&facets=shape&limit=1&cursor=" + counted.getString("nextCursor"));
    assertFalse(next.getMap("").containsKey("facets"));
    assertFalse(page(repository, "browser", "").getMap("").containsKey("facets"));
  }

  @Test
  void snippets_show_where_the_words_are() {
    var hit = page(repository, "\"web browser\" desktop", "");
    assertEquals(List.of("/summary"), hit.getList("items[0].snippets.pointer"));
    assertEquals("A web browser of the desktop", hit.getString("items[0].snippets[0].text"));
    assertEquals(
        List.of(List.of(2, 5), List.of(6, 13), List.of(21, 28)),
        hit.getList("items[0].snippets[0].ranges"));
    var deep = page(repository, "treasure", "");
    assertEquals("/deep/a/0/b/0", deep.getString("items[0].snippets[0].pointer"));
  }

  @Test
  void ranges_count_code_points_and_long_texts_are_cut() {
    var own = Api.newRepository();
    Api.commit(
            own,
            SHAPES
                + "{'operation':'add','name':'Tool/t','data':{'summary':'%s needle %s'}}"
                    .formatted("😀 hay ".repeat(100), "straw ".repeat(100)))
        .statusCode(201);
    var hit = page(own, "needle", "");
    var text = hit.getString("items[0].snippets[0].text");
    var range = hit.<List<Integer>>get("items[0].snippets[0].ranges[0]");
    int from = text.offsetByCodePoints(0, range.get(0));
    int to = text.offsetByCodePoints(0, range.get(1));
    assertEquals("needle", text.substring(from, to));
    assertTrue(text.length() <= 200);
  }

  @Test
  void fields_shows_a_part_of_the_data() {
    var hit = page(repository, "desktop", "&fields=n");
    assertEquals("{n=2}", hit.get("items[0].data").toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?q=",
        "?q=-x",
        "?q=x&mode=other",
        "?q=x&facets=kind",
        "?q=x&wait=-1",
        "?q=x&wait=99",
        "?q=x&at=1",
        "?q=x&limit=0",
        "?q=x&cursor=x",
        "?q=x&unknown=1",
        "?q=x&where=n:gt:1"
      })
  void an_invalid_parameter_is_refused(String query) {
    Api.admin()
        .get(repository + "/search" + query)
        .then()
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"));
  }

  @Test
  void a_search_says_to_which_commit_the_index_is_complete() {
    answer(Api.adminToken(), repository, "browser", "")
        .body("indexedSeq", is(2))
        .body("repoSeq", is(2))
        .body("warnings", nullValue());
  }

  @Test
  void everybody_may_search_a_public_repository_and_nobody_else_a_private_one() {
    Api.anonymous().get(repository + "/search?q=browser").then().statusCode(200);
    var secret = Api.newRepository("private");
    Api.anonymous().get(secret + "/search?q=browser").then().statusCode(404);
    Api.admin().get(secret + "/search?q=browser").then().statusCode(200).body("items", empty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "Tool/**          ~ Tool/web-browser Tool/fox",
        "Tool/f*          ~ Tool/fox",
        "*/r1             ~ Review/r1",
        "Review/*,Tool/f* ~ Tool/fox Review/r1 Review/r2",
        "Other/**         ~ ''",
      })
  void a_narrowed_token_finds_what_it_may_read(String patterns, String expected) {
    var token = People.narrowedPat(repository, "repo:read", patterns.strip().split(","));
    assertEquals(
        expected.equals("''") ? Set.of() : Set.of(expected.strip().split(" ")),
        Set.copyOf(wrefs(token, repository, "browser", "")));
    answer(token, repository, "browser", "&facets=shape")
        .body(
            "facets.shape.count.sum() ?: 0",
            is(expected.equals("''") ? 0 : expected.strip().split(" ").length));
  }

  @Test
  void the_score_does_not_depend_on_what_a_token_may_not_read() {
    var token = People.narrowedPat(repository, "repo:read", "Tool/fox");
    var all =
        page(repository, "browser", "").getList("items.findAll { it.wref == 'Tool/fox' }.score");
    answer(token, repository, "browser", "").body("items.score", hasItem(all.getFirst()));
  }

  @Test
  void a_search_sends_two_statements_and_its_authorization_none_of_its_own() {
    found("browser", "");
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < 20 && fewest > 2; i++) {
      int before = Statements.sentInSilence();
      Api.admin().get(repository + "/search?q=browser").then().statusCode(200);
      fewest = Math.min(fewest, Statements.sent() - before);
    }
    assertEquals(2, fewest);
  }
}
