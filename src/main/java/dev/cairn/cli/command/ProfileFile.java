package dev.cairn.cli.command;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.output.ProcessContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The file with the profiles: {@code $XDG_CONFIG_HOME/cairn/config.json}, by default under {@code
 * ~/.config}. It has tokens, so only its owner may read it, and it is refused if others can. A
 * change writes a new file and renames it, under a lock that other processes respect.
 */
public final class ProfileFile {
  private static final JsonMapper MAPPER = new JsonMapper();

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  /** A lock of a file is one of the process, so its threads need one of their own. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path path;

  /** The file at a path, which need not exist. */
  ProfileFile(Path path) {
    this.path = path;
  }

  /** The file of this user. */
  static ProfileFile of(ProcessContext context) {
    var configured = context.variable("XDG_CONFIG_HOME");
    // The XDG specification says that a relative path is to be ignored.
    var base =
        configured != null && Path.of(configured).isAbsolute()
            ? Path.of(configured)
            : context.home().resolve(".config");
    return new ProfileFile(base.resolve("cairn").resolve("config.json"));
  }

  /** Where it is, or would be. */
  public Path path() {
    return path;
  }

  /**
   * What is in it; nothing if it does not exist.
   *
   * @throws CommandFailure if others can read it, or it is not valid
   */
  public Profiles read() {
    try {
      requireOwnerOnly();
      return parse(MAPPER.readValue(Files.readAllBytes(path), ObjectNode.class));
    } catch (NoSuchFileException e) {
      return Profiles.NONE;
    } catch (JacksonException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "%s is not valid JSON. Correct it, or remove it and sign in again.".formatted(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireOwnerOnly() throws IOException {
    if (!isPosix()) {
      return;
    }
    var permissions = Files.getPosixFilePermissions(path);
    if (!OWNERS.containsAll(permissions)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "%s has tokens, but others than its owner can read or change it (%s)."
              .formatted(path, PosixFilePermissions.toString(permissions)),
          "chmod 600 " + path);
    }
  }

  private static Profiles parse(ObjectNode root) {
    var profiles = new TreeMap<String, Profile>();
    for (var entry : root.path("profiles").properties()) {
      var profile = entry.getValue();
      var signIn = profile.path("signIn");
      profiles.put(
          entry.getKey(),
          new Profile(
              text(profile, "server"),
              text(profile, "repository"),
              text(profile, "account"),
              signIn.isObject()
                  ? new Profile.SignIn(
                      text(signIn, "accessToken"),
                      signIn.path("expiresAt").longValue(),
                      text(signIn, "refreshToken"),
                      signIn.path("grant").booleanValue())
                  : null,
              text(profile, "token")));
    }
    var current = text(root, "current");
    return new Profiles(current == null ? Profiles.DEFAULT : current, profiles);
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).textValue();
  }

  /** Changes it under the lock. */
  public void change(UnaryOperator<Profiles> change) {
    locked(
        () -> {
          write(change.apply(read()));
          return null;
        });
  }

  /**
   * Does something while no other process changes the file.
   *
   * @throws UncheckedIOException if the directory cannot be written to
   */
  <T> T locked(Supplier<T> work) {
    if (THREADS.isHeldByCurrentThread()) {
      return work.get();
    }
    THREADS.lock();
    try {
      createDirectory();
      try (var channel = openLock()) {
        channel.lock(); // closing the channel releases it
        return work.get();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      THREADS.unlock();
    }
  }

  private FileChannel openLock() throws IOException {
    return FileChannel.open(
        path.resolveSibling("config.lock"),
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
        ownerOnly());
  }

  private void createDirectory() throws IOException {
    var directory = path.getParent();
    if (!Files.isDirectory(directory)) {
      if (isPosix()) {
        Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectories(directory);
      }
    }
  }

  private void write(Profiles profiles) {
    var temporary = path.resolveSibling("config.json.new");
    try {
      Files.deleteIfExists(temporary);
      var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (var channel = FileChannel.open(temporary, options, ownerOnly())) {
        var bytes = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(tree(profiles));
        var buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode tree(Profiles profiles) {
    var root = MAPPER.createObjectNode().put("current", profiles.current());
    var all = root.putObject("profiles");
    profiles.byName().forEach((name, profile) -> all.set(name, tree(profile)));
    return root;
  }

  private static ObjectNode tree(Profile profile) {
    var node = MAPPER.createObjectNode();
    put(node, "server", profile.server());
    put(node, "repository", profile.repository());
    put(node, "account", profile.account());
    put(node, "token", profile.token());
    if (profile.signIn() != null) {
      node.putObject("signIn")
          .put("accessToken", profile.signIn().accessToken())
          .put("expiresAt", profile.signIn().expiresAt())
          .put("refreshToken", profile.signIn().refreshToken())
          .put("grant", profile.signIn().isGrant());
    }
    return node;
  }

  private static void put(ObjectNode node, String name, String value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return isPosix()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  }
}
