package dev.cairn.platform.page;

import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Writes the envelope of an answer around stored payloads, which are copied as bytes without their
 * marks, and never parsed.
 */
public final class JsonOut {
  private static final int INITIAL_BYTES = 8 * 1024;

  /** The maximum size of a block, unless it has a single larger payload. */
  private static final int MAX_BLOCK = 256 * 1024;

  private static final byte[] FOREIGN = Wref.SCHEME.getBytes(StandardCharsets.US_ASCII);

  /** The full blocks before the current one. */
  private final List<byte[]> before = new ArrayList<>();

  private int sizeBefore;

  /** The current block, and how much of it is used. */
  private byte[] bytes = new byte[INITIAL_BYTES];

  private int size;

  /** Whether the next member or element needs a comma before it. */
  private boolean comma;

  /** Begins an object. */
  public JsonOut object() {
    separate();
    put('{');
    comma = false;
    return this;
  }

  /** Ends an object. */
  public JsonOut end() {
    put('}');
    comma = true;
    return this;
  }

  /** Begins an array. */
  public JsonOut array() {
    separate();
    put('[');
    comma = false;
    return this;
  }

  /** Ends an array. */
  public JsonOut endArray() {
    put(']');
    comma = true;
    return this;
  }

  /** A member's name, which must need no escaping; its value comes next. */
  public JsonOut name(String name) {
    separate();
    put('"');
    ascii(name);
    put('"');
    put(':');
    comma = false;
    return this;
  }

  /** A string. */
  public JsonOut value(String text) {
    separate();
    put('"');
    utf8(StoredJson.escape(text));
    put('"');
    comma = true;
    return this;
  }

  /** A number. */
  public JsonOut value(long number) {
    separate();
    ascii(Long.toString(number));
    comma = true;
    return this;
  }

  /** A truth value. */
  public JsonOut value(boolean flag) {
    separate();
    ascii(Boolean.toString(flag));
    comma = true;
    return this;
  }

  /** Stored JSON in UTF-8. */
  public JsonOut stored(byte[] json) {
    separate();
    ensure(json.length);
    for (byte b : json) {
      if (b != StoredJson.MARK) {
        bytes[size++] = b;
      }
    }
    comma = true;
    return this;
  }

  /** Writes the member {@code warnings}, if there are any. */
  public JsonOut warnings(List<String> warnings) {
    if (!warnings.isEmpty()) {
      name("warnings").array();
      warnings.forEach(this::value);
      endArray();
    }
    return this;
  }

  /**
   * Ends the object of a page of a repository's content.
   *
   * @param cursor what was asked for; empty for the first page, which tells {@code repoSeq}
   * @param seq the sequence number of the commit that the list shows
   * @param nextCursor empty if there is no next page
   */
  public JsonPage endPage(Optional<String> cursor, long seq, Optional<String> nextCursor) {
    if (cursor.isEmpty()) {
      name("repoSeq").value(seq);
    }
    return endPage(nextCursor);
  }

  /** Ends the object of a page, with its cursor if there is a next page. */
  public JsonPage endPage(Optional<String> nextCursor) {
    nextCursor.ifPresent(cursor -> name("nextCursor").value(cursor));
    return new JsonPage(end().toBytes(), nextCursor.orElse(null));
  }

  /**
   * Stored JSON in UTF-8, in the form for a copy: references within the repository without their
   * versions, references to other repositories unchanged. Names of shapes in a definition have no
   * versions. See {@code docs/export.md}, Lines.
   */
  public JsonOut unpinned(byte[] json) {
    separate();
    ensure(json.length);
    int i = 0;
    while (i < json.length) {
      if (json[i] == StoredJson.MARK) {
        i = reference(json, i + 1);
      } else {
        bytes[size++] = json[i++];
      }
    }
    comma = true;
    return this;
  }

  /**
   * Copies the reference that begins at {@code from}; returns the position after its second mark.
   */
  private int reference(byte[] json, int from) {
    boolean isForeign =
        Arrays.equals(
            json, from, Math.min(from + FOREIGN.length, json.length), FOREIGN, 0, FOREIGN.length);
    boolean copying = true;
    int i = from;
    for (; i < json.length && json[i] != StoredJson.MARK; i++) {
      copying &= isForeign || json[i] != '@';
      if (copying) {
        bytes[size++] = json[i];
      }
    }
    return i + 1;
  }

  /** Ends a line of NDJSON. */
  public JsonOut endLine() {
    put('\n');
    comma = false;
    return this;
  }

  /** Writes everything so far to {@code out}, and starts again. */
  public void drainTo(OutputStream out) throws IOException {
    for (var block : before) {
      out.write(block);
    }
    out.write(bytes, 0, size);
    before.clear();
    sizeBefore = 0;
    size = 0;
  }

  /** How many bytes were written so far. */
  public int size() {
    return sizeBefore + size;
  }

  /** What was written so far. */
  public byte[] toBytes() {
    var all = new byte[size()];
    int at = 0;
    for (var block : before) {
      System.arraycopy(block, 0, all, at, block.length);
      at += block.length;
    }
    System.arraycopy(bytes, 0, all, at, size);
    return all;
  }

  private void separate() {
    if (comma) {
      put(',');
    }
  }

  private void ascii(String text) {
    ensure(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  private void utf8(String text) {
    var encoded = text.getBytes(StandardCharsets.UTF_8);
    ensure(encoded.length);
    System.arraycopy(encoded, 0, bytes, size, encoded.length);
    size += encoded.length;
  }

  private void put(char c) {
    ensure(1);
    bytes[size++] = (byte) c;
  }

  private void ensure(int more) {
    if (size + more <= bytes.length) {
      return;
    }
    int length = Math.max(more, Math.min(size() + INITIAL_BYTES, MAX_BLOCK));
    if (size > 0) {
      before.add(size == bytes.length ? bytes : Arrays.copyOf(bytes, size));
      sizeBefore += size;
    }
    bytes = new byte[length];
    size = 0;
  }
}
