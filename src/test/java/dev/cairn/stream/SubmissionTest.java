package dev.cairn.stream;

import static dev.cairn.Api.admin;
import static dev.cairn.stream.Streams.SHAPE;
import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static dev.cairn.stream.Streams.send;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.Stored;
import dev.cairn.platform.http.Gzip;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md: the request, result lines, and how operations are applied as they come. */
@HttpTest
@QuarkusTest
class SubmissionTest {
  private static void assertVerified(String repository) {
    admin().get(repository + "/verification").then().statusCode(200).body("verified", is(true));
    Stored.assertCounted(repository);
  }

  @Test
  void each_operation_has_a_result_line_in_order_and_a_summary_ends_the_answer() {
    var repository = repository();
    var answer =
        send(
            repository,
            "?message=Import&author=Robot",
            lines(
                add("a").replace("}}", "},'opId':'first'}"),
                add("b", "{'to':'S/a'}"),
                add("a"),
                "{'operation':'add','name':'S/a','data':{},'skipExisting':true}",
                "{'operation':'retract','name':'S/b'}"));
    assertEquals(200, answer.status(), answer.text());
    assertEquals(
        "application/x-ndjson", answer.response().headers().firstValue("Content-Type").get());
    assertEquals(List.of("0", "1", "2", "3", "4"), answer.results("opIndex"));
    assertEquals(List.of("1", "2", "3", "4", "5"), answer.results("line"));
    assertEquals(
        List.of("applied", "applied", "error", "noop", "applied"), answer.results("status"));
    assertEquals("first", answer.results().getFirst().get("opId").asText());
    assertEquals("S/a", answer.results().getFirst().get("wref").asText());
    assertEquals(2, answer.results().getFirst().get("repoSeq").asInt());
    assertEquals("ILLEGAL_OP_SEQUENCE", answer.results().get(2).at("/error/code").asText());
    var summary = answer.summary();
    assertEquals("s", summary.get("streamId").asText());
    assertEquals(36, summary.get("submissionId").asText().length());
    assertEquals(2, summary.get("repoSeq").asInt());
    assertEquals(5, summary.get("operationCount").asInt());
    assertEquals(3, summary.get("applied").asInt());
    assertEquals(1, summary.get("noop").asInt());
    assertEquals(1, summary.get("errors").asInt());
    assertTrue(summary.get("partial").asBoolean());
    admin()
        .get(repository + "/commits/" + summary.get("commitId").asText())
        .then()
        .statusCode(200)
        .body("message", is("Import"))
        .body("author", is("Robot"))
        .body("operationCount", is(5));
    assertVerified(repository);
  }

  @Test
  void nothing_but_noops_makes_no_commit() {
    var repository = repository();
    var again = SHAPE.replace("}}}", "}},'skipExisting':true}");
    var summary = send(repository, "", lines(again)).summary();
    assertFalse(summary.has("commitId"));
    assertFalse(summary.has("repoSeq"));
    assertFalse(summary.get("partial").asBoolean());
    var nothing = send(repository, "", "");
    assertEquals(0, nothing.summary().get("operationCount").asInt());
  }

  @Test
  void one_in_ten_malformed_lines_has_its_error_and_the_rest_is_applied() {
    var repository = repository();
    var body =
        IntStream.range(0, 1_000)
            .mapToObj(i -> i % 10 == 3 ? "{\"operation\":" : lines(add("t" + i)).strip())
            .collect(Collectors.joining("\n"));
    var answer = send(repository, "", body);
    assertEquals(1_000, answer.results().size());
    for (var result : answer.results()) {
      boolean isMalformed = result.get("opIndex").asInt() % 10 == 3;
      assertEquals(isMalformed ? "error" : "applied", result.get("status").asText());
      assertEquals(result.get("opIndex").asInt() + 1, result.get("line").asInt());
      if (isMalformed) {
        assertEquals("VALIDATION_ERROR", result.at("/error/code").asText());
      }
    }
    assertEquals(900, answer.summary().get("applied").asInt());
    assertEquals(100, answer.summary().get("errors").asInt());
    assertTrue(answer.summary().get("partial").asBoolean());
    admin().get(repository + "/count?shape=S").then().body("count", is(900));
    assertVerified(repository);
  }

  @Test
  void empty_lines_are_skipped_and_counted_and_pointers_begin_at_the_line() {
    var repository = repository();
    var answer =
        send(
            repository,
            "",
            "\n \r\n"
                + lines(add("a", "{'n':'x'}"))
                + "\n"
                + "{\"operation\":\"add\",\"bad\":1,\"opId\":\"o\",\"name\":\"S/b\",\"data\":{}}");
    assertEquals(List.of("3", "5"), answer.results("line"));
    assertEquals("/data/n", answer.results().get(0).at("/error/details/errors/0/pointer").asText());
    assertEquals("/bad", answer.results().get(1).at("/error/details/errors/0/pointer").asText());
    assertEquals("o", answer.results().get(1).get("opId").asText());
  }

