package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertProblem;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.PAYLOAD_TOO_LARGE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I-JSON, and how much one request may hold. */
@HttpTest
@QuarkusTest
@Timeout(60)
class CommitLimitsTest {
  private static final String S = shape("S");
  private static final int MAX_BODY = 16 * 1024 * 1024;

  @TestHTTPResource URI base;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1,\"b\":2,\"a\":1}          | /a",
        "{\"in\":[{\"x\":1,\"x\":1}]}       | /in/0/x",
        "{\"a/b~\":{\"x\":1,\"x\":1}}       | /a~1b~0/x",
        "{\"a\":\"\\ud800\"}                | /a",
        "{\"a\":[\"ok\",\"x\\udc00y\"]}     | /a/1",
        "{\"a\":\"\\udc00\\ud800\"}         | /a",
        "{\"a\":\"x\\u0000y\"}              | /a",
        "{\"a\":1e400}                      | /a",
        "{\"a\":-1e400}                     | /a",
        "{\"a\":[9007199254740992]}         | /a/0",
        "{\"a\":-9007199254740992}          | /a",
        "{\"a\":123456789012345678901234567890} | /a"
      })
  void what_is_no_i_json_is_refused_with_the_place(String data, String pointer) {
    var repository = repositoryWith(S);
    var before = state(repository);

    assertProblem(
        post(
            repository,
            """
            {"operations":[{"operation":"add","name":"S/a","data":{}},
                           {"operation":"add","name":"S/b","data":%s}]}
            """
                .formatted(data)),
        VALIDATION_ERROR,
        "/operations/1/data" + pointer);

    assertEquals(before, state(repository));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "9007199254740991",
        "-9007199254740991",
        "1e300",
        "1.7976931348623157e308",
        "5e-324",
        "9007199254740992.0",
        "12345678901234567890e0",
        "-999999999999999934464.0",
        "1e21",
        "\"\\ud83d\\ude00\"",
        "\"\\u0001\"",
        "-0"
      })
  void what_i_json_allows_is_kept(String value) {
    var repository = repositoryWith(S);

    post(
            repository,
            """
            {"operations":[{"operation":"add","name":"S/a","data":{"v":%s}}]}
            """
                .formatted(value))
        .statusCode(201);
    post(
            repository,
            """
            {"operations":[{"operation":"revise","name":"S/a","data":{"v":%s}}]}
            """
                .formatted(
                    thing(repository, "S/a")
                        .extract()
                        .asString()
                        .replaceAll(".*\"v\":(.*?)}.*", "$1")))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"));
  }

  @Test
  void a_member_name_is_checked_as_a_value_is() {
    var repository = repositoryWith(S);

    assertProblem(
        post(
            repository,
            """
            {"operations":[{"operation":"add","name":"S/a","data":{"a\\ud800":1}}]}
            """),
        VALIDATION_ERROR);
  }

  @Test
  void bytes_that_are_no_utf_8_are_refused() {
    var repository = repositoryWith(S);
    var body = "{\"operations\":[{\"operation\":\"add\",\"name\":\"S/a\",\"data\":{\"x\":\"?\"}}]}";
    var bytes = body.getBytes(StandardCharsets.US_ASCII);
    bytes[body.indexOf('?')] = (byte) 0xC3;

    assertProblem(admin().body(bytes).post(repository + "/commits").then(), VALIDATION_ERROR);
    Commits.missing(repository, "S/a");
  }

  @Test
  void a_payload_nests_at_most_64_levels() {
    var repository = repositoryWith(S);

    applied(repository, add("S/a", nested(64)));
    thing(repository, "S/a").body("data.x" + "[0]".repeat(62), equalTo(java.util.List.of()));
    Commits.refused(
        repository,
        add("S/b", nested(65)),
        VALIDATION_ERROR,
        "/operations/0/data/x" + "/0".repeat(63));
    Commits.refused(repository, add("S/b", nested(5_000)), VALIDATION_ERROR);
  }

  /** An object with arrays in it, {@code depth} levels in all. */
  private static String nested(int depth) {
    return "{'x':" + "[".repeat(depth - 1) + "]".repeat(depth - 1) + "}";
  }

  @Test
  void the_data_of_one_entity_has_at_most_one_mib() {
    var repository = repositoryWith(S);
    int overhead = "{'x':''}".length();

    applied(repository, add("S/a", "{'x':'" + "a".repeat(1_048_576 - overhead) + "'}"));
    Commits.refused(
        repository,
        add("S/b", "{'x':'" + "a".repeat(1_048_577 - overhead) + "'}"),
        PAYLOAD_TOO_LARGE,
        "/operations/0/data");
  }

  @Test
  void a_shape_definition_has_at_most_64_kib_in_canonical_form() {
    var repository = newRepository();
    int overhead = "{'description':'','fields':{}}".length();

    applied(repository, described("S", 65_536 - overhead));
    Commits.refused(
            repository, described("T", 65_537 - overhead), VALIDATION_ERROR, "/operations/0/data")
        .body("detail", equalTo("A shape definition may have at most 65,536 bytes."));
    Commits.refused(
        repository,
        described("S", 65_537 - overhead).replace("'add'", "'revise'"),
        VALIDATION_ERROR,
        "/operations/0/data");
  }

  private static String described(String name, int length) {
    return "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}, 'description':'%s'}}"
        .formatted(name, "a".repeat(length));
  }

  @Test
  void a_shape_definition_has_at_most_1000_fields_nested_ones_counted() {
    var repository = newRepository();

    applied(repository, shape("S", fields(1_000)), shape("T", nestedFields(1_000)));
    Commits.refused(
            repository, shape("U", fields(1_001)), VALIDATION_ERROR, "/operations/0/data/fields")
        .body(
            "detail",
            equalTo(
                "A shape definition may have at most 1,000 fields including nested ones, not 1,001."));
    Commits.refused(
        repository, shape("U", nestedFields(1_001)), VALIDATION_ERROR, "/operations/0/data/fields");
  }

  private static String fields(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "'f" + i + "':'any'")
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** The same number of fields: two, an object's in an array's items, and those within. */
  private static String nestedFields(int count) {
    return "{'a':'any','b':[{'c':%s}]}".formatted(fields(count - 3));
  }

  @Test
  void a_request_has_at_most_10000_operations() {
    var repository = repositoryWith(S);

    Commits.refused(repository, adds(10_001), PAYLOAD_TOO_LARGE, "/operations");
    applied(repository, adds(10_000)).body("operationCount", equalTo(10_000));
    assertEquals(10_001, Commits.count(repository));
    Commits.assertVerified(repository);
  }

  private static String adds(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> add("S/" + i, "{'n':" + i + "}"))
        .collect(Collectors.joining(","));
  }

  @Test
  void a_request_has_at_most_16_mib() throws Exception {
    var repository = newRepository();

    assertEquals(413, sent(repository, padded(MAX_BODY + 1), true).statusCode());
    assertTrue(sent(repository, padded(MAX_BODY + 1), true).body().contains("PAYLOAD_TOO_LARGE"));
    Commits.missing(repository, "Shape/S");
    assertEquals(201, sent(repository, padded(MAX_BODY), true).statusCode());
  }

  @Test
  void a_declared_length_beyond_16_mib_is_refused_before_the_body() throws Exception {
    var repository = newRepository();

    var answer = headersOnly(repository, MAX_BODY + 1);

    assertTrue(answer.startsWith("HTTP/1.1 413"), answer);
    assertTrue(answer.contains("PAYLOAD_TOO_LARGE"), answer);
    assertTrue(answer.contains("application/problem+json"), answer);
  }

  private static byte[] padded(int length) {
    var bytes = new byte[length];
    Arrays.fill(bytes, (byte) ' ');
    var json = ("{\"operations\":[" + S.replace('\'', '"') + "]}").getBytes(StandardCharsets.UTF_8);
    System.arraycopy(json, 0, bytes, 0, json.length);
    return bytes;
  }

  private HttpResponse<String> sent(String repository, byte[] body, boolean chunked)
      throws Exception {
    var publisher =
        chunked
            ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
            : HttpRequest.BodyPublishers.ofByteArray(body);
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return client.send(
          HttpRequest.newBuilder(base.resolve(repository + "/commits"))
              .header("Authorization", "Bearer " + Api.adminToken())
              .header("Content-Type", "application/json")
              .timeout(Duration.ofSeconds(20))
              .POST(publisher)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private String headersOnly(String repository, int length) throws IOException {
    try (var socket = new Socket(base.getHost(), base.getPort());
        InputStream in = socket.getInputStream()) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              """
              POST %s/commits HTTP/1.1\r
              Host: x\r
              Content-Type: application/json\r
              Authorization: Bearer %s\r
              Content-Length: %d\r
              \r
              """
                  .formatted(repository, Api.adminToken(), length)
                  .getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static io.restassured.response.ValidatableResponse post(String repository, String json) {
    return admin().body(json).post(repository + "/commits").then();
  }

  private static String toggles(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Commits.active("S/a", i % 2 == 1))
        .collect(Collectors.joining(","));
  }

  @Test
  void changes_of_the_state_store_at_most_64_mib_again() {
    var repository = repositoryWith(shape("S"));
    var data = "{'x':'" + "x".repeat(1_000_000) + "'}";
    int allowed = 64 * 1024 * 1024 / (3 * data.length());
    var body = "{'dryRun':true,'operations':[" + add("S/a", data) + ",%s]}";

    Api.submit(repository, body.formatted(toggles(allowed))).statusCode(200);
    Commits.refusedBody(repository, body.formatted(toggles(allowed + 1)), PAYLOAD_TOO_LARGE);
    // The first change of what is stored is free; each further one counts 16 times, and 4 MiB.
    applied(repository, add("S/a", data));
    Api.submit(repository, "{'dryRun':true,'operations':[" + toggles(4) + "]}").statusCode(200);
    Commits.refusedBody(
        repository, "{'dryRun':true,'operations':[" + toggles(5) + "]}", PAYLOAD_TOO_LARGE);
  }

  @Test
  void one_name_stands_for_thousands_of_entities_only_as_far_as_there_is_room() {
    int entities = 400;
    var repository =
        repositoryWith(
            shape("S", "{'more?':['wref']}"),
            IntStream.range(0, entities)
                .mapToObj(i -> add("S/e" + i, "{}"))
                .collect(Collectors.joining(",")));
    var renames =
        IntStream.range(0, entities)
            .mapToObj(i -> Commits.rename("S/e" + i, "x"))
            .collect(Collectors.joining(","));
    var texts =
        IntStream.range(0, 8_000)
            .mapToObj(i -> "'S/s" + i + "@v1'")
            .collect(Collectors.joining(","));
    var before = state(repository);
    int status =
        Api.submit(
                repository,
                "{'operations':["
                    + renames
                    + ","
                    + Commits.revise("S/x", "{'more':[" + texts + "]}")
                    + "]}")
            .extract()
            .statusCode();
    // Which of the two depends on how the room grows.
    assertTrue(status == 413 || status == 503, "status " + status);
    assertEquals(before, state(repository));
  }

  @Test
  void references_are_worked_out_four_million_times() {
    var things =
        IntStream.range(0, 42).mapToObj(i -> add("S/b" + i, "{}")).collect(Collectors.joining(","));
    var repository = repositoryWith(shape("S", "{'n?':'number','more?':['wref']}"), things);
    var references = String.join(",", Collections.nCopies(100_000, "'S/b0'"));
    var operations = new StringBuilder(add("S/x", "{'more':[" + references + "]}"));
    for (int i = 1; i <= 41; i++) {
      operations.append(',').append(Commits.rename("S/b" + i, "c" + i));
      operations.append(',').append(Commits.revise("S/x", "{'n':'wrong'}"));
    }
    Api.submit(repository, "{'atomic':false,'dryRun':true,'operations':[" + operations + "]}")
        .statusCode(200)
        .body("operations[80].error.code", equalTo("SHAPE_MISMATCH"))
        .body("operations[82].error.code", equalTo("PAYLOAD_TOO_LARGE"));
  }
}
