package dev.cairn.export;

import dev.cairn.platform.JsonOut;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;

/**
 * Writes the content of a repository, one entity a line: shapes, things, collections, assertions,
 * each as it was made, but nothing before what it refers to. The form is in {@code docs/export.md},
 * Lines. To be used in a transaction that sees one moment.
 */
final class Lines {
  /** Rows that are held at a time. */
  private static final int FETCH = 256;

  /** So many bytes are handed on at a time. */
  private static final int PIECE = 64 * 1024;

  // Large data comes one by one, so that rows held together stay small.
  private static final String COLUMNS =
      """
      select POSITION, e.shape_name, e.name, e.kind, e.version,
             case when octet_length(e.data) <= 16384 then e.data end,
             e.about_wref, e.about_repo_id = e.repo_id, e.created_at, e.updated_at, e.author,
             encode(e.data_hash, 'hex')
      """;

  private static final String FROM_ALL =
      """
      from ALL e
      where e.repo_id = REPO and e.active and e.id >= 100 and %s
      order by e.id
      """;

  /** The groups in their order; shapes and collections are found by the names of their shapes. */
  private static final String[] GROUPS = {
    "e.kind = 'shape' and e.shape_name = 'Shape'",
    "e.kind = 'thing' and e.shape_id not between 2 and 5",
    "e.kind = 'thing' and e.shape_name in ('Pair', 'Triple', 'Set', 'List')",
    "e.kind = 'assertion'"
  };

  private static final String SOME =
      COLUMNS
          + """
          from unnest(?) with ordinality as n (id, ordinal)
          cross join lateral (
            select * from ENTITIES e where e.repo_id = REPO and e.id = n.id offset 0) e
          order by n.ordinal
          """;

  private static final String DATA =
      "select e.data from ENTITIES e where e.repo_id = REPO and e.id = ?";

  private final Content content;
  private final OutputStream out;
  private final JsonOut json = new JsonOut();
  private final Deferral deferral;
  private long count;

  private Lines(Content content, OutputStream out, Deferral deferral) {
    this.content = content;
    this.out = out;
    this.deferral = deferral;
  }

  /**
   * Writes everything.
   *
   * @param out is given pieces of about 64 KiB, and not closed
   * @return the number of lines
   * @throws UncheckedIOException what {@code out} throws
   */
  static long write(Content content, OutputStream out) {
    return write(content, out, Deferral.MAX_EDGES);
  }

  /** The same, with no more than so many edges in memory. */
  static long write(Content content, OutputStream out, int maxEdges) {
    var deferral = Deferral.of(content, maxEdges);
    var lines = new Lines(content, out, deferral.orElseGet(Deferral::none));
    if (deferral.isPresent()) {
      lines.writeAll();
    } else {
      lines.writeInPasses(maxEdges);
    }
    lines.drain();
    return lines.count;
  }

  private void writeAll() {
    for (var group : GROUPS) {
      content.each(COLUMNS + FROM_ALL.formatted(group), FETCH, this::take);
      writeReady();
    }
  }

  private void writeInPasses(int maxEdges) {
    var passes = new Passes(new StoredReferences(content), this::writeSome, maxEdges);
    for (var group : GROUPS) {
      content.each(
          "select e.id " + FROM_ALL.formatted(group),
          FETCH,
          row -> {
            passes.add(row.getLong(1));
            return true;
          });
      passes.run();
    }
    passes.finish();
  }

  private boolean take(ResultSet row) throws SQLException {
    long position = row.getLong(1);
    if (deferral.isDue(position)) {
      writeReady();
    }
    if (!deferral.holds(position)) {
      line(row, position);
      deferral.written(position);
    }
    return true;
  }

  /** Writes what no longer waits, until there is no more of it. */
  private void writeReady() {
    for (var next = deferral.next(); next.length > 0; next = deferral.next()) {
      writeSome(Arrays.stream(next).map(Content::id).toArray());
    }
  }

  /** Writes these entities, in this order. */
  private void writeSome(long[] ids) {
    content.each(
        SOME,
        FETCH,
        row -> {
          line(row, row.getLong(1));
          return true;
        },
        ids);
  }

  private void line(ResultSet row, long position) throws SQLException {
    var shapeName = row.getString(2);
    var name = row.getString(3);
    json.object().name("kind").value(row.getString(4));
    json.name("wref").value(shapeName + "/" + name);
    json.name("name").value(name);
    json.name("shapeName").value(shapeName);
    json.name("version").value(row.getInt(5));
    var data = row.getBytes(6);
    json.name("data").unpinned(data == null ? large(Content.id(position)) : data);
    var about = row.getString(7);
    if (about != null) {
      json.name("aboutWref").value(row.getBoolean(8) ? unpinned(about) : about);
    }
    json.name("createdAt").value(millis(row, 9));
    json.name("updatedAt").value(millis(row, 10));
    json.name("author").value(row.getString(11));
    json.name("dataHash").value(row.getString(12));
    json.end().endLine();
    count++;
    if (json.size() >= PIECE) {
      drain();
    }
  }

  private byte[] large(long id) {
    var found = new byte[1][];
    content.each(
        DATA,
        0,
        row -> {
          found[0] = row.getBytes(1);
          return false;
        },
        id);
    return found[0];
  }

  private static String unpinned(String wref) {
    return wref.substring(0, wref.indexOf('@'));
  }

  private static long millis(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant().toEpochMilli();
  }

  private void drain() {
    try {
      json.drainTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
