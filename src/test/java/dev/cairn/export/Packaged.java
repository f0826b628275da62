package dev.cairn.export;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class CompressedExport extends CompressedExportTest {}

  @QuarkusIntegrationTest
  static class ExportAccess extends ExportAccessTest {}

  @QuarkusIntegrationTest
  static class ExportLimits extends ExportLimitsTest {}

  @QuarkusIntegrationTest
  static class ExportStream extends ExportStreamTest {}

  @QuarkusIntegrationTest
  static class Replay extends ReplayTest {}

  @QuarkusIntegrationTest
  static class ReplayInSteps extends ReplayInStepsTest {}

  @QuarkusIntegrationTest
  static class ReplayOfAnyHead extends ReplayOfAnyHeadTest {}
}
