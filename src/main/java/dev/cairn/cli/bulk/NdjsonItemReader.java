package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** The objects of an NDJSON file: one a line; empty lines are skipped. */
final class NdjsonItemReader implements ItemReader {
  /** As long as a line of a stream may be: {@code docs/streams.md}, The request. */
  static final int MAX_LINE_BYTES = 5 * 1024 * 1024;

  private static final int BUFFER_BYTES = 64 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private long line;
  private ByteArrayOutputStream text;

  NdjsonItemReader(InputStream in) {
    this.in = in;
  }

  @Override
  public Item next() throws IOException {
    while (true) {
      text = new ByteArrayOutputStream(512);
      long length = readLine();
      if (length < 0) {
        return null;
      }
      line++;
      if (length > MAX_LINE_BYTES) {
        return Item.faulty(line, "The line has %,d bytes, but may have 5 MiB.".formatted(length));
      }
      var item = parse(text.toByteArray());
      if (item != null) {
        return item;
      }
    }
  }

  private Item parse(byte[] bytes) throws IOException {
    String json;
    try {
      json = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString().strip();
    } catch (CharacterCodingException e) {
      return Item.faulty(line, "The line is not UTF-8.");
    }
    if (json.isEmpty()) {
      return null;
    }
    try {
      return Json.MAPPER.readTree(json) instanceof ObjectNode object
          ? Item.of(line, object, json)
          : Item.faulty(line, "The line is JSON, but not an object.");
    } catch (JsonProcessingException e) {
      return Item.faulty(line, Json.fault(e));
    }
  }

  /**
   * Reads a line into {@link #text}, as far as it may be long.
   *
   * @return its length in bytes; -1 at the end
   */
  private long readLine() throws IOException {
    long length = 0;
    while (position < limit || fill()) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      length += end - position;
      if (length <= MAX_LINE_BYTES) {
        text.write(buffer, position, end - position);
      }
      position = end;
      if (end < limit) {
        position++;
        return length;
      }
    }
    return length == 0 ? -1 : length;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer));
    return limit > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
