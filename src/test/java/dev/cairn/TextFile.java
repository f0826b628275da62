package dev.cairn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the project or of the service, as text. */
public final class TextFile {
  private TextFile() {}

  /** All of a file in UTF-8; {@link UncheckedIOException} if it cannot be read. */
  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
