package dev.cairn.search;

import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Splits texts into words, and brings words into the form in which they are compared; see {@code
 * docs/search.md}, Words. A word is a run of letters and digits; an ideograph is a word by itself.
 */
final class Words {
  /** A longer word is known by its hash: it can be found, but not by its beginning. */
  static final int MAX_LENGTH = 64;

  /**
   * A word with more characters than this is hashed before it is normalized, which may expand it.
   */
  private static final int MAX_NORMALIZED = 256;

  private static final int HASH_LENGTH = 16;

  /** Letters that have no decomposition, and what is written without their accents. */
  private static final Map<Character, String> PLAIN =
      Map.ofEntries(
          Map.entry('ß', "ss"),
          Map.entry('æ', "ae"),
          Map.entry('œ', "oe"),
          Map.entry('ø', "o"),
          Map.entry('đ', "d"),
          Map.entry('ð', "d"),
          Map.entry('þ', "th"),
          Map.entry('ł', "l"),
          Map.entry('ħ', "h"),
          Map.entry('ı', "i"));

  private static final char FIRST_ACCENT = '\u0300';
  private static final char LAST_ACCENT = '\u036f';

  /** The part of a text that is a word. */
  record Range(int start, int end) {
    String of(String text) {
      return text.substring(start, end);
    }
  }

  private Words() {}

  /** The next word at or after a position; null if there is none. */
  static Range next(String text, int from) {
    int start = from;
    while (start < text.length() && !isInWord(text.codePointAt(start))) {
      start += Character.charCount(text.codePointAt(start));
    }
    if (start >= text.length()) {
      return null;
    }
    int end = start;
    do {
      int c = text.codePointAt(end);
      if (Character.isIdeographic(c) && end > start) {
        break;
      }
      end += Character.charCount(c);
      if (Character.isIdeographic(c)) {
        break;
      }
    } while (end < text.length() && continuesWord(text.codePointAt(end)));
    return new Range(start, end);
  }

  /** All words of a text that is known to be short. */
  static List<String> of(String text) {
    var words = new ArrayList<String>();
    for (var range = next(text, 0); range != null; range = next(text, range.end())) {
      words.add(range.of(text));
    }
    return words;
  }

  private static boolean isInWord(int c) {
    return Character.isLetterOrDigit(c);
  }

  private static boolean continuesWord(int c) {
    return isInWord(c)
        || switch (Character.getType(c)) {
          case Character.NON_SPACING_MARK,
              Character.COMBINING_SPACING_MARK,
              Character.ENCLOSING_MARK ->
              true;
          default -> false;
        };
  }

  /**
   * The parts of a word at changes of case and between letters and digits: {@code Xml}, {@code
   * Parser} and {@code 2} of {@code XmlParser2}. Empty if it has no such change.
   */
  static List<String> parts(String word) {
    var parts = new ArrayList<String>();
    int start = 0;
    for (int i = Character.charCount(word.codePointAt(0)); i < word.length(); ) {
      int c = word.codePointAt(i);
      if (isBoundary(word, i, c)) {
        parts.add(word.substring(start, i));
        start = i;
      }
      i += Character.charCount(c);
    }
    if (start > 0) {
      parts.add(word.substring(start));
    }
    return parts;
  }

  private static boolean isBoundary(String word, int at, int c) {
    int before = word.codePointBefore(at);
    if (!isInWord(c) || !isInWord(before)) {
      return false;
    }
    if (Character.isDigit(before) != Character.isDigit(c)) {
      return true;
    }
    if (!Character.isUpperCase(c)) {
      return false;
    }
    int next = at + Character.charCount(c);
    // The last capital of XMLParser begins a word.
    boolean beginsWord = next < word.length() && Character.isLowerCase(word.codePointAt(next));
    return !Character.isUpperCase(before) || beginsWord;
  }

  /** A word in lower case, as the dictionaries of a language know it; a very long one is hashed. */
  static String lower(String word) {
    if (word.length() > MAX_NORMALIZED) {
      return hash(word.toLowerCase(Locale.ROOT));
    }
    return isAscii(word)
        ? word.toLowerCase(Locale.ROOT)
        : Normalizer.normalize(word, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
  }

  /** A word in lower case without accents; a long one is replaced by its hash. */
  static String plain(String lower) {
    var plain = isAscii(lower) ? lower : withoutAccents(lower);
    return plain.length() <= MAX_LENGTH ? plain : hash(plain);
  }

  private static String hash(String word) {
    return "#" + Base64Url.encode(Sha256.of(word)).substring(0, HASH_LENGTH);
  }

  /** Whether a plain word is the hash of a longer one. */
  static boolean isHash(String plain) {
    return plain.startsWith("#");
  }

  private static String withoutAccents(String lower) {
    var decomposed = Normalizer.normalize(lower, Normalizer.Form.NFKD);
    var out = new StringBuilder(decomposed.length());
    for (int i = 0; i < decomposed.length(); ) {
      int c = decomposed.codePointAt(i);
      i += Character.charCount(c);
      boolean isAccent = c >= FIRST_ACCENT && c <= LAST_ACCENT;
      if (isAccent || !continuesWord(c)) {
        continue;
      }
      var plain = c <= Character.MAX_VALUE ? PLAIN.get((char) c) : null;
      if (plain == null) {
        out.appendCodePoint(c);
      } else {
        out.append(plain);
      }
    }
    return Normalizer.normalize(out, Normalizer.Form.NFC);
  }

  private static boolean isAscii(String text) {
    return text.chars().allMatch(c -> c < 0x80);
  }
}
