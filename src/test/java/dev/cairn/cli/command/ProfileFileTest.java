package dev.cairn.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileFileTest {
  private static final Profile PROFILE =
      Profile.of("https://cairn.example.org")
          .withRepository("demo/world")
          .withSignIn(
              "gardener@example.org",
              new Profile.SignIn("access", 1234567890123L, "refresh", true));

  @TempDir private Path home;

  private ProfileFile file() {
    return ProfileFile.of(CliRun.in(home).context());
  }

  @Test
  void a_profile_is_read_as_it_was_written() {
    var other = Profile.of("http://localhost:8080").withToken("bot", "cairn_pat_x");
    file().change(profiles -> profiles.with("work", PROFILE).with("bot", other).using("work"));
    var read = file().read();
    assertEquals("work", read.current());
    assertEquals(PROFILE, read.get("work"));
    assertEquals(other, read.get("bot"));
  }

  @Test
  void without_a_file_there_is_no_profile() {
    assertEquals(Profiles.NONE, file().read());
    assertEquals(home.resolve(".config/cairn/config.json"), file().path());
  }

  @Test
  void the_directory_of_xdg_is_used_if_it_is_absolute() {
    var absolute = CliRun.in(home).with("XDG_CONFIG_HOME", "/etc/xdg").context();
    assertEquals(Path.of("/etc/xdg/cairn/config.json"), ProfileFile.of(absolute).path());
    var relative = CliRun.in(home).with("XDG_CONFIG_HOME", "xdg").context();
    assertEquals(home.resolve(".config/cairn/config.json"), ProfileFile.of(relative).path());
  }

  @Test
  void only_the_owner_may_read_the_file_and_its_directory() throws Exception {
    file().change(profiles -> profiles.with("default", PROFILE));
    var path = file().path();
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(path.getParent())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw------x"})
  void a_file_that_others_can_use_is_refused(String permissions) throws Exception {
    file().change(profiles -> profiles.with("default", PROFILE));
    Files.setPosixFilePermissions(file().path(), PosixFilePermissions.fromString(permissions));
    var failure = assertThrows(CommandFailure.class, () -> file().read());
    assertTrue(failure.getMessage().contains(permissions), failure.getMessage());
    assertEquals(List.of("chmod 600 " + file().path()), failure.tries());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "", "[1", "nonsense"})
  void a_file_that_is_not_json_is_refused(String text) throws Exception {
    file().change(profiles -> profiles);
    Files.writeString(file().path(), text);
    var failure = assertThrows(CommandFailure.class, () -> file().read());
    assertTrue(failure.getMessage().contains("config.json is not valid JSON"), failure::getMessage);
  }

  @Test
  void changes_at_the_same_time_are_all_there_afterwards() throws Exception {
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 20; i++) {
      var name = "p" + i;
      threads.add(
          Thread.ofVirtual().start(() -> file().change(profiles -> profiles.with(name, PROFILE))));
    }
    for (var thread : threads) {
      thread.join();
    }
    assertEquals(20, file().read().byName().size());
    try (var files = Files.list(file().path().getParent())) {
      assertFalse(files.anyMatch(path -> path.toString().endsWith(".new")));
    }
  }

  @Test
  void a_failed_change_leaves_the_file_as_it_was() {
    file().change(profiles -> profiles.with("default", PROFILE));
    assertThrows(
        IllegalStateException.class,
        () ->
            file()
                .change(
                    profiles -> {
                      throw new IllegalStateException("stop");
                    }));
    assertEquals(PROFILE, file().read().get("default"));
  }

  @Test
  void no_token_is_in_the_text_of_a_profile() {
    var text = PROFILE.toString() + PROFILE.signIn() + Profile.of("x").withToken("b", "secret-pat");
    assertFalse(text.contains("access\"") || text.contains("refresh") || text.contains("secret"));
  }
}
