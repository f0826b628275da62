package dev.cairn.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.function.Executable;

/** JSON for the tests, written by hand or made at random, and what to expect of a refusal. */
public final class Samples {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final long MAX_EXACT = (1L << 53) - 1;

  private Samples() {}

  /** The value, with single quotes read as double ones. */
  public static JsonNode json(String text) {
    return IJson.read(text.replace('\'', '"').getBytes(UTF_8));
  }

  /** The problem that ends the call, which must be a {@code VALIDATION_ERROR}. */
  public static Problem refused(Executable call) {
    var problem = assertThrows(Problem.class, call);
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    return problem;
  }

  /** Where a problem sees violations, in its order. */
  public static List<String> pointers(Problem problem) {
    return problem.errors().stream().map(Problem.Violation::pointer).toList();
  }

  /** Any character that I-JSON may hold, the awkward ones more often than their share. */
  public static Arbitrary<String> character() {
    return Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.integers().between(' ', '~')),
            Tuple.of(2, Arbitraries.integers().between(1, 0x1f)),
            Tuple.of(1, Arbitraries.of((int) '"', (int) '\\', (int) '/', 0x7f)),
            Tuple.of(1, Arbitraries.of(0x2028, 0x2029, 0xfeff, 0xfffe, 0xe000)),
            Tuple.of(2, Arbitraries.integers().between(0x80, 0xd7ff)),
            Tuple.of(1, Arbitraries.integers().between(0xe000, 0xffff)),
            Tuple.of(1, Arbitraries.integers().between(0x10000, 0x10ffff)))
        .map(Character::toString);
  }

  /** Up to eight such characters. */
  public static Arbitrary<String> text() {
    return character().list().ofMaxSize(8).map(characters -> String.join("", characters));
  }

  /** Every finite double is as likely as any other. */
  static Arbitrary<Double> bits() {
    return Arbitraries.longs()
        .withoutEdgeCases()
        .map(Double::longBitsToDouble)
        .filter(Double::isFinite)
        .filter(Samples::isNormal);
  }

  /** Doubles near the borders of their notations: short decimals of nearly any exponent. */
  static Arbitrary<Double> decimals() {
    return Combinators.combine(
            Arbitraries.longs().between(-99_999, 99_999), Arbitraries.integers().between(-300, 304))
        .as((digits, exponent) -> Double.parseDouble(digits + "e" + exponent))
        .filter(Double::isFinite)
        .filter(Samples::isNormal);
  }

  /** Of the others, the reference implementation writes some without normalizing them. */
  private static boolean isNormal(double value) {
    return value == 0 || Math.abs(value) >= Double.MIN_NORMAL;
  }

  /** Numbers so small that a double keeps one to three digits of them. */
  static Arbitrary<Double> subnormals() {
    return Arbitraries.longs().between(1, 2_000).map(Double::longBitsToDouble);
  }

  /** Doubles of every kind. */
  static Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        bits(), decimals(), subnormals(), Arbitraries.longs().map(Long::doubleValue));
  }

  /** A JSON object of at most four levels. */
  static Arbitrary<JsonNode> object() {
    return object(value(3));
  }

  /** A JSON array of at most four levels. */
  static Arbitrary<JsonNode> array() {
    return array(value(3));
  }

  private static Arbitrary<JsonNode> value(int levels) {
    if (levels == 0) {
      return scalar();
    }
    var inner = value(levels - 1);
    return Arbitraries.frequencyOf(
        Tuple.of(4, scalar()), Tuple.of(1, array(inner)), Tuple.of(1, object(inner)));
  }

  private static Arbitrary<JsonNode> object(Arbitrary<JsonNode> value) {
    return Combinators.combine(text(), value)
        .as(Map::entry)
        .list()
        .ofMaxSize(5)
        .map(
            members -> {
              var object = NODES.objectNode();
              members.forEach(member -> object.set(member.getKey(), member.getValue()));
              return object;
            });
  }

  private static Arbitrary<JsonNode> array(Arbitrary<JsonNode> value) {
    return value.list().ofMaxSize(5).map(items -> NODES.arrayNode().addAll(items));
  }

  private static Arbitrary<JsonNode> scalar() {
    return Arbitraries.oneOf(
        text().map(NODES::textNode),
        Arbitraries.longs().between(-MAX_EXACT, MAX_EXACT).map(NODES::numberNode),
        Arbitraries.oneOf(bits(), decimals(), subnormals()).map(NODES::numberNode),
        Arbitraries.of(true, false).map(NODES::booleanNode),
        Arbitraries.just(NODES.nullNode()));
  }
}
