package dev.cairn.model.glob;

import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Sensor/hall/**,    Sensor/hall",
        "**/t1,             t1",
        "a/**/bcd,          bcd",
        "S/x-*-long,        -long",
        "\"S/{ab,abcdefg}/x\", S",
        "**,                \"\"",
        "*/?,               \"\"",
      })
  void it_knows_the_longest_text_that_every_match_holds(String glob, String literal) {
    assertEquals(literal, Glob.parse(glob).literal());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Sensor/a,       Sensor/a",
        "Sensor/*,       Sensor/a",
        "*/a,            Sensor/a",
        "Sen*/a,         Sensor/a",
        "S*r/a,          Sensor/a",
        "Sensor*/a,      Sensor/a",
        "Sensor/a*,      Sensor/a",
        "**,             Sensor/a",
        "**,             Sensor/a/b/c",
        "Sensor/**,      Sensor/a/b/c",
        "**/a,           Sensor/a",
        "**/Sensor/a,    Sensor/a",
        "Sensor/a/**,    Sensor/a",
        "Sensor/**/b,    Sensor/b",
        "Sensor/**/b,    Sensor/a/a/b",
        "**/**/a,        Sensor/a",
        "Sensor/?,       Sensor/😀",
        "Sensor/??,      Sensor/ab",
        "\"Sensor/{a,bc}\",  Sensor/bc",
        "\"{A,B}/x\",    B/x",
        "\"S/{a*,?}\",   S/abc",
        "\"S/{a*,?}\",   S/x",
        "\"S/x{a}y\",    S/xay",
        "\"S/a,b\",      \"S/a,b\"",
        "S/(a|b)[c]+$^., S/(a|b)[c]+$^.",
      })
  void it_matches(String glob, String wref) {
    assertTrue(Glob.parse(glob).matches(wref));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Sensor/a,     Sensor/b",
        "Sensor/a,     Sensor/a/b",
        "Sensor/a,     xSensor/a",
        "sensor/a,     Sensor/a",
        "Sensor/*,     Sensor/a/b",
        "Sensor,       Sensor/a",
        "*,            Sensor/a",
        "Sensor/a/*,   Sensor/a",
        "Sensor/a/**,  Sensor/ab",
        "Sensor/**/b,  Sensor/ab",
        "**/b,         Sensor/ab",
        "Sensor/?,     Sensor/ab",
        "Sensor?a,     Sensor/a",
        "Sen*a,        Sensor/a",
        "\"S/{a,b}\",  S/c",
        "\"S/{a,b}\",  \"S/a,b\"",
        "S/a.c,        S/abc",
        "S/a|S/b,      S/a",
      })
  void it_does_not_match(String glob, String wref) {
    assertFalse(Glob.parse(glob).matches(wref));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "/",
        "/a",
        "a/",
        "a//b",
        "S/a**",
        "S/**a",
        "S/***",
        "***",
        "**a/b",
        "S/{a,**}",
        "S/{",
        "S/}",
        "S/{}",
        "S/{a",
        "S/a}",
        "S/{,a}",
        "S/{a,}",
        "S/{a,,b}",
        "S/{,}",
        "S/{a,{b,c}}",
        "S/{a/b}",
        "{S/a,T/b}",
        "S/{a}}",
        "S/\u0000",
        "S/\ud800"
      })
  void an_invalid_pattern_is_refused(String glob) {
    assertTrue(refused(() -> Glob.parse(glob)).detail().contains("glob pattern"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {"S/a**, 4", "a//b, 3", "\"😀/{a,,b}\", 6", "S/{ab, 3", "S/ab}, 5", "a/, 3"})
  void the_refusal_names_the_place(String glob, int place) {
    var detail = refused(() -> Glob.parse(glob)).detail();
    assertTrue(detail.contains("at character " + place + ":"), detail);
  }

  @Test
  void a_pattern_has_at_most_1024_characters() {
    assertTrue(Glob.parse("😀".repeat(1024)).matches("😀".repeat(1024)));
    refused(() -> Glob.parse("😀".repeat(1025)));
  }

  @Test
  void a_pattern_is_normalized() {
    assertTrue(Glob.parse("S/e\u0301*").matches("S/éa"));
    assertEquals("S/é*", Glob.parse("S/e\u0301*").toString());
    assertEquals(Glob.parse("S/é"), Glob.parse("S/e\u0301"));
    assertEquals(Glob.parse("S/é").hashCode(), Glob.parse("S/e\u0301").hashCode());
    assertNotEquals(Glob.parse("S/e"), Glob.parse("S/é"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "Dependency/a/**,   Dependency, a",
        "Dependency/**,     Dependency, \"\"",
        "Dependency/a/*,    Dependency, a/",
        "Dependency/a/b*c,  Dependency, a/b",
        "Dependency/a/b?,   Dependency, a/b",
        "Dependency/a/**/b, Dependency, a",
        "Dependency/a,      Dependency, a",
        "Dependency,        Dependency, \"\"",
        "\"Dependency/a{b,c}/d\", Dependency, a",
        "\"Dependency/a/{b}\", Dependency, a/",
      })
  void a_literal_shape_and_beginning_can_be_looked_up(String glob, String shape, String prefix) {
    assertEquals(Optional.of(shape), Glob.parse(glob).shapeName());
    assertEquals(prefix, Glob.parse(glob).namePrefix());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "*/a,       a,    a",
        "S?/a,      a,    a",
        "S*/a/b,    a/b,  a/b",
        "\"{S,T}/a\", a,   a",
        "*/a*,      a,",
        "*/a/**,    a,",
        "*/*,       \"\",",
        "*,         \"\",",
        "**/a,      \"\",",
        "**,        \"\",",
      })
  void without_a_literal_shape_there_may_be_a_name_or_its_beginning(
      String glob, String prefix, String name) {
    assertEquals(Optional.empty(), Glob.parse(glob).shapeName());
    assertEquals(prefix, Glob.parse(glob).namePrefix());
    assertEquals(Optional.ofNullable(name), Glob.parse(glob).literalName());
  }

  @Test
  void a_pattern_without_wildcards_is_one_wref() {
    assertEquals(Optional.of("a/b.c"), Glob.parse("S/a/b.c").exactName());
    assertEquals(Optional.of(""), Glob.parse("S").exactName());
    assertEquals(Optional.empty(), Glob.parse("S/a/*").exactName());
    assertEquals(Optional.empty(), Glob.parse("S/{a}").exactName());
    assertEquals(Optional.empty(), Glob.parse("S/a/**").exactName());
  }

  @ParameterizedTest
  @CsvSource({
    "S/**, true",
    "S/**/**, true",
    "S/*/**, true",
    "S/**/*, true",
    "S/*/**/*, false",
    "S/?*/**, false",
    "S/*, false",
    "S/a/**, false",
    "S, false",
    "**, false",
    "*/**, false",
    "{S}/**, false",
    "**/S, false"
  })
  void a_shape_followed_by_any_depth_matches_all_entities_of_the_shape(
      String pattern, boolean whole) {
    assertEquals(whole, Glob.parse(pattern).isWholeShape());
  }

  @ParameterizedTest
  @CsvSource({
    "**, true",
    "*/**, true",
    "**/*, true",
    "*/*/**, true",
    "*/*/*/**, false",
    "*, false",
    "*/*, false",
    "S/**, false",
    "?*/**, false"
  })
  void some_patterns_are_matched_by_everything(String pattern, boolean everything) {
    assertEquals(everything, Glob.parse(pattern).isEverything());
  }

  @Test
  void the_first_segment_tells_the_shapes() {
    assertTrue(Glob.parse("Sensor/a").mayMatchShape("Sensor", MatchingBudget.unlimited()));
    assertFalse(Glob.parse("Sensor/a").mayMatchShape("Sensors", MatchingBudget.unlimited()));
    assertTrue(Glob.parse("Sen*/a").mayMatchShape("Sensor", MatchingBudget.unlimited()));
    assertTrue(Glob.parse("{A,B}/a").mayMatchShape("B", MatchingBudget.unlimited()));
    assertFalse(Glob.parse("{A,B}/a").mayMatchShape("C", MatchingBudget.unlimited()));
    assertTrue(Glob.parse("*/a").mayMatchShape("Sensor", MatchingBudget.unlimited()));
    assertTrue(Glob.parse("**/a").mayMatchShape("Sensor", MatchingBudget.unlimited()));
  }

  @Test
  void the_regular_expression_is_anchored_and_plain() {
    assertEquals("^S/a\\.b(?:/[^/]+)*/[^/]*x[^/]$", Glob.parse("S/a.b/**/*x?").regex());
    assertEquals("^(?:[^/]+/)*(?:a|b[^/]*)$", Glob.parse("**/{a,b*}").regex());
    assertEquals("^[^/]+(?:/[^/]+)*$", Glob.parse("**/**").regex());
    assertEquals("^[^/]+/é😀-,=~&#$", Glob.parse("*/é😀-,=~&#").regex());
    assertEquals("^\\\\\\.\\+\\(\\)\\[\\]\\^\\$\\|$", Glob.parse("\\.+()[]^$|").regex());
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "S/,  *a,        16",
        "S/,  ?,         16",
        "S/,  x/**/,     16",
        "S/,  **/,       16",
        "S/,  *?,        8",
        "S/,  \"{a,bc}\",  8",
        "S/,  {a},       16",
        "S/,  \"{*,?}\",   4",
      })
  void a_pattern_has_at_most_16_wildcards(String start, String part, int most) {
    Glob.parse(start + part.repeat(most) + "a");
    var detail = refused(() -> Glob.parse(start + part.repeat(most) + "a?")).detail();
    assertTrue(detail.contains("at most 16 of *, **, ? and alternatives"), detail);
  }

  /**
   * Patterns of this number of different characters, {@code S}, the slash and the star among them.
   */
  private static List<Glob> patterns(int characters, int wildcards) {
    var globs = new ArrayList<Glob>();
    for (int from = 0; from < characters - 3; from += 500) {
      int until = Math.min(from + 500, characters - 3);
      var text = new StringBuilder("S/");
      IntStream.range(from, until).forEach(i -> text.append((char) (0x4e00 + i)));
      globs.add(Glob.parse(text.toString()));
    }
    IntStream.range(0, wildcards)
        .mapToObj(i -> Glob.parse(i % 2 == 0 ? "S/*" : "S/**"))
        .forEach(globs::add);
    return globs;
  }

  @ParameterizedTest
  @CsvSource({"1000, 50", "500, 100", "100, 500", "1000, 1"})
  void patterns_that_are_asked_together_have_a_limit_of_characters_and_wildcards(
      int characters, int wildcards) {
    Glob.requireCheap(patterns(characters, wildcards), "/p");
    var refused =
        refused(() -> Glob.requireCheap(patterns(characters + 1, Math.max(wildcards, 50)), "/p"));
    assertEquals("/p", refused.errors().getFirst().pointer());
    refused(() -> Glob.requireCheap(patterns(characters, 50_000 / characters + 1), "/p"));
  }

  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void it_agrees_with_the_rules_word_for_word(
      @ForAll("globs") String glob, @ForAll("wrefs") String wref) {
    boolean expected = NaiveGlob.matches(glob, wref);
    var parsed = Glob.parse(glob);
    assertEquals(expected, parsed.matches(wref));
    assertTrue(!expected || wref.contains(parsed.literal()), parsed::literal);
    // another engine reads the expression alike
    assertEquals(expected, Pattern.compile(parsed.regex()).matcher(wref).find());
    int slash = wref.indexOf('/');
    var shape = slash < 0 ? wref : wref.substring(0, slash);
    if (slash >= 0) {
      boolean isOfShape = parsed.shapeName().filter(shape::equals).isPresent();
      assertTrue(expected || !parsed.isEverything());
      assertTrue(expected || !(parsed.isWholeShape() && isOfShape));
    }
    if (expected) {
      assertTrue(parsed.mayMatchShape(shape, MatchingBudget.unlimited()));
      parsed.shapeName().ifPresent(name -> assertEquals(shape, name));
      assertTrue(wref.substring(slash + 1).startsWith(parsed.namePrefix()));
      parsed.literalName().ifPresent(only -> assertEquals(shape + "/" + only, wref));
      parsed
          .exactName()
          .ifPresent(only -> assertEquals(wref, slash < 0 ? wref : shape + "/" + only));
    }
  }

  /** Names that match or nearly do, since few others pass the look at beginning and end. */
  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void names_like_the_pattern_agree_with_its_expression(
      @ForAll("globs") String glob, @ForAll Random random) {
    var parsed = Glob.parse(glob);
    var expression = Pattern.compile(parsed.regex());
    var like =
        Pattern.compile("\\*\\*/|/\\*\\*|\\{[^}]*\\}|[*?]")
            .matcher(glob)
            .replaceAll(
                found ->
                    found.group().startsWith("{") && random.nextBoolean()
                        ? found.group().split("[{,}]", -1)[1]
                        : List.of("", "a", "b", "ab", "a/", "/b").get(random.nextInt(6)));
    for (var name : namesLike(like, random)) {
      assertEquals(expression.matcher(name).find(), parsed.matches(name), name);
    }
  }

  /** The text, a part of each side, the text twice, and with one character inserted. */
  private static List<String> namesLike(String text, Random random) {
    int at = random.nextInt(text.length() + 1);
    return List.of(
        text,
        text.substring(at),
        text.substring(0, at),
        text + text,
        text.substring(0, at) + "a" + text.substring(at));
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void a_pattern_without_wildcards_matches_itself(@ForAll("wrefs") String wref) {
    assertTrue(Glob.parse(wref).matches(wref));
    int slash = wref.indexOf('/');
    assertEquals(
        Optional.of(slash < 0 ? "" : wref.substring(slash + 1)), Glob.parse(wref).exactName());
  }

  @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
  void any_text_is_a_pattern_or_refused(@ForAll("anything") String text) {
    try {
      var glob = Glob.parse(text);
      assertEquals(glob, Glob.parse(glob.toString()));
    } catch (Problem e) {
      assertEquals(ErrorCode.VALIDATION_ERROR, e.code());
    }
  }

  @Test
  void alternatives_of_other_lengths_are_tried_after_a_star_that_matched_nothing() {
    assertTrue(Glob.parse("{a*b,?}*{a*b,?}").matches("cbab"));
    assertTrue(Glob.parse("*{abc,c}*c").matches("abcc"));
    assertTrue(Glob.parse("{ab,a}*b").matches("ab"));
  }

  @Provide
  Arbitrary<String> globs() {
    var part =
        Arbitraries.frequency(
            Tuple.of(6, "a"),
            Tuple.of(4, "b"),
            Tuple.of(1, "é"),
            Tuple.of(1, "😀"),
            Tuple.of(1, "."),
            Tuple.of(1, "("),
            Tuple.of(3, "?"),
            Tuple.of(4, "*"),
            Tuple.of(1, "{a,b}"),
            Tuple.of(1, "{ab}"),
            Tuple.of(1, "{a*,?b,😀}"),
            Tuple.of(1, "{ab,*a}"));
    var segment =
        part.list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(parts -> String.join("", parts))
            .filter(text -> !text.contains("**"));
    return Arbitraries.frequencyOf(
            Tuple.of(4, segment), Tuple.of(2, Arbitraries.just("**")), Tuple.of(1, segment))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(segments -> String.join("/", segments))
        .filter(glob -> glob.chars().filter(c -> "*?{,".indexOf(c) >= 0).count() <= 16);
  }

  @Provide
  Arbitrary<String> wrefs() {
    return Arbitraries.frequency(
            Tuple.of(6, "a"),
            Tuple.of(4, "b"),
            Tuple.of(1, "é"),
            Tuple.of(1, "😀"),
            Tuple.of(1, "."),
            Tuple.of(1, "("))
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(parts -> String.join("", parts))
        .list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(segments -> String.join("/", segments));
  }

  @Provide
  Arbitrary<String> anything() {
    return Arbitraries.of("a", "*", "?", "{", "}", ",", "/", "\\", "[", "+", "\ud83d", "e\u0301")
        .list()
        .ofMaxSize(8)
        .map(parts -> String.join("", parts));
  }
}
