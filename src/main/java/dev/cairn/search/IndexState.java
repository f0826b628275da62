package dev.cairn.search;

import dev.cairn.content.ChangedEntities.Position;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far the index of a repository is: a row of {@code search_index}.
 *
 * @param newestSeq the newest commit when the row was read
 * @param indexedSeq every document shows its entity as it was after this commit, or later
 * @param pass what is indexed at present
 * @param chosenLanguage the language that the settings name
 * @param language the language of the documents
 * @param rewrite how far the documents are that were in another language
 */
record IndexState(
    long newestSeq,
    long indexedSeq,
    Optional<Pass> pass,
    String chosenLanguage,
    String language,
    Optional<Rewrite> rewrite) {

  /**
   * The commits that are indexed together: their versions first, then what their renames changed.
   *
   * @param seq the last commit
   * @param position the last version that was indexed
   * @param areRenamesListed whether what the renames changed is in {@code search_renamed}
   */
  record Pass(long seq, Position position, boolean areRenamesListed) {}

  /**
   * The change of the language: documents are written anew, one after another.
   *
   * @param formerLanguage the language of the documents that are not yet
   * @param lastId the last entity whose document is
   */
  record Rewrite(String formerLanguage, long lastId) {}

  /** The languages of the documents, the present one first. */
  List<String> languages() {
    return Stream.concat(Stream.of(language), rewrite.map(Rewrite::formerLanguage).stream())
        .toList();
  }

  /** Whether there is nothing to do. */
  boolean isComplete() {
    return indexedSeq >= newestSeq
        && pass.isEmpty()
        && rewrite.isEmpty()
        && chosenLanguage.equals(language);
  }

  /** The same in a pass, which begins if there is something to index. */
  IndexState beginPass() {
    return pass.isPresent() || indexedSeq >= newestSeq
        ? this
        : with(
            new Pass(
                newestSeq, new Position(indexedSeq, Integer.MAX_VALUE, Long.MAX_VALUE), false));
  }

  /** The same later in the pass. */
  IndexState with(Pass next) {
    return new IndexState(
        newestSeq, indexedSeq, Optional.of(next), chosenLanguage, language, rewrite);
  }

  /** The same after the pass. */
  IndexState endPass() {
    return new IndexState(
        newestSeq, pass.orElseThrow().seq(), Optional.empty(), chosenLanguage, language, rewrite);
  }

  /** The same in a change of the language, which begins if another one was chosen. */
  IndexState beginRewrite() {
    return rewrite.isPresent() || chosenLanguage.equals(language)
        ? this
        : new IndexState(
            newestSeq,
            indexedSeq,
            pass,
            chosenLanguage,
            chosenLanguage,
            Optional.of(new Rewrite(language, 0)));
  }

  /** The same with more documents in the language, or with all of them. */
  IndexState with(Optional<Rewrite> next) {
    return new IndexState(newestSeq, indexedSeq, pass, chosenLanguage, language, next);
  }
}
