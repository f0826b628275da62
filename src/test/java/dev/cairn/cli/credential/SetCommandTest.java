package dev.cairn.cli.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import dev.cairn.cli.command.ExitCode;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SetCommandTest extends CommandTest {
  private static final String SET =
      "{\"name\":\"hooks\",\"keyNames\":[\"A\"],\"createdAt\":1,\"updatedAt\":1}";

  @BeforeEach
  void answer() {
    server.answer("PUT /api/repos/garden/greenhouse/credential-sets/hooks", 200, SET);
    server.answer("PUT /api/orgs/garden/credential-sets/hooks", 200, SET);
  }

  @Test
  void a_value_from_the_standard_input_loses_its_last_line_feed_and_is_not_shown()
      throws Exception {
    var result = cairn().input("one\ntwo\n").run("credential", "set", "hooks", "--value", "A");
    assertEquals(0, result.code(), result.err());
    assertBody(0, "{'keys':{'A':'one\\ntwo'}}");
    assertFalse((result.out() + result.err()).contains("two"));
  }

  @Test
  void a_value_is_typed_without_being_shown() throws Exception {
    var terminal = new FakeTerminal(true, true, true, 80, "typed");
    var result = cairn().on(terminal).run("credential", "set", "hooks", "--value", "A");
    assertEquals(0, result.code(), result.err());
    assertBody(0, "{'keys':{'A':'typed'}}");
    assertFalse((result.out() + result.err()).contains("typed"));
  }

  @Test
  void nothing_typed_changes_nothing() {
    var terminal = new FakeTerminal(true, true, true, 80, "");
    var result = cairn().on(terminal).run("credential", "set", "hooks", "--value", "A");
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void values_come_from_files_and_keys_are_removed() throws Exception {
    var file = Files.writeString(home.resolve("key"), "secret\r\n");
    cairn()
        .run(
            "credential",
            "set",
            "hooks",
            "--value-file",
            "K=" + file,
            "--remove",
            "OLD",
            "--description",
            "Hooks",
            "--org",
            "garden");
    assertBody(0, "{'description':'Hooks','keys':{'K':'secret','OLD':null}}");
    assertTrue(server.requests().getFirst().route().startsWith("PUT /api/orgs/garden/"));
  }

  @Test
  void a_file_has_the_whole_change_for_a_set_of_an_organization() throws Exception {
    var result =
        cairn()
            .input("{\"keys\":{\"A\":\"x\"}}")
            .run("credential", "set", "hooks", "--org", "garden", "--file", "-");
    assertEquals(0, result.code(), result.err());
    assertBody(0, "{'keys':{'A':'x'}}");
  }

  @Test
  void a_file_that_is_not_json_never_shows_what_is_in_it() {
    var result =
        cairn().input("{\"keys\": cairn_secret}").run("credential", "set", "hooks", "-f", "-");
    assertEquals(ExitCode.INVALID.code(), result.code());
    assertFalse(result.err().contains("cairn_secret"), result.err());
  }

  @Test
  void two_values_cannot_come_from_one_standard_input() {
    var result =
        cairn().input("x").run("credential", "set", "hooks", "--value", "A", "--value", "B");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().contains("only one --value can be given"));
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void a_value_of_64_kib_is_sent_and_a_longer_one_is_not() throws Exception {
    var value = "x".repeat(64 * 1024);
    assertEquals(0, cairn().input(value).run("credential", "set", "hooks", "--value", "A").code());
    assertBody(0, "{'keys':{'A':'" + value + "'}}");
    var result = cairn().input(value + "x").run("credential", "set", "hooks", "--value", "A");
    assertEquals(ExitCode.INVALID.code(), result.code());
    assertEquals("cairn: The value of A has more than 64 KiB.\n", result.err());
  }

  @Test
  void a_value_that_is_not_text_is_refused() throws Exception {
    var file = Files.write(home.resolve("key"), new byte[] {(byte) 0xff, 0});
    var result = cairn().run("credential", "set", "hooks", "--value-file", "K=" + file);
    assertEquals(ExitCode.INVALID.code(), result.code());
    assertEquals("cairn: The value of K is not text in UTF-8.\n", result.err());
  }

  @Test
  void setting_nothing_is_refused() {
    var result = cairn().run("credential", "set", "hooks");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().startsWith("cairn: Nothing to set"));
  }
}
