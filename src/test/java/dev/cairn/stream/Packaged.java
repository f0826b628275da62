package dev.cairn.stream;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class AtomicEnd extends AtomicEndTest {}

  @QuarkusIntegrationTest
  static class Atomic extends AtomicTest {}

  @QuarkusIntegrationTest
  static class Resume extends ResumeTest {}

  @QuarkusIntegrationTest
  static class StreamLimits extends StreamLimitsTest {}

  @QuarkusIntegrationTest
  static class StreamPlaces extends StreamPlacesTest {}

  @QuarkusIntegrationTest
  static class StreamRate extends StreamRateTest {}

  @QuarkusIntegrationTest
  static class StreamRights extends StreamRightsTest {}

  @QuarkusIntegrationTest
  static class Submission extends SubmissionTest {}

  @QuarkusIntegrationTest
  static class Switch extends SwitchTest {}
}
