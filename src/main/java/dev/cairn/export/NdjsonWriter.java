package dev.cairn.export;

import dev.cairn.content.CollectionShapes;
import dev.cairn.content.StoredShapes;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.page.JsonOut;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * Writes the content of a repository, one entity a line: shapes, things, collections and
 * assertions, each group in the order in which its entities were added, except that no entity
 * precedes the ones that it refers to. The format is in {@code docs/export.md}, Lines. To be used
 * in a snapshot transaction.
 */
final class NdjsonWriter {
  /** Rows that are fetched at a time. */
  private static final int FETCH_ROWS = 256;

  /** Bytes after which the lines are passed to the output. */
  private static final int BUFFER_BYTES = 64 * 1024;

  // Large data is fetched one by one, so that the rows fetched together stay small.
  private static final String COLUMNS =
      """
      select e.position, e.shape_name, e.name, e.kind, e.version,
             case when octet_length(e.data) <= 16384 then e.data end as data,
             e.about_wref, e.about_repo_id = e.repo_id as is_about_local,
             e.created_at, e.updated_at, e.author, encode(e.data_hash, 'hex') as data_hash
      """;

  private static final String FROM_ALL =
      """
      from exported_by_id e
      where e.active and e.id >= %d and %s
      order by e.id
      """;

  /** The groups in order; shapes and collections are found by the names of their shapes. */
  private static final String[] GROUPS = {
    "e.kind = 'shape' and " + StoredShapes.any("e"),
    "e.kind = 'thing' and e.shape_id not in (" + CollectionShapes.IDS + ")",
    "e.kind = 'thing' and e.shape_name in (" + CollectionShapes.NAMES + ")",
    "e.kind = 'assertion'"
  };

  private static final String OF_ENTITIES =
      COLUMNS
          + """
          from unnest(?) with ordinality as n (id, ordinal)
          cross join lateral (
            select * from exported e where e.id = n.id offset 0) e
          order by n.ordinal
          """;

  private static final String DATA = "select e.data from exported e where e.id = ?";

  private final ExportQuery query;
  private final OutputStream out;
  private final JsonOut json = new JsonOut();
  private final DependencyOrder dependencyOrder;
  private long count;

  private static String fromAll(String group) {
    return FROM_ALL.formatted(BuiltinShape.FIRST_FREE_ID, group);
  }

  private NdjsonWriter(ExportQuery query, OutputStream out, DependencyOrder dependencyOrder) {
    this.query = query;
    this.out = out;
    this.dependencyOrder = dependencyOrder;
  }

  /**
   * Writes the whole content.
   *
   * @param out receives buffers of about 64 KiB, and is not closed
   * @return the number of lines
   * @throws UncheckedIOException if {@code out} fails
   */
  static long write(ExportQuery query, OutputStream out) {
    return write(query, out, DependencyOrder.MAX_EDGES);
  }

  /**
   * As {@link #write(ExportQuery, OutputStream)}, with at most {@code maxEdges} edges in memory.
   */
  static long write(ExportQuery query, OutputStream out, int maxEdges) {
    var dependencyOrder = DependencyOrder.of(query, maxEdges);
    var writer = new NdjsonWriter(query, out, dependencyOrder.orElseGet(DependencyOrder::none));
    if (dependencyOrder.isPresent()) {
      writer.writeAll();
    } else {
      writer.writeInPasses(maxEdges);
    }
    writer.drain();
    return writer.count;
  }

  private void writeAll() {
    for (var group : GROUPS) {
      query.each(COLUMNS + fromAll(group), FETCH_ROWS, this::take);
      writeReady();
    }
  }

  private void writeInPasses(int maxEdges) {
    var passes = new Passes(new StoredReferences(query), this::writeEntities, maxEdges);
    for (var group : GROUPS) {
      query.each(
          "select e.id " + fromAll(group),
          FETCH_ROWS,
          row -> {
            passes.add(row.getLong(1));
            return true;
          });
      passes.run();
    }
    passes.finish();
  }

  private boolean take(ResultSet row) throws SQLException {
    long position = row.getLong("position");
    if (dependencyOrder.isDue(position)) {
      writeReady();
    }
    if (!dependencyOrder.mustWait(position)) {
      line(row, position);
      dependencyOrder.written(position);
    }
    return true;
  }

  /** Writes entities that no longer wait, until there are none. */
  private void writeReady() {
    for (var next = dependencyOrder.next(); next.length > 0; next = dependencyOrder.next()) {
      writeEntities(Arrays.stream(next).map(Position::id).toArray());
    }
  }

  /** Writes these entities, in this order. */
  private void writeEntities(long[] ids) {
    query.each(
        OF_ENTITIES,
        FETCH_ROWS,
        row -> {
          line(row, row.getLong("position"));
          return true;
        },
        ids);
  }

  private void line(ResultSet row, long position) throws SQLException {
    var shapeName = row.getString("shape_name");
    var name = row.getString("name");
    json.object().name("kind").value(row.getString("kind"));
    json.name("wref").value(shapeName + "/" + name);
    json.name("name").value(name);
    json.name("shapeName").value(shapeName);
    json.name("version").value(row.getInt("version"));
    var data = row.getBytes("data");
    json.name("data").unpinned(data == null ? large(Position.id(position)) : data);
    var about = row.getString("about_wref");
    if (about != null) {
      json.name("aboutWref").value(row.getBoolean("is_about_local") ? unpinned(about) : about);
    }
    json.name("createdAt").value(Rows.millis(row, "created_at"));
    json.name("updatedAt").value(Rows.millis(row, "updated_at"));
    json.name("author").value(row.getString("author"));
    json.name("dataHash").value(row.getString("data_hash"));
    json.end().endLine();
    count++;
    if (json.size() >= BUFFER_BYTES) {
      drain();
    }
  }

  private byte[] large(long id) {
    var found = new byte[1][];
    query.each(
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

  private void drain() {
    try {
      json.drainTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
