package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.FakeTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportCommandTest {
  private static final String EXPORT = "GET /api/repos/o/r/export";
  private static final String CONTENT = "GET /api/exports/1/content?signature=s";
  private static final String LINES = "{\"a\":\"\u0085ä\"}\n{\"a\":2}\n{\"a\":3}\n";

  @TempDir Path home;

  private final FakeServer server = FakeServer.start();
  private Path file;

  @BeforeEach
  void begin() {
    file = home.resolve("world.ndjson");
  }

  @AfterEach
  void end() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home)
        .with("CAIRN_SERVER", server.url())
        .with("CAIRN_TOKEN", "t")
        .with("CAIRN_REPO", "o/r");
  }

  private CliRun.Result toFile(String... more) {
    var command = new ArrayList<>(List.of("export", "-o", file.toString()));
    command.addAll(List.of(more));
    return cairn().run(command.toArray(String[]::new));
  }

  private Path beside(String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static String hash(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  /** Has a background export, which is pending at first. */
  private void hasJob(String hash) {
    server.answer(EXPORT + "?prefer=async", 202, "{\"exportToken\":\"secret\",\"atRepoSeq\":7}");
    server.answer(EXPORT + "?token=secret", 202, "{\"state\":\"pending\"}");
    server.answer(
        EXPORT + "?token=secret",
        200,
        """
        {"url":"https://cairn.example.org/api/exports/1/content?signature=s","expiresAt":1,
         "atRepoSeq":7,"recordCount":3,"contentSha256":"%s"}\
        """
            .formatted(hash));
  }

  @Test
  void without_a_file_the_bytes_go_to_the_standard_output_as_they_are() {
    server.answer(EXPORT + "?at=7", 200, LINES, Map.of("X-Cairn-Repo-Seq", "7"));
    var result = cairn().run("export", "--at", "7");
    assertEquals(0, result.code(), result.err());
    assertEquals(LINES, result.out());
    assertEquals("Exported 3 entities of commit 7.\n", result.err());
  }

  @Test
  void on_a_terminal_no_control_character_arrives() {
    server.answer(EXPORT, 200, LINES, Map.of("X-Cairn-Repo-Seq", "7"));
    var result = cairn().on(FakeTerminal.of(80)).run("export");
    assertEquals(LINES.replace("\u0085", "\\u0085"), result.out());
  }

  @Test
  void a_file_is_built_downloaded_and_checked() throws IOException {
    hasJob(hash(LINES));
    server.answer(CONTENT, 200, LINES);
    var result = toFile("--json");
    assertEquals(0, result.code(), result.err());
    assertEquals(LINES, Files.readString(file));
    assertFalse(Files.exists(beside(".part")));
    assertFalse(Files.exists(beside(".part.job")));
    var json = Json.MAPPER.readTree(result.out());
    assertEquals(3, json.path("recordCount").asInt());
    assertEquals(7, json.path("atRepoSeq").asInt());
    assertEquals(hash(LINES), json.path("contentSha256").asText());
    assertFalse((result.out() + result.err()).contains("secret"));
  }

  @Test
  void a_detached_export_keeps_its_token_for_its_owner_and_is_downloaded_later()
      throws IOException {
    hasJob(hash(LINES));
    server.answer(CONTENT, 200, LINES);
    assertEquals(0, toFile("--detach").code());
    assertFalse(Files.exists(file));
    assertEquals(
        PosixFilePermissions.fromString("rw-------"),
        Files.getPosixFilePermissions(beside(".part.job")));
    assertEquals(0, toFile().code());
    assertEquals(LINES, Files.readString(file));
    assertEquals(
        1,
        server.requests().stream()
            .filter(request -> request.route().contains("prefer=async"))
            .count());
  }

  @Test
  void an_interrupted_download_goes_on_where_it_stood() throws IOException {
    hasJob(hash(LINES));
    assertEquals(0, toFile("--detach").code());
    int half = 10;
    byte[] bytes = LINES.getBytes(UTF_8);
    Files.write(beside(".part"), Arrays.copyOf(bytes, half));
    server.answer(CONTENT, 206, new String(bytes, half, bytes.length - half, UTF_8));
    var result = toFile();
    assertEquals(0, result.code(), result.err());
    assertEquals(LINES, Files.readString(file));
    assertTrue(result.err().contains("Going on after 10 bytes."), result.err());
  }

  @Test
  void what_was_downloaded_damaged_gets_no_name() throws IOException {
    Files.writeString(file, "before");
    hasJob(hash("something else"));
    server.answer(CONTENT, 200, LINES);
    var result = toFile();
    assertEquals(1, result.code());
    assertTrue(result.err().contains("is damaged, and was deleted"), result.err());
    assertEquals("before", Files.readString(file));
    assertFalse(Files.exists(beside(".part")));
  }

  @Test
  void a_job_that_has_expired_is_requested_anew() throws IOException {
    new ExportJob(server.url(), "o/r", null, "old").write(new ExportTarget(file));
    Files.writeString(beside(".part"), "old");
    server.problem(EXPORT + "?token=old", 404, "NOT_FOUND", "It has expired.");
    hasJob(hash(LINES));
    server.answer(CONTENT, 200, LINES);
    var result = toFile();
    assertEquals(0, result.code(), result.err());
    assertEquals(LINES, Files.readString(file));
  }

  @Test
  void the_job_of_another_state_is_not_used() throws IOException {
    new ExportJob(server.url(), "o/r", "6", "old").write(new ExportTarget(file));
    Files.writeString(beside(".part"), "old");
    hasJob(hash(LINES));
    server.answer(CONTENT, 200, LINES);
    assertEquals(0, toFile().code());
    assertEquals(LINES, Files.readString(file));
  }

  @Test
  void a_file_may_be_streamed_into() throws IOException {
    server.answer(EXPORT, 200, LINES, Map.of("X-Cairn-Repo-Seq", "7"));
    var result = toFile("--stream");
    assertEquals(0, result.code(), result.err());
    assertEquals(LINES, Files.readString(file));
    assertTrue(result.out().contains("Entities\t3\n"), result.out());
  }

  @Test
  void an_export_of_nothing_is_an_empty_file() throws IOException {
    server.answer(EXPORT, 200, "", Map.of("X-Cairn-Repo-Seq", "0"));
    assertEquals(0, toFile("--stream").code());
    assertEquals("", Files.readString(file));
  }

  @Test
  void an_export_that_was_given_up_is_a_conflict() {
    server.answer(EXPORT + "?prefer=async", 202, "{\"exportToken\":\"secret\",\"atRepoSeq\":7}");
    server.problem(EXPORT + "?token=secret", 409, "CONFLICT", "It failed.");
    assertEquals(6, toFile().code());
  }

  @Test
  void options_that_do_not_fit_are_refused() {
    assertEquals(2, cairn().run("export", "--detach").code());
    assertEquals(2, toFile("--detach", "--stream").code());
    var result = cairn().run("export", "-o", home.toString());
    assertEquals(2, result.code());
    assertTrue(result.err().contains("is a directory"), result.err());
  }
}
