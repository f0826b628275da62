package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListHintsTest {
  private static final Pattern HINT =
      Pattern.compile("\"(`GET [^\"]* lists those that exist\\.)\"");

  @Test
  void every_hint_of_the_service_that_names_a_list_has_its_command() throws IOException {
    var hints = new TreeSet<String>();
    try (var files = Files.walk(Path.of("src/main/java/dev/cairn"))) {
      for (var file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        HINT.matcher(Files.readString(file)).results().forEach(hint -> hints.add(hint.group(1)));
      }
    }
    assertFalse(hints.isEmpty());
    hints.forEach(hint -> assertFalse(ListHints.command(hint).isEmpty(), hint));
  }

  @Test
  void any_other_hint_stays_a_sentence() {
    assertEquals(Optional.empty(), ListHints.command("Read it again."));
    assertEquals(
        Optional.empty(),
        ListHints.command("`GET /others`, or `others` over MCP, lists those that exist."));
  }

  @Test
  void the_command_is_named_instead_of_the_request(@TempDir Path home) {
    try (var server = FakeServer.start()) {
      server.answer(
          "GET /api/repos/garden/greenhouse/subs/none",
          404,
          """
          {"type":"t","title":"t","status":404,"code":"NOT_FOUND","detail":"There is none.",\
          "hint":"`GET /subs`, or `subscription_list` over MCP, lists those that exist."}\
          """,
          Map.of("Content-Type", "application/problem+json"));
      var result =
          CliRun.in(home)
              .with("CAIRN_SERVER", server.url())
              .run("sub", "get", "none", "-R", "garden/greenhouse");
      assertEquals(ExitCode.NOT_FOUND.code(), result.code());
      assertEquals("cairn: There is none.\nTry: cairn sub list\n", result.err());
    }
  }
}
