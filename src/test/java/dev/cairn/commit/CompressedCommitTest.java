package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.IDEMPOTENCY_MISMATCH;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.cairn.model.ErrorCode.UNSUPPORTED_MEDIA_TYPE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.http.Gzip;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/commits.md: the request body may be compressed. */
@HttpTest
@QuarkusTest
class CompressedCommitTest {
  private static final int MAX_BODY = 16 * 1024 * 1024;

  private static byte[] gzip(byte[] bytes) {
    return Gzip.compress(bytes);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(first);
    out.writeBytes(second);
    return out.toByteArray();
  }

  private static byte[] batch(String operation) {
    return ("{'operations':[" + operation + "]}").replace('\'', '"').getBytes(UTF_8);
  }

  private static ValidatableResponse send(String path, String coding, byte[] body) {
    return admin().header("Content-Encoding", coding).body(body).post(path).then();
  }

  private static ValidatableResponse commit(String repository, byte[] body) {
    return send(repository + "/commits", "gzip", body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "x-gzip"})
  void a_compressed_commit_is_as_the_same_one_that_is_not(String coding) {
    var repository = repositoryWith(shape("S"));
    var text = "{'n':1,'text':'" + "x".repeat(500_000) + "'}";
    send(repository + "/commits", coding, gzip(batch(add("S/a", text)))).statusCode(201);
    thing(repository, "S/a").statusCode(200).body("data.text.length()", is(500_000));
  }

  @Test
  void a_body_of_several_members_is_one_body() {
    var repository = repositoryWith(shape("S"));
    var body = batch(add("S/a", "{'n':1}"));
    var first = gzip(Arrays.copyOf(body, 20));
    var second = gzip(Arrays.copyOfRange(body, 20, body.length));
    commit(repository, joined(first, second)).statusCode(201);
    thing(repository, "S/a").statusCode(200);
  }

  @Test
  void an_idempotency_key_is_of_the_body_before_it_is_compressed() {
    var repository = repositoryWith(shape("S"));
    var body = batch(add("S/a", "{'n':1}"));
    var path = repository + "/commits";
    var first = keyed().body(body).post(path).then().statusCode(201).extract().asString();
    var again = keyed().header("Content-Encoding", "gzip").body(gzip(body)).post(path);
    assertEquals(first, again.then().statusCode(201).extract().asString());
    var other = gzip(batch(add("S/b", "{'n':1}")));
    assertProblem(
        keyed().header("Content-Encoding", "gzip").body(other).post(path).then(),
        IDEMPOTENCY_MISMATCH);
  }

  private static io.restassured.specification.RequestSpecification keyed() {
    return admin().header("Idempotency-Key", "k");
  }

  @Test
  void a_body_may_have_16_mib_once_it_is_decompressed_and_no_more() {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var body = new byte[MAX_BODY + 1];
    Arrays.fill(body, (byte) ' ');
    assertProblem(commit(repository, gzip(body)), PAYLOAD_TOO_LARGE);
    // Blanks alone are no JSON.
    assertProblem(commit(repository, gzip(Arrays.copyOf(body, MAX_BODY))), VALIDATION_ERROR, "");
    new Random(1).nextBytes(body);
    assertProblem(commit(repository, gzip(body)), PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
  }

  @Test
  void what_gzip_did_not_write_is_refused() {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var whole = gzip(batch(add("S/a", "{'n':1}")));
    var broken = whole.clone();
    broken[broken.length - 5] ^= 1; // its checksum
    refused(repository, batch(add("S/a", "{'n':1}")), "does not begin as gzip does");
    refused(repository, Arrays.copyOf(whole, whole.length - 1), "ends too early");
    refused(repository, broken, "checksum");
    refused(repository, new byte[] {0x1f}, "ends too early");
    refused(repository, new byte[0], "ends too early");
    refused(repository, joined(whole, new byte[] {'x', 'y'}), "something follows its end");
    assertEquals(before, state(repository));
  }

  private static void refused(String repository, byte[] body, String detail) {
    var answer = commit(repository, body);
    assertProblem(answer, VALIDATION_ERROR, "");
    answer.body("errors[0].detail", containsString(detail));
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "identity, gzip", "zstd", "x"})
  void no_other_coding_is_taken(String coding) {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var path = repository + "/commits";
    var answer = send(path, coding, batch(add("S/a", "{}")));
    assertProblem(answer, UNSUPPORTED_MEDIA_TYPE);
    answer.header("Accept-Encoding", "gzip").body("hint", containsString("gzip"));
    assertEquals(before, state(repository));
    send(path, "identity", batch(add("S/a", "{}"))).statusCode(201);
  }

  @Test
  void nothing_but_a_commit_may_be_compressed() {
    var name = "{\"name\":\"" + Api.unique("packed") + "\"}";
    for (var path : new String[] {"/api/orgs", "/mcp", "/api/auth/login", "/oauth/token"}) {
      var answer = send(path, "gzip", gzip(name.getBytes(UTF_8)));
      assertProblem(answer, UNSUPPORTED_MEDIA_TYPE);
      answer.header("Accept-Encoding", "identity").body("hint", containsString("commits"));
    }
  }
}
