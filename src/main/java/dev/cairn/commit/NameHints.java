package dev.cairn.commit;

import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.NearNames;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Adds to the problems of commits what may be meant by a name that does not exist, for callers that
 * may read. See {@code docs/errors.md}, Missing names.
 */
@ApplicationScoped
class NameHints {
  /** How many failures of a partial commit are explained: other commits wait meanwhile. */
  private static final int MAX_EXPLAINED = 10;

  private final NearNames nearNames;
  private final ReadBounds reads;

  NameHints(NearNames nearNames, ReadBounds reads) {
    this.nearNames = nearNames;
    this.reads = reads;
  }

  /**
   * The problem of a commit that has ended, with what is found, and its own hint if it has one;
   * waits for a turn of reads.
   */
  Problem explained(Problem problem, RepositoryAccess access) {
    var missing = missing(problem);
    if (missing.isEmpty() || access.readable().isEmpty()) {
      return problem;
    }
    try {
      var readable = access.readable().get();
      var explained =
          reads.within(
              access,
              () ->
                  nearNames.explained(
                      problem, access.repoId(), readable, access.matching(), missing.get()));
      return problem.hint() == null ? explained : explained.hint(problem.hint());
    } catch (Problem _) {
      // There are too many reads already, or matching the name takes too many steps.
      return problem;
    }
  }

  /**
   * Explains the failures of a partial commit, as far as names are missing: of the first few, in
   * its transaction, because its answer is kept as it is.
   */
  void explain(CommitPlan plan, RepositoryAccess access) {
    var readable = access.readable();
    if (readable.isEmpty()) {
      return;
    }
    int left = MAX_EXPLAINED;
    for (int i = 0; i < plan.results.size() && left > 0; i++) {
      var result = plan.results.get(i);
      var missing = result.problem() == null ? Optional.<Wref>empty() : missing(result.problem());
      if (missing.isPresent()) {
        var explained = inTransaction(result.problem(), access, readable.get(), missing.get());
        plan.results.set(i, OperationResult.error(i, result.operation(), explained));
        left--;
      }
    }
  }

  private Problem inTransaction(
      Problem problem, RepositoryAccess access, Narrowing readable, Wref missing) {
    try {
      return nearNames.explainedInTransaction(
          problem, access.repoId(), readable, access.matching(), missing);
    } catch (Problem _) {
      // Matching the name takes too many steps, which is no reason to refuse the others.
      return problem;
    }
  }

  /** The name that is missing; empty if none is, or it is masked because it looks like a secret. */
  private static Optional<Wref> missing(Problem problem) {
    if (!(problem.details().get(References.MISSING) instanceof String text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Wref.parse(text));
    } catch (Problem _) {
      return Optional.empty();
    }
  }
}
