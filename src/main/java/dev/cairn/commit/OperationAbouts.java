package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;

import dev.cairn.commit.References.Home;
import dev.cairn.commit.References.Pin;
import dev.cairn.model.Link;
import dev.cairn.model.Operation;
import dev.cairn.model.Operation.About;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Finds what assertions are about: an entity that exists, or a collection whose members the
 * operation lists. See {@code docs/commits.md}.
 */
final class OperationAbouts {
  private final KnownEntities known;
  private final Home home;
  private final References references;
  private final OperationTargets targets;
  private final PayloadRules payloads;
  private final Admission admission;
  private final NewCollection newCollection;

  /**
   * The target of an assertion.
   *
   * @param pin its version; adds an inline collection that does not exist
   */
  record Found(AboutRules.Target target, Supplier<Pin> pin) {}

  /** Adds a collection. */
  @FunctionalInterface
  interface NewCollection {
    /** Adds it under a name, by an operation of this index. */
    EntityState add(int index, Collections.Draft draft, String name);
  }

  OperationAbouts(
      KnownEntities known,
      Home home,
      References references,
      OperationTargets targets,
      PayloadRules payloads,
      Admission admission,
      NewCollection newCollection) {
    this.known = known;
    this.home = home;
    this.references = references;
    this.targets = targets;
    this.payloads = payloads;
    this.admission = admission;
    this.newCollection = newCollection;
  }

  /**
   * What an operation adds an assertion about.
   *
   * @param about null for a thing that is about nothing; the answer is null too
   * @param shape of the assertion
   */
  Found find(SubmittedOperation submitted, About about, EntityState shape) {
    return switch (about) {
      case null -> null;
      case About.To(Link link) -> {
        var pin = existing(submitted, link, shape);
        yield new Found(AboutRules.Target.of(pin.entity()), () -> pin);
      }
      case About.Inline(Operation.Members members) -> inline(submitted, members, shape);
    };
  }

  /** If the target is missing, the problem also lists what is wrong with the data. */
  private Pin existing(SubmittedOperation submitted, Link link, EntityState shape) {
    try {
      return targets.about(submitted.index(), link);
    } catch (Problem missing) {
      throw link instanceof Link.To(Wref wref)
          ? withData(missing, submitted, shape, AboutRules.Target.of(wref.shape(), wref.name()))
          : missing;
    }
  }

  private Problem withData(
      Problem missing, SubmittedOperation submitted, EntityState shape, AboutRules.Target about) {
    return References.together(
        missing,
        submitted.violations(),
        () -> {
          var _ = payloads.ofThing(submitted, shape, about, Map.of());
        });
  }

  /** If a member is missing, the problem also lists what is wrong with the data. */
  private Found inline(SubmittedOperation submitted, Operation.Members members, EntityState shape) {
    int index = submitted.index();
    Collections.Draft draft;
    try {
      draft = draft(index, members);
    } catch (Problem missing) {
      var about = AboutRules.Target.unnamed(members.type().shape().shapeName());
      throw withData(missing, submitted, shape, about);
    }
    var same = known.collection(draft.key());
    if (same != null) {
      admission.requireVisible("/about", same);
      return new Found(AboutRules.Target.of(same), () -> new Pin(same, same.version));
    }
    var shapeName = draft.type().shape().shapeName();
    return new Found(
        AboutRules.Target.of(shapeName, draft.defaultName()),
        () -> {
          admission.require("/about", shapeName + "/" + draft.defaultName());
          var added = newCollection.add(index, draft, draft.defaultName());
          return new Pin(added, added.version);
        });
  }

  private Collections.Draft draft(int index, Operation.Members members) {
    return Collections.draft(index, members, references, home.repoId());
  }

  /** What an entity is about, by the names of this moment; null if it is about nothing. */
  AboutRules.Target of(EntityState entity) {
    var about = entity.about;
    if (about == null) {
      return null;
    }
    if (about.entity() != null) {
      return AboutRules.Target.of(about.entity());
    }
    boolean isHere = about.repoId().equals(home.repoId());
    var target = isHere ? known.entity(about.id()) : null;
    if (target != null) {
      return AboutRules.Target.of(target);
    }
    var stored = Wref.parse(about.storedWref());
    var shapeName = isHere ? payloads.today(stored.shape()) : stored.shape();
    return AboutRules.Target.of(shapeName, stored.name());
  }

  /**
   * Whether the assertion is about what a text names, by the text that its readers see or have
   * seen, of whom the writer must be one. Its target stays what it is, whatever its name means
   * today, and whether the writer can see it or not.
   */
  private boolean isWritten(EntityState assertion, Link link) {
    if (!(link instanceof Link.To(Wref written)) || !admission.mayRead(assertion)) {
      return false;
    }
    var wref = home.localized(written);
    if (assertion.hasShown(wref)) {
      return true;
    }
    boolean isThatVersion =
        switch (wref.modifier()) {
          case Wref.Modifier.None _ -> true;
          case Wref.Modifier.Pinned(int version) -> version == assertion.about.version();
          default -> false;
        };
    if (!isThatVersion) {
      return false;
    }
    return assertion.about.repoId().equals(home.repoId())
        ? wref.isLocal() && of(assertion).local().equals(wref.local())
        : Wref.parse(assertion.about.wref()).unversioned().equals(wref.unversioned());
  }

  /**
   * Refuses a revise that names another target than the assertion has.
   *
   * @param about what the operation names; null for nothing
   */
  void requireSame(SubmittedOperation submitted, EntityState entity, About about) {
    if (about == null) {
      return;
    }
    boolean same =
        entity.about != null
            && switch (about) {
              case About.To(Link link) ->
                  isWritten(entity, link)
                      || entity.about.is(
                          targets.about(submitted.index(), link).entity(), home.repoId());
              case About.Inline(Operation.Members members) -> {
                var collection = known.collection(draft(submitted.index(), members).key());
                yield collection != null && entity.about.is(collection, home.repoId());
              }
            };
    if (!same) {
      throw Problem.of(VALIDATION_ERROR, "The target of an assertion cannot change.").at("/about");
    }
  }
}
