package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.access.Recheck;
import dev.cairn.access.authentication.AccountRows;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md: the download. */
@HttpTest
@QuarkusTest
@InProcess("It makes links at times of its own.")
class DownloadTest {
  private static final int MIB = 1024 * 1024;
  private static final int DOWNLOADS = 100;
  private static final Pattern CONTENT_LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)");

  private static String repository;
  private static String exportToken;
  private static String link;
  private static byte[] content;

  @Inject Downloads downloads;

  @BeforeEach
  void build() {
    if (link == null) {
      repository = newRepository("private");
      commit(
              repository,
              "{'operation':'add','name':'Shape/S','data':{'fields':{}}},"
                  + IntStream.range(0, 5)
                      .mapToObj(
                          i ->
                              "{'operation':'add','name':'S/%d','data':{'n':'%s'}}"
                                  .formatted(i, ("" + i).repeat(500_000)))
                      .collect(Collectors.joining(",")))
          .statusCode(201);
      exportToken = Exports.mint(repository);
      link = Exports.link(repository, exportToken);
      content = anonymous().get(link).asByteArray();
    }
  }

  /** A request that accepts no compression, which CompressedExportTest is about. */
  private static RequestSpecification anonymous() {
    var decoders = DecoderConfig.decoderConfig().noContentDecoders();
    return Api.anonymous().config(RestAssured.config().decoderConfig(decoders));
  }

  private static Response get(String range) {
    return anonymous().header("Range", range).get(link);
  }

  private static void assertPart(String range, int first, int last) {
    var answer = get(range);
    answer
        .then()
        .statusCode(206)
        .header("Content-Range", "bytes %d-%d/%d".formatted(first, last, content.length))
        .header("Content-Length", Integer.toString(last - first + 1));
    assertArrayEquals(Arrays.copyOfRange(content, first, last + 1), answer.asByteArray());
  }

  @Test
  void the_whole_comes_with_its_length_and_a_strong_etag() {
    var answer = anonymous().get(link);
    answer
        .then()
        .statusCode(200)
        .contentType("application/x-ndjson")
        .header("Accept-Ranges", "bytes")
        .header("Content-Length", Integer.toString(content.length))
        .header("Transfer-Encoding", nullValue())
        .header("Content-Range", nullValue());
    var sha = HexFormat.of().formatHex(Sha256.of(content));
    assertEquals('"' + sha + '"', answer.getHeader("ETag"));
  }

  @Test
  void any_part_can_be_asked_for() {
    int size = content.length;
    assertPart("bytes=0-0", 0, 0);
    assertPart("bytes=0-9", 0, 9);
    assertPart("bytes=-5", size - 5, size - 1);
    assertPart("bytes=" + (size - 1) + "-", size - 1, size - 1);
    assertPart("bytes=" + (MIB - 1) + "-" + MIB, MIB - 1, MIB);
    assertPart("bytes=" + (MIB - 200_000) + "-" + (2 * MIB + 5), MIB - 200_000, 2 * MIB + 5);
    assertPart("bytes=100-99999999", 100, size - 1);
    assertPart("bytes=-99999999", 0, size - 1);
  }

  /** A client sends its next request as soon as it has the last byte of an answer. */
  @Test
  void the_connection_takes_the_next_request_after_each_download() throws Exception {
    var head = "GET " + link + " HTTP/1.1\r\nHost: localhost\r\nRange: bytes=-%d\r\n\r\n";
    var next = "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      var in = new BufferedInputStream(socket.getInputStream());
      for (int i = 0; i < DOWNLOADS; i++) {
        int length = i % 2 == 0 ? 1 + i : MIB + i;
        socket.getOutputStream().write(head.formatted(length).getBytes(US_ASCII));
        assertAnswered(206, length, in);
        socket.getOutputStream().write(next.getBytes(US_ASCII));
        assertAnswered(200, -1, in);
      }
    }
  }

  /**
   * Reads one answer to its last byte, and nothing after it.
   *
   * @param length -1 for any
   */
  private static void assertAnswered(int status, int length, InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int character = in.read();
      assertNotEquals(-1, character, () -> "the connection was closed after: " + head);
      head.append((char) character);
    }
    assertTrue(head.toString().startsWith("HTTP/1.1 " + status), head::toString);
    var announced = CONTENT_LENGTH.matcher(head);
    assertTrue(announced.find(), head::toString);
    int size = Integer.parseInt(announced.group(1));
    assertTrue(length == -1 || length == size, head::toString);
    assertEquals(size, in.readNBytes(size).length);
  }

  @Test
  void a_client_that_has_it_already_gets_304() {
    var tag = '"' + HexFormat.of().formatHex(Sha256.of(content)) + '"';
    for (var known : List.of(tag, "W/" + tag, "\"x\", " + tag, "*")) {
      var answer = anonymous().header("If-None-Match", known).get(link);
      answer.then().statusCode(304).header("ETag", is(tag));
      assertEquals("", answer.asString());
      anonymous().header("If-None-Match", known).head(link).then().statusCode(304);
    }
    anonymous().header("If-None-Match", "\"x\"").get(link).then().statusCode(200);
    anonymous().header("If-None-Match", tag).get(link + "0").then().statusCode(404);
  }

  @Test
  void a_part_that_there_is_not_is_416() {
    for (var range : List.of("bytes=" + content.length + "-", "bytes=-0")) {
      get(range)
          .then()
          .statusCode(416)
          .header("Content-Range", "bytes */" + content.length)
          .body("code", is("RANGE_NOT_SATISFIABLE"));
    }
  }

  @Test
  void several_parts_or_nonsense_mean_the_whole() {
    for (var range : List.of("bytes=0-1,3-4", "bytes=x", "lines=0-1", "bytes=4-3")) {
      var answer = get(range);
      answer.then().statusCode(200);
      assertEquals(content.length, answer.asByteArray().length);
    }
  }

  @Test
  void if_range_gives_the_part_of_the_same_content_alone() {
    var etag = anonymous().get(link).getHeader("ETag");
    for (var other : List.of("\"other\"", "W/" + etag, "Sat, 21 Nov 2026 21:00:00 GMT")) {
      anonymous()
          .header("Range", "bytes=0-9")
          .header("If-Range", other)
          .get(link)
          .then()
          .statusCode(200);
    }
    anonymous()
        .header("Range", "bytes=0-9")
        .header("If-Range", etag)
        .get(link)
        .then()
        .statusCode(206);
  }

  @Test
  void head_tells_the_same_without_the_content() {
    var answer = anonymous().head(link);
    answer
        .then()
        .statusCode(200)
        .header("Content-Length", Integer.toString(content.length))
        .header("Accept-Ranges", "bytes")
        .header("ETag", anonymous().get(link).getHeader("ETag"));
    assertEquals(0, answer.asByteArray().length);
    for (var range : List.of("bytes=0-9", "bytes=" + content.length + "-")) {
      anonymous()
          .header("Range", range)
          .head(link)
          .then()
          .statusCode(200)
          .header("Content-Range", nullValue())
          .header("Content-Length", Integer.toString(content.length));
    }
  }

  /** Of the last digit of 32 bytes in base64, two bits say nothing. */
  private static char sameBits(char digit) {
    var digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return digits.charAt(digits.indexOf(digit) + 1);
  }

  @Test
  void a_link_that_was_altered_is_404_like_one_to_nothing() {
    var id = link.split("/", -1)[3];
    int signature = link.indexOf("signature=") + 10;
    var flipped = link.charAt(signature) == 'A' ? 'B' : 'A';
    int expires = link.indexOf("expires=") + 8;
    var unknown = UUID.randomUUID();
    var altered =
        List.of(
            link.substring(0, signature) + flipped + link.substring(signature + 1),
            link.substring(0, link.length() - 1) + sameBits(link.charAt(link.length() - 1)),
            link + "=",
            link.substring(0, signature),
            link.substring(0, signature) + "%2B%2B",
            link.substring(0, expires) + "9" + link.substring(expires),
            link.substring(0, link.indexOf('?')),
            link.replace(id, unknown.toString()),
            link.replace(id, "nonsense"),
            downloads.link(unknown, holder(), Instant.now().plusSeconds(60)).path());
    var answers = altered.stream().map(path -> anonymous().get(path)).toList();
    for (int i = 0; i < altered.size(); i++) {
      assertEquals(404, answers.get(i).statusCode(), altered.get(i));
      assertEquals(answers.getFirst().asString(), answers.get(i).asString(), altered.get(i));
    }
  }

  private static Recheck.Holder holder() {
    return new Recheck.Holder(AccountRows.id("admin@example.org"), null, null, null, null);
  }

  /** A link that somebody asks for by a token, to the export that there is. */
  private String link(String token) {
    String url = as(token).get(repository + "/export?token=" + exportToken).path("url");
    return url.substring(url.indexOf("/api/"));
  }

  @Test
  void a_link_ends_with_what_it_was_asked_for_by() {
    var org = repository.split("/", -1)[3];
    var person = People.member(org, "viewer");
    var tokens = Api.login(person.email(), People.PASSWORD).statusCode(200).extract();
    var pat = People.pat(person.token(), null);
    var bySession = link(tokens.path("accessToken"));
    var byPat = link(pat);
    var byMember = link(person.token());
    for (var good : List.of(bySession, byPat, byMember)) {
      anonymous().get(good).then().statusCode(200);
      anonymous()
          .get(good.replaceFirst("holder=[^&]*", "holder=" + holder()))
          .then()
          .statusCode(404);
    }
    anonymous()
        .body(Map.of("refreshToken", tokens.<String>path("refreshToken")))
        .post("/api/auth/logout")
        .then()
        .statusCode(200);
    anonymous().get(bySession).then().statusCode(404);
    anonymous().get(byPat).then().statusCode(200);
    String name = as(pat).get("/api/whoami").path("token.name");
    as(person.token()).delete("/api/pats/" + name).then().statusCode(200);
    anonymous().get(byPat).then().statusCode(404);
    anonymous().get(byMember).then().statusCode(200);
    admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
    anonymous().get(byMember).then().statusCode(404);
    anonymous().get(link).then().statusCode(200);
  }

  @Test
  void a_link_lasts_no_longer_than_the_token_that_asks_for_it() {
    var person = People.member(repository.split("/", -1)[3], "viewer");
    long end = System.currentTimeMillis() + 120_000;
    String pat =
        as(person.token())
            .body("{\"name\":\"%s\",\"expiresAt\":%d}".formatted(Api.unique("pat"), end))
            .post("/api/pats")
            .path("token");
    as(pat)
        .get(repository + "/export?token=" + exportToken)
        .then()
        .statusCode(200)
        .body("expiresAt", is(end));
  }

  @Test
  void a_link_ends() {
    var id = UUID.fromString(link.split("/", -1)[3]);
    anonymous()
        .get(downloads.link(id, holder(), Instant.now().plusSeconds(60)).path())
        .then()
        .statusCode(200);
    anonymous().get(downloads.link(id, holder(), Instant.now()).path()).then().statusCode(404);
    assertNotEquals(link, downloads.link(id, holder(), Instant.now()).path());
  }

  @Test
  void a_link_that_expired_while_it_waited_sends_nothing() throws IOException {
    var id = UUID.fromString(link.split("/", -1)[3]);
    var until = Instant.now().plusSeconds(60);
    var path = downloads.link(id, holder(), until).path();
    var signature = path.substring(path.indexOf("signature=") + "signature=".length());
    var expires = Long.toString(until.toEpochMilli());
    var download = downloads.open(id.toString(), expires, holder().toString(), signature);
    var written = new ByteArrayOutputStream();
    write(download, written);
    assertEquals(10, written.size());
    var expired =
        new Downloads.Download(
            download.holder(),
            Instant.now(),
            download.repoId(),
            download.jobId(),
            download.attempt(),
            download.size(),
            download.sha256());
    var nothing = new ByteArrayOutputStream();
    assertThrows(Problem.class, () -> write(expired, nothing));
    assertEquals(0, nothing.size());
  }

  private void write(Downloads.Download download, OutputStream out) throws IOException {
    downloads.write(download, new ByteRange(0, 9), () -> {}, UnaryOperator.identity(), out);
  }

  @Test
  void other_parameters_are_refused() {
    anonymous()
        .get(link + "&colour=red")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("?colour"));
  }
}
