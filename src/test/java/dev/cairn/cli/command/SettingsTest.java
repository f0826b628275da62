package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.cli.CliRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class SettingsTest {
  @TempDir private Path home;
  private CliRun run;

  @BeforeEach
  void start() {
    run = CliRun.in(home);
  }

  private Settings settings(String... args) {
    var options = new GlobalOptions();
    var spec = CommandSpec.create().addMixin("options", CommandSpec.forAnnotatedObject(options));
    new CommandLine(spec).parseArgs(args);
    return new Settings(run.context(), options);
  }

  private void profile(String name, Profile profile) {
    ProfileFile.of(run.context()).change(profiles -> profiles.with(name, profile));
  }

  @Test
  void an_option_wins_over_the_environment_over_the_profile_over_the_default() {
    assertEquals("http://localhost:8080", settings().server().toString());
    profile("default", Profile.of("https://profile.example").withRepository("of/profile"));
    assertEquals("https://profile.example", settings().server().toString());
    assertEquals("of/profile", settings().repository().toString());
    run.with("CAIRN_SERVER", "https://variable.example").with("CAIRN_REPO", "of/variable");
    assertEquals("https://variable.example", settings().server().toString());
    assertEquals("of/variable", settings().repository().toString());
    var given = settings("--server", "https://option.example", "--repo", "of/option");
    assertEquals("https://option.example", given.server().toString());
    assertEquals("of/option", given.repository().toString());
  }

  @Test
  void an_option_names_the_profile_before_the_environment_and_the_one_in_use() {
    profile("a", Profile.of("https://a.example"));
    profile("b", Profile.of("https://b.example"));
    profile("c", Profile.of("https://c.example"));
    ProfileFile.of(run.context()).change(profiles -> profiles.using("a"));
    assertEquals("https://a.example", settings().server().toString());
    run.with("CAIRN_PROFILE", "b");
    assertEquals("https://b.example", settings().server().toString());
    assertEquals("https://c.example", settings("--profile", "c").server().toString());
  }

  @Test
  void a_profile_that_does_not_exist_is_refused() {
    var failure = assertThrows(CommandFailure.class, () -> settings("--profile", "none").server());
    assertEquals("There is no profile 'none'.", failure.getMessage());
    assertEquals(ExitCode.USAGE, failure.exitCode());
  }

  @Test
  void the_token_of_a_profile_is_never_sent_to_another_server() {
    profile("default", Profile.of("https://cairn.example.org").withToken("me", "secret"));
    assertNotNull(settings().signedInProfile());
    assertNotNull(settings("--server", "https://cairn.example.org/").signedInProfile());
    assertNull(settings("--server", "https://evil.example").signedInProfile());
    assertNull(settings("--server", "http://cairn.example.org").signedInProfile());
    run.with("CAIRN_SERVER", "https://cairn.example.org:444");
    assertNull(settings().signedInProfile());
  }

  @Test
  void without_a_repository_the_next_command_is_named() {
    var failure = assertThrows(CommandFailure.class, () -> settings().repository());
    assertEquals("No repository was chosen.", failure.getMessage());
    assertEquals(List.of("cairn use <org/repo>", "cairn repo list"), failure.tries());
  }

  @ParameterizedTest
  @CsvSource({"demo/world, demo, world", "a/b, a, b", "a.b-c_d/e.f, a.b-c_d, e.f"})
  void a_repository_has_an_organization_and_a_name(String text, String org, String repo) {
    assertEquals(new RepositoryName(org, repo), RepositoryName.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "demo", "/world", "demo/", "a/b/c", "Demo/world", "a b/c", "../x", "a/.."})
  void what_is_no_name_of_a_repository_is_refused(String text) {
    var failure = assertThrows(CommandFailure.class, () -> RepositoryName.parse(text));
    assertEquals(ExitCode.USAGE, failure.exitCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cairn.example.org",
        "ftp://x.example",
        "http://",
        "https://user:secret@x.example",
        "https://x.example?a=b",
        "not a url",
        "file:///etc/passwd"
      })
  void what_is_no_url_of_a_server_is_refused(String text) {
    var failure = assertThrows(CommandFailure.class, () -> Settings.parse(text));
    assertEquals(ExitCode.USAGE, failure.exitCode());
  }

  @Test
  void white_space_around_the_token_of_the_environment_is_left_out() {
    run.with("CAIRN_TOKEN", " cairn_pat_x\r\n");
    assertEquals("cairn_pat_x", settings().givenToken());
    run.with("CAIRN_TOKEN", " \n");
    assertNull(settings().givenToken());
  }
}
