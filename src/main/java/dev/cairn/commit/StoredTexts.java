package dev.cairn.commit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The texts of a commit's versions, with the names as they are at its end. A few bytes of a body
 * may stand for a long name in each of many references, so they are made and written in parts: see
 * {@code docs/limits.md}, Memory of a commit.
 */
final class StoredTexts {
  /** The characters of a part, beside its last text; and of the texts that are kept. */
  private static final int PART = 1024 * 1024;

  private final Map<EntityState, VersionRow> last = new HashMap<>();

  /** Texts that are needed for the entity too; those of most commits fit. */
  private final IdentityHashMap<VersionRow, String> kept = new IdentityHashMap<>();

  private int left = PART;

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
   * Writes rows with their texts, in their order.
   *
   * @param rowOf makes a row of what it is about and its text
   * @param write writes some rows, and returns how many bytes that stored
   * @return how many bytes all of it stored
   */
  static <T, R> long inParts(
      List<T> all,
      Function<T, String> textOf,
      BiFunction<T, String, R> rowOf,
      ToLongFunction<List<R>> write) {
    var rows = new ArrayList<R>();
    long bytes = 0;
    long characters = 0;
    for (var one : all) {
      var text = textOf.apply(one);
      rows.add(rowOf.apply(one, text));
      characters += text == null ? 0 : text.length();
      if (characters >= PART) {
        bytes += write.applyAsLong(rows);
        rows.clear();
        characters = 0;
      }
    }
    return rows.isEmpty() ? bytes : bytes + write.applyAsLong(rows);
  }
}
