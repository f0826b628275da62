package dev.cairn.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The version of this build, which Maven writes into a resource. */
final class Version {
  private Version() {}

  /** The version, such as {@code 1.2.0}. */
  static String current() {
    try (var in = Version.class.getResourceAsStream("version.txt")) {
      if (in == null) {
        throw new IllegalStateException("The build has no version.txt.");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
