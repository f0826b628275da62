package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The file with the state of one import, named by what is imported where and how. A second process
 * that imports the same at the same time is refused. It has names and counts, no data and no
 * secrets.
 */
final class StateFile implements AutoCloseable {
  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;

  private StateFile(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /**
   * Opens the state of an import.
   *
   * @param directory where states are; it is created if it does not exist
   * @param identity what makes it the same import: server, repository, account, files, options
   * @throws IOException if another process is at it, or the directory cannot be written
   */
  static StateFile open(Path directory, List<String> identity) throws IOException {
    Files.createDirectories(directory);
    var hash = hash(identity);
    var channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    // One byte of the file stands for each import, so that no file is left of any of them.
    long position = Long.parseUnsignedLong(hash.substring(0, 15), 16);
    try {
      var lock = channel.tryLock(position, 1, false);
      if (lock != null) {
        return new StateFile(directory.resolve(hash + ".json"), channel, lock);
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException("The same import is running already.", e);
    }
    channel.close();
    throw new IOException("The same import is running already in another process.");
  }

  private static String hash(List<String> identity) {
    try {
      var bytes = String.join("\0", identity).getBytes(UTF_8);
      var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The state that an interrupted run has left.
   *
   * @throws IOException if it cannot be read; {@code --restart} helps
   */
  Optional<ImportState> read() throws IOException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      return Optional.of(ImportState.fromJson(Json.MAPPER.readTree(Files.readString(path))));
    } catch (JsonProcessingException e) {
      throw new IOException(path + " is damaged; begin anew with --restart", e);
    }
  }

  /** Replaces the state; whoever is killed leaves the old or the new one. */
  void write(ImportState state) throws IOException {
    var next = path.resolveSibling(path.getFileName() + ".new");
    Files.deleteIfExists(next);
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    Files.writeString(next, Json.text(state.toJson()));
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Forgets the state: the import is done, or begins anew. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    lock.release();
    channel.close();
  }
}
