package dev.cairn.oauth;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Authorize extends AuthorizeTest {}

  @QuarkusIntegrationTest
  static class ConsentPage extends ConsentPageTest {}

  @QuarkusIntegrationTest
  static class Device extends DeviceTest {}

  @QuarkusIntegrationTest
  static class EndOfSessions extends EndOfSessionsTest {}

  @QuarkusIntegrationTest
  static class ExternalIssuer extends ExternalIssuerTest {}

  @QuarkusIntegrationTest
  static class ForeignLibrary extends ForeignLibraryTest {}

  @QuarkusIntegrationTest
  static class Metadata extends MetadataTest {}

  @QuarkusIntegrationTest
  static class OAuthLimit extends OAuthLimitTest {}

  @QuarkusIntegrationTest
  static class PublicUrl extends PublicUrlTest {}

  @QuarkusIntegrationTest
  static class Refresh extends RefreshTest {}

  @QuarkusIntegrationTest
  static class Registration extends RegistrationTest {}

  @QuarkusIntegrationTest
  static class SignInPage extends SignInPageTest {}

  @QuarkusIntegrationTest
  static class Token extends TokenTest {}
}
