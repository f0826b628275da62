package dev.cairn.cli.bulk;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is imported.
 *
 * @param files the files, or {@link InputFile#STANDARD_INPUT} alone
 * @param format of all of them
 * @param separator between the cells of CSV; null to find it out
 * @param standardInput what the standard input is
 */
record Source(
    List<Path> files, InputFormat format, Character separator, InputStream standardInput) {

  /**
   * Recognizes files.
   *
   * @throws IOException if one cannot be read, or they are not all of one format
   */
  static Source of(List<Path> files, Character separator, InputStream standardInput)
      throws IOException {
    var input =
        files.contains(InputFile.STANDARD_INPUT) ? new Rewindable(standardInput) : standardInput;
    InputFormat format = null;
    for (var path : files) {
      var found = detect(path, input);
      if (format != null && !format.equals(found)) {
        throw new IOException(
            "%s and %s are of different formats: import them one by one."
                .formatted(files.getFirst(), path));
      }
      format = found;
    }
    return new Source(List.copyOf(files), format, separator, input);
  }

  private static InputFormat detect(Path path, InputStream standardInput) throws IOException {
    try (var file = InputFile.open(path, standardInput, new AtomicLong())) {
      return InputFormat.detect(path, file);
    } catch (IOException e) {
      throw InputFile.unreadable(path, e);
    } finally {
      if (standardInput instanceof Rewindable rewindable) {
        rewindable.rewind();
      }
    }
  }

  /** The same source with another format. */
  Source as(InputFormat other) {
    return new Source(files, other, separator, standardInput);
  }

  /** Whether it can be read only once. */
  boolean isStandardInput() {
    return files.contains(InputFile.STANDARD_INPUT);
  }

  /**
   * How many bytes the files have; -1 if that is not known.
   *
   * @throws IOException if one of them is not there
   */
  long bytes() throws IOException {
    if (isStandardInput()) {
      return -1;
    }
    long bytes = 0;
    for (var file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  /** What makes files the same: their paths, sizes and times of modification. */
  List<String> identity() throws IOException {
    List<String> identity = new ArrayList<>();
    for (var file : files) {
      identity.add(file.toRealPath().toString());
      identity.add(Long.toString(Files.size(file)));
      identity.add(Files.getLastModifiedTime(file).toString());
    }
    return identity;
  }

  /** Opens it at its beginning. */
  Input open(AtomicLong read) {
    return new Input(this, read);
  }

  /** Opens a file of it. */
  ItemReader open(int file, AtomicLong read) throws IOException {
    var opened = InputFile.open(files.get(file), standardInput, read);
    try {
      return format.reader(opened, separator);
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }
}
