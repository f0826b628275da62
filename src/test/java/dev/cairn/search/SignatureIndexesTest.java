package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** {@code docs/search.md}, Large repositories; {@link PgvectorTest} has what the extension does. */
@HttpTest
@QuarkusTest
@InProcess("It looks for indexes at once.")
class SignatureIndexesTest {
  @Inject SignatureIndexes indexes;

  @Test
  void without_the_extension_there_are_none() {
    indexes.refresh();
    assertFalse(indexes.isFor(Api.repoId(Api.newRepository())));
  }
}
