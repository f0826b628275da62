package dev.cairn.commit;

import dev.cairn.content.write.EntityName;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.Operation;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The stored entities that the operations of a commit revise or retract, of which more is loaded.
 * Since operations may rename them and their shapes, one name may stand for several of them: only
 * planning finds out for which.
 */
final class RevisedEntities {
  /** What begins the version in a wref. */
  private static final String VERSION = "@v";

  /** What a wref of this repository with a version looks like. */
  private static final Pattern LOCAL_VERSION = Pattern.compile("[^:@/]+/[^@]+@v[0-9]{1,10}");

  /** Maximum characters of a text that is looked at whether it is a wref. */
  private static final int MAX_WREF = 4_096;

  private final LoadingBudget budget;
  private final NameCollector names;

  /** What the commit renames, by each new name that it may get. */
  private final Map<EntityName, Set<Wref>> renamed = new HashMap<>();

  /** The stored entities that a target may stand for, by its text. */
  private final Map<String, List<EntityState>> stored = new HashMap<>();

  /**
   * Those of the operations of a collector.
   *
   * @param names has collected the names outside of payloads, so that it has taken the room for all
   *     combinations of names
   */
  RevisedEntities(NameCollector names, LoadingBudget budget) {
    this.names = names;
    this.budget = budget;
    names.operations().forEach(this::addRenamed);
  }

  private void addRenamed(SubmittedOperation submitted) {
    var target = names.target(submitted);
    if (target != null && submitted.operation() instanceof Operation.Rename rename) {
      var newName = NameCollector.newName(rename, target.shape());
      if (newName != null) {
        names
            .names(target.shape())
            .map(shape -> new EntityName(shape, newName))
            .forEach(name -> renamed.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(target));
      }
    }
  }

  /** Those that operations patch. */
  List<EntityState> patched(KnownEntities known) {
    return stored(operation -> operation.patch() != null, known).toList();
  }

  /** Those that operations give new data. */
  List<EntityState> given(KnownEntities known) {
    return stored(
            operation ->
                operation.operation() instanceof Operation.Revise revise
                    && (revise.data() != null || revise.patch() != null),
            known)
        .toList();
  }

  /** All of them. */
  List<EntityState> changed(KnownEntities known) {
    return stored(
            operation ->
                operation.operation() instanceof Operation.Revise
                    || operation.operation() instanceof Operation.Retract,
            known)
        .toList();
  }

  /** Those that operations may make inactive. */
  List<EntityState> retracted(KnownEntities known) {
    return stored(operation -> isRetract(operation.operation()), known)
        .filter(entity -> entity.active)
        .toList();
  }

  private Stream<EntityState> stored(Predicate<SubmittedOperation> of, KnownEntities known) {
    return names.operations().stream()
        .filter(of)
        .map(names::target)
        .filter(Objects::nonNull)
        .distinct()
        .flatMap(target -> stored(target, known).stream())
        .distinct();
  }

  private static boolean isRetract(Operation operation) {
    return operation instanceof Operation.Retract
        || (operation instanceof Operation.Revise revise && Boolean.FALSE.equals(revise.active()));
  }

  /**
   * The texts of the references in the new payloads, with versions: no others are ever kept.
   *
   * @param roomOf takes room in memory for a text: one name may stand for thousands of entities
   */
  Map<EntityState, Set<String>> references(KnownEntities known, Consumer<String> roomOf) {
    var byTarget = new HashMap<Wref, Set<String>>();
    for (var submitted : names.operations()) {
      if (submitted.operation() instanceof Operation.Revise revise && revise.data() != null) {
        names.references(submitted, known).stream()
            .filter(text -> text.contains(VERSION))
            .forEach(text -> add(byTarget, submitted, text));
      }
    }
    var found = new HashMap<EntityState, Set<String>>();
    addTo(found, byTarget, known, roomOf);
    return found;
  }

  /** The same with the strings in patches that may be references of this repository. */
  Map<EntityState, Set<String>> withPatches(
      Map<EntityState, Set<String>> references, KnownEntities known, Consumer<String> roomOf) {
    var byTarget = new HashMap<Wref, Set<String>>();
    for (var submitted : names.operations()) {
      if (submitted.patch() != null) {
        NameCollector.strings(submitted.patch())
            .filter(RevisedEntities::mayBeLocalVersion)
            .forEach(text -> add(byTarget, submitted, text));
      }
    }
    addTo(references, byTarget, known, roomOf);
    return references;
  }

  /** Whether a text looks like a wref of this repository with a version. */
  static boolean mayBeLocalVersion(String text) {
    return text.length() <= MAX_WREF && LOCAL_VERSION.matcher(text).matches();
  }

  /** What the assertions are about, as the operations that revise them repeat it. */
  Map<EntityState, Set<Wref>> abouts(KnownEntities known, Consumer<String> roomOf) {
    var byTarget = new HashMap<Wref, Set<Wref>>();
    for (var submitted : names.operations()) {
      if (submitted.operation() instanceof Operation.Revise revise
          && revise.about() instanceof Operation.About.To(Link.To(Wref wref))) {
        add(byTarget, submitted, wref);
      }
    }
    var found = new HashMap<EntityState, Set<Wref>>();
    addTo(found, byTarget, known, wref -> roomOf.accept(wref.name()));
    found.keySet().removeIf(entity -> entity.about == null);
    return found;
  }

  private <T> void add(Map<Wref, Set<T>> byTarget, SubmittedOperation submitted, T text) {
    var target = names.target(submitted);
    if (target != null) {
      byTarget.computeIfAbsent(target, _ -> new HashSet<>()).add(text);
    }
  }

  /** What the operations say of each target, for each entity that it may stand for. */
  private <T> void addTo(
      Map<EntityState, Set<T>> found,
      Map<Wref, Set<T>> byTarget,
      KnownEntities known,
      Consumer<T> roomOf) {
    byTarget.forEach(
        (target, texts) -> {
          var meant = stored(target, known);
          LoadingBudget.take(budget.renames(), Math.max(0, meant.size() - 1) * (long) texts.size());
          for (var entity : meant) {
            var ofEntity = found.computeIfAbsent(entity, _ -> new HashSet<>());
            for (var text : texts) {
              if (ofEntity.add(text)) {
                roomOf.accept(text);
              }
            }
          }
        });
  }

  /**
   * The stored entities that a target may stand for: by the name at the beginning, and by those
   * that the commit changes.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if all targets stand for too many
   */
  private List<EntityState> stored(Wref target, KnownEntities known) {
    return stored.computeIfAbsent(
        target.local(),
        _ -> {
          var entities = find(target, known);
          LoadingBudget.take(budget.meanings(), entities.size());
          return entities;
        });
  }

  private List<EntityState> find(Wref wref, KnownEntities known) {
    var named = new LinkedHashSet<>(Set.of(wref));
    names
        .names(wref.shape())
        .map(shape -> renamed.getOrDefault(new EntityName(shape, wref.name()), Set.of()))
        .forEach(
            former -> {
              LoadingBudget.take(budget.renames(), former.size());
              named.addAll(former);
            });
    return named.stream()
        .flatMap(one -> names.names(one.shape()).map(shape -> known.find(shape, one.name())))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }
}
