package dev.cairn.commit;

import dev.cairn.content.EntityName;
import dev.cairn.model.Link;
import dev.cairn.model.Operation;
import dev.cairn.model.Wref;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The stored entities that the operations of a commit revise or retract, of which more is loaded.
 * Since operations may rename them and their shapes, one name may stand for several of them: only
 * planning finds out for which.
 */
final class RevisedEntities {
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
  RevisedEntities(NameCollector names) {
    this.names = names;
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
    return names.operations().stream()
        .filter(operation -> operation.patch() != null)
        .flatMap(operation -> stored(operation, known))
        .distinct()
        .toList();
  }

  /** Those that operations may make inactive. */
  List<EntityState> retracted(KnownEntities known) {
    return names.operations().stream()
        .filter(operation -> isRetract(operation.operation()))
        .flatMap(operation -> stored(operation, known))
        .filter(entity -> entity.active)
        .distinct()
        .toList();
  }

  private static boolean isRetract(Operation operation) {
    return operation instanceof Operation.Retract
        || (operation instanceof Operation.Revise revise && Boolean.FALSE.equals(revise.active()));
  }

  /**
   * The texts of the references in the new payloads.
   *
   * @param roomOf takes room in memory for a text: one name may stand for thousands of entities
   */
  Map<EntityState, Set<String>> references(KnownEntities known, Consumer<String> roomOf) {
    var found = new HashMap<EntityState, Set<String>>();
    for (var submitted : names.operations()) {
      if (submitted.operation() instanceof Operation.Revise revise && revise.data() != null) {
        var texts = names.references(submitted, known);
        if (!texts.isEmpty()) {
          stored(submitted, known).forEach(e -> add(found, e, texts, roomOf));
        }
      }
    }
    return found;
  }

  /** The same with the strings in patches that may be references. */
  Map<EntityState, Set<String>> withPatches(
      Map<EntityState, Set<String>> references, KnownEntities known, Consumer<String> roomOf) {
    for (var submitted : names.operations()) {
      if (submitted.patch() != null) {
        var texts = new HashSet<String>();
        NameCollector.strings(submitted.patch())
            .filter(text -> text.contains("@v"))
            .forEach(texts::add);
        stored(submitted, known).forEach(e -> add(references, e, texts, roomOf));
      }
    }
    return references;
  }

  /** What the assertions are about, as the operations that revise them repeat it. */
  Map<EntityState, Set<Wref>> abouts(KnownEntities known, Consumer<String> roomOf) {
    var found = new HashMap<EntityState, Set<Wref>>();
    for (var submitted : names.operations()) {
      if (submitted.operation() instanceof Operation.Revise revise
          && revise.about() instanceof Operation.About.To(Link.To(Wref wref))) {
        stored(submitted, known)
            .filter(entity -> entity.about != null)
            .forEach(e -> add(found, e, Set.of(wref), one -> roomOf.accept(one.name())));
      }
    }
    return found;
  }

  private static <T> void add(
      Map<EntityState, Set<T>> found, EntityState entity, Set<T> texts, Consumer<T> roomOf) {
    var ofEntity = found.computeIfAbsent(entity, _ -> new HashSet<>());
    for (var text : texts) {
      if (ofEntity.add(text)) {
        roomOf.accept(text);
      }
    }
  }

  /**
   * The stored entities that an operation may change: by the name at the beginning, and by those
   * that the commit changes.
   */
  private Stream<EntityState> stored(SubmittedOperation submitted, KnownEntities known) {
    var wref = names.target(submitted);
    return wref == null
        ? Stream.of()
        : stored.computeIfAbsent(wref.local(), _ -> stored(wref, known)).stream();
  }

  private List<EntityState> stored(Wref wref, KnownEntities known) {
    var former =
        names
            .names(wref.shape())
            .map(shape -> new EntityName(shape, wref.name()))
            .flatMap(name -> renamed.getOrDefault(name, Set.of()).stream());
    return Stream.concat(Stream.of(wref), former)
        .distinct()
        .flatMap(named -> names.names(named.shape()).map(s -> known.find(s, named.name())))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }
}
