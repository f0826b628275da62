package dev.cairn.query;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same against the packaged application. */
@QuarkusIntegrationTest
class HeadIT extends HeadTest {}
