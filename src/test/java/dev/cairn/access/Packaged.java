package dev.cairn.access;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class AuditLog extends AuditLogTest {}

  @QuarkusIntegrationTest
  static class Authority extends AuthorityTest {}

  @QuarkusIntegrationTest
  static class CallerMatrix extends CallerMatrixTest {}

  @QuarkusIntegrationTest
  static class ExternalAccount extends ExternalAccountTest {}

  @QuarkusIntegrationTest
  static class ExternalIssuer extends ExternalIssuerTest {}

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
  static class PasswordChange extends PasswordChangeTest {}

  @QuarkusIntegrationTest
  static class Pat extends PatTest {}

  @QuarkusIntegrationTest
  static class PatScopes extends PatScopesTest {}

  @QuarkusIntegrationTest
  static class Quota extends QuotaTest {}

  @QuarkusIntegrationTest
  static class Scope extends ScopeTest {}

  @QuarkusIntegrationTest
  static class ServiceToken extends ServiceTokenTest {}

  @QuarkusIntegrationTest
  static class Sessions extends SessionsTest {}

  @QuarkusIntegrationTest
  static class SignIn extends SignInTest {}

  @QuarkusIntegrationTest
  static class SlowKeySet extends SlowKeySetTest {}

  @QuarkusIntegrationTest
  static class TaggedAnswers extends TaggedAnswersTest {}
}
