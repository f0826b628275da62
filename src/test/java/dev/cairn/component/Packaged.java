package dev.cairn.component;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class RegistryPrivacy extends RegistryPrivacyTest {}

  @QuarkusIntegrationTest
  static class Registry extends RegistryTest {}

  @QuarkusIntegrationTest
  static class Resolve extends ResolveTest {}

  @QuarkusIntegrationTest
  static class CallLimit extends CallLimitTest {}

  @QuarkusIntegrationTest
  static class HangingServers extends HangingServersTest {}

  @QuarkusIntegrationTest
  static class HostileServer extends HostileServerTest {}

  @QuarkusIntegrationTest
  static class MethodCall extends MethodCallTest {}

  @QuarkusIntegrationTest
  static class SetupCall extends SetupCallTest {}
}
