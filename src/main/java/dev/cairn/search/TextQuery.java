package dev.cairn.search;

import dev.cairn.search.Lexemes.Meaning;
import dev.cairn.search.SearchQuery.Alternative;
import dev.cairn.search.SearchQuery.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query as the database carries it out: texts of {@code tsquery}, of quoted lexemes alone. They
 * are as short as possible: the index looks a lexeme up as often as it is there, and for one that
 * stands for all that begin like it, collects the documents of all of these each time.
 *
 * @param matching what an entity must match
 * @param complete the same if the last word must be a whole word
 * @param ranked the same without parts of names, which have no positions and so no rank
 * @param isInNameEnough whether an entity whose name has the words always matches
 * @param inName what an entity matches if its name has the words
 * @param partlyInName the same if the last word is only a part of a word of the name
 * @param asName what an entity matches if the words are its whole name
 * @param excluded what an entity matches if it has words that the query excludes; empty if there
 *     are none
 */
record TextQuery(
    String matching,
    String complete,
    String ranked,
    boolean isInNameEnough,
    String inName,
    String partlyInName,
    String asName,
    Optional<String> excluded) {
  /** Matches nothing: no lexeme of a document is without a prefix. */
  private static final String NOTHING = "'-'";

  /** Which part of a word the last word of a query may be. */
  private enum Extent {
    WHOLE,
    BEGINNING,
    PART
  }

  /**
   * What the index on words is asked for, the best first; none finds what one before it does.
   *
   * @param wholeName those with that whole name; some of them do not match otherwise
   * @param inName those with the words in the name
   * @param partlyInName those with the last word as a part of a word there
   * @param complete of the others, those with all words
   * @param rest those with a word that begins like the last one
   */
  record Stages(
      String wholeName, String inName, String partlyInName, String complete, String rest) {}

  /**
   * The stages of a search by the index.
   *
   * @param shape what documents of the shape match; empty if any may match
   */
  Stages stages(Optional<String> shape) {
    var ofShape = shape.map(" & (%s)"::formatted).orElse("");
    var named = isInNameEnough ? ofShape : " & (%s)%s".formatted(matching, ofShape);
    return new Stages(
        "(%s)%s".formatted(asName, ofShape),
        "(%s) & !(%s)%s".formatted(inName, asName, named),
        without(partlyInName, inName, asName, named),
        "(%s) & !(%s | %s)%s".formatted(complete, partlyInName, asName, ofShape),
        without(matching, complete, partlyInName + " | " + asName, ofShape));
  }

  /** All without a part of them and others; nothing if the part is all. */
  private static String without(String all, String part, String others, String and) {
    return all.equals(part) ? NOTHING : "(%s) & !(%s | %s)%s".formatted(all, part, others, and);
  }

  /** What the documents of a shape match; one of its languages has the lexeme. */
  static String ofShape(UUID repoId, List<String> languages, long shapeId) {
    return languages.stream()
        .map(l -> new Lexemes(repoId, l).quoted(Meaning.SHAPE, Long.toString(shapeId)))
        .collect(Collectors.joining(" | "));
  }

  /** The query in one language. */
  private record Translation(Lexemes lexemes, Map<String, List<String>> stems) {
    String matching(SearchQuery query, Extent last) {
      return anyOf(query.alternatives().stream().map(alternative -> allOf(alternative, last)));
    }

    String inName(SearchQuery query, Extent last) {
      return anyOf(
          query.alternatives().stream()
              .map(
                  alternative ->
                      alternative.wanted().stream()
                          .flatMap(term -> words(Meaning.NAME, term, last))
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
      return alternative.terms().stream()
          .filter(Term::isExcluded)
          .map(term -> term(term, Extent.WHOLE));
    }

    private String allOf(Alternative alternative, Extent last) {
      // What the language leaves out need not match, unless there is nothing else.
      var meaningful = alternative.wanted().stream().filter(this::isMeaningful).toList();
      var wanted = meaningful.isEmpty() ? alternative.wanted() : meaningful;
      return Stream.concat(
              wanted.stream().map(term -> term(term, last)),
              excluded(alternative).map(term -> "!" + term))
          .collect(Collectors.joining(" & "));
    }

    private boolean isMeaningful(Term term) {
      return term.isPrefix() || term.words().stream().anyMatch(word -> !stems.get(word).isEmpty());
    }

    private String term(Term term, Extent last) {
      return words(Meaning.WORD, term, last).collect(Collectors.joining(" <-> ", "(", ")"));
    }

    private Stream<String> words(Meaning meaning, Term term, Extent last) {
      return term.words().stream()
          .map(word -> word(meaning, word, term.isPrefix() ? last : Extent.WHOLE));
    }

    private String word(Meaning meaning, String word, Extent extent) {
      var plain = Words.plain(word);
      var any = new ArrayList<String>();
      for (var form : forms(word)) {
        if (extent == Extent.WHOLE || !form.startsWith(plain)) {
          any.add(lexemes.quoted(meaning, form));
        }
      }
      if (extent != Extent.WHOLE) {
        any.add(lexemes.quoted(meaning, plain) + ":*");
      }
      // Within a word of a name, unless the word is so short that it is within most.
      if (extent == Extent.PART
          && plain.codePointCount(0, plain.length()) >= DocumentWords.MIN_NAME_END) {
        any.add(lexemes.quoted(Meaning.NAME_END, plain) + ":*");
      }
      return "(" + String.join(" | ", any) + ")";
    }

    /** The stems of a word; the word itself if the language leaves it out. */
    private List<String> forms(String word) {
      var found = stems.get(word);
      return found.isEmpty() ? List.of(Words.plain(word)) : found;
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
        anyOf(translations.stream().map(t -> t.matching(query, Extent.PART))),
        anyOf(translations.stream().map(t -> t.matching(query, Extent.WHOLE))),
        anyOf(translations.stream().map(t -> t.matching(query, Extent.BEGINNING))),
        query.isOfWantedWords(),
        anyOf(translations.stream().map(t -> t.inName(query, Extent.WHOLE))),
        anyOf(translations.stream().map(t -> t.inName(query, Extent.PART))),
        anyOf(translations.stream().map(t -> t.asName(query))),
        query.alternatives().stream().allMatch(Alternative::excludes)
            ? Optional.of(anyOf(translations.stream().map(t -> t.excluded(query))))
            : Optional.empty());
  }

  private static String anyOf(Stream<String> queries) {
    return queries.map(query -> "(" + query + ")").collect(Collectors.joining(" | "));
  }
}
