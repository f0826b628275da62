package dev.cairn.query;

import dev.cairn.platform.JsonOut;
import dev.cairn.platform.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Writes entities as items of lists. */
final class Items {
  /** The columns that {@link #members} reads, in its order. */
  static final String COLUMNS = columns("e.data");

  /** About so many bytes of an answer are an item's; 256 for the names of its members. */
  static final String SIZE =
      "octet_length(e.data) + 3 * octet_length(e.name)"
          + " + coalesce(octet_length(e.about_wref), 0) + 256";

  /** The same columns for a page, with the data as far as it {@linkplain Pager#fitting fits}. */
  static final String PAGED = columns(Pager.fitting("e.data", SIZE));

  /** How many columns these are. */
  static final int WIDTH = 7;

  /** The place of the data among the columns. */
  static final int DATA = 5;

  private Items() {}

  /**
   * The columns with another one for the data.
   *
   * @param data its SQL
   */
  static String columns(String data) {
    return "e.shape_name, e.name, e.kind, e.version, " + data + ", e.about_wref, e.active";
  }

  /**
   * Writes the members of an item, without the braces.
   *
   * @param withActive whether inactive ones may occur, so that each item must say
   */
  static void members(JsonOut out, ResultSet row, boolean withActive) throws SQLException {
    members(out, row, withActive, "");
  }

  private static void members(JsonOut out, ResultSet row, boolean withActive, String repository)
      throws SQLException {
    var shapeName = row.getString(1);
    var name = row.getString(2);
    out.name("wref").value(repository + shapeName + "/" + name);
    out.name("name").value(name);
    out.name("shapeName").value(shapeName);
    out.name("kind").value(row.getString(3));
    out.name("version").value(row.getInt(4));
    out.name("data").stored(row.getBytes(DATA));
    var about = row.getString(6);
    if (about != null) {
      out.name("aboutWref").value(about);
    }
    if (withActive) {
      out.name("active").value(row.getBoolean(7));
    }
  }

  /** Writes a whole item. */
  static void write(JsonOut out, ResultSet row, boolean withActive) throws SQLException {
    write(out, row, withActive, "");
  }

  /**
   * Writes a whole item of any repository.
   *
   * @param repository what canonical wrefs of another one begin with; empty for this one
   */
  static void write(JsonOut out, ResultSet row, boolean withActive, String repository)
      throws SQLException {
    out.object();
    members(out, row, withActive, repository);
    out.end();
  }
}
