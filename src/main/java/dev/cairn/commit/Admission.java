package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Operation;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import java.util.List;

/**
 * Checks what may be written in a commit: what a narrowed token may write, and that only the
 * service writes {@code ComponentInstall}. The check comes before any look-up, so that a refusal
 * does not reveal whether the name exists; see {@code docs/access.md}, Narrowed tokens.
 *
 * @param writesInstalls whether the service itself submitted the commit, and may write {@code
 *     ComponentInstall}
 * @param budget bounds the cost of matching the token's patterns in the commit
 */
record Admission(RepositoryAccess access, boolean writesInstalls, MatchingBudget budget) {

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

  /**
   * Refuses to write an entity of {@code ComponentInstall}, unless the service itself does, and one
   * of {@code ComponentConfig} with the token of a component: it says where signed calls to
   * components go.
   *
   * @throws Problem {@code FORBIDDEN}
   */
  void requireMayWriteShape(Wref target) {
    if (target.shape().equals(BuiltinShape.COMPONENT_CONFIG.shapeName())
        && access.account().token() instanceof Caller.ComponentToken) {
      throw Problem.of(
          ErrorCode.FORBIDDEN, "The token of a component may not write `ComponentConfig`.");
    }
    if (!writesInstalls && target.shape().equals(BuiltinShape.COMPONENT_INSTALL.shapeName())) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Only the service may write `ComponentInstall`.");
    }
  }

  /** The result of an earlier operation is checked once it is known. */
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
   * Refuses to rename a shape with a narrowed token: the rename would move all its things,
   * including those that the token does not cover, to names that it does cover. A token that is
   * narrowed in {@code repo:read} may not rename a shape either, or an entity that it may not read,
   * whatever it may write.
   */
  void requireRename(EntityState entity) {
    if (entity.kind == EntityKind.SHAPE && isNarrowed()) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "A token that is narrowed by `allowedMatches` may not rename a shape.")
          .at("/name")
          .hint("Use a token whose scope entries for this repository have no `allowedMatches`.");
    }
    // Otherwise a token that may write any name could move an entity that it may not read to a name
    // that it may.
    if (!access.isWithinRead(Wref.local(entity.shapeName(), entity.name), budget)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "This token may not read `" + entity.local() + "`, so it may not rename it.")
          .at("/name");
    }
  }

  /**
   * Refuses a definition that names a shape which the token may not know: a rename of that shape
   * would change the name in the definition too, and so tell that there is one, and its new name.
   */
  void requireKnown(List<JsonNode> shapeNames) {
    for (var node : shapeNames) {
      var name = node.textValue();
      var shape = Wref.local(BuiltinShape.SHAPE.shapeName(), name);
      if (BuiltinShape.named(name).isEmpty() && !access.visible().canRead(shape, budget)) {
        throw Problem.of(
                ErrorCode.FORBIDDEN,
                "This token may not know `%s`, so its definitions may not name it."
                    .formatted(shape.local()))
            .at("/data")
            .hint("A pattern of the token's `allowedMatches` must match each shape it names.");
      }
    }
  }

  private boolean isNarrowed() {
    return !access.narrowing().isUnrestricted()
        || access.readable().filter(read -> !read.isUnrestricted()).isPresent();
  }

  /**
   * Refuses to patch what the token may not read: what is wrong with the result would tell what is
   * there.
   */
  void requirePatch(EntityState entity) {
    if (entity.isHidden) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "This token may not read `" + entity.local() + "`, so it may not patch it.")
          .at("/patch")
          .hint("Send the whole `data`, or use a token with `repo:read`.");
    }
  }

  /** Whether the token may read an entity, and so sees what it is about. */
  boolean mayRead(EntityState entity) {
    var wref = Wref.local(entity.shapeName(), entity.name);
    return access.readable().filter(read -> read.canRead(wref, budget)).isPresent();
  }

  /** Whether the token may know of an entity: it may read or write it, or this commit adds it. */
  boolean mayKnow(EntityState entity) {
    return entity.isNew()
        || access.visible().canRead(Wref.local(entity.shapeName(), entity.name), budget);
  }

  /**
   * Refuses an existing collection whose name the token may not know.
   *
   * @param pointer the member of the operation that lists the collection's members
   */
  void requireVisible(String pointer, EntityState collection) {
    if (!mayKnow(collection)) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "The collection with these members has a name that this token may not see.")
          .at(pointer);
    }
  }
}
