package dev.cairn.cli.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileCommandTest {
  private static final String WORLD =
      """
      {"orgName":"demo","name":"world","visibility":"public","repoSeq":1,"createdAt":1,"updatedAt":1}\
      """;

  @TempDir private Path home;
  private final FakeServer server = FakeServer.start();

  @BeforeEach
  void start() throws Exception {
    server
        .answer("GET /api/repos/demo/world", 200, WORLD)
        .problem("GET /api/repos/demo/none", 404, "NOT_FOUND", "There is no repository.");
    var directory = Files.createDirectories(home.resolve(".config/cairn"));
    var file = directory.resolve("config.json");
    Files.writeString(
        file,
        """
        {"current":"default","profiles":{
          "default":{"server":"%s","token":"cairn_pat_secret","account":"g@example.org"},
          "work":{"server":"https://cairn.work.example","repository":"a/b"}}}\
        """
            .formatted(server.url()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private CliRun.Result run(String line) {
    return CliRun.in(home).run(line.split(" "));
  }

  @Test
  void the_list_has_every_profile_and_no_token() {
    var text = run("profile list");
    assertEquals(
        "default\tyes\t%s\tg@example.org\t\nwork\t\thttps://cairn.work.example\t\ta/b\n"
            .formatted(server.url()),
        text.out());
    var json = run("profile list --json");
    assertFalse(json.out().contains("secret"), json.out());
    assertTrue(json.out().contains("\"current\":true"), json.out());
  }

  @Test
  void a_profile_is_used_from_then_on() {
    assertEquals(0, run("profile use work").code());
    assertTrue(run("profile list").out().contains("work\tyes"));
    assertEquals("https://cairn.work.example/a/b/readme.md\n", run("open --print").out());
  }

  @Test
  void a_profile_is_removed_only_if_nobody_is_signed_in_with_it() {
    var refused = run("profile remove default");
    assertEquals(6, refused.code());
    assertTrue(refused.err().endsWith("Try: cairn logout --profile default\n"), refused.err());
    assertEquals(0, run("profile remove work").code());
    assertFalse(run("profile list").out().contains("work"));
  }

  @ParameterizedTest
  @CsvSource({"profile use none", "profile remove none", "whoami --profile none"})
  void a_profile_that_is_not_there_is_named(String line) {
    var result = run(line);
    assertEquals(2, result.code());
    assertTrue(
        result.err().startsWith("cairn: There is no profile 'none'.\nTry: cairn profile list\n"),
        result.err());
  }

  @Test
  void a_group_without_a_subcommand_names_them() {
    var result = run("profile");
    assertEquals(2, result.code());
    assertEquals(
        """
        cairn: 'cairn profile' needs a subcommand: list, use, remove.
        Try: cairn profile --help
        """,
        result.err());
    assertEquals(
        """
        cairn: 'lst' is not a command of 'cairn profile'. Did you mean 'list'?
        Try: cairn profile --help
        """,
        run("profile lst").err());
  }

  @Test
  void a_repository_is_chosen_only_if_it_can_be_read() {
    assertEquals(5, run("use demo/none").code());
    var result = run("use demo/world");
    assertEquals(0, result.code());
    assertEquals("Commands use demo/world at %s now.\n".formatted(server.url()), result.err());
    assertTrue(run("profile list").out().contains("demo/world"));
  }

  @Test
  void the_server_of_a_profile_is_not_changed_by_choosing_a_repository() {
    try (var other = FakeServer.start()) {
      other.answer("GET /api/repos/demo/world", 200, WORLD);
      var result = run("use demo/world --server " + other.url());
      assertEquals(6, result.code());
      assertTrue(result.err().contains("is for " + server.url()), result.err());
      assertEquals(null, other.requests().getFirst().token());
    }
  }

  @Test
  void the_page_of_a_thing_has_its_name_encoded() {
    assertEquals(
        "https://cairn.work.example/api/repos/a/b/things/City/S%C3%A3o%20Paulo%3F\n",
        CliRun.in(home).run("open", "City/São Paulo?", "--profile", "work", "--print").out());
    assertEquals(
        "{\"url\":\"https://cairn.work.example/a/b/readme.md\"}\n",
        run("open --profile work --jsonl").out());
  }
}
