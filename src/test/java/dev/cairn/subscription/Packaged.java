package dev.cairn.subscription;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class BoundVariables extends BoundVariablesTest {}

  @QuarkusIntegrationTest
  static class Change extends ChangeTest {}

  @QuarkusIntegrationTest
  static class CreateRefused extends CreateRefusedTest {}

  @QuarkusIntegrationTest
  static class Create extends CreateTest {}

  @QuarkusIntegrationTest
  static class DelegatedToken extends DelegatedTokenTest {}

  @QuarkusIntegrationTest
  static class MatchingLimits extends MatchingLimitsTest {}

  @QuarkusIntegrationTest
  static class Overtaken extends OvertakenTest {}

  @QuarkusIntegrationTest
  static class Principal extends PrincipalTest {}

  @QuarkusIntegrationTest
  static class Read extends ReadTest {}

  @QuarkusIntegrationTest
  static class SafeBinding extends SafeBindingTest {}

  @QuarkusIntegrationTest
  static class Source extends SourceTest {}

  @QuarkusIntegrationTest
  static class Target extends TargetTest {}
}
