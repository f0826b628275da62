package dev.cairn.sprite;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class HttpBackend extends HttpBackendTest {}

  @QuarkusIntegrationTest
  static class KubernetesBackend extends KubernetesBackendTest {}
}
