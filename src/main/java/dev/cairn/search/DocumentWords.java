package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.search.Lexemes.Meaning;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The words of an entity: of its name, of the name of its shape, and of the strings in its data, up
 * to {@link #MAX_POSITION}. See {@code docs/search.md}, What is searched.
 */
final class DocumentWords {
  /**
   * The position of the last word: PostgreSQL knows no greater one. Each text takes one position
   * more than it has words.
   */
  static final int MAX_POSITION = 16_000;

  /** The bytes of all words, so that they fit into a {@code tsvector}, which has 1 MiB. */
  static final int MAX_BYTES = 400_000;

  /** What a word takes besides its letters. */
  private static final int BYTES_OF_WORD = 10;

  private static final int MAX_BYTES_OF_LETTER = 3;

  /** PostgreSQL keeps no more positions of a word. */
  private static final int MAX_POSITIONS_OF_WORD = 255;

  /** No phrase reaches from one text into the next one. */
  private static final int BETWEEN_TEXTS = 1;

  /** A shorter part of a name is found only if a word begins with it. */
  static final int MIN_NAME_END = 3;

  /** The words of a name whose ends are indexed. */
  private static final int MAX_WORDS_WITH_ENDS = 16;

  /** The ends of all words of a name that are indexed, and how long a word with ends may be. */
  private static final int MAX_ENDS = 64;

  private static final int MAX_LENGTH_WITH_ENDS = 32;

  private final long shapeId;
  private final List<Word> words = new ArrayList<>();
  private final List<String> nameEnds = new ArrayList<>();
  private final Set<String> wholeNames = new HashSet<>();
  private int position = 1;
  private int nameWords;
  private int bytes;

  /** The field in which a word occurs, which decides on its weight. */
  private enum Field {
    NAME('A'),
    SHAPE('B'),
    DATA('D');

    private final char weight;

    Field(char weight) {
      this.weight = weight;
    }
  }

  /** A word in lower case. */
  private record Word(String lower, int position, Field field) {}

  private DocumentWords(long shapeId) {
    this.shapeId = shapeId;
  }

  /** The words of an entity. */
  static DocumentWords of(ChangedEntities.Row entity) {
    var document = new DocumentWords(entity.shapeId());
    document.addName(entity.shapeName(), entity.name());
    document.add(entity.shapeName(), Field.SHAPE);
    JsonTexts.read(
        entity.data(),
        text -> {
          document.add(text, Field.DATA);
          return !document.isFull();
        });
    return document;
  }

  private void addName(String shapeName, String name) {
    var whole = new StringBuilder();
    for (var word : Words.of(name)) {
      var lower = Words.lower(word);
      whole.append(lower);
      if (nameWords++ < MAX_WORDS_WITH_ENDS) {
        addEnds(Words.plain(lower));
      }
    }
    wholeNames.add(Words.plain(whole.toString()));
    wholeNames.add(Words.plain(Words.lower(shapeName) + whole));
    add(name, Field.NAME);
  }

  private void addEnds(String plain) {
    if (Words.isHash(plain)) {
      return;
    }
    int length = plain.codePointCount(0, plain.length());
    if (length > MAX_LENGTH_WITH_ENDS) {
      return;
    }
    for (int from = 1; length - from >= MIN_NAME_END && nameEnds.size() < MAX_ENDS; from++) {
      nameEnds.add(plain.substring(plain.offsetByCodePoints(0, from)));
    }
  }

  private boolean isFull() {
    return position >= MAX_POSITION || bytes >= MAX_BYTES;
  }

  private void addWord(String word, Field field) {
    var lower = Words.lower(word);
    words.add(new Word(lower, position, field));
    bytes += BYTES_OF_WORD + Math.min(lower.length(), Words.MAX_LENGTH) * MAX_BYTES_OF_LETTER;
  }

  private void add(String text, Field field) {
    for (var range = Words.next(text, 0);
        range != null && !isFull();
        range = Words.next(text, range.end())) {
      var word = range.of(text);
      addWord(word, field);
      if (field != Field.DATA) {
        Words.parts(word).forEach(part -> addWord(part, field));
      }
      position++;
    }
    position += BETWEEN_TEXTS;
  }

  /** Adds the different words to a set, so that their stems can be looked up. */
  void addTo(Set<String> different) {
    words.forEach(word -> different.add(word.lower));
  }

  /** How many words the name has. */
  int nameWords() {
    return Math.max(1, nameWords);
  }

  /**
   * The text of the {@code tsvector}.
   *
   * @param stems the stems of all words
   */
  String vector(Lexemes lexemes, Map<String, List<String>> stems) {
    var positions = new LinkedHashMap<String, StringBuilder>();
    for (var word : words) {
      var ofWord = stems.get(word.lower);
      for (var stem : ofWord) {
        add(positions, lexemes.quoted(Meaning.WORD, stem), word);
        if (word.field == Field.NAME) {
          positions.putIfAbsent(lexemes.quoted(Meaning.NAME, stem), new StringBuilder());
        }
      }
      var plain = Words.plain(word.lower);
      if (!plain.isEmpty() && !ofWord.contains(plain)) {
        // By the word itself it is found while it is typed.
        add(positions, lexemes.quoted(Meaning.WORD, plain), word);
        if (word.field == Field.NAME) {
          positions.putIfAbsent(lexemes.quoted(Meaning.NAME, plain), new StringBuilder());
        }
      }
    }
    nameEnds.forEach(
        end -> positions.putIfAbsent(lexemes.quoted(Meaning.NAME_END, end), new StringBuilder()));
    wholeNames.forEach(
        name ->
            positions.putIfAbsent(lexemes.quoted(Meaning.WHOLE_NAME, name), new StringBuilder()));
    positions.put(lexemes.quoted(Meaning.SHAPE, Long.toString(shapeId)), new StringBuilder());
    var vector = new StringBuilder();
    positions.forEach(
        (lexeme, at) -> {
          vector.append(lexeme);
          if (!at.isEmpty()) {
            vector.append(':').append(at);
          }
          vector.append(' ');
        });
    return vector.toString();
  }

  private static void add(Map<String, StringBuilder> positions, String lexeme, Word word) {
    var at = positions.computeIfAbsent(lexeme, _ -> new StringBuilder());
    // An estimate, so that the positions of a word need not be counted: each takes at most 7
    // characters.
    if (at.length() < MAX_POSITIONS_OF_WORD * 3) {
      if (!at.isEmpty()) {
        at.append(',');
      }
      at.append(word.position).append(word.field.weight);
    }
  }
}
