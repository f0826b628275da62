package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.DEPENDENCY_FAILED;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;

import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.Masking;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import dev.cairn.model.Wref;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Resolves the links of operations at the point that planning has reached: to stored entities and
 * to results of earlier operations, or to the failure of an earlier operation.
 */
final class References {
  /** The detail of a problem that names the entity of this repository that is missing. */
  static final String MISSING = "missing";

  /** Maximum characters of all names of a commit for which references to results stand. */
  private static final int MAX_SHORTENED = 16 * 1024 * 1024;

  private final Allowance shortened = new Allowance(MAX_SHORTENED);

  /** The missing members that are listed in all operations of the commit. */
  private final Allowance listed = new Allowance(Violations.MAX_LISTED);

  private final KnownEntities known;
  private final Home home;
  private final Admission admission;
  private final Numbering numbering;
  private final Map<Integer, Pin> results = new HashMap<>();
  private final Map<Integer, Boolean> failed = new HashMap<>();
  private final Map<String, Integer> failedAdds = new HashMap<>();

  /** The repository of the commit. */
  record Home(UUID repoId, String org, String repo) {
    /** The wref, made local if it is a canonical one of this repository. */
    Wref localized(Wref wref) {
      return !wref.isLocal() && wref.org().equals(org) && wref.repo().equals(repo)
          ? new Wref(null, null, wref.shape(), wref.name(), wref.modifier())
          : wref;
    }
  }

  /** An entity pinned to a version. */
  record Pin(EntityState entity, int version) {}

  References(KnownEntities known, Home home, Admission admission, Numbering numbering) {
    this.known = known;
    this.home = home;
    this.admission = admission;
    this.numbering = numbering;
  }

  /** Remembers what an operation made or found, at the version that it has now. */
  void succeeded(int index, EntityState entity) {
    results.put(index, new Pin(entity, entity.version));
  }

  /**
   * Remembers a failure.
   *
   * @param target the {@code Shape/name} that the operation would have added; null for any other
   *     operation
   */
  void failed(int index, String target) {
    failed.put(index, true);
    // Even if it exists: otherwise, an answer would reveal that to a token that may not know it.
    if (target != null) {
      failedAdds.putIfAbsent(target, index);
    }
  }

  /**
   * The entity of a link, pinned to the version that the link names or to the current one.
   *
   * @param missing the error code if the entity or version does not exist
   */
  Pin pin(int index, Link link, ErrorCode missing) {
    return switch (link) {
      case Link.Result(int earlier) -> counted(result(index, earlier));
      case Link.To(Wref wref) -> pin(home.localized(wref), missing);
    };
  }

  /** A few characters of the body may stand for a long name, thousands of times. */
  private Pin counted(Pin pin) {
    if (!shortened.take(pin.entity().wref().length())) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "The names that `$n` stands for in one commit may have at most %,d characters together."
                  .formatted(shortened.amount()))
          .hint("Send fewer operations at once.");
    }
    return pin;
  }

  private Pin result(int index, int number) {
    if (numbering.earlier() == null) {
      throw Problem.of(
              UNRESOLVED_REFERENCE,
              "`$%d` stands for nothing here: the operations may be applied in several commits."
                  .formatted(number))
          .hint(
              "Refer to the entity by its name, or send the operations as one commit, with `atomic=true`.");
    }
    int earlier = numbering.index(number);
    if (earlier < 0) {
      return resultBefore(number);
    }
    if (failed.containsKey(earlier)) {
      throw dependencyFailed(earlier);
    }
    var result = results.get(earlier);
    if (result == null) {
      throw Problem.of(
          UNRESOLVED_REFERENCE,
          "`$%d` is not an earlier operation of this commit; this one is `$%d`."
              .formatted(number, numbering.of(index)));
    }
    return result;
  }

  private Pin resultBefore(int number) {
    var result = numbering.earlier().get(number);
    var entity = result == null ? null : known.entity(result.entityId());
    if (entity == null) {
      throw dependencyFailed(numbering.index(number));
    }
    return new Pin(entity, result.version());
  }

  private Pin pin(Wref wref, ErrorCode missing) {
    var entity = known.find(wref);
    if (entity == null || (wref.isLocal() && !admission.mayKnow(entity))) {
      refuseIfFailed(wref);
      throw missing(missing, wref);
    }
    if (wref.modifier() instanceof Wref.Modifier.Pinned(int version)) {
      if (version > entity.version) {
        throw Problem.of(
            missing,
            "`%s` has no version %d; its newest is %d."
                .formatted(wref.unversioned(), version, entity.version));
      }
      return new Pin(entity, version);
    }
    return new Pin(entity, entity.version);
  }

  private static Problem missing(ErrorCode code, Wref wref) {
    var problem = Problem.of(code, "There is no `" + wref.unversioned() + "`.");
    return wref.isLocal() ? missing(problem, wref.local()) : problem;
  }

  /** The problem with the name of what is missing; a token in it, sent by mistake, is masked. */
  static Problem missing(Problem problem, String local) {
    return problem.with(MISSING, Masking.of(local));
  }

  /** The problem with what another one says is missing. */
  static Problem alsoMissing(Problem problem, Problem other) {
    var missing = other.details().get(MISSING);
    return missing == null ? problem : problem.with(MISSING, missing);
  }

  /** Problems of one code, at least one, as one problem: the first, with the violations of all. */
  Problem together(List<Problem> problems) {
    var first = problems.getFirst();
    if (problems.size() == 1) {
      return first;
    }
    var violations = new Violations(listed);
    problems.forEach(problem -> violations.addAll(problem, ""));
    return alsoMissing(violations.problem(first.code()).hint(first.hint()), first);
  }

  /**
   * Checks something else although something is missing.
   *
   * @param second throws a problem, or does nothing
   * @return the first problem, with the violations of both
   */
  static Problem together(Problem first, Violations violations, Runnable second) {
    violations.addAll(first, "");
    try {
      second.run();
      return first;
    } catch (Problem e) {
      violations.addAll(e, "");
      return alsoMissing(violations.problem(first.code()).hint(first.hint()), first);
    }
  }

  /** Throws a problem if what is missing is so because the operation that adds it failed. */
  void refuseIfFailed(Wref wref) {
    var index = wref.isLocal() ? failedAdds.get(wref.local()) : null;
    if (index == null && wref.isLocal() && !isKnownShape(wref.shape())) {
      index = failedAdds.get(BuiltinShape.SHAPE.shapeName() + "/" + wref.shape());
    }
    if (index != null) {
      throw dependencyFailed(index);
    }
  }

  private boolean isKnownShape(String name) {
    var shape = known.shape(name);
    return shape != null && admission.mayKnow(shape);
  }

  private Problem dependencyFailed(int index) {
    return Problem.of(
        DEPENDENCY_FAILED,
        "The operation refers to operation %d, which failed.".formatted(numbering.of(index)));
  }
}
