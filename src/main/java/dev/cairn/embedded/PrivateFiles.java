package dev.cairn.embedded;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** Files and directories that only their owner can read. */
final class PrivateFiles {
  private PrivateFiles() {}

  /** Creates the directory if there is none; an existing one keeps its mode. */
  static Path directory(Path path) throws IOException {
    return Files.createDirectories(path, mode("rwx------"));
  }

  /** Creates the file if there is none. */
  static Path file(Path path) throws IOException {
    return Files.exists(path) ? path : Files.createFile(path, mode("rw-------"));
  }

  /** The first line of the file, or an empty string. */
  static String read(Path path) throws IOException {
    return Files.exists(path) ? Files.readString(path).lines().findFirst().orElse("").strip() : "";
  }

  /** Replaces the file's content with {@code line}, atomically. */
  static void write(Path path, String line) throws IOException {
    var part = path.resolveSibling(path.getFileName() + ".part");
    Files.writeString(file(part), line + "\n");
    Files.move(part, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Deletes the file or directory, with everything in it. */
  static void delete(Path path) throws IOException {
    if (Files.notExists(path)) {
      return;
    }
    try (var all = Files.walk(path)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** Windows has no file modes; a home directory there is private by inheritance. */
  private static FileAttribute<?>[] mode(String permissions) {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
