package dev.cairn.oauth;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names that people could take for Cairn's own: those that contain "Cairn", in any case, with
 * blanks or marks in between, or in characters of other alphabets that look the same. A client that
 * names itself must not use one: {@code docs/oauth.md}, Clients. Nor may it mix alphabets or
 * contain invisible characters, symbols or rare Latin letters, whose only purpose would be to look
 * like another name.
 */
final class OwnNames {
  private static final Pattern OWN = Pattern.compile("ca(?:[il1|!]rn|im)");

  /** Characters that are not shown: Unicode calls them default ignorable. */
  private static final Pattern INVISIBLE =
      Pattern.compile(
          "[\\x{AD}\\x{34F}\\x{61C}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180F}"
              + "\\x{200B}-\\x{200F}\\x{202A}-\\x{202E}\\x{2060}-\\x{206F}\\x{3164}"
              + "\\x{FE00}-\\x{FE0F}\\x{FEFF}\\x{FFA0}\\x{FFF0}-\\x{FFF8}"
              + "\\x{1BCA0}-\\x{1BCA3}\\x{1D173}-\\x{1D17A}\\x{E0000}-\\x{E0FFF}]");

  /** Scripts in which many letters look like capital Latin ones. */
  private static final Set<UnicodeScript> LATIN_IN_LOOKS =
      EnumSet.of(
          UnicodeScript.LISU, UnicodeScript.CHEROKEE, UnicodeScript.COPTIC, UnicodeScript.DESERET);

  /** Scripts that real names mix with Latin letters, and whose letters look different. */
  private static final Set<UnicodeScript> WITH_LATIN =
      EnumSet.of(
          UnicodeScript.LATIN,
          UnicodeScript.COMMON,
          UnicodeScript.INHERITED,
          UnicodeScript.HAN,
          UnicodeScript.HIRAGANA,
          UnicodeScript.KATAKANA,
          UnicodeScript.BOPOMOFO,
          UnicodeScript.HANGUL);

  private static final Pattern OTHERS = Pattern.compile("[^a-z0-9|!]");

  /** For each Latin letter, the lower-case look-alikes that NFKD does not fold. */
  private static final Map<Integer, Integer> LOOK_ALIKES =
      lookAlikes(
          Map.of(
              'c', "\u0441\u03c2\u03f2\u00a2\u00a9",
              'a', "\u0430\u03b1@4\u2202",
              'i', "\u00a1\u0456\u03b9\u0131\u04cf\u05d5\u05df\u0142",
              'r', "\u0433\u1d26",
              'n', "\u043f\u03b7\u0578\u057c\u014b"));

  /** The last letter of Latin Extended-A, which covers the languages of Europe. */
  private static final int LAST_COMMON_LATIN = 0x17F;

  /** Combining Latin letters, which are written above other letters. */
  private static final int FIRST_LATIN_MARK = 0x363;

  private static final int LAST_LATIN_MARK = 0x36F;
  private static final int LAST_ASCII = 0x7F;

  private static final Set<Integer> SYMBOLS =
      Set.of(
          (int) Character.MATH_SYMBOL,
          (int) Character.CURRENCY_SYMBOL,
          (int) Character.MODIFIER_SYMBOL,
          (int) Character.OTHER_SYMBOL);

  /** Letters in squares and as flags, each a range of A to Z. */
  private static final int[] ALPHABETS = {0x1F130, 0x1F150, 0x1F170, 0x1F1E6};

  private OwnNames() {}

  /** Whether a name looks like one of Cairn's own. */
  static boolean include(String name) {
    var folded = new StringBuilder();
    Normalizer.normalize(name, Normalizer.Form.NFKD)
        .codePoints()
        .map(Character::toLowerCase)
        .map(OwnNames::latin)
        .forEach(folded::appendCodePoint);
    return OWN.matcher(OTHERS.matcher(folded).replaceAll("")).find();
  }

  /**
   * Whether a name is written to look like another one: with invisible characters, in a script that
   * looks like Latin, in Latin letters mixed with similar ones of another script, or in Latin
   * letters that are neither common nor common ones with accents.
   */
  static boolean disguise(String name) {
    var scripts = EnumSet.noneOf(UnicodeScript.class);
    name.codePoints().filter(Character::isLetter).mapToObj(UnicodeScript::of).forEach(scripts::add);
    boolean mixed = scripts.contains(UnicodeScript.LATIN) && !WITH_LATIN.containsAll(scripts);
    return mixed
        || !Collections.disjoint(scripts, LATIN_IN_LOOKS)
        || INVISIBLE.matcher(name).find()
        || name.codePoints().anyMatch(OwnNames::isSymbol)
        || Normalizer.normalize(name, Normalizer.Form.NFKD).codePoints().anyMatch(OwnNames::isRare);
  }

  /** Whether it is a symbol other than an emoji: many of these look like letters. */
  private static boolean isSymbol(int c) {
    return c > LAST_ASCII && !Character.isEmoji(c) && SYMBOLS.contains(Character.getType(c));
  }

  private static boolean isRare(int c) {
    return (c >= FIRST_LATIN_MARK && c <= LAST_LATIN_MARK)
        || (UnicodeScript.of(c) == UnicodeScript.LATIN
            && Character.toLowerCase(c) > LAST_COMMON_LATIN);
  }

  private static int latin(int c) {
    for (int alphabet : ALPHABETS) {
      if (c >= alphabet && c <= alphabet + 'z' - 'a') {
        return 'a' + c - alphabet;
      }
    }
    return LOOK_ALIKES.getOrDefault(c, c);
  }

  private static Map<Integer, Integer> lookAlikes(Map<Character, String> byLetter) {
    var letters = new HashMap<Integer, Integer>();
    byLetter.forEach(
        (letter, others) -> others.codePoints().forEach(c -> letters.put(c, (int) letter)));
    return Map.copyOf(letters);
  }
}
