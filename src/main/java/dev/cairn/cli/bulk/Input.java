package dev.cairn.cli.bulk;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** The items of several files of one format, one after the other. */
final class Input implements Closeable {
  private final Source source;
  private final AtomicLong read;
  private int file = -1;
  private ItemReader reader;

  /**
   * Begins before the first file.
   *
   * @param read the bytes that are read are added to it
   */
  Input(Source source, AtomicLong read) {
    this.source = source;
    this.read = read;
  }

  /**
   * The next item.
   *
   * @return null at the end of the last file
   * @throws IOException if a file cannot be read; the message begins with its name
   */
  Item next() throws IOException {
    try {
      while (file < source.files().size()) {
        var item = reader == null ? null : reader.next();
        if (item != null) {
          return item;
        }
        open(file + 1);
      }
      return null;
    } catch (IOException e) {
      throw InputFile.unreadable(source.files().get(file), e);
    }
  }

  private void open(int next) throws IOException {
    close();
    file = next;
    if (file < source.files().size()) {
      reader = source.open(file, read);
    }
  }

  /** The index of the file of the last item. */
  int file() {
    return file;
  }

  /** Passes over items that an earlier run has dealt with. */
  void skip(long count) throws IOException {
    for (long i = 0; i < count; i++) {
      if (next() == null) {
        throw new IOException(
            "The input has fewer lines than when it was interrupted; begin anew with --restart");
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
