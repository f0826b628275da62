package dev.cairn.platform.http;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/**
 * A stream that compresses with gzip. Each write is flushed, so that the client can read its bytes
 * at once: write pieces of several KiB. Writing begins with the first piece or with {@link
 * #finish}.
 *
 * <p>From the first piece on it holds a compressor of about 300 KiB, most of it outside of the
 * heap, until {@link #release}.
 */
public final class Gzip extends OutputStream {
  /** The value of {@code Content-Encoding}. */
  public static final String NAME = "gzip";

  /** What the tag of a compressed answer ends with, before its quote. */
  private static final String SUFFIX = "-" + NAME;

  /**
   * The fastest level: it takes two fifths of the time of the usual level 6, for a result that is a
   * sixth longer. See {@code docs/api.md}, Compression.
   */
  private static final int LEVEL = 1;

  private static final int BUFFER_BYTES = 32 * 1024;

  /** More than the header has; any other output is longer, or is flushed. */
  private static final int HEADER_BYTES = 64;

  private final OutputStream out;

  /** Null before the first piece. */
  private Compressor compressor;

  /** The JDK's stream, with its level and its end made accessible. */
  private static final class Compressor extends GZIPOutputStream {
    Compressor(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES, true);
      def.setLevel(LEVEL);
    }

    void release() {
      def.end();
    }
  }

  /** Compresses into a stream, which is not closed. */
  public Gzip(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    begun().write(bytes, from, count);
    compressor.flush();
  }

  /** Writes the regular end, without which what was written is not complete. */
  public void finish() throws IOException {
    begun().finish();
    compressor.flush();
  }

  /** Gives back the memory of the compressor. Nothing can be written any longer. */
  public void release() {
    if (compressor != null) {
      compressor.release();
    }
  }

  private Compressor begun() throws IOException {
    if (compressor == null) {
      // The constructor writes a header: if that failed, its memory could not be given back.
      compressor = new Compressor(new BufferedOutputStream(out, HEADER_BYTES));
    }
    return compressor;
  }

  /** A whole body, compressed. */
  public static byte[] compress(byte[] body) {
    try (var compressed = new ByteArrayBuilder()) {
      var gzip = new Gzip(compressed);
      try {
        gzip.begun().write(body, 0, body.length);
        gzip.finish();
      } finally {
        gzip.release();
      }
      return compressed.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("memory can always be written to", e);
    }
  }

  /**
   * The strong tag of a compressed answer.
   *
   * @param tag that of the same answer as it is, with its quotes
   */
  public static String tag(String tag) {
    return tag.substring(0, tag.length() - 1) + SUFFIX + '"';
  }
}
