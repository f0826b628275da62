package dev.cairn.embedded;

import dev.cairn.model.Sha256;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's own programs, unpacked from the jar for this platform.
 *
 * @param directory the directory of the programs; PostgreSQL looks for its libraries relative to it
 * @param log the file that receives their output
 */
record Programs(Path directory, Path log) {
  private static final int LOG_LINES_SHOWN = 20;

  /** Unpacks them in a directory in {@code parent}, unless they have been unpacked before. */
  static Programs unpack(Path parent, Path log) throws IOException {
    var archive = archive();
    var directory = parent.resolve(digest(archive));
    if (Files.notExists(directory)) {
      // Any content belongs to another version, or was left by an interrupted start.
      PrivateFiles.delete(parent);
      PrivateFiles.directory(parent);
      var partial = PrivateFiles.directory(parent.resolve("partial"));
      extract(archive, partial);
      Files.move(partial, directory, StandardCopyOption.ATOMIC_MOVE);
    }
    return new Programs(directory, log);
  }

  private static byte[] archive() throws IOException {
    var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var name = system.startsWith("mac") ? "Darwin" : system.startsWith("win") ? "Windows" : "Linux";
    var machine = System.getProperty("os.arch");
    try (var in = DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(name, machine)) {
      return in.readAllBytes();
    }
  }

  private static String digest(byte[] archive) {
    return HexFormat.of().formatHex(Sha256.of(archive), 0, 8);
  }

  private static void extract(byte[] archive, Path target) throws IOException {
    try (var in = new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(archive)))) {
      for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        extract(in, entry, entry.resolveIn(target));
      }
    }
  }

  private static void extract(TarArchiveInputStream in, TarArchiveEntry entry, Path path)
      throws IOException {
    PrivateFiles.directory(entry.isDirectory() ? path : path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else if (entry.isFile()) {
      Files.copy(in, path);
      if ((entry.getMode() & 0100) != 0 && !path.toFile().setExecutable(true)) {
        throw new IOException(path + " cannot be made executable");
      }
    }
  }

  /** Whether the process runs one of these programs, of this version or an earlier one. */
  boolean isOwn(ProcessHandle process) {
    return process
        .info()
        .command()
        .filter(command -> Path.of(command).startsWith(directory.getParent()))
        .isPresent();
  }

  /** Runs a program and waits for it; the exception of a failure contains the end of the log. */
  void run(String program, String... arguments) throws IOException {
    var process =
        new ProcessBuilder(command(program, arguments))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(PrivateFiles.file(log).toFile()))
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "%s of the embedded PostgreSQL failed; the end of %s:%n%s"
                .formatted(program, log, endOfLog()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + program, e);
    }
  }

  /** PostgreSQL refuses to run as root, so root runs it as nobody in a user namespace. */
  private List<String> command(String program, String... arguments) {
    var command = new ArrayList<String>();
    if (LinuxUtils.isUnshareAvailable()) {
      command.addAll(List.of("unshare", "--user"));
    }
    command.add(directory.resolve("bin").resolve(program).toString());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  private String endOfLog() throws IOException {
    var lines = Files.readAllLines(log);
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
  }
}
