package dev.cairn.start;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Welcome extends WelcomeTest {}
}
