package dev.cairn.access.authentication;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class ExternalAccount extends ExternalAccountTest {}

  @QuarkusIntegrationTest
  static class ExternalIssuer extends ExternalIssuerTest {}

  @QuarkusIntegrationTest
  static class PasswordChange extends PasswordChangeTest {}

  @QuarkusIntegrationTest
  static class Sessions extends SessionsTest {}

  @QuarkusIntegrationTest
  static class SignIn extends SignInTest {}

  @QuarkusIntegrationTest
  static class SlowKeySet extends SlowKeySetTest {}
}
