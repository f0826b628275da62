package dev.cairn.search;

import dev.cairn.content.ChangedEntities.Position;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How far a part of the index of a repository is: a row of {@code search_index}.
 *
 * @param newestSeq the newest commit when the row was read
 * @param indexedSeq what is stored shows every entity as it was after this commit, or later
 * @param pass what is indexed at present
 * @param chosen the form that the part is to have; {@link #NONE} if the settings switch it off
 * @param form the form that it has: a language, or the version of an embedder
 * @param rewrite how far it has that form
 */
record IndexState(
    long newestSeq,
    long indexedSeq,
    Optional<Pass> pass,
    String chosen,
    String form,
    Optional<Rewrite> rewrite) {

  /** The form of a part that is switched off. */
  static final String NONE = "";

  /**
   * The commits that are indexed together: their versions first, then what their renames changed.
   *
   * @param seq the last commit
   * @param position the last version that was indexed
   * @param areRenamesListed whether what the renames changed is in {@code search_renamed}
   */
  record Pass(long seq, Position position, boolean areRenamesListed) {}

  /**
   * The change of the form: all entities are written again, one after another.
   *
   * @param former the form of the entities that are not yet
   * @param lastId the last entity that is
   */
  record Rewrite(String former, long lastId) {
    /** The last entity when all are written, and only what is in former forms is to be deleted. */
    static final long ALL = Long.MAX_VALUE;

    boolean isWritten() {
      return lastId == ALL;
    }
  }

  /** The forms in which entities are stored and searched, the present one first. */
  List<String> forms() {
    return Stream.concat(Stream.of(form), former().stream())
        .filter(one -> !one.equals(NONE))
        .distinct()
        .toList();
  }

  /** The form of the entities that are not in the present one yet. */
  private Optional<String> former() {
    return rewrite.filter(change -> !change.isWritten()).map(Rewrite::former);
  }

  /** Whether every entity is stored in this form. */
  boolean isCompleteIn(String one) {
    return former().orElse(form).equals(one);
  }

  boolean isOn() {
    return !chosen.equals(NONE);
  }

  /** Whether there is nothing to do. */
  boolean isComplete() {
    return indexedSeq >= newestSeq && pass.isEmpty() && rewrite.isEmpty() && chosen.equals(form);
  }

  /**
   * The same when a slice begins: in the chosen form if nothing is stored yet, in a pass if there
   * are commits to index, and in a change of the form if another one was chosen. If the part is
   * switched off, all that is left to do is to delete what is stored.
   *
   * @param canWrite whether this program can write a form. If another one has begun to write a form
   *     that this one cannot, this one begins again with its own.
   */
  IndexState begin(Predicate<String> canWrite) {
    return isOn() ? beginForm().beginPass().beginRewrite(canWrite) : off();
  }

  private IndexState off() {
    boolean isDeleted = form.equals(NONE) && rewrite.isEmpty();
    return new IndexState(
        newestSeq,
        newestSeq,
        Optional.empty(),
        NONE,
        NONE,
        isDeleted ? Optional.empty() : Optional.of(new Rewrite(NONE, Rewrite.ALL)));
  }

  private IndexState beginForm() {
    return indexedSeq == 0 && pass.isEmpty() && rewrite.isEmpty()
        ? new IndexState(newestSeq, indexedSeq, pass, chosen, chosen, rewrite)
        : this;
  }

  private IndexState beginPass() {
    return pass.isPresent() || indexedSeq >= newestSeq
        ? this
        : with(
            new Pass(
                newestSeq, new Position(indexedSeq, Integer.MAX_VALUE, Long.MAX_VALUE), false));
  }

  private IndexState beginRewrite(Predicate<String> canWrite) {
    return chosen.equals(form) || (rewrite.isPresent() && canWrite.test(form))
        ? this
        : new IndexState(
            newestSeq,
            indexedSeq,
            pass,
            chosen,
            chosen,
            Optional.of(new Rewrite(former().orElse(form), 0)));
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

  /** The same with more entities in the form, or with all of them. */
  IndexState with(Optional<Rewrite> next) {
    return new IndexState(newestSeq, indexedSeq, pass, chosen, form, next);
  }
}
