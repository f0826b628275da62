package dev.cairn.live;

import dev.cairn.access.Caller;
import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Predicates;
import dev.cairn.content.read.StoredChanges;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Which entities of a repository a client is told of: those that its token may read, of a shape, or
 * that a pattern matches.
 */
public record Selection(
    UUID repoId, Caller caller, Narrowing narrowing, Optional<String> shape, Optional<Glob> match) {

  /**
   * What an access lets its caller read.
   *
   * @param access granted for {@code repo:read}
   * @param shape only entities of this shape
   * @param match only entities that this pattern matches
   */
  public static Selection of(
      RepositoryAccess access, Optional<String> shape, Optional<Glob> match) {
    return new Selection(access.repoId(), access.caller(), access.narrowing(), shape, match);
  }

  /** Whether it is told of all. */
  boolean isOfAll() {
    return narrowing.isUnrestricted()
        && shape.isEmpty()
        && match.map(Glob::isEverything).orElse(true);
  }

  /** Whether it is told of an entity. */
  boolean includes(String wref, MatchingBudget budget) {
    var parsed = Wref.parse(wref);
    return shape.map(parsed.shape()::equals).orElse(true)
        && match.map(glob -> glob.matches(wref, budget)).orElse(true)
        && narrowing.canRead(parsed, budget);
  }

  /** The wrefs of a commit that it is told of, up to one more than the maximum. */
  List<String> names(StoredChanges stored, long seq) {
    var where = new Predicates("true").narrowed(narrowing);
    shape.ifPresent(where::shape);
    match.ifPresent(where::matches);
    return stored.names(repoId, seq, where);
  }
}
