package dev.cairn.search;

import dev.cairn.search.Lexemes.Meaning;
import dev.cairn.search.SearchQuery.Alternative;
import dev.cairn.search.SearchQuery.Term;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query as the database carries it out: texts of {@code tsquery}, of quoted lexemes alone.
 *
 * @param matching what an entity must match
 * @param inName what an entity matches if its name has the words
 * @param partlyInName the same if the last word is only a part of a word of the name
 * @param asName what an entity matches if the words are its whole name
 * @param excluded what an entity matches if it has words that the query excludes; empty if there
 *     are none
 */
record TextQuery(
    String matching, String inName, String partlyInName, String asName, Optional<String> excluded) {
  /** Matches nothing: no lexeme of a document is without a prefix. */
  private static final String NOTHING = "'-'";

  /** What an entity must match of a given shape; one of its languages has the lexeme. */
  String matching(UUID repoId, List<String> languages, long shapeId) {
    return "("
        + matching
        + ") & ("
        + languages.stream()
            .map(l -> new Lexemes(repoId, l).quoted(Meaning.SHAPE, Long.toString(shapeId)))
            .collect(Collectors.joining(" | "))
        + ")";
  }

  /** What matches and has the words in its name. */
  String named(String matched) {
    return "(%s) & (%s | %s | %s)".formatted(matched, asName, inName, partlyInName);
  }

  /** What matches otherwise. */
  String unnamed(String matched) {
    return "(%s) & !(%s | %s | %s)".formatted(matched, asName, inName, partlyInName);
  }

  /** The query in one language. */
  private record Translation(Lexemes lexemes, Map<String, List<String>> stems) {
    String matching(SearchQuery query) {
      return anyOf(query.alternatives().stream().map(this::allOf));
    }

    String inName(SearchQuery query, boolean isPartly) {
      return anyOf(
          query.alternatives().stream()
              .map(
                  alternative ->
                      alternative.wanted().stream()
                          .flatMap(
                              term ->
                                  term.words().stream()
                                      .map(word -> inName(word, isPartly && term.isPrefix())))
                          .collect(Collectors.joining(" & "))));
    }

    String asName(SearchQuery query) {
      return query.asName().map(name -> lexemes.quoted(Meaning.WHOLE_NAME, name)).orElse(NOTHING);
    }

    /** What each alternative excludes. */
    String excluded(SearchQuery query) {
      return query.alternatives().stream()
          .map(alternative -> "(" + excluded(alternative).collect(Collectors.joining(" | ")) + ")")
          .collect(Collectors.joining(" & "));
    }

    private Stream<String> excluded(Alternative alternative) {
      return alternative.terms().stream().filter(Term::isExcluded).map(this::term);
    }

    private String allOf(Alternative alternative) {
      // What the language leaves out need not match, unless there is nothing else.
      var meaningful = alternative.wanted().stream().filter(this::isMeaningful).toList();
      var wanted = meaningful.isEmpty() ? alternative.wanted() : meaningful;
      return Stream.concat(
              wanted.stream().map(this::term), excluded(alternative).map(term -> "!" + term))
          .collect(Collectors.joining(" & "));
    }

    private boolean isMeaningful(Term term) {
      return term.isPrefix() || term.words().stream().anyMatch(word -> !stems.get(word).isEmpty());
    }

    private String term(Term term) {
      return term.words().stream()
          .map(word -> term.isPrefix() ? prefix(word) : word(word))
          .collect(Collectors.joining(" <-> ", "(", ")"));
    }

    private String word(String word) {
      return "(" + joined(forms(word), form -> lexemes.quoted(Meaning.WORD, form)) + ")";
    }

    private String prefix(String word) {
      var plain = Words.plain(word);
      var beginning = lexemes.quoted(Meaning.WORD, plain) + ":*";
      return "(" + word(word) + " | " + beginning + nameEnd(plain) + ")";
    }

    /** Within a word of a name, unless the word is so short that it is within most. */
    private String nameEnd(String plain) {
      return plain.codePointCount(0, plain.length()) < DocumentWords.MIN_NAME_END
          ? ""
          : " | " + lexemes.quoted(Meaning.NAME_END, plain) + ":*";
    }

    private String inName(String word, boolean isPrefix) {
      var whole = joined(forms(word), form -> lexemes.quoted(Meaning.NAME, form));
      if (!isPrefix) {
        return "(" + whole + ")";
      }
      var plain = Words.plain(word);
      var beginning = lexemes.quoted(Meaning.NAME, plain) + ":*";
      return "(" + whole + " | " + beginning + nameEnd(plain) + ")";
    }

    /** The stems of a word; the word itself if the language leaves it out. */
    private List<String> forms(String word) {
      var found = stems.get(word);
      return found.isEmpty() ? List.of(Words.plain(word)) : found;
    }

    private static String joined(List<String> forms, Function<String, String> quoted) {
      return forms.stream().map(quoted).collect(Collectors.joining(" | "));
    }
  }

  /**
   * The query for documents in any of these languages, each of which is in one of them.
   *
   * @param stems finds the stems of the words of the query in a language
   */
  static TextQuery of(
      UUID repoId,
      SearchQuery query,
      List<String> languages,
      Function<String, Map<String, List<String>>> stems) {
    var translations =
        languages.stream()
            .map(language -> new Translation(new Lexemes(repoId, language), stems.apply(language)))
            .toList();
    return new TextQuery(
        anyOf(translations.stream().map(t -> t.matching(query))),
        anyOf(translations.stream().map(t -> t.inName(query, false))),
        anyOf(translations.stream().map(t -> t.inName(query, true))),
        anyOf(translations.stream().map(t -> t.asName(query))),
        query.alternatives().stream().allMatch(Alternative::excludes)
            ? Optional.of(anyOf(translations.stream().map(t -> t.excluded(query))))
            : Optional.empty());
  }

  private static String anyOf(Stream<String> queries) {
    return queries.map(query -> "(" + query + ")").collect(Collectors.joining(" | "));
  }
}
