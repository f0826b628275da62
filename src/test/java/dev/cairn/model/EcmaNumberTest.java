package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EcmaNumberTest {
  private static String print(double value) {
    var out = new StringBuilder();
    EcmaNumber.append(value, out);
    return out.toString();
  }

  @Test
  void what_json_cannot_hold_is_a_mistake_of_the_caller() {
    assertThrows(IllegalArgumentException.class, () -> print(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> print(Double.NEGATIVE_INFINITY));
  }

  @Test
  void the_borders_of_the_notations_are_those_of_ecmascript() {
    assertEquals("0", print(-0.0));
    assertEquals("-0.000001", print(-1e-6));
    assertEquals("9.99e-7", print(9.99e-7));
    assertEquals("999999999999999900000", print(999999999999999900000d));
    assertEquals("-1e+21", print(-1e21));
    assertEquals("9007199254740992", print(0x1p53));
    assertEquals("9007199254740994", print(0x1p53 + 2));
  }

  /** The rule of ECMA-262 itself, also where the other implementation fails: tiny numbers. */
  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void the_digits_are_the_fewest_and_of_those_the_nearest(@ForAll("doubles") double value) {
    var text = print(value);
    assertEquals(value, Double.parseDouble(text));
    var printed = new BigDecimal(text).abs().stripTrailingZeros();
    var exact = new BigDecimal(value).abs();
    int digits = printed.precision();
    if (digits > 1) {
      neighbours(exact, digits - 1)
          .forEach(fewer -> assertNotEquals(Math.abs(value), fewer.doubleValue(), text));
    }
    var error = printed.subtract(exact).abs();
    neighbours(exact, digits)
        .filter(other -> other.doubleValue() == Math.abs(value))
        .forEach(other -> assertNotEquals(1, error.compareTo(other.subtract(exact).abs()), text));
  }

  private static Stream<BigDecimal> neighbours(BigDecimal exact, int digits) {
    return Stream.of(RoundingMode.DOWN, RoundingMode.UP)
        .map(mode -> exact.round(new MathContext(digits, mode)));
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
            Samples.doubles(),
            Arbitraries.longs().between(1, 1L << 52).map(Double::longBitsToDouble),
            Arbitraries.integers().between(1, 999).map(i -> Double.parseDouble(i + "e-320")))
        .filter(value -> value != 0);
  }
}
