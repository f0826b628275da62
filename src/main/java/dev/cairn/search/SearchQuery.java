package dev.cairn.search;

import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query as it was asked: alternatives, each of terms that must all match; see {@code
 * docs/search.md}, Queries.
 */
record SearchQuery(List<Alternative> alternatives) {
  /** Maximum length of a query in characters. */
  static final int MAX_LENGTH = 1_000;

  /** Maximum words of a query. */
  static final int MAX_WORDS = 32;

  /** A shorter word does not stand for all that begin with it. */
  private static final int MIN_PREFIX = 2;

  /** Has no words, and matches nothing. */
  static final SearchQuery NONE = new SearchQuery(List.of());

  private static final String PARAMETER = "?q";

  /**
   * Terms that must all match.
   *
   * @param terms at least one of them is not excluded
   */
  record Alternative(List<Term> terms) {
    List<Term> wanted() {
      return terms.stream().filter(term -> !term.isExcluded()).toList();
    }

    boolean excludes() {
      return terms.stream().anyMatch(Term::isExcluded);
    }
  }

  /**
   * Words that stand next to each other.
   *
   * @param words in lower case; one, or several of a phrase
   * @param isPrefix whether words that begin with the only word match too
   * @param isExcluded whether the term must not match
   */
  record Term(List<String> words, boolean isPrefix, boolean isExcluded) {
    Term asPrefix() {
      return new Term(words, true, isExcluded);
    }
  }

  /** Reads what stands between blanks, or between quotation marks. */
  private static final class Reader {
    private final String text;
    private final List<Alternative> alternatives = new ArrayList<>();
    private List<Term> terms = new ArrayList<>();
    private int at;
    private int words;

    Reader(String text) {
      this.text = text;
    }

    SearchQuery read() {
      while (at < text.length()) {
        if (Character.isWhitespace(text.charAt(at))) {
          at++;
          continue;
        }
        boolean isExcluded = text.charAt(at) == '-';
        if (isExcluded) {
          at++;
        }
        if (at < text.length() && text.charAt(at) == '"') {
          phrase(isExcluded);
        } else {
          plain(isExcluded);
        }
      }
      endAlternative();
      if (alternatives.isEmpty()) {
        throw refused("it has no word to look for.");
      }
      return new SearchQuery(List.copyOf(alternatives));
    }

    /** A quotation mark that is not closed reaches to the end. */
    private void phrase(boolean isExcluded) {
      int close = text.indexOf('"', at + 1);
      int end = close < 0 ? text.length() : close;
      add(lower(text.substring(at + 1, end)), isExcluded);
      at = end + 1;
    }

    private void plain(boolean isExcluded) {
      int start = at;
      while (at < text.length()
          && !Character.isWhitespace(text.charAt(at))
          && text.charAt(at) != '"') {
        at++;
      }
      var token = text.substring(start, at);
      if (token.toLowerCase(Locale.ROOT).equals("or") && !isExcluded) {
        endAlternative();
        return;
      }
      var found = lower(token);
      if (isExcluded) {
        add(found, true);
      } else {
        found.forEach(word -> add(List.of(word), false));
      }
    }

    private void add(List<String> found, boolean isExcluded) {
      words += found.size();
      if (words > MAX_WORDS) {
        throw refused("it has more than %d words.".formatted(MAX_WORDS));
      }
      if (!found.isEmpty()) {
        terms.add(new Term(found, false, isExcluded));
      }
    }

    private void endAlternative() {
      if (terms.isEmpty()) {
        return;
      }
      var alternative = new Alternative(terms);
      if (alternative.wanted().isEmpty()) {
        throw refused("each alternative needs a word that is not excluded by `-`.");
      }
      alternatives.add(alternative);
      terms = new ArrayList<>();
    }

    private static List<String> lower(String text) {
      return Words.of(text).stream()
          .map(Words::lower)
          .filter(word -> !Words.plain(word).isEmpty())
          .toList();
    }
  }

  /**
   * Reads a query.
   *
   * @throws Problem {@code VALIDATION_ERROR} if it is too long or has no word to look for
   */
  static SearchQuery parse(String text) {
    if (text.codePointCount(0, text.length()) > MAX_LENGTH) {
      throw refused("it has more than %,d characters.".formatted(MAX_LENGTH));
    }
    return new Reader(text).read().withPrefix(text);
  }

  /** The last word of the text may be incomplete, unless something closes it. */
  private SearchQuery withPrefix(String text) {
    var last = alternatives.getLast().terms().getLast();
    boolean isOpen = !last.isExcluded() && last.words().size() == 1 && !text.strip().endsWith("\"");
    if (!isOpen || last.words().getFirst().length() < MIN_PREFIX) {
      return this;
    }
    var terms = new ArrayList<>(alternatives.getLast().terms());
    terms.set(terms.size() - 1, last.asPrefix());
    var all = new ArrayList<>(alternatives);
    all.set(all.size() - 1, new Alternative(List.copyOf(terms)));
    return new SearchQuery(List.copyOf(all));
  }

  private static Problem refused(String reason) {
    return Problem.invalid(PARAMETER, "`q` cannot be searched for: " + reason)
        .hint(
            "Write words, \"a phrase\" in quotes, `or` between alternatives, `-` before what to"
                + " leave out.");
  }

  /** All words, in lower case. */
  Set<String> words() {
    var words = new HashSet<String>();
    alternatives.forEach(
        alternative -> alternative.terms().forEach(term -> words.addAll(term.words())));
    return words;
  }

  /**
   * Whether words, wherever they are, are all that counts: it has no phrases and excludes nothing.
   */
  boolean isOfWantedWords() {
    return alternatives.stream()
        .flatMap(alternative -> alternative.terms().stream())
        .allMatch(term -> !term.isExcluded() && term.words().size() == 1);
  }

  /** How many words match at least: those of the shortest alternative. */
  int leastWords() {
    return alternatives.stream()
        .mapToInt(
            alternative -> alternative.wanted().stream().mapToInt(t -> t.words().size()).sum())
        .min()
        .orElse(0);
  }

  /** The terms that must match in at least one alternative. */
  List<Term> wanted() {
    return alternatives.stream().flatMap(alternative -> alternative.wanted().stream()).toList();
  }

  /** The words of {@link #wanted}, as a text. */
  String wantedText() {
    return wanted().stream()
        .flatMap(term -> term.words().stream())
        .collect(Collectors.joining(" "));
  }

  /** The words without what is between them, if the query may be a whole name. */
  Optional<String> asName() {
    return alternatives.size() == 1
            && alternatives.getFirst().wanted().size() == alternatives.getFirst().terms().size()
        ? Optional.of(
            Words.plain(
                String.join("", wanted().stream().flatMap(term -> term.words().stream()).toList())))
        : Optional.empty();
  }
}
