package dev.cairn.access.token;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Pat extends PatTest {}

  @QuarkusIntegrationTest
  static class PatScopes extends PatScopesTest {}

  @QuarkusIntegrationTest
  static class ServiceToken extends ServiceTokenTest {}

  @QuarkusIntegrationTest
  static class ComponentToken extends ComponentTokenTest {}
}
