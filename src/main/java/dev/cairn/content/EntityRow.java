package dev.cairn.content;

import dev.cairn.platform.page.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * An entity as it appears in lists.
 *
 * @param data the payload as it is stored; null if it was left out of the answer for its size
 * @param aboutWref the target of an assertion; null for anything else
 */
public record EntityRow(
    String shapeName,
    String name,
    String kind,
    int version,
    byte[] data,
    String aboutWref,
    boolean active) {

  /** The columns of an entity {@code e} that {@link #read} expects. */
  public static final String COLUMNS = columns("e.data");

  /** An estimate of an item's bytes in an answer; 256 are for its JSON member names. */
  public static final String SIZE =
      "octet_length(e.data) + 3 * octet_length(e.name)"
          + " + coalesce(octet_length(e.about_wref), 0) + 256";

  /** The columns for a page, with the data only if it {@linkplain Pager#fitting fits}. */
  public static final String PAGED = columns(Pager.fitting("e.data", SIZE));

  /**
   * The columns, with a given expression for the data.
   *
   * @param data SQL that is null in rows whose data is left out
   */
  public static String columns(String data) {
    return "e.shape_name, e.name, e.kind, e.version, " + data + " as data, e.about_wref, e.active";
  }

  /** The entity of the current row. */
  public static EntityRow read(ResultSet row) throws SQLException {
    return new EntityRow(
        row.getString("shape_name"),
        row.getString("name"),
        row.getString("kind"),
        row.getInt("version"),
        row.getBytes("data"),
        row.getString("about_wref"),
        row.getBoolean("active"));
  }

  /** The same entity with other data. */
  public EntityRow withData(byte[] other) {
    return new EntityRow(shapeName, name, kind, version, other, aboutWref, active);
  }

  /** {@code Shape/name}. */
  public String local() {
    return shapeName + "/" + name;
  }
}
