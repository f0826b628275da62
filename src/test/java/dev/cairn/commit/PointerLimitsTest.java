package dev.cairn.commit;

import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static org.hamcrest.Matchers.containsString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Stored;
import dev.cairn.access.limit.StoredBytes;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/api.md, Limits: the pointers of references, which may be much longer than the data. */
@HttpTest
@QuarkusTest
class PointerLimitsTest {
  private static final int MAX = 4 * 1024 * 1024;
  private static final int DEPTH = 50;
  private static final String NAME = "f".repeat(64);

  /** This number of references of both kinds has pointers of {@link #MAX} characters together. */
  private static final int DEEP = 1_288;

  private static final int FLAT = 514;

  static final String SHAPE = shape("D", "{'x?':['wref']," + nested("['wref']", "?"));

  private static String nested(String inner, String optional) {
    return "'%s%s':".formatted(NAME, optional)
        + ("{'" + NAME + "':").repeat(DEPTH - 1)
        + inner
        + "}".repeat(DEPTH);
  }

  /** A thing with references beneath many long names, and others near the root. */
  static String thing(String name, int deep, int flat) {
    return add("D/" + name, "{'x':" + references(flat) + "," + nested(references(deep), ""));
  }

  private static String references(int count) {
    return "[" + String.join(",", Collections.nCopies(count, "'S/a'")) + "]";
  }

  private static String full(String name) {
    return thing(name, DEEP, FLAT);
  }

  private static int pointers(String array, int count) {
    return IntStream.range(0, count).map(i -> (array + "/" + i).length()).sum();
  }

  private static String repository() {
    return repositoryWith(shape("S"), SHAPE, add("S/a", "{}"));
  }

  private static ValidatableResponse dryRun(String repository, String... operations) {
    return Api.submit(
        repository, "{'operations':[" + String.join(",", operations) + "],'dryRun':true}");
  }

  @Test
  void the_pointers_of_one_entity_have_at_most_4_mib() {
    assertEquals(MAX, pointers(("/" + NAME).repeat(DEPTH), DEEP) + pointers("/x", FLAT));
    var repository = repository();
    refused(repository, thing("d", DEEP, FLAT + 1), PAYLOAD_TOO_LARGE, "/operations/0/data")
        .body("errors[0].detail", containsString("4,194,304 characters"))
        .body("hint", containsString("Divide the references"));
    dryRun(repository, full("d")).statusCode(200);
  }

  @Test
  void the_pointers_of_one_commit_have_at_most_16_mib() {
    var repository = repository();
    var four = String.join(",", full("a"), full("b"), full("c"), full("d"));
    dryRun(repository, four).statusCode(200);
    var beyond = dryRun(repository, four, thing("e", 0, 1));
    assertProblem(beyond, PAYLOAD_TOO_LARGE, "/operations/4/data");
    beyond.body("errors[0].detail", containsString("16,777,216 characters"));
  }

  @Test
  void ten_thousand_references_near_the_root_are_taken() {
    dryRun(repository(), thing("d", 0, 10_000), thing("e", 0, 10_000)).statusCode(200);
  }

  @Test
  void pointers_count_among_the_stored_bytes_of_every_version_and_all_of_it_verifies() {
    var repository = repository();
    long before = Stored.assertCounted(repository);
    applied(repository, full("d"), add("S/long", "{'text':'" + "x".repeat(100_000) + "'}"));
    long added = Stored.assertCounted(repository);
    long expected = MAX + (DEEP + FLAT) * (long) StoredBytes.REFERENCE;
    assertTrue(added - before > expected, added - before + " bytes");
    applied(repository, retract("D/d"));
    long retracted = Stored.assertCounted(repository);
    assertTrue(retracted - added > expected, retracted - added + " bytes");
    applied(repository, rename("S/a", "b"));
    assertVerified(repository);
  }
}
