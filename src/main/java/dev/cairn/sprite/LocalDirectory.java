package dev.cairn.sprite;

import dev.cairn.platform.Body;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The directory of one run: the working directory and a home directory for its user only, the
 * standard input, and the outputs. When it is closed, it is deleted, at once or later, and then the
 * user is released.
 *
 * <p>If the service is root, the parent directory belongs to the service, so that the user cannot
 * replace these files; their content is deleted with the rights of the user.
 */
record LocalDirectory(Path root, LocalUser user, LocalRemains remains) implements AutoCloseable {
  private static final String PREFIX = "cairn-sprite-";
  private static final String WORK = "work";
  private static final String HOME = "home";
  static final String STDOUT = "stdout";
  static final String STDERR = "stderr";
  private static final String STDIN = "stdin";
  private static final Logger LOG = Logger.getLogger(LocalDirectory.class);

  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final Set<OpenOption> READABLE =
      Stream.concat(NEW.stream(), Stream.of(StandardOpenOption.READ)).collect(Collectors.toSet());

  /** Creates a directory for a user, who is released with it, or if it cannot be created. */
  static LocalDirectory make(LocalUser user, LocalRemains remains) throws IOException {
    var directory = new LocalDirectory(makeRoot(user), user, remains);
    var root = directory.root();
    try {
      if (user.uid().isPresent()) {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
      }
      directory.makeDirectory(directory.work());
      directory.makeDirectory(directory.home());
      return directory;
    } catch (IOException e) {
      directory.close();
      throw e;
    }
  }

  private static Path makeRoot(LocalUser user) throws IOException {
    try {
      return Files.createTempDirectory(PREFIX, privately("rwx------"));
    } catch (IOException e) {
      user.close();
      throw e;
    }
  }

  /**
   * The directories that runs of a killed service left in the directory for temporary files, if no
   * process has their users. Only root can find them.
   */
  static List<LocalDirectory> left(Path temporary, LocalRemains remains) throws IOException {
    var left = new ArrayList<LocalDirectory>();
    // Several directories may belong to one user.
    var users = new HashMap<Integer, Optional<LocalUser>>();
    try (var found = Files.newDirectoryStream(temporary, PREFIX + "*")) {
      for (var root : found) {
        ownerOfContent(root)
            .flatMap(owner -> users.computeIfAbsent(owner, LocalUser::ofLeft))
            .ifPresent(user -> left.add(new LocalDirectory(root, user, remains)));
      }
    }
    return left;
  }

  /** Empty if root did not create it, or if it no longer exists. */
  private static Optional<Integer> ownerOfContent(Path root) {
    boolean isOurs =
        Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)
            && owner(root).filter(owner -> owner == 0).isPresent();
    return isOurs
        ? owner(root.resolve(WORK)).or(() -> owner(root.resolve(HOME)))
        : Optional.empty();
  }

  private static Optional<Integer> owner(Path path) {
    try {
      return Optional.of((int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return Optional.empty(); // there is none
    }
  }

  private static FileAttribute<?> privately(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  /** The working directory of the command. */
  Path work() {
    return root.resolve(WORK);
  }

  /** The home directory, also for temporary files. */
  Path home() {
    return root.resolve(HOME);
  }

  private void makeDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, privately("rwx------"));
    user.own(directory);
  }

  /** A file for the standard input of the command. */
  Path piped(Body content) throws IOException, InterruptedException {
    write(path(STDIN), content);
    return path(STDIN);
  }

  /** The path of a file with that name, next to the working directory. */
  Path path(String name) {
    return root.resolve(name);
  }

  /**
   * A new, empty file for an output of a command. It is opened for reading before the command could
   * replace it.
   */
  SeekableByteChannel output(String name) throws IOException {
    Files.deleteIfExists(path(name));
    var file = Files.newByteChannel(path(name), READABLE, privately("rw-------"));
    try {
      user.own(path(name));
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return file;
  }

  /**
   * A file in the working directory, which replaces a file of the checkout.
   *
   * @param path relative, without {@code ..}
   * @throws SpriteException if a link of the checkout would lead it out of the working directory
   */
  Path input(String path, Body content) throws IOException, SpriteException, InterruptedException {
    var at = work();
    var relative = Path.of(path);
    for (int i = 0; i < relative.getNameCount() - 1; i++) {
      at = at.resolve(relative.getName(i));
      if (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
        makeDirectory(at);
      } else if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        throw SpriteException.terminal(
            SpriteError.SPRITE_CREATE_FAILED, "A part of `inputPath` is not a directory.");
      }
    }
    var file = at.resolve(relative.getFileName());
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      throw SpriteException.terminal(
          SpriteError.SPRITE_CREATE_FAILED, "`inputPath` is a directory of the checkout.");
    }
    Files.deleteIfExists(file);
    write(file, content);
    return file;
  }

  private void write(Path file, Body content) throws IOException, InterruptedException {
    var made = Files.newByteChannel(file, NEW, privately("rw-------"));
    try (var out = Channels.newOutputStream(made)) {
      var pieces = content.read();
      for (var piece = pieces.next(); piece != null; piece = pieces.next()) {
        out.write(piece);
      }
    }
    user.own(file);
  }

  @Override
  public void close() {
    remains.delete(this);
  }

  /**
   * Deletes as much as possible within {@code limit}.
   *
   * @return whether everything was deleted
   */
  boolean delete(Duration limit) {
    try {
      if (user.uid().isPresent()) {
        // The files of the service first, since deleting those of the command may fail.
        for (var file : List.of(path(STDIN), path(STDOUT), path(STDERR))) {
          Files.deleteIfExists(file);
        }
        user.delete(List.of(work(), home()), limit);
        for (var emptied : List.of(work(), home())) {
          Files.deleteIfExists(emptied);
        }
      } else {
        // A command of the same user may have locked this one, too.
        user.delete(List.of(root), limit);
      }
      Files.deleteIfExists(root);
      return true;
    } catch (IOException e) {
      LOG.debugf(e, "%s is not deleted yet", root);
      return false;
    }
  }
}
