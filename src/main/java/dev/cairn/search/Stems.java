package dev.cairn.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.model.SearchLanguage;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the stems of words by the dictionaries of PostgreSQL. A word with digits, and every word in
 * the language {@code simple}, is its own stem. A word that the language leaves out has none.
 */
@ApplicationScoped
class Stems {
  /** The language without dictionaries. */
  static final String SIMPLE = SearchLanguage.DEFAULT;

  private static final String STEMS =
      "select w, tsvector_to_array(to_tsvector(?::regconfig, w)) from unnest(?) as n (w)";

  /** Words of one query. */
  private static final int MAX_BATCH = 10_000;

  /** Stems never change: a dictionary of PostgreSQL is only changed by its operator. */
  private static final int MAX_BYTES = 8 << 20;

  /** What a word takes in the cache besides its letters, in bytes. */
  private static final int BYTES_OF_WORD = 200;

  private final Database database;
  private final Cache<Key, List<String>> cache =
      Caffeine.newBuilder().maximumWeight(MAX_BYTES).weigher(Stems::bytes).build();

  private record Key(String language, String word) {}

  Stems(Database database) {
    this.database = database;
  }

  /**
   * The stems of words in a language, without accents.
   *
   * @param words in lower case
   */
  Map<String, List<String>> of(String language, Collection<String> words) {
    var stems = new HashMap<String, List<String>>();
    var unknown = new HashSet<String>();
    for (var word : words) {
      if (isOwnStem(language, word)) {
        stems.put(word, List.of(Words.plain(word)));
        continue;
      }
      var known = cache.getIfPresent(new Key(language, word));
      if (known == null) {
        unknown.add(word);
      } else {
        stems.put(word, known);
      }
    }
    lookUp(language, unknown, stems);
    return stems;
  }

  private static int bytes(Key key, List<String> found) {
    int letters = key.word().length() + found.stream().mapToInt(String::length).sum();
    return BYTES_OF_WORD * (1 + found.size()) + Character.BYTES * letters;
  }

  private static boolean isOwnStem(String language, String word) {
    return language.equals(SIMPLE)
        || word.length() > Words.MAX_LENGTH
        || Words.isHash(word)
        || word.codePoints().anyMatch(Character::isDigit);
  }

  private void lookUp(String language, Set<String> unknown, Map<String, List<String>> stems) {
    var all = List.copyOf(unknown);
    for (int from = 0; from < all.size(); from += MAX_BATCH) {
      var batch = all.subList(from, Math.min(from + MAX_BATCH, all.size()));
      database.each(
          STEMS,
          0,
          row -> {
            var word = row.getString(1);
            var lexemes = (String[]) row.getArray(2).getArray();
            var found = Arrays.stream(lexemes).map(Words::plain).filter(s -> !s.isEmpty()).toList();
            cache.put(new Key(language, word), found);
            stems.put(word, found);
            return true;
          },
          language,
          Columns.strings(batch, word -> word));
    }
  }
}