  @Test
  void a_line_has_five_mebibytes_at_most_and_the_rest_is_applied() {
    var repository = repository();
    int max = 5 * 1024 * 1024;
    var line = lines(add("a")).strip();
    var longest = line + " ".repeat(max - line.length()) + "\n";
    var tooLong = lines(add("b")).strip();
    tooLong = tooLong + " ".repeat(max + 1 - tooLong.length()) + "\n";
    var answer = send(repository, "", longest + tooLong + lines(add("c")));
    assertEquals(List.of("applied", "error", "applied"), answer.results("status"));
    assertEquals("PAYLOAD_TOO_LARGE", answer.results().get(1).at("/error/code").asText());
  }

  @Test
  void the_result_of_an_operation_cannot_be_named_by_its_number() {
    var repository = repository();
    var answer = send(repository, "", lines(add("a"), "{'operation':'retract','name':'$0'}"));
    assertEquals(List.of("applied", "error"), answer.results("status"));
    assertEquals("UNRESOLVED_REFERENCE", answer.results().get(1).at("/error/code").asText());
  }

  @Test
  void what_is_too_much_for_one_commit_is_applied_in_several_and_what_is_for_any_fails_alone() {
    var repository = repository();
    // As many bytes as a name may have: with it, the data of L/big would be longer than 4 MiB.
    var longest = "\ud800\udf48".repeat(512);
    var references = Collections.nCopies(4 * 1024 * 1024 / 2_058 + 1, "'S/a'");
    var answer =
        send(
            repository,
            "",
            lines(
                "{'operation':'add','name':'L','data':{'fields':{'refs':['wref']}}}",
                add("a"),
                "{'operation':'add','name':'L/big','data':{'refs':[%s]}}"
                    .formatted(String.join(",", references)),
                "{'operation':'rename','name':'S/a','newName':'%s'}".formatted(longest),
                add("after")));
    assertEquals(
        List.of("applied", "applied", "applied", "error", "applied"),
        answer.results("status"),
        answer.text());
    assertEquals("PAYLOAD_TOO_LARGE", answer.results().get(3).at("/error/code").asText());
    assertVerified(repository);
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (var part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  @Test
  void a_compressed_body_is_decompressed_while_it_comes_also_in_several_members() {
    var repository = repository();
    var body =
        lines(IntStream.range(0, 20_000).mapToObj(i -> add("t" + i)).toArray(String[]::new))
            .getBytes(UTF_8);
    var first = Gzip.compress(Arrays.copyOf(body, 1_001));
    var second = Gzip.compress(Arrays.copyOfRange(body, 1_001, body.length));
    var answer = send(repository, "", joined(first, second), "Content-Encoding", "gzip");
    assertEquals(20_000, answer.summary().get("applied").asInt());
    assertVerified(repository);
  }

  @Test
  void what_gzip_did_not_write_ends_the_submission() {
    var repository = repository();
    var whole = Gzip.compress(lines(add("a")).getBytes(UTF_8));
    var cut =
        send(repository, "", Arrays.copyOf(whole, whole.length - 1), "Content-Encoding", "gzip");
    assertEquals(400, cut.status(), cut.text());
    var plain = send(repository, "", lines(add("a")), "Content-Encoding", "gzip");
    assertEquals(400, plain.status());
    var trailing = send(repository, "", joined(whole, new byte[] {1}), "Content-Encoding", "gzip");
    assertEquals(400, trailing.status(), trailing.text());
    var other = send(repository, "", lines(add("a")), "Content-Encoding", "br");
    assertEquals(415, other.status());
  }

  @Test
  void a_body_may_be_longer_than_that_of_any_other_request() {
    var repository = repository();
    var text = "x".repeat(40_000);
    var body =
        lines(
            IntStream.range(0, 500)
                .mapToObj(i -> add("t" + i, "{'text':'" + text + "'}"))
                .toArray(String[]::new));
    assertTrue(body.length() > 18_000_000);
    assertEquals(500, send(repository, "", body).summary().get("applied").asInt());
  }

  @Test
  void parameters_and_headers_are_checked_as_those_of_commits() {
    var repository = repository();
    assertEquals(400, send(repository, "?atomic=yes", "").status());
    assertEquals(400, send(repository, "?other=1", "").status());
    assertEquals(400, send(repository, "?author=%20", "").status());
    assertEquals(400, send(repository, "?author=" + "x".repeat(201), "").status());
    assertEquals(200, send(repository, "?author=" + "x".repeat(200), "").status());
    assertEquals(400, send(repository, "", "", "Idempotency-Key", "a b").status());
    assertEquals(415, send(repository, "", "", "Content-Type", "application/json").status());
    var bad =
        Streams.exchange(
            Streams.request(repository + "/streams/-s/submissions")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build());
    assertEquals(400, bad.status());
  }
}
