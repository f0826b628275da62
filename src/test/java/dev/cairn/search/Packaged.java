package dev.cairn.search;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class DebianSearch extends DebianSearchTest {}

  @QuarkusIntegrationTest
  static class Index extends IndexTest {}

  @QuarkusIntegrationTest
  static class ManyHits extends ManyHitsTest {}

  @QuarkusIntegrationTest
  static class Search extends SearchTest {}

  @QuarkusIntegrationTest
  static class SearchModel extends SearchModelTest {}

  @QuarkusIntegrationTest
  static class VectorSearch extends VectorSearchTest {}

  @QuarkusIntegrationTest
  static class VectorVisibility extends VectorVisibilityTest {}
}
