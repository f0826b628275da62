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
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.http.Gzip;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/commits.md, The request: the body may be compressed. */
@HttpTest
@QuarkusTest
class CompressedCommitTest {
  private static final int MAX_BODY = 16 * 1024 * 1024;
  private static final String ENCODING = "Content-Encoding";
  private static final byte HAS_NAME = 8;
  private static final int FIXED_HEADER = 10;

  private static byte[] gzip(byte[] bytes) {
    return Gzip.compress(bytes);
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] batch(String operation) {
    return ("{'operations':[" + operation + "]}").replace('\'', '"').getBytes(UTF_8);
  }

  /** A batch with blanks after it, so that it has this length. */
  private static byte[] batch(String operation, int length) {
    var batch = batch(operation);
    var padded = Arrays.copyOf(batch, length);
    Arrays.fill(padded, batch.length, length, (byte) ' ');
    return padded;
  }

  private static ValidatableResponse send(String path, String coding, byte[] body) {
    return admin().header(ENCODING, coding).body(body).post(path).then();
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
    var again = keyed().header(ENCODING, "gzip").body(gzip(body)).post(path);
    assertEquals(first, again.then().statusCode(201).extract().asString());
    var inTwo =
        joined(gzip(Arrays.copyOf(body, 9)), gzip(Arrays.copyOfRange(body, 9, body.length)));
    var otherwise = keyed().header(ENCODING, "gzip").body(inTwo).post(path);
    assertEquals(first, otherwise.then().statusCode(201).extract().asString());
    var other = gzip(batch(add("S/b", "{'n':1}")));
    assertProblem(
        keyed().header(ENCODING, "gzip").body(other).post(path).then(), IDEMPOTENCY_MISMATCH);
  }

  private static RequestSpecification keyed() {
    return admin().header("Idempotency-Key", "k");
  }

  @Test
  void a_body_may_have_16_mib_once_it_is_decompressed_and_no_more() {
    var repository = repositoryWith(shape("S"));
    var most = gzip(batch(add("S/a", "{}"), MAX_BODY));
    var more = gzip(batch(add("S/b", "{}"), MAX_BODY + 1));
    assertTrue(most.length < MAX_BODY / 200, "so it is no matter of its ratio");
    commit(repository, most).statusCode(201);
    var before = state(repository);
    assertProblem(commit(repository, more), PAYLOAD_TOO_LARGE);
    assertProblem(commit(repository, joined(most, gzip(new byte[] {' '}))), PAYLOAD_TOO_LARGE);
    assertProblem(commit(repository, gzip(new byte[100 * 1024 * 1024])), PAYLOAD_TOO_LARGE);
    assertEquals(before, state(repository));
  }

  /** A member that is as long as this, because of the name in its header. */
  private static byte[] named(byte[] member, int length) {
    var header = Arrays.copyOf(member, FIXED_HEADER);
    header[3] = HAS_NAME;
    var name = new byte[length - member.length];
    Arrays.fill(name, 0, name.length - 1, (byte) 'x');
    return joined(header, name, Arrays.copyOfRange(member, FIXED_HEADER, member.length));
  }

  @Test
  void a_body_may_have_16_mib_as_it_is_sent_and_no_more() throws Exception {
    var repository = repositoryWith(shape("S"));
    commit(repository, named(gzip(batch(add("S/a", "{}"))), MAX_BODY)).statusCode(201);
    var before = state(repository);
    var more = named(gzip(batch(add("S/b", "{}"))), MAX_BODY + 1);
    assertProblem(commit(repository, more), PAYLOAD_TOO_LARGE);
    var answer = sendInChunks(repository, more);
    assertEquals(413, answer.statusCode());
    assertTrue(answer.body().contains("PAYLOAD_TOO_LARGE"), answer.body());
    assertEquals(before, state(repository));
  }

