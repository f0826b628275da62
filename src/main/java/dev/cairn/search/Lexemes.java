package dev.cairn.search;

import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import java.util.UUID;

/**
 * The lexemes of a repository in a language, as they are in the index that all repositories share.
 * Each begins with a hash of repository and language, so that a search reads no lexemes of others,
 * and a document in a former language does not match in the present one.
 */
final class Lexemes {
  private static final int HASH_LENGTH = 6;

  /** What a lexeme stands for. */
  enum Meaning {
    /** A word of the name, the shape or the data. */
    WORD('w'),
    /** A word of the name, or a part of one. */
    NAME('n'),
    /** A word of the name without its first letters, by which its middle is found. */
    NAME_END('e'),
    /** The whole name without what is between its words. */
    WHOLE_NAME('x'),
    /** The id of the shape. */
    SHAPE('s');

    private final char mark;

    Meaning(char mark) {
      this.mark = mark;
    }
  }

  private final String prefix;

  Lexemes(UUID repoId, String language) {
    this.prefix = Base64Url.encode(Sha256.of(repoId + " " + language)).substring(0, HASH_LENGTH);
  }

  /**
   * A lexeme between its quotes, as {@code tsvector} and {@code tsquery} write it.
   *
   * @param word a plain word, which has only letters, digits and marks, or is a hash
   */
  String quoted(Meaning meaning, String word) {
    return "'" + prefix + meaning.mark + word + "'";
  }
}
