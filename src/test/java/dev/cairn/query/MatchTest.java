package dev.cairn.query;

import static dev.cairn.query.Sample.encoded;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: match, where the database must agree with the model's Glob. */
@HttpTest
@QuarkusTest
class MatchTest {
  private static final int NAMES = 300;
  private static final int PATTERNS = 250;
  private static final long SEED = 20_260_517;
  private static final List<String> LETTERS =
      List.of(
          "a", "b", "A", "é", "中", "😀", ".", "+", "(", ")", "[", "]", "^", "$", "|", "-", "!", "1",
          "_", "~", "&", "=", "'");
  private static final List<String> WILD =
      List.of("*", "?", "{a,b}", "{a*,?}", "{é,中,😀}", "{.,+,$}", "{ab,a}");

  private final Random random = new Random(SEED);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query?match=Note/g++",
        "/query?match=Note/a%20b",
        "/count?match=Note/g++",
        "/head?match=Note/g++",
        "/query?about=Note/g++",
        "/history?wref=Note/g++",
        "/query?shape=No+te",
        "/query?missing=about:No+te"
      })
  void a_plus_that_is_not_encoded_is_a_blank_which_no_name_has(String url) {
    get(repository() + url)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("detail", containsString("must not contain a blank"))
        .body("hint", containsString("%2B"));
  }

  @Test
  void a_semicolon_separates_nothing() {
    var repository = repository();
    Sample.add(repository, List.of("Note/a;b", "Note/g++"));
    get(repository + "/count?match=Note/a;b").body("count", is(1));
    get(repository + "/count?match=Note/g%2B%2B").body("count", is(1));
    get(repository + "/query?match=Note/a;limit=1").statusCode(200).body("items.size()", is(0));
  }

  @Test
  void the_database_selects_what_the_model_matches() {
    var names = names();
    var repository = repository();
    Sample.add(repository, names);
    var all = new ArrayList<>(names);
    all.add("Shape/Note");
    all.add("Shape/Sensor");
    int matched = 0;
    for (var pattern : patterns(names)) {
      var glob = Glob.parse(pattern);
      var expected = new LinkedHashSet<>(all.stream().filter(glob::matches).toList());
      var url = "?match=" + encoded(pattern);
      List<String> found =
          get(repository + "/query" + url + "&limit=500").extract().path("items.wref");
      assertEquals(
          expected, Set.copyOf(found).isEmpty() ? Set.of() : new LinkedHashSet<>(found), pattern);
      get(repository + "/count" + url).body("count", is(expected.size()));
      matched += expected.isEmpty() ? 0 : 1;
    }
    assertTrue(matched > PATTERNS / 4, "only " + matched + " patterns matched anything");
  }

  private List<String> names() {
    var names = new LinkedHashSet<String>();
    while (names.size() < NAMES) {
      var name = new StringBuilder(random.nextBoolean() ? "Sensor" : "Note");
      int segments = 1 + random.nextInt(3);
      for (int i = 0; i < segments; i++) {
        name.append('/').append(segment());
      }
      if (isName(name.toString())) {
        names.add(name.toString().replace("'", "’"));
      }
    }
    return List.copyOf(names);
  }

  private static boolean isName(String wref) {
    try {
      dev.cairn.model.Wref.parse(wref);
      return true;
    } catch (Problem e) {
      return false;
    }
  }

  private String segment() {
    var segment = new StringBuilder();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      segment.append(one(LETTERS));
    }
    return segment.toString();
  }

  private Set<String> patterns(List<String> names) {
    var patterns = new LinkedHashSet<String>();
    while (patterns.size() < PATTERNS) {
      var pattern = mutated(one(names));
      try {
        Glob.parse(pattern);
        patterns.add(pattern);
      } catch (Problem e) {
        // Not a pattern; the refusals are tested below.
      }
    }
    return patterns;
  }

  /** A name with some of its characters and segments made wild. */
  private String mutated(String name) {
    var out = new ArrayList<String>();
    for (var segment : name.split("/", -1)) {
      switch (random.nextInt(6)) {
        case 0 -> out.add("*");
        case 1 -> out.add("**");
        case 2 -> out.add(segment);
        default -> out.add(wild(segment));
      }
    }
    if (random.nextInt(5) == 0) {
      out.add(random.nextInt(out.size() + 1), "**");
    }
    return String.join("/", out);
  }

  private String wild(String segment) {
    var out = new StringBuilder();
    segment
        .codePoints()
        .forEach(
            c -> {
              if (random.nextInt(3) == 0) {
                out.append(one(WILD));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  private String one(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "/", "a/", "/a", "a//b", "a**", "**a", "***", "{", "}", "{a", "{}", "{a,}", "{,a}",
        "{a,{b}}", "{a/b}", "a/{b"
      })
  void a_pattern_that_is_none_is_refused(String pattern) {
    var repository = repository("Sensor/a");
    for (var route : List.of("/head?", "/query?", "/count?", "/about/Sensor/a?", "/shapes?")) {
      refused(repository + route + "match=" + encoded(pattern), "?match");
    }
  }

  @Test
  void a_shape_alone_is_no_wref_and_matches_nothing() {
    var repository = repository("Sensor/Sensor");
    get(repository + "/count?match=Sensor").statusCode(200).body("count", is(0));
    get(repository + "/count?match=Sensor/Sensor").statusCode(200).body("count", is(1));
  }

  @Test
  void a_pattern_of_1024_characters_is_taken_and_a_longer_one_is_refused() {
    var repository = repository();
    get(repository + "/count?match=" + "a".repeat(1024)).statusCode(200);
    refused(repository + "/count?match=" + "a".repeat(1025), "?match");
    get(repository + "/count?match=" + encoded("é".repeat(1024))).statusCode(200);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "*a,         16",
        "*aaaaaaaaa, 16",
        "**/a/,      16",
        "?,          16",
        "*?,         8",
        "\"{a,b}\",  8",
        "\"{a*,b?}\", 4",
        "\"{*,*}\",  4",
        "**/?*/,     5",
      })
  void a_hostile_pattern_is_answered_quickly(String part, int times) {
    var repository = repository();
    Sample.add(
        repository, List.of("Sensor/" + "a".repeat(500), "Sensor/" + "a/".repeat(200) + "a"));
    var pattern = "Sensor/" + part.repeat(times) + "x";
    long start = System.nanoTime();
    get(repository + "/count?match=" + encoded(pattern)).statusCode(200).body("count", is(0));
    assertTrue(System.nanoTime() - start < 5_000_000_000L, "too slow: " + pattern);
  }

  @Test
  void a_pattern_with_16_wildcards_is_taken_and_one_with_17_is_refused() {
    var repository = repository("Sensor/a");
    get(repository + "/count?match=" + encoded("Sensor/" + "?".repeat(16))).statusCode(200);
    for (var route : List.of("/head?", "/query?", "/count?", "/about/Sensor/a?", "/shapes?")) {
      refused(repository + route + "match=" + encoded("Sensor/" + "?".repeat(17)), "?match")
          .body("detail", containsString("at most 16"));
    }
  }

  @Test
  void names_and_patterns_meet_in_their_normal_form() {
    var repository = repository("Sensor/e\u0301");
    assertEquals(List.of("Sensor/\u00e9"), Sample.wrefs(repository + "/head?shape=Sensor"));
    get(repository + "/count?match=" + encoded("Sensor/e\u0301")).body("count", is(1));
    get(repository + "/count?match=" + encoded("Sensor/\u00e9")).body("count", is(1));
    get(repository + "/count?match=" + encoded("Sensor/?")).body("count", is(1));
  }
}
