package dev.cairn.query;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same against the packaged application. */
@HttpTest
@QuarkusIntegrationTest
class HeadIT extends HeadTest {}