  /** Without a {@code Content-Length}. */
  private static HttpResponse<String> sendInChunks(String repository, byte[] body)
      throws Exception {
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(
          HttpRequest.newBuilder(
                  URI.create("http://localhost:" + RestAssured.port + repository + "/commits"))
              .header("Authorization", "Bearer " + Api.adminToken())
              .header("Content-Type", "application/json")
              .header(ENCODING, "gzip")
              .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void what_gzip_did_not_write_is_refused() {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var whole = gzip(batch(add("S/a", "{'n':1}")));
    var checksum = whole.clone();
    checksum[whole.length - 5] ^= 1;
    var length = whole.clone();
    length[whole.length - 4] ^= 1;
    var damaged = whole.clone();
    damaged[FIXED_HEADER] |= 6; // the third type of blocks, which there is not
    refused(repository, batch(add("S/a", "{'n':1}")), "does not begin with the bytes 1f 8b");
    refused(repository, new byte[0], "ends too early");
    refused(repository, Arrays.copyOf(whole, 1), "ends too early");
    refused(repository, Arrays.copyOf(whole, FIXED_HEADER), "ends too early");
    refused(repository, Arrays.copyOf(whole, whole.length - 1), "ends too early");
    refused(repository, checksum, "checksum (CRC-32)");
    refused(repository, length, "length (ISIZE)");
    refused(repository, damaged, "compressed data is damaged");
    refused(repository, joined(whole, new byte[] {'\n'}), "only another member may follow");
    refused(repository, joined(whole, batch("")), "only another member may follow");
    refused(repository, joined(whole, Arrays.copyOf(whole, 15)), "ends too early");
    assertEquals(before, state(repository));
    commit(repository, whole).statusCode(201);
  }

  private static void refused(String repository, byte[] body, String detail) {
    var answer = commit(repository, body);
    assertProblem(answer, VALIDATION_ERROR, "");
    answer.body("errors[0].detail", containsString(detail)).body("hint", containsString("gzip"));
  }

  @Test
  void content_that_is_no_json_is_refused_as_if_it_was_not_compressed() {
    var repository = repositoryWith(shape("S"));
    for (var content : List.of("", " ", "{", "[]")) {
      var plain = admin().body(content).post(repository + "/commits").then();
      assertProblem(plain, VALIDATION_ERROR);
      var compressed = commit(repository, gzip(content.getBytes(UTF_8)));
      assertEquals(plain.extract().asString(), compressed.extract().asString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "br",
        "deflate",
        "compress",
        "zstd",
        "x",
        "gzip, gzip",
        "identity, gzip",
        "gzip, identity",
        "gzip,",
        "gzip;q=1",
        "gzip gzip",
        "*"
      })
  void no_other_coding_is_taken(String coding) {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    notTaken(send(repository + "/commits", coding, gzip(batch(add("S/a", "{}")))));
    assertEquals(before, state(repository));
  }

  private static void notTaken(ValidatableResponse answer) {
    assertProblem(answer, UNSUPPORTED_MEDIA_TYPE);
    answer.header("Accept-Encoding", "gzip").body("hint", containsString("gzip"));
  }

  @Test
  void a_coding_that_is_named_twice_is_not_taken() {
    var repository = repositoryWith(shape("S"));
    var before = state(repository);
    var body = gzip(batch(add("S/a", "{}")));
    var path = repository + "/commits";
    notTaken(admin().header(ENCODING, "gzip", "gzip").body(body).post(path).then());
    notTaken(admin().header(ENCODING, "identity", "gzip").body(body).post(path).then());
    assertEquals(before, state(repository));
  }

  @Test
  void a_body_whose_coding_is_identity_is_taken_as_it_is() {
    var repository = repositoryWith(shape("S"));
    send(repository + "/commits", "identity", batch(add("S/a", "{}"))).statusCode(201);
    send(repository + "/commits", "Identity", batch(add("S/b", "{}"))).statusCode(201);
    assertProblem(
        send(repository + "/commits", "identity", gzip(batch(add("S/c", "{}")))), VALIDATION_ERROR);
  }

  @Test
  void nothing_but_a_commit_may_be_compressed() {
    var repository = repositoryWith(shape("S"));
    var body = gzip("{\"name\":\"%s\"}".formatted(Api.unique("packed")).getBytes(UTF_8));
    for (var path :
        List.of(
            "/api/orgs",
            "/api/auth/login",
            "/mcp",
            "/oauth/token",
            repository + "/things/batch",
            repository + "/subs",
            repository + "/commits/x",
            "/api/repos/" + Commits.org(repository) + "/commits")) {
      var answer = send(path, "gzip", body);
      assertProblem(answer, UNSUPPORTED_MEDIA_TYPE);
      answer.header("Accept-Encoding", "identity").body("hint", containsString("commits"));
    }
    var answer = admin().header(ENCODING, "gzip").get(repository + "/commits").then();
    assertProblem(answer, UNSUPPORTED_MEDIA_TYPE);
    answer.header("Accept-Encoding", "identity");
  }
}
