package dev.cairn.search;

import dev.cairn.content.ChangedEntities.Position;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How far the index of a repository is: a row of {@code search_index}.
 *
 * @param newestSeq the newest commit when the row was read
 * @param indexedSeq every document shows its entity as it was after this commit, or later
 * @param pass what is indexed at present
 * @param chosen how documents are to be: as the settings say, with vectors of the present embedder
 * @param form how the documents are
 * @param rewrite how far the documents are that were in another form
 */
record IndexState(
    long newestSeq,
    long indexedSeq,
    Optional<Pass> pass,
    Form chosen,
    Form form,
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
   * How documents are written.
   *
   * @param language of their words
   * @param embedder the {@linkplain Embedder#version version} of the embedder of their vectors;
   *     {@link #NO_VECTORS} for none
   */
  record Form(String language, String embedder) {
    static final String NO_VECTORS = "";

    boolean hasVectors() {
      return !embedder.equals(NO_VECTORS);
    }
  }

  /**
   * The change of the form: documents are written anew, one after another.
   *
   * @param former the form of the documents that are not yet
   * @param lastId the last entity whose document is
   */
  record Rewrite(Form former, long lastId) {}

  /** The languages of the documents, the present one first. */
  List<String> languages() {
    return forms().map(Form::language).distinct().toList();
  }

  /** The embedders that documents have vectors of, the present one first. */
  List<String> embedders() {
    return forms().filter(Form::hasVectors).map(Form::embedder).distinct().toList();
  }

  /** The language of the documents that are not in the present one yet. */
  Optional<String> formerLanguage() {
    return rewrite.map(r -> r.former().language()).filter(l -> !l.equals(form.language()));
  }

  /**
   * The embedder whose vectors are searched: the former one until all documents have vectors of the
   * present one, unless the program does not have it.
   *
   * @param isKnown whether the program has an embedder
   */
  Optional<String> searchedEmbedder(Predicate<String> isKnown) {
    return embedders().reversed().stream().filter(isKnown).findFirst();
  }

  /** Whether each document has a vector of an embedder. */
  boolean hasAllVectorsOf(String embedder) {
    return rewrite.map(Rewrite::former).orElse(form).embedder().equals(embedder);
  }

  private Stream<Form> forms() {
    return Stream.concat(Stream.of(form), rewrite.map(Rewrite::former).stream());
  }

  /** Whether there is nothing to do. */
  boolean isComplete() {
    return indexedSeq >= newestSeq && pass.isEmpty() && rewrite.isEmpty() && chosen.equals(form);
  }

  /** The same in the chosen form, if there are no documents yet that have another one. */
  IndexState begin() {
    return indexedSeq == 0 && pass.isEmpty() && rewrite.isEmpty()
        ? new IndexState(newestSeq, indexedSeq, pass, chosen, chosen, rewrite)
        : this;
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
    return new IndexState(newestSeq, indexedSeq, Optional.of(next), chosen, form, rewrite);
  }

  /** The same after the pass. */
  IndexState endPass() {
    return new IndexState(
        newestSeq, pass.orElseThrow().seq(), Optional.empty(), chosen, form, rewrite);
  }

  /** The same in a change of the form, which begins if another one was chosen. */
  IndexState beginRewrite() {
    return rewrite.isPresent() || chosen.equals(form)
        ? this
        : new IndexState(
            newestSeq,
            indexedSeq,
            pass,
            chosen,
            chosen,
            Optional.of(new Rewrite(form, isOnlyToLoseVectors() ? Long.MAX_VALUE : 0)));
  }

  /** Whether no document has to be written anew. */
  private boolean isOnlyToLoseVectors() {
    return chosen.language().equals(form.language()) && !chosen.hasVectors();
  }

  /** The same with more documents in the form, or with all of them. */
  IndexState with(Optional<Rewrite> next) {
    return new IndexState(newestSeq, indexedSeq, pass, chosen, form, next);
  }
}
