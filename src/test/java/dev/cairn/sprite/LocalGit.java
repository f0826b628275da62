package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Repositories of git in the file system, for the tests of checkouts. */
final class LocalGit {
  private LocalGit() {}

  /** Makes one with two commits, of which the first has the tag v1 and the branch old. */
  static void makeRepository(Path repository) throws IOException, InterruptedException {
    assumeTrue(
        Stream.of("/usr/local/bin/git", "/usr/bin/git", "/bin/git")
            .anyMatch(git -> Files.isExecutable(Path.of(git))),
        "there is no git here");
    Files.createDirectories(repository);
    git(repository, "init", "-q", "-b", "main");
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true");
    commit(repository, "1");
    git(repository, "tag", "v1");
    git(repository, "branch", "old");
    commit(repository, "2");
  }

  private static void commit(Path repository, String content)
      throws IOException, InterruptedException {
    Files.writeString(repository.resolve("file"), content);
    git(repository, "add", "file");
    git(
        repository,
        "-c",
        "user.name=n",
        "-c",
        "user.email=e@example.org",
        "commit",
        "-q",
        "-m",
        "m");
  }

  /** Runs git; answers what it wrote. */
  static String git(Path directory, String... arguments) throws IOException, InterruptedException {
    var line = Stream.concat(Stream.of("git"), Arrays.stream(arguments)).toList();
    var process =
        new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return output.strip();
  }

  /** Runs as the user of this test, since git serves nobody from what is somebody else's. */
  static SpriteExit run(SpriteRun run) throws SpriteException, InterruptedException {
    return LocalBackend.run(
        run, new LocalUser(OptionalInt.empty()), LocalRuns.limits(), LocalRuns.REMAINS);
  }
}
