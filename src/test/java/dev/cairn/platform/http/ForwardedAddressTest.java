package dev.cairn.platform.http;

import static dev.cairn.Limited.SIGN_INS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.cairn.HttpTest;
import dev.cairn.Limited;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behind a trusted proxy each client has a limit of its own, and nobody chooses an address. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class ForwardedAddressTest {
  private static final String PROXY = "127.0.0.1";
  private static final String STRANGER = "127.0.0.2";

  @BeforeEach
  void refill() {
    Limited.refill();
  }

  /** The status of a sign-in that fails, or is refused because there were too many. */
  private static int signIn(String peer, String... forwarded) throws UnknownHostException {
    return RawHttp.sendFrom(
            peer,
            "POST /api/auth/login",
            "{\"email\":\"nobody@example.org\",\"password\":\"wrong\"}",
            Stream.concat(Stream.of("Content-Type: application/json"), Arrays.stream(forwarded))
                .toArray(String[]::new))
        .status();
  }

  private static String forwardedFor(String addresses) {
    return "X-Forwarded-For: " + addresses;
  }

  @Test
  void each_client_behind_a_trusted_proxy_has_a_limit_of_its_own() throws UnknownHostException {
    for (int i = 0; i < SIGN_INS; i++) {
      assertEquals(401, signIn(PROXY, forwardedFor("198.51.100.1")));
    }
    assertEquals(429, signIn(PROXY, forwardedFor("198.51.100.1")));
    assertEquals(401, signIn(PROXY, forwardedFor("198.51.100.2")));
    assertEquals(401, signIn(PROXY, forwardedFor("2001:db8::7")));
    assertEquals(401, signIn(PROXY));
  }

  @Test
  void what_a_client_sends_before_the_proxy_appends_its_address_does_not_count()
      throws UnknownHostException {
    for (int i = 0; i < SIGN_INS; i++) {
      assertEquals(401, signIn(PROXY, forwardedFor("203.0.113." + i + ", 198.51.100.3")));
    }
    assertEquals(429, signIn(PROXY, forwardedFor("203.0.113.200, 198.51.100.3")));
    assertEquals(429, signIn(PROXY, forwardedFor("203.0.113.201"), forwardedFor("198.51.100.3")));
    assertEquals(429, signIn(PROXY, forwardedFor("203.0.113.202, 198.51.100.3, 192.0.2.9")));
    assertEquals(429, signIn(PROXY, forwardedFor("198.51.100.3"), "Forwarded: for=203.0.113.203"));
    assertEquals(401, signIn(PROXY, forwardedFor("198.51.100.3, 203.0.113.204")));
  }

  @Test
  void a_client_that_is_no_trusted_proxy_cannot_choose_its_address() throws UnknownHostException {
    for (int i = 0; i < SIGN_INS; i++) {
      assertEquals(401, signIn(STRANGER, forwardedFor("198.51.100." + i)));
    }
    assertEquals(429, signIn(STRANGER, forwardedFor("198.51.100.100")));
    assertEquals(429, signIn(STRANGER, "Forwarded: for=198.51.100.101"));
    assertEquals(429, signIn(STRANGER, forwardedFor("127.0.0.1"), "X-Real-IP: 198.51.100.102"));
    assertEquals(401, signIn(PROXY, forwardedFor("198.51.100.103")));
  }

  /** The framework fails for a first element without a host, and would never answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", ",", "\t", ", 198.51.100.7", " , ,198.51.100.7", ":80", ":80, 198.51.100.7"})
  void empty_addresses_at_the_beginning_do_not_count(String addresses) throws UnknownHostException {
    assertEquals(401, signIn(PROXY, forwardedFor(addresses)));
    assertEquals(401, signIn(PROXY, forwardedFor(""), forwardedFor(addresses)));
  }

  @Test
  void a_client_does_not_leave_its_limit_by_an_empty_address() throws UnknownHostException {
    for (int i = 0; i < SIGN_INS; i++) {
      assertEquals(401, signIn(PROXY, forwardedFor(", 198.51.100.8")));
    }
    assertEquals(429, signIn(PROXY, forwardedFor("198.51.100.8")));
  }

  /** A proxy may add a line of its own after that of the client. */
  @Test
  void what_follows_an_empty_line_is_read_whole() throws UnknownHostException {
    assertEquals(401, signIn(PROXY, forwardedFor("::1,80"), forwardedFor("")));
    for (int i = 0; i < SIGN_INS; i++) {
      assertEquals(401, signIn(PROXY, forwardedFor(""), forwardedFor("2001:db8::5:6")));
    }
    assertEquals(429, signIn(PROXY, forwardedFor("2001:db8::5:6")));
  }

  /** A pattern would look at each part of the blanks again and again, on the event loop. */
  @ParameterizedTest
  @ValueSource(strings = {" ", ",", ":"})
  void a_long_list_takes_no_time(String part) throws UnknownHostException {
    var list = ": " + part.repeat(30_000) + ":";
    var answer =
        assertTimeout(
            Duration.ofSeconds(2),
            () -> RawHttp.sendFrom(PROXY, "POST /api/auth/login", "{}", forwardedFor(list)));
    assertEquals(4, answer.status() / 100, answer.toString());
  }
}
