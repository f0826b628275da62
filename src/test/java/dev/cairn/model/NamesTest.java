package dev.cairn.model;

import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.text.Normalizer;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "ab", "a-b", "a.b", "a_b", "a--b", "a.-b", "0.0"})
  void an_organization_or_repository_may_be_named(String name) {
    assertEquals(name, Names.org(name));
    assertEquals(name, Names.repo(name));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {"-a", "a-", ".a", "a.", "_a", "a..b", "A", "aB", "a b", "ä", "a/b", "a\n", "a@"})
  void an_organization_or_repository_may_not_be_named(String name) {
    assertTrue(refused(() -> Names.org(name)).detail().startsWith("An organization name"));
    assertTrue(refused(() -> Names.repo(name)).detail().startsWith("A repository name"));
  }

  @Test
  void an_organization_or_repository_name_has_at_most_100_characters() {
    assertEquals("a".repeat(100), Names.org("a".repeat(100)));
    refused(() -> Names.org("a".repeat(101)));
    assertEquals("a".repeat(100), Names.repo("a".repeat(100)));
    refused(() -> Names.repo("a".repeat(101)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "admin", "api", "auth", "billing", "device", "internal", "oauth2", "blog", "docs", "help",
        "login", "mcp", "oauth", "public", "q", "settings", "signup", "sse", "live", "status",
        "support", "system", "cairn", "www", ".well-known"
      })
  void a_reserved_organization_name_is_refused_as_such(String name) {
    var problem = assertThrows(Problem.class, () -> Names.org(name));
    assertEquals(ErrorCode.RESERVED_NAME, problem.code());
    assertTrue(problem.detail().contains("'" + name + "'"));
  }

  @Test
  void reserved_is_for_organizations_alone_and_for_the_whole_name() {
    assertEquals("admin", Names.repo("admin"));
    assertEquals("admins", Names.org("admins"));
    refused(() -> Names.org("ADMIN"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"S", "s", "Sensor", "S1", "S_1", "S-1", "Shape"})
  void a_shape_may_be_named(String name) {
    assertEquals(name, Names.shape(name));
    assertTrue(Names.isShape(name));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"1S", "_S", "-S", "S.a", "S/a", "S a", "É", "S\n", "S@v1", "cairn:S"})
  void a_shape_may_not_be_named(String name) {
    assertTrue(refused(() -> Names.shape(name)).detail().startsWith("A shape name"));
    assertFalse(Names.isShape(name));
  }

  @Test
  void a_shape_name_has_at_most_128_characters() {
    assertTrue(Names.isShape("S".repeat(128)));
    assertFalse(Names.isShape("S".repeat(129)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a", "round-1/state", "a/b/c/d", "...", "..a", "a..b", ".a", "a.", "!", "ä", "日本", "😀",
        "a:b", "a,b", "a;b=c", "a'b\"c", "<a>", "(a)[b]", "a|b", "a^b$c", "a+b~c`", "&", "1", "½"
      })
  void a_thing_may_be_named(String name) {
    assertEquals(name, Names.thing(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"@", "*", "?", "{", "}", "\\", "#", "%"})
  void a_character_with_a_meaning_of_its_own_is_refused_in_a_thing_name(String character) {
    var problem = refused(() -> Names.thing("a" + character + "b"));
    assertTrue(
        problem.detail().contains("U+%04X".formatted((int) character.charAt(0))), problem.detail());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "\u00a0",
        "\u3000",
        "\t",
        "\n",
        "\u0000",
        "\u007f",
        "\u0085",
        "\u200b",
        "\u00ad",
        "\u202e",
        "\u2028",
        "\u2029",
        "\ufeff",
        "\ue000",
        "\ufffe",
        "\u0378",
        "\ud800",
        "\udc00",
        "\udc00\ud800",
        "\udb80\udc00"
      })
  void spaces_controls_formats_and_what_is_no_character_are_refused_in_a_thing_name(String text) {
    refused(() -> Names.thing("a" + text + "b"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "a/", "a//b", "/", "//"})
  void a_leading_trailing_or_doubled_slash_is_refused(String name) {
    assertTrue(refused(() -> Names.thing(name)).detail().contains("doubled '/'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "..",
        "a/.",
        "a/..",
        "./a",
        "../a",
        "a/./b",
        "a/../b",
        "..;x",
        "a/.;",
        "a/..;x/b"
      })
  void a_segment_of_one_or_two_dots_is_refused(String name) {
    assertTrue(refused(() -> Names.thing(name)).detail().contains("'.' or '..'"));
  }

  @ParameterizedTest
  @NullAndEmptySource
  void a_thing_needs_a_name(String name) {
    refused(() -> Names.thing(name));
  }

  @Test
  void a_thing_name_has_at_most_512_code_points() {
    assertEquals("😀".repeat(512), Names.thing("😀".repeat(512)));
    refused(() -> Names.thing("😀".repeat(513)));
    refused(() -> Names.thing("a".repeat(513)));
  }

  @Test
  void the_length_of_a_thing_name_counts_after_normalization() {
    assertEquals("é".repeat(512), Names.thing("e\u0301".repeat(512)));
    // this one character becomes two
    assertEquals("\u0915\u093c".repeat(256), Names.thing("\u0958".repeat(256)));
    refused(() -> Names.thing("\u0958".repeat(257)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"S", "s", "7", "a.b", "a/b", "a_b-c", "a..b", "a/.b", "a/b..", "a/..."})
  void a_subscription_may_be_named(String name) {
    assertEquals(name, Names.subscription(name));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        ".a", "_a", "/a", "-a", "a b", "ä", "a:b", "a\n", "a//b", "a/", "a/.", "a/..", "a/./b",
        "a/../b", "..", "a/b//"
      })
  void a_subscription_may_not_be_named(String name) {
    refused(() -> Names.subscription(name));
  }

  @Test
  void a_subscription_name_has_at_most_128_characters() {
    assertEquals("a".repeat(128), Names.subscription("a".repeat(128)));
    refused(() -> Names.subscription("a".repeat(129)));
  }

  @Test
  void a_long_value_is_shortened_in_the_sentence() {
    assertTrue(refused(() -> Names.thing("%".repeat(100_000))).detail().length() < 400);
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void a_thing_name_is_refused_or_comes_out_normal_and_stays_so(@ForAll("anyText") String text) {
    try {
      var name = Names.thing(text);
      assertEquals(Normalizer.normalize(text, Normalizer.Form.NFC), name);
      assertEquals(name, Names.thing(name));
    } catch (Problem e) {
      assertEquals(ErrorCode.VALIDATION_ERROR, e.code());
    }
  }

  @Provide
  Arbitrary<String> anyText() {
    var nearby = Arbitraries.of("a", "/", ".", "e", "\u0301", "é", "%", "@", " ", "\ud83d", "😀");
    return Arbitraries.frequencyOf(Tuple.of(3, nearby), Tuple.of(1, Samples.character()))
        .list()
        .ofMinSize(1)
        .ofMaxSize(6)
        .map(parts -> parts.stream().collect(Collectors.joining()));
  }
}
