package dev.cairn.oauth;

import static dev.cairn.oauth.Flow.assertRefused;

import java.util.Map;

/** Refresh tokens and forms, for the tests of the token endpoint. */
final class Refreshing {
  static String refreshToken() {
    return Flow.tokens(Flow.ask()).path("refresh_token");
  }

  static String renewed(String token) {
    return Flow.token(Flow.refresh(token)).statusCode(200).extract().path("refresh_token");
  }

  static void assertEnded(String refreshToken) {
    assertRefused(Flow.token(Flow.refresh(refreshToken)), 400, "invalid_grant");
  }

  static Map<String, String> with(Map<String, String> form, String name, String value) {
    form.remove(name);
    if (value != null) {
      form.put(name, value);
    }
    return form;
  }

  private Refreshing() {}
}
