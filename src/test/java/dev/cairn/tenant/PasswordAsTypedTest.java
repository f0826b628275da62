package dev.cairn.tenant;

import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.login;
import static dev.cairn.Api.unique;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Access, Sign-in: a password may hold any characters, and counts as it was typed. */
@HttpTest
@QuarkusTest
class PasswordAsTypedTest {
  static Stream<Arguments> passwordsAndNearMisses() {
    return Stream.of(
        arguments("only lower case letters", "Only lower case letters"),
        arguments("4815162342108", "481516234210"),
        arguments("  spaces around  ", "spaces around"),
        arguments("one \t tab and 🗝🔒", "one tab and 🗝🔒"),
        arguments("ﬁn de siècle", "fin de siècle"),
        arguments("x".repeat(127) + "y", "x".repeat(127) + "z"));
  }

  @ParameterizedTest
  @MethodSource("passwordsAndNearMisses")
  void it_is_taken_as_it_is_and_nothing_else_for_it(String password, String nearMiss) {
    var email = unique("typed") + "@example.org";
    anonymous()
        .body(Map.of("email", email, "password", password))
        .post("/api/auth/signup")
        .then()
        .statusCode(201);
    login(email, password).statusCode(200);
    login(email, nearMiss).statusCode(401);
  }
}
