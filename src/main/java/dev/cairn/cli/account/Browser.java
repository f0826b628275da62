package dev.cairn.cli.account;

import dev.cairn.cli.output.ProcessContext;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Opens pages in the browser of this machine, if it has one. */
final class Browser {
  private static final List<String> REMOTE = List.of("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT");
  private static final List<String> DISPLAYS = List.of("DISPLAY", "WAYLAND_DISPLAY");

  private final ProcessContext context;

  Browser(ProcessContext context) {
    this.context = context;
  }

  /**
   * Opens a page.
   *
   * @return whether a browser was told to; not over SSH, where it would open on another screen
   */
  boolean open(URI page) {
    return opener().map(command -> start(command, page)).orElse(false);
  }

  private Optional<Path> opener() {
    if (REMOTE.stream().anyMatch(this::isSet)) {
      return Optional.empty();
    }
    if (System.getProperty("os.name").startsWith("Mac")) {
      return command("open");
    }
    return DISPLAYS.stream().anyMatch(this::isSet) ? command("xdg-open") : Optional.empty();
  }

  private boolean isSet(String variable) {
    return context.variable(variable) != null;
  }

  private Optional<Path> command(String name) {
    var path = context.variable("PATH");
    return path == null
        ? Optional.empty()
        : Stream.of(path.split(File.pathSeparator))
            .map(directory -> Path.of(directory, name))
            .filter(Files::isExecutable)
            .findFirst();
  }

  private static boolean start(Path command, URI page) {
    try {
      new ProcessBuilder(command.toString(), page.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
