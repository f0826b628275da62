package dev.cairn.search;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the words of a query in the data of a hit, and cuts snippets around them; see {@code
 * docs/search.md}, Snippets.
 */
final class Highlighter {
  /** Maximum snippets of a hit. */
  private static final int MAX_SNIPPETS = 3;

  /** Maximum characters of a snippet. */
  private static final int MAX_LENGTH = 200;

  /** Characters before the first word that was found. */
  private static final int BEFORE = 60;

  /** Words of the data of a hit that are examined: as many as the index has. */
  private static final int MAX_WORDS = DocumentWords.MAX_POSITION;

  /** Words of the data of all hits of a page that are examined. */
  private static final int MAX_WORDS_OF_PAGE = 200_000;

  /** Words of a page whose stems are looked up, each counted once for every hit. */
  private static final int MAX_CANDIDATES = 20_000;

  /** Letters that a word and its stem have in common. */
  private static final int COMMON = 2;

  /** The forms of the words that are looked for: their stems, or the words themselves. */
  private final Set<String> forms;

  private final Set<String> beginnings;

  /** The beginning of the word that may be incomplete. */
  private final Optional<String> prefix;

  /** The forms of words of the data that have another form, by these words. */
  private final Map<String, String> formOf = new HashMap<>();

  private int candidatesLeft = MAX_CANDIDATES;
  private int candidateWordsLeft = MAX_WORDS_OF_PAGE;
  private int wordsLeft = MAX_WORDS_OF_PAGE;

  /**
   * A part of a string in the data.
   *
   * @param pointer where the string is
   * @param ranges where the words are that were found: the first character, and that after the last
   *     one, counted in code points
   */
  record Snippet(String pointer, String text, List<int[]> ranges) {}

  /** A string with words that were found. */
  private record Found(String pointer, String text, List<Words.Range> ranges, int different) {}

  /**
   * @param queryStems the stems of the words of the query
   */
  Highlighter(SearchQuery query, Collection<Map<String, List<String>>> queryStems) {
    var words = query.wanted().stream().flatMap(term -> term.words().stream()).distinct().toList();
    this.forms =
        Stream.concat(
                words.stream().map(Words::plain),
                words.stream()
                    .flatMap(
                        word -> queryStems.stream().flatMap(found -> found.get(word).stream())))
            .collect(Collectors.toSet());
    this.beginnings = forms.stream().map(Highlighter::beginning).collect(Collectors.toSet());
    this.prefix =
        query.wanted().stream()
            .filter(SearchQuery.Term::isPrefix)
            .findFirst()
            .map(term -> Words.plain(term.words().getFirst()));
  }

  private static String beginning(String plain) {
    return plain.substring(0, Math.min(COMMON, plain.length()));
  }

  /**
   * The words of the data of a hit whose stems may be among those of the query, in lower case; no
   * more of them than are left of a page.
   */
  Set<String> candidates(String data) {
    if (forms.isEmpty()) {
      return Set.of();
    }
    var candidates = new HashSet<String>();
    int[] words = {Math.min(MAX_WORDS, candidateWordsLeft)};
    candidateWordsLeft -= words[0];
    JsonTexts.read(
        data,
        text -> {
          for (var range = Words.next(text, 0);
              range != null && words[0] > 0 && candidates.size() < candidatesLeft;
              range = Words.next(text, range.end())) {
            words[0]--;
            var lower = Words.lower(range.of(text));
            if (beginnings.contains(beginning(Words.plain(lower)))) {
              candidates.add(lower);
            }
          }
          return words[0] > 0 && candidates.size() < candidatesLeft;
        });
    candidateWordsLeft += words[0];
    candidatesLeft -= candidates.size();
    return candidates;
  }

  /** Sets the stems of candidates. */
  void know(Map<String, List<String>> stems) {
    stems.forEach(
        (word, found) ->
            found.stream()
                .filter(forms::contains)
                .findFirst()
                .ifPresent(form -> formOf.put(word, form)));
  }

  /** The snippets of a hit: of the strings with most of the words. */
  List<Snippet> snippets(String data) {
    if (forms.isEmpty()) {
      return List.of();
    }
    var best = new ArrayList<Found>();
    int[] words = {Math.min(MAX_WORDS, wordsLeft)};
    wordsLeft -= words[0];
    JsonTexts.read(
        data,
        (text, path) -> {
          var ranges = new ArrayList<Words.Range>();
          var different = new HashSet<String>();
          for (var range = Words.next(text, 0);
              range != null && words[0] > 0;
              range = Words.next(text, range.end())) {
            words[0]--;
            var form = form(Words.lower(range.of(text)));
            if (form.isPresent()) {
              different.add(form.get());
              if (isShown(ranges, range)) {
                ranges.add(range);
              }
            }
          }
          // The pointer may be as long as the data, so it is made only for what is kept.
          if (!ranges.isEmpty() && isKept(best, different.size())) {
            keep(best, new Found(path.pointer(), text, ranges, different.size()));
          }
          return words[0] > 0;
        });
    wordsLeft += words[0];
    return best.stream().map(Highlighter::cut).toList();
  }

  private static boolean isShown(List<Words.Range> before, Words.Range range) {
    return before.isEmpty() || range.end() - before.getFirst().start() < MAX_LENGTH;
  }

  private static boolean isKept(List<Found> best, int different) {
    return best.size() < MAX_SNIPPETS || different > best.getLast().different();
  }

  private static void keep(List<Found> best, Found found) {
    best.add(found);
    best.sort(Comparator.comparingInt(Found::different).reversed());
    if (best.size() > MAX_SNIPPETS) {
      best.removeLast();
    }
  }

  /** What a word matches; empty if nothing. */
  private Optional<String> form(String lower) {
    var plain = Words.plain(lower);
    if (forms.contains(plain)) {
      return Optional.of(plain);
    }
    if (prefix.isPresent() && plain.startsWith(prefix.get())) {
      return prefix;
    }
    return Optional.ofNullable(formOf.get(lower));
  }

  private static Snippet cut(Found found) {
    var text = found.text();
    int start = start(text, found.ranges().getFirst().start());
    int end = end(text, start);
    var ranges =
        found.ranges().stream()
            .filter(range -> range.end() <= end)
            .map(
                range ->
                    new int[] {
                      text.codePointCount(start, range.start()),
                      text.codePointCount(start, range.end())
                    })
            .toList();
    return new Snippet(found.pointer(), text.substring(start, end), ranges);
  }

  /** A little before the first word, where a word begins. */
  private static int start(String text, int first) {
    if (first <= BEFORE) {
      return 0;
    }
    int start = first - BEFORE;
    while (start < first && !Character.isWhitespace(text.charAt(start - 1))) {
      start++;
    }
    return start;
  }

  /** The end of a snippet, which cuts no character in two. */
  private static int end(String text, int start) {
    int end = Math.min(text.length(), start + MAX_LENGTH);
    return end < text.length() && Character.isLowSurrogate(text.charAt(end)) ? end - 1 : end;
  }
}
