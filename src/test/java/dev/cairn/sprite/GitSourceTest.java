package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites, checkouts: {@code docs/sprites.md}. */
class GitSourceTest {
  private static final URI BASE = URI.create("https://git.example.org");

  @TempDir Path repositories;

  @Test
  void the_url_is_the_operators_base_and_the_repository() throws Exception {
    assertEquals(
        "https://git.example.org/owner/repo", GitSource.of(BASE, "owner/repo", "main").url());
    assertEquals(
        "https://git.example.org/owner/.github", GitSource.of(BASE, "owner/.github", "v1").url());
    assertEquals(
        "https://git.example.org/team/owner/a.b_c-1",
        GitSource.of(URI.create(BASE + "/team/"), "owner/a.b_c-1", "v1").url());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "owner",
        "owner/",
        "/repo",
        "a/b/c",
        "../repo",
        "owner/..",
        "owner/.",
        "owner/a..b",
        "-o/repo",
        "owner/-repo",
        "ext::sh -c x/y",
        "https://evil.example/x",
        "owner/repo?x",
        "owner/repo#x",
        "owner@host/repo",
        "owner/re po",
        "owner/repo\n"
      })
  void a_repository_is_owner_and_repo_and_nothing_else(String repository) {
    refused(repository, "main");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-b",
        "--upload-pack=sh",
        "a:b",
        "+a",
        "a..b",
        "a b",
        "a\n",
        "a~1",
        "a^",
        "@{-1}",
        ":/x"
      })
  void a_ref_is_a_name_and_nothing_else(String ref) {
    refused("owner/repo", ref);
  }

  @Test
  void a_checkout_needs_a_ref() {
    refused("owner/repo", null);
  }

  private static void refused(String repository, String ref) {
    var refused = assertThrows(SpriteException.class, () -> GitSource.of(BASE, repository, ref));
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, refused.error());
    assertFalse(refused.isRetryable());
  }

  /** {@link LocalGit#makeRepository}. */
  private GitSource source(String ref) throws Exception {
    if (Files.notExists(repositories.resolve("owner"))) {
      LocalGit.makeRepository(repositories.resolve("owner/repo"));
    }
    return GitSource.of(repositories.toUri(), "owner/repo", ref);
  }

  private static SpriteExit run(SpriteRun run) throws Exception {
    return LocalGit.run(run);
  }

  @ParameterizedTest
  @CsvSource({"main, 2", "v1, 1", "old, 1"})
  void a_branch_and_a_tag_are_checked_out(String ref, String content) throws Exception {
    var run = Runs.with(source(ref), Runs.of("cat file; test -z \"$GIT_CONFIG_COUNT\""));
    assertEquals(new SpriteExit(0, content, ""), run(run));
  }

  @Test
  void a_commit_is_checked_out() throws Exception {
    source("main");
    var sha = LocalGit.git(repositories.resolve("owner/repo"), "rev-parse", "v1");
    var run = Runs.with(source(sha), Runs.of("cat file"));
    assertEquals("1", run(run).output());
  }

  @Test
  void what_cannot_be_checked_out_is_told() throws Exception {
    var run = Runs.with(source("missing"), Runs.of("cat file"));
    var failure = assertThrows(SpriteException.class, () -> run(run));
    assertEquals(SpriteError.SPRITE_CREATE_FAILED, failure.error());
    assertTrue(failure.isRetryable());
    assertTrue(failure.output().contains("missing"), failure::output);
  }

  /** Everybody who sees the run sees it, so it has nothing of the operator's base. */
  @Test
  void the_message_of_a_failed_checkout_names_what_the_subscription_names() throws Exception {
    source("main");
    var base = URI.create(repositories.toUri() + "owner/");
    for (var written : List.of(base, URI.create(base.toString().replaceFirst("/$", "")))) {
      var run = Runs.with(GitSource.of(written, "no.such/re-po", "v1"), Runs.of("cat file"));
      var failure = assertThrows(SpriteException.class, () -> run(run));
      assertEquals("`v1` of `no.such/re-po` cannot be checked out.", failure.getMessage());
      assertTrue(failure.output().contains("no.such/re-po"), failure::output);
    }
  }

  @Test
  void after_a_checkout_a_command_gets_the_secrets_of_that_moment() throws Exception {
    var run = Runs.with(Map.of("KEY", "old"), null, Runs.of("echo $KEY$OTHER"));
    var renewed = Runs.with(() -> Map.of("OTHER", "new"), Runs.with(source("main"), run));
    assertEquals("new\n", run(renewed).output());
  }

  @Test
  void after_a_checkout_a_command_does_not_begin_that_may_not_any_more() throws Exception {
    var marker = repositories.resolve("marker");
    var run = Runs.with(source("main"), Runs.of("touch " + marker));
    var lost = SpriteException.terminal(SpriteError.SPRITE_AUTH_MISSING, "lost");
    var renewed =
        Runs.with(
            () -> {
              throw lost;
            },
            run);
    assertSame(lost, assertThrows(SpriteException.class, () -> run(renewed)));
    assertFalse(Files.exists(marker), "the command was run");
  }

  @Test
  void the_input_replaces_a_file_of_the_checkout() throws Exception {
    var run = Runs.with(source("main"), Runs.of("cat file"));
    assertEquals(Runs.INPUT, run(Runs.with(InputMode.JSON_FILE, "file", run)).output());
  }

  @Test
  void messages_do_not_show_the_operators_password() throws Exception {
    var git =
        GitSource.of(URI.create("https://user:pass@git.example.org/x/"), "owner/repo", "main");
    assertEquals("https://git.example.org/x/owner/repo", git.shown());
    assertEquals("https://user:pass@git.example.org/x/owner/repo", git.url());
  }

  @Test
  void the_password_goes_to_the_server_and_into_no_list_of_arguments() throws Exception {
    var sent = new CopyOnWriteArrayList<String>();
    var arguments = new CopyOnWriteArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/x/owner/repo/",
        exchange -> {
          sent.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          ProcessHandle.allProcesses()
              .flatMap(process -> process.info().arguments().stream())
              .forEach(line -> arguments.addAll(List.of(line)));
          exchange.sendResponseHeaders(403, -1);
          exchange.close();
        });
    server.start();
    try {
      var host = "127.0.0.1:" + server.getAddress().getPort();
      var base = URI.create("http://user:p%40ssword@" + host + "/x");
      var run = Runs.with(GitSource.of(base, "owner/repo", "main"), Runs.of("true"));
      var failure = assertThrows(SpriteException.class, () -> run(run));
      assertEquals(SpriteError.SPRITE_CREATE_FAILED, failure.error());
      assertEquals("Basic dXNlcjpwQHNzd29yZA==", sent.getFirst());
      assertTrue(arguments.contains("http://" + host + "/x/owner/repo"), arguments::toString);
      assertFalse(arguments.toString().matches("(?s).*(p%40ss|p@ss|dXNlcjpwQHNz).*"));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void user_and_password_are_secrets_as_they_are_written_and_as_they_are_meant() {
    assertEquals(
        List.of("us%65r:p%40ss", "us%65r", "p%40ss", "user:p@ss", "user", "p@ss", "dXNlcjpwQHNz"),
        GitSource.secrets(URI.create("https://us%65r:p%40ss@git.example.org/")));
    assertEquals(
        List.of("a-token", "YS10b2tlbjo="),
        GitSource.secrets(URI.create("https://a-token@git.example.org/")));
    assertEquals(List.of(), GitSource.secrets(BASE));
  }
}
