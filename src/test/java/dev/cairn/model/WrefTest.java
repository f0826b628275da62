package dev.cairn.model;

import static dev.cairn.model.Samples.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Wref.Modifier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class WrefTest {
  @Test
  void everything_after_the_first_slash_is_the_name() {
    var wref = Wref.parse("Game/round-1/state");
    assertEquals("Game", wref.shape());
    assertEquals("round-1/state", wref.name());
    assertEquals("Game/round-1/state", wref.local());
    assertTrue(wref.isLocal());
    assertNull(wref.org());
    assertNull(wref.repo());
    assertEquals(new Modifier.None(), wref.modifier());
  }

  @Test
  void a_canonical_wref_names_its_repository() {
    var wref = Wref.parse("cairn:acme/plant.1/Sensor/a/b@v7");
    assertEquals(new Wref("acme", "plant.1", "Sensor", "a/b", new Modifier.Pinned(7)), wref);
    assertFalse(wref.isLocal());
    assertEquals("Sensor/a/b", wref.local());
    assertEquals("cairn:acme/plant.1/Sensor/a/b", wref.unversioned());
    assertEquals("cairn:acme/plant.1/Sensor/a/b@v7", wref.toString());
    assertEquals("cairn:acme/plant.1/Sensor/a/b", wref.bare().toString());
  }

  @Test
  void a_repository_of_a_reserved_name_may_be_referred_to() {
    assertEquals("docs", Wref.parse("cairn:docs/r/S/a").org());
  }

  @Test
  void a_wref_has_at_most_one_modifier() {
    assertEquals(new Modifier.Head(), Wref.parse("S/a@HEAD").modifier());
    assertEquals(new Modifier.All(), Wref.parse("S/a@ALL").modifier());
    assertEquals(new Modifier.Pinned(1), Wref.parse("S/a@v1").modifier());
    assertEquals(new Modifier.Pinned(Integer.MAX_VALUE), Wref.parse("S/a@v2147483647").modifier());
    refused(() -> Wref.parse("S/a@v1@v2"));
    refused(() -> Wref.parse("S/a@HEAD@HEAD"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@",
        "@v",
        "@v0",
        "@v01",
        "@v-1",
        "@v+1",
        "@v1.0",
        "@v2147483648",
        "@v4294967297",
        "@v99999999999999999999",
        "@v１",
        "@V1",
        "@1",
        "@head",
        "@all",
        "@HEAD ",
        "@v1/x"
      })
  void a_modifier_of_another_form_is_refused(String modifier) {
    refused(() -> Wref.parse("S/a" + modifier));
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "S",
        "S/",
        "/a",
        "/",
        "@v1",
        "S@v1",
        "S/a/",
        "S//a",
        "S/.",
        "1/a",
        "S/a b",
        "S /a",
        "cairn:",
        "cairn:o",
        "cairn:o/r",
        "cairn:o/r/S",
        "cairn:o/r/S/",
        "cairn:/r/S/a",
        "cairn:o//S/a",
        "cairn:O/r/S/a",
        "cairn:o/R/S/a",
        "cairn:o..p/r/S/a",
        "CAIRN:o/r/S/a",
        "other:o/r/S/a",
        "$0",
        "Shape/a/b",
        "Shape/1",
        "cairn:o/r/Shape/a.b"
      })
  void what_is_no_wref_is_refused_with_the_syntax(String text) {
    assertTrue(refused(() -> Wref.parse(text)).detail().contains("expected Shape/name or"));
  }

  @Test
  void a_shape_is_an_entity_of_the_shape_named_shape() {
    assertEquals(Wref.local("Shape", "Sensor"), Wref.parse("Shape/Sensor"));
    assertEquals(Wref.local("Shape", "Shape"), Wref.parse("Shape/Shape"));
  }

  @Test
  void a_bare_shape_name_is_taken_where_a_shape_is_meant() {
    assertEquals("Shape/Sensor", Wref.parseShape("Sensor").toString());
    assertEquals("Shape/Sensor@v2", Wref.parseShape("Sensor@v2").toString());
    assertEquals("Shape/Sensor", Wref.parseShape("Shape/Sensor").toString());
    assertEquals("cairn:o/r/Shape/S", Wref.parseShape("cairn:o/r/Shape/S").toString());
    refused(() -> Wref.parseShape("1"));
    refused(() -> Wref.parseShape("cairn:Sensor"));
    refused(() -> Wref.parseShape(""));
    refused(() -> Wref.parseShape(null));
  }

  @Test
  void a_name_is_normalized() {
    assertEquals(Wref.parse("S/é"), Wref.parse("S/e\u0301"));
    assertEquals("S/é", Wref.parse("S/e\u0301").toString());
  }

  @Test
  void half_a_repository_is_a_mistake_of_the_caller() {
    var none = new Modifier.None();
    assertThrows(
        IllegalArgumentException.class, () -> new Wref("o", null, "S", "a", none).toString());
    assertThrows(
        IllegalArgumentException.class, () -> new Wref(null, "r", "S", "a", none).toString());
  }

  @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
  void what_is_printed_reads_as_the_same(@ForAll("wrefs") Wref wref) {
    assertEquals(wref, Wref.parse(wref.toString()));
    assertEquals(wref.bare(), Wref.parse(wref.unversioned()));
    assertEquals(wref, wref.bare().at(wref.modifier()));
  }

  @Provide
  Arbitrary<Wref> wrefs() {
    var modifier =
        Arbitraries.oneOf(
            Arbitraries.of(new Modifier.None(), new Modifier.Head(), new Modifier.All()),
            Arbitraries.integers().between(1, Integer.MAX_VALUE).map(Modifier.Pinned::new));
    var tenant = Arbitraries.of("o", "a.b", "x-1", "docs").injectNull(0.5);
    var name =
        Arbitraries.of("a", "é", "日", "😀", ":", ".a", "$", "(")
            .list()
            .ofMinSize(1)
            .ofMaxSize(4)
            .map(parts -> String.join("", parts))
            .list()
            .ofMinSize(1)
            .ofMaxSize(3)
            .map(segments -> String.join("/", segments));
    return Combinators.combine(tenant, Arbitraries.of("S", "Sensor", "A-b_9"), name, modifier)
        .as((org, shape, local, m) -> new Wref(org, org, shape, local, m));
  }
}
