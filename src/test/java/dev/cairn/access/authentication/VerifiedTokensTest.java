package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.jwt.auth.principal.DefaultJWTCallerPrincipal;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.Test;

/** docs/access.md, Sign-in: how long a token is taken for right without another look. */
class VerifiedTokensTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final int MANY = 1_000;

  private final VerifiedTokens tokens = new VerifiedTokens();

  private static JsonWebToken endingAt(Instant end) {
    var claims = new JwtClaims();
    claims.setExpirationTime(NumericDate.fromSeconds(end.getEpochSecond()));
    return new DefaultJWTCallerPrincipal(claims);
  }

  @Test
  void a_token_is_taken_for_right_for_half_a_minute() {
    var claims = endingAt(NOW.plusSeconds(3600));
    tokens.keep("a", claims, NOW);
    var end = NOW.plusSeconds(30);
    assertEquals(Optional.of(claims), tokens.known("a", end.minusMillis(1)));
    assertEquals(Optional.empty(), tokens.known("a", end));
  }

  @Test
  void and_never_beyond_its_end() {
    var end = NOW.plusSeconds(20);
    tokens.keep("a", endingAt(end), NOW);
    assertTrue(tokens.known("a", end.minusMillis(1)).isPresent());
    assertEquals(Optional.empty(), tokens.known("a", end));
  }

  @Test
  void what_was_right_says_nothing_of_another_token() {
    tokens.keep("a", endingAt(NOW.plusSeconds(3600)), NOW);
    assertEquals(Optional.empty(), tokens.known("b", NOW));
  }

  @Test
  void no_more_are_held_than_fit_into_16_MiB() {
    var padding = "x".repeat(7_000);
    for (int i = 0; i < MANY; i++) {
      tokens.keep(padding + i, endingAt(NOW.plusSeconds(3600)), NOW);
    }
    long held =
        IntStream.range(0, MANY).filter(i -> tokens.known(padding + i, NOW).isPresent()).count();
    assertTrue(held > 0 && held * padding.length() * 5 < VerifiedTokens.MAX_BYTES, held + " held");
  }
}
