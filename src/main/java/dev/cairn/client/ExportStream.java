package dev.cairn.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.stream.Stream;

/**
 * The content of an export while it comes: {@code docs/export.md}. It must be closed. If it ends
 * without an error, it is complete.
 *
 * @param atRepoSeq the sequence number of the exported state
 * @param content one JSON object a line; reading it throws an {@link IOException} if the connection
 *     breaks, or nothing comes for as long as an answer may take
 */
public record ExportStream(long atRepoSeq, InputStream content) implements AutoCloseable {
  /**
   * The lines. They can be read once.
   *
   * @throws java.io.UncheckedIOException (of the stream) if the connection breaks
   */
  public Stream<String> lines() {
    return new BufferedReader(new InputStreamReader(content, UTF_8)).lines();
  }

  /** Breaks it off, unless it has ended. */
  @Override
  public void close() throws IOException {
    content.close();
  }
}
