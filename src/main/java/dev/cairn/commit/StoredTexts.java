package dev.cairn.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The stored texts of a commit's versions, with the names at its end. A few bytes of the body may
 * become a long name in each of many references, so the texts are made and written in parts: see
 * {@code docs/limits.md}, Memory of a commit.
 */
final class StoredTexts {
  /**
   * Characters after which a part is written, and maximum characters of the texts that are kept.
   */
  private static final int PART_CHARACTERS = 1024 * 1024;

  /**
   * Maximum rows of a part. Rows without a text take time as well: an entity has up to 32 entries
   * in the index on values, and each statement must end within the time limit.
   */
  private static final int PART_ROWS = 2_000;

  private final Map<EntityState, VersionRow> last = new HashMap<>();

  /** Texts kept for reuse in the entity's row; in most commits all of them fit. */
  private final IdentityHashMap<VersionRow, String> kept = new IdentityHashMap<>();

  private int left = PART_CHARACTERS;

  StoredTexts(List<VersionRow> versions) {
    versions.forEach(row -> last.put(row.entity(), row));
  }

  /** The text of a version; null to keep what is stored. */
  String of(VersionRow row) {
    var before = kept.get(row);
    if (before != null) {
      return before;
    }
    var text = row.storedText();
    if (text != null && text.length() <= left) {
      left -= text.length();
      kept.put(row, text);
    }
    return text;
  }

  /** The text of an entity's last version. */
  String last(EntityState entity) {
    return of(last.get(entity));
  }

  /**
   * Hands over rows with their texts, in order.
   *
   * @param rowOf makes a row from an element and its text
   * @param add takes a part of the rows
   * @param send writes what {@code add} took; called after each full part
   */
  static <T, R> void inParts(
      List<T> all,
      Function<T, String> textOf,
      BiFunction<T, String, R> rowOf,
      Consumer<List<R>> add,
      Runnable send) {
    var rows = new ArrayList<R>();
    long characters = 0;
    for (var element : all) {
      var text = textOf.apply(element);
      rows.add(rowOf.apply(element, text));
      characters += text == null ? 0 : text.length();
      if (characters >= PART_CHARACTERS || rows.size() == PART_ROWS) {
        add.accept(rows);
        send.run();
        rows.clear();
        characters = 0;
      }
    }
    if (!rows.isEmpty()) {
      add.accept(rows);
    }
  }
}
