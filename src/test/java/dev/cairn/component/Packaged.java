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
  static class RegistryLimits extends RegistryLimitsTest {}

  @QuarkusIntegrationTest
  static class Deregistration extends DeregistrationTest {}

  @QuarkusIntegrationTest
  static class MethodAddress extends MethodAddressTest {}

  @QuarkusIntegrationTest
  static class Resolve extends ResolveTest {}

  @QuarkusIntegrationTest
  static class Install extends InstallTest {}

  @QuarkusIntegrationTest
  static class InstallRecovery extends InstallRecoveryTest {}

  @QuarkusIntegrationTest
  static class Doctor extends DoctorTest {}

  @QuarkusIntegrationTest
  static class Teardown extends TeardownTest {}

  @QuarkusIntegrationTest
  static class InstallRefusal extends InstallRefusalTest {}

  @QuarkusIntegrationTest
  static class InstallRights extends InstallRightsTest {}

  @QuarkusIntegrationTest
  static class RuntimeToken extends RuntimeTokenTest {}

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
