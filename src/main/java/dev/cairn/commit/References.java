package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.DEPENDENCY_FAILED;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Finds what the links of operations point at, at the point of the commit that planning has
 * reached: what is in the database, what earlier operations made, and what they failed to make.
 */
final class References {
  private final KnownEntities known;
  private final Home home;
  private final Admission admission;
  private final Map<Integer, EntityState> results = new HashMap<>();
  private final Map<Integer, Boolean> failed = new HashMap<>();
  private final Map<String, Integer> failedAdds = new HashMap<>();

  /** The repository that is written to. */
  record Home(UUID repoId, String org, String repo) {
    /** The wref as a local one where it is a canonical one of this very repository. */
    Wref localized(Wref wref) {
      return !wref.isLocal() && wref.org().equals(org) && wref.repo().equals(repo)
          ? new Wref(null, null, wref.shape(), wref.name(), wref.modifier())
          : wref;
    }
  }

  /** An entity pinned to a version. */
  record Pin(EntityState entity, int version) {}

  References(KnownEntities known, Home home, Admission admission) {
    this.known = known;
    this.home = home;
    this.admission = admission;
  }

  void succeeded(int index, EntityState entity) {
    results.put(index, entity);
  }

  /**
   * Remembers a failure.
   *
   * @param target the {@code Shape/name} that it would have made; null for any other failure
   */
  void failed(int index, String target) {
    failed.put(index, true);
    if (target != null && known.find(Wref.parse(target)) == null) {
      failedAdds.putIfAbsent(target, index);
    }
  }

  /**
   * The entity of a link, pinned to the version that the link names or to that of the moment.
   *
   * @param missing the code where it leads nowhere
   */
  Pin pin(int index, Link link, ErrorCode missing) {
    return switch (link) {
      case Link.Result(int earlier) -> result(index, earlier);
      case Link.To(Wref wref) -> pin(home.localized(wref), missing);
    };
  }

  private Pin result(int index, int earlier) {
    if (failed.containsKey(earlier)) {
      throw dependencyFailed(earlier);
    }
    var entity = results.get(earlier);
    if (entity == null) {
      throw Problem.of(
          UNRESOLVED_REFERENCE,
          "`$%d` is no earlier operation of this commit; this one is `$%d`."
              .formatted(earlier, index));
    }
    return new Pin(entity, entity.version);
  }

  private Pin pin(Wref wref, ErrorCode missing) {
    var entity = known.find(wref);
    if (entity == null || (wref.isLocal() && !admission.knows(entity))) {
      refuseIfFailed(wref);
      throw Problem.of(missing, "There is no `" + wref.unversioned() + "`.");
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

  /** Where an operation that failed would have made this, says so. */
  void refuseIfFailed(Wref wref) {
    var index = wref.isLocal() ? failedAdds.get(wref.local()) : null;
    if (index == null && wref.isLocal()) {
      index = failedAdds.get(BuiltinShape.SHAPE.shapeName() + "/" + wref.shape());
    }
    if (index != null) {
      throw dependencyFailed(index);
    }
  }

  private static Problem dependencyFailed(int index) {
    return Problem.of(
        DEPENDENCY_FAILED, "It refers to operation %d, which failed.".formatted(index));
  }
}
