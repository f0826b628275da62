package dev.cairn.platform.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Compression extends CompressionTest {}

  @QuarkusIntegrationTest
  static class CrossOrigin extends CrossOriginTest {}

  @QuarkusIntegrationTest
  static class Errors extends ErrorsTest {}

  @QuarkusIntegrationTest
  static class Fault extends FaultTest {}

  @QuarkusIntegrationTest
  static class ForwardedAddress extends ForwardedAddressTest {}

  @QuarkusIntegrationTest
  static class HostHeader extends HostHeaderTest {}

  @QuarkusIntegrationTest
  static class HostilePath extends HostilePathTest {}

  @QuarkusIntegrationTest
  static class HostileUrl extends HostileUrlTest {}

  @QuarkusIntegrationTest
  static class JsonErrors extends JsonErrorsTest {}

  @QuarkusIntegrationTest
  static class MessageFraming extends MessageFramingTest {}
}
