package dev.cairn.cli.bulk;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;

/**
 * The bytes of one file or of the standard input, decompressed if they are gzip, and without a
 * byte-order mark. It counts the bytes as they are in the file, for the progress.
 */
final class InputFile implements Closeable {
  /** The path that stands for the standard input. */
  static final Path STANDARD_INPUT = Path.of("-");

  private static final int BUFFER_BYTES = 256 * 1024;

  private final BufferedInputStream content;

  private InputFile(BufferedInputStream content) {
    this.content = content;
  }

  /**
   * Opens a file.
   *
   * @param standardInput what {@link #STANDARD_INPUT} stands for
   * @param read the bytes that are read are added to it
   * @throws IOException if it cannot be read
   */
  static InputFile open(Path path, InputStream standardInput, AtomicLong read) throws IOException {
    var bytes =
        path.equals(STANDARD_INPUT) ? new Unclosed(standardInput) : Files.newInputStream(path);
    var counted = new BufferedInputStream(new Counted(bytes, read), BUFFER_BYTES);
    InputStream plain = isGzip(counted) ? new GZIPInputStream(counted, BUFFER_BYTES) : counted;
    var content = new BufferedInputStream(plain, BUFFER_BYTES);
    skipByteOrderMark(content);
    return new InputFile(content);
  }

  /** The exception for a file that cannot be read, with its name in the message. */
  static IOException unreadable(Path path, IOException e) {
    if (e instanceof FileSystemException) {
      return e; // it has the name
    }
    var why = e instanceof EOFException ? "it ends too early" : e.getMessage();
    return new IOException(path + " cannot be read: " + why, e);
  }

  /** The bytes, from where they were read to. */
  BufferedInputStream content() {
    return content;
  }

  /**
   * The beginning, which is read again afterwards.
   *
   * @param length how many bytes at most
   */
  byte[] peek(int length) throws IOException {
    return peek(content, length);
  }

  private static byte[] peek(BufferedInputStream in, int length) throws IOException {
    in.mark(length);
    byte[] begin = in.readNBytes(length);
    in.reset();
    return begin;
  }

  private static boolean isGzip(BufferedInputStream in) throws IOException {
    byte[] magic = peek(in, 2);
    return magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
  }

  private static void skipByteOrderMark(BufferedInputStream in) throws IOException {
    byte[] begin = peek(in, 3);
    if (begin.length == 3
        && (begin[0] & 0xff) == 0xef
        && (begin[1] & 0xff) == 0xbb
        && (begin[2] & 0xff) == 0xbf) {
      in.skipNBytes(3);
    }
  }

  @Override
  public void close() throws IOException {
    content.close();
  }

  /** Counts what is read. */
  private static final class Counted extends FilterInputStream {
    private final AtomicLong read;

    Counted(InputStream in, AtomicLong read) {
      super(in);
      this.read = read;
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      if (b >= 0) {
        read.incrementAndGet();
      }
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int n = super.read(bytes, offset, length);
      if (n > 0) {
        read.addAndGet(n);
      }
      return n;
    }
  }

  /** The standard input, which belongs to the process. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public void close() {
      // nothing: see the class
    }
  }
}
