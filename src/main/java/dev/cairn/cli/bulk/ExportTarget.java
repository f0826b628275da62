package dev.cairn.cli.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file that appears when it is complete. Until then its content is in {@code <file>.part}, which
 * a later run can continue with.
 */
final class ExportTarget {
  private static final int BUFFER_BYTES = 128 * 1024;

  private final Path path;
  private final MessageDigest hash = sha256();
  private long bytes;
  private long lines;

  ExportTarget(Path path) {
    this.path = path;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where the content is until it is complete. */
  Path part() {
    return path.resolveSibling(path.getFileName() + ".part");
  }

  /** Reads what an interrupted run has written, so that this run continues after it. */
  void resume() throws IOException {
    if (Files.exists(part())) {
      try (var in = Files.newInputStream(part())) {
        copy(in, OutputStream.nullOutputStream(), () -> {});
      }
    }
  }

  /** Forgets what an interrupted run has written. */
  void restart() throws IOException {
    Files.deleteIfExists(part());
    hash.reset();
    bytes = 0;
    lines = 0;
  }

  /**
   * Adds content.
   *
   * @param progress is told after each piece
   */
  void append(InputStream in, Runnable progress) throws IOException {
    try (var out =
        Files.newOutputStream(part(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      copy(in, out, progress);
    }
  }

  private void copy(InputStream in, OutputStream out, Runnable progress) throws IOException {
    var buffer = new byte[BUFFER_BYTES];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      out.write(buffer, 0, n);
      hash.update(buffer, 0, n);
      bytes += n;
      for (int i = 0; i < n; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
      progress.run();
    }
  }

  /** How many bytes it has. */
  long bytes() {
    return bytes;
  }

  /** How many lines it has. */
  long lines() {
    return lines;
  }

  /** The SHA-256 of what it has, in hexadecimal; called once, at the end. */
  String sha256Hex() {
    return HexFormat.of().formatHex(hash.digest());
  }

  /** Gives the complete content its name. */
  void complete() throws IOException {
    if (!Files.exists(part())) {
      Files.createFile(part());
    }
    try (var channel = FileChannel.open(part(), StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(part(), path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
