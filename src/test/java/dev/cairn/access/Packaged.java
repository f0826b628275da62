package dev.cairn.access;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Authority extends AuthorityTest {}

  @QuarkusIntegrationTest
  static class CallerMatrix extends CallerMatrixTest {}

  @QuarkusIntegrationTest
  static class LateBody extends LateBodyTest {}

  @QuarkusIntegrationTest
  static class NarrowedReference extends NarrowedReferenceTest {}

  @QuarkusIntegrationTest
  static class NarrowedWrite extends NarrowedWriteTest {}

  @QuarkusIntegrationTest
  static class OpacityCost extends OpacityCostTest {}

  @QuarkusIntegrationTest
  static class Opacity extends OpacityTest {}

  @QuarkusIntegrationTest
  static class RememberedAccess extends RememberedAccessTest {}

  @QuarkusIntegrationTest
  static class Scope extends ScopeTest {}
}
