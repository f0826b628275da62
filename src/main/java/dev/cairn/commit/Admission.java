package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Operation;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;

/**
 * What a narrowed token may write in a commit. It is asked before anything is looked up, so that a
 * refusal says nothing of whether the name exists; see {@code docs/access.md}, Narrowed tokens.
 *
 * @param budget what matching with the token's patterns may cost the commit
 */
record Admission(RepositoryAccess access, MatchingBudget budget) {

  /** Refuses an operation on a wref that the token does not cover. */
  void requireTarget(Operation operation) {
    switch (operation) {
      case Operation.Add add when add.target() != null -> require("/name", add.target().local());
      case Operation.Add _ -> {}
      case Operation.Revise revise -> requireTarget(revise.target());
      case Operation.Retract retract -> requireTarget(retract.target());
      case Operation.Rename rename -> requireTarget(rename.target());
    }
  }

  /** The result of an earlier operation is judged when it is known. */
  private void requireTarget(Link target) {
    if (target instanceof Link.To(Wref wref)) {
      require("/name", wref.local());
    }
  }

  /**
   * Refuses a wref that the token does not cover.
   *
   * @param pointer the member that names it
   */
  void require(String pointer, String wref) {
    if (!access.narrowing().canWrite(wref, budget)) {
      throw Problem.of(ErrorCode.FORBIDDEN, "This token may not write `" + wref + "`.")
          .at(pointer)
          .hint("The scope entry's `allowedMatches` must have a pattern that matches it.");
    }
  }

  /**
   * Refuses to rename a shape by a narrowed token: that moves everything under it, also what the
   * token does not cover, and into names that it does. Neither does a token that is narrowed in
   * {@code repo:read} rename what it may not read, whatever it may write.
   */
  void requireRename(EntityState entity) {
    if (entity.kind == EntityKind.SHAPE && !access.narrowing().isUnrestricted()) {
      throw Problem.of(
              ErrorCode.FORBIDDEN, "A token that is narrowed by `allowedMatches` renames no shape.")
          .at("/name")
          .hint("Use a token whose scope entry for this repository has no `allowedMatches`.");
    }
    // Otherwise a token that may write anything would move what it may not read to where it may.
    if (!access.isWithinRead(Wref.local(entity.shapeName(), entity.name), budget)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "This token may not read `" + entity.local() + "`, so it may not rename it.")
          .at("/name");
    }
  }

  /** Whether the token may know of an entity: it reads or writes it, or has just made it. */
  boolean knows(EntityState entity) {
    return entity.isNew()
        || access.visible().canRead(Wref.local(entity.shapeName(), entity.name), budget);
  }

  /**
   * Refuses a collection that exists by a name which the token may not know.
   *
   * @param pointer the member that names it by its members
   */
  void requireVisible(String pointer, EntityState collection) {
    if (!knows(collection)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "The collection of these members has a name that this token may not see.")
          .at(pointer);
    }
  }
}
