package dev.cairn.openapi;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Contract extends ContractTest {}

  @QuarkusIntegrationTest
  static class Examples extends ExamplesTest {}

  @QuarkusIntegrationTest
  static class ServedDocument extends ServedDocumentTest {}

  @QuarkusIntegrationTest
  static class SwaggerUi extends SwaggerUiTest {}
}
