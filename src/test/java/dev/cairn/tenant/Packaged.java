package dev.cairn.tenant;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class HoldingOff extends HoldingOffTest {}

  @QuarkusIntegrationTest
  static class Invitation extends InvitationTest {}

  @QuarkusIntegrationTest
  static class MemberLimit extends MemberLimitTest {}

  @QuarkusIntegrationTest
  static class MemberRoles extends MemberRolesTest {}

  @QuarkusIntegrationTest
  static class Overtaken extends OvertakenTest {}

  @QuarkusIntegrationTest
  static class PasswordAsTyped extends PasswordAsTypedTest {}

  @QuarkusIntegrationTest
  static class PublicUrl extends PublicUrlTest {}

  @QuarkusIntegrationTest
  static class Quota extends QuotaTest {}

  @QuarkusIntegrationTest
  static class RenameTenant extends RenameTenantTest {}

  @QuarkusIntegrationTest
  static class Tenancy extends TenancyTest {}

  @QuarkusIntegrationTest
  static class Whoami extends WhoamiTest {}
}
