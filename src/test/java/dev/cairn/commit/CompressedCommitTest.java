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
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/commits.md: the request body may be compressed. */
@HttpTest
@QuarkusTest
class CompressedCommitTest {
  private static final int MAX_BODY = 16 * 1024 * 1024;

  private static byte[] gzip(byte[] bytes) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] batch(String operation) {
    return ("{'operations':[" + operation + "]}").replace('\'', '"').getBytes(UTF_8);
  }

  private static ValidatableResponse send(String path, String encoding, byte[] body) {
    return admin().header("Content-Encoding", encoding).body(body).post(path).then();
  }

  private static ValidatableResponse commit(String repository, byte[] body) {
    return send(repository + "/commits", "gzip", body);
  }

  @Test
  void a_compressed_commit_is_as_the_same_one_that_is_not() throws IOException {
    var repository = repositoryWith(shape("S"));
    commit(repository, gzip(batch(add("S/a", "{'n':1}")))).statusCode(201);
    thing(repository, "S/a").statusCode(200);
  }

  @Test
  void an_idempotency_key_is_of_the_body_before_it_is_compressed() throws IOException {
    var repository = repositoryWith(shape("S"));
    var body = batch(add("S/a", "{'n':1}"));
    var path = repository + "/commits";
    var keyed = admin().header("Idempotency-Key", "k");
    var first = keyed.body(body).post(path).then().statusCode(201).extract().asString();
    var again =
        admin()
            .header("Idempotency-Key", "k")
            .header("Content-Encoding", "GZIP")
            .body(gzip(body))
            .post(path);
    assertEquals(first, again.then().statusCode(201).extract().asString());
    assertProblem(
        admin()
            .header("Idempotency-Key", "k")
            .header("Content-Encoding", "gzip")
            .body(gzip(batch(add("S/b", "{'n':1}"))))
            .post(path)
            .then(),
        IDEMPOTENCY_MISMATCH);
  }

  @Test
  void a_body_may_have_16_mib_once_it_is_decompressed_and_no_more() throws IOException {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var body = new byte[MAX_BODY + 1];
    Arrays.fill(body, (byte) ' ');
    assertProblem(commit(repository, gzip(body)), PAYLOAD_TOO_LARGE);
    // Blanks alone are no JSON.
    assertProblem(commit(repository, gzip(Arrays.copyOf(body, MAX_BODY))), VALIDATION_ERROR, "");
    assertEquals(before, state(repository));
  }

  @Test
  void what_gzip_did_not_write_is_refused() throws IOException {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var whole = gzip(batch(add("S/a", "{'n':1}")));
    var broken = whole.clone();
    broken[broken.length - 5] ^= 1; // its checksum
    for (var body :
        new byte[][] {
          batch(add("S/a", "{'n':1}")), Arrays.copyOf(whole, whole.length - 1), broken, {0x1f}
        }) {
      assertProblem(commit(repository, body), VALIDATION_ERROR, "");
    }
    assertEquals(before, state(repository));
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "gzip, gzip", "zstd", "x"})
  void no_other_encoding_is_taken(String encoding) throws IOException {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var path = repository + "/commits";
    assertProblem(send(path, encoding, batch(add("S/a", "{}"))), UNSUPPORTED_MEDIA_TYPE);
    assertEquals(before, state(repository));
    send(path, "identity", batch(add("S/a", "{}"))).statusCode(201);
  }

  @Test
  void nothing_but_a_commit_may_be_compressed() throws IOException {
    var name = "{\"name\":\"" + Api.unique("packed") + "\"}";
    for (var path : new String[] {"/api/orgs", "/mcp", "/api/auth/login", "/oauth/token"}) {
      assertProblem(send(path, "gzip", gzip(name.getBytes(UTF_8))), UNSUPPORTED_MEDIA_TYPE);
    }
  }
}
