package dev.cairn.cli.output;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;

/**
 * What the process was given. Commands take all of it from here, so that tests can replace it.
 *
 * @param in the standard input
 * @param out the standard output, not buffered
 * @param err the standard error, not buffered
 * @param variables the environment variables
 * @param terminal the terminal, if there is one
 * @param clock the time
 * @param zone the time zone of times for people
 */
public record ProcessContext(
    InputStream in,
    OutputStream out,
    OutputStream err,
    Map<String, String> variables,
    Terminal terminal,
    InstantSource clock,
    ZoneId zone) {

  /** That of this process. */
  public static ProcessContext ofProcess() {
    return new ProcessContext(
        new FileInputStream(FileDescriptor.in),
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        System.getenv(),
        new ProcessTerminal(System.getenv()),
        InstantSource.system(),
        ZoneId.systemDefault());
  }

  /**
   * An environment variable.
   *
   * @return its value, or null if it is not set or empty
   */
  public String variable(String name) {
    var value = variables.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** The home directory of the user. */
  public Path home() {
    var home = variable("HOME");
    return Path.of(home == null ? System.getProperty("user.home") : home);
  }
}
