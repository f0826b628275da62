package dev.cairn.sprite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.platform.Configs;
import dev.cairn.platform.LocalCommands;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sprites, the local backend: what commands leave is deleted, and holds up no run. */
@Timeout(300)
class LocalRemainsTest {
  /** Makes 20,000 directories, each in the one before. */
  private static final String NEST =
      """
      levels=d; for i in 1 2 3 4 5 6 7 8 9; do levels=$levels/d/d/d/d/d/d/d/d/d/d; done
      levels=$levels/$levels/$levels/$levels/$levels/$levels/$levels/$levels/$levels/$levels
      for i in $(seq 22); do mkdir -p $levels && cd -P $levels || exit 1; done
      """;

  @BeforeEach
  void commandsCanRun() {
    LocalRuns.assumePossible();
  }

  private static LocalBackend backend(LocalRemains remains) {
    return new LocalBackend(Configs.of(Map.of()), remains);
  }

  @Test
  void a_result_does_not_wait_until_all_is_deleted() throws Exception {
    var remains = new LocalRemains(Duration.ZERO);
    var exit = backend(remains).begin(Runs.of("pwd; " + NEST));
    assertEquals(0, exit.status(), exit::errors);
    var root = Path.of(exit.output().strip()).getParent();
    assertTrue(Files.exists(root), "its result came when all was deleted");
    remains.deleteLeft();
    assertFalse(Files.exists(root), "it is not deleted later");
  }

  @Test
  void under_root_no_run_gets_a_user_whose_files_are_not_deleted() throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    var remains = new LocalRemains();
    var user = LocalUser.take();
    int uid = user.uid().orElseThrow();
    Path foreign;
    Path root;
    try (var directory = LocalDirectory.make(user, remains)) {
      root = directory.root();
      // Its user may not delete what is in a directory of somebody else.
      foreign = Files.createDirectory(directory.work().resolve("foreign"));
      Files.createFile(foreign.resolve("file"));
    }
    assertFalse(LocalUser.reserve(uid), "another run may get the user");
    remains.deleteLeft();
    assertTrue(Files.exists(root));
    assertFalse(LocalUser.reserve(uid), "another run may get the user after the next try");
    Files.setAttribute(foreign, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    remains.deleteLeft();
    assertFalse(Files.exists(root), "it is tried no more");
    assertTrue(LocalUser.reserve(uid), "the user is not given back");
    user.close();
  }

  @Test
  void under_root_what_a_killed_service_left_is_deleted_and_nothing_else(@TempDir Path temporary)
      throws Exception {
    assumeTrue(LocalCommands.isRoot(), "only root becomes other users");
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    var remains = new LocalRemains();
    var left = LocalDirectory.make(LocalUser.take(), remains);
    var used = LocalDirectory.make(LocalUser.take(), remains);
    Files.createFile(left.work().resolve("file"));
    var root = Files.move(left.root(), temporary.resolve(left.root().getFileName()));
    var usedRoot = Files.move(used.root(), temporary.resolve(used.root().getFileName()));
    var ofService = Files.createDirectories(temporary.resolve("cairn-sprite-1/work"));
    var ofUser = Files.createDirectories(temporary.resolve("cairn-sprite-2/work"));
    var link = Files.createSymbolicLink(temporary.resolve("cairn-sprite-3"), root);
    int uid = left.user().uid().orElseThrow();
    var more = Files.createDirectories(temporary.resolve("cairn-sprite-4/home"));
    for (var path : new Path[] {ofUser, ofUser.getParent(), more}) {
      Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    }
    left.user().close(); // As for a service that has been started again, the first one is nobody's.
    try {
      var atStart = new LocalRemains();
      atStart.find(temporary);
      assertFalse(LocalUser.reserve(uid), "a run may get the user before its files are deleted");
      atStart.deleteLeft();
      assertFalse(Files.exists(root));
      assertFalse(Files.exists(more.getParent()), "only one directory of a user was deleted");
      assertTrue(LocalUser.reserve(uid), "the user is not given back");
      for (var path : new Path[] {usedRoot, ofService, ofUser, link}) {
        assertTrue(Files.exists(path, LinkOption.NOFOLLOW_LINKS), path + " was deleted");
      }
    } finally {
      left.user().close();
      used.user().close();
    }
  }
}
