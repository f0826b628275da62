package dev.cairn.query;

import dev.cairn.Api;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A repository with a random history, and beside it what that history comes to in plain lists: the
 * state at any moment, by the names of the end.
 */
final class RepositoryModel {
  /** The path of the repository. */
  final String repository = Api.newRepository();

  /** All that was ever made, in the order of its making. */
  final List<Entity> entities = new ArrayList<>();

  private final Random random;
  private int seq;
  private int counter;

  /** A version, by the commit that made it. */
  record Version(int number, int seq, boolean active, Integer n) {}

  /** A name that an entity had until a commit. */
  record Former(int seq, String name) {}

  /** An entity with all of its versions; the name is that of the end. */
  static final class Entity {
    final String shape;
    final String kind;
    final Entity about;
    final int aboutVersion;
    final Set<Entity> members;
    final List<Version> versions = new ArrayList<>();
    final List<Former> formerNames = new ArrayList<>();
    String name;

    Entity(String shape, String name, Entity about, Set<Entity> members) {
      this.shape = shape;
      this.name = name;
      this.about = about;
      this.aboutVersion = about == null ? 0 : about.last().number();
      this.members = members;
      this.kind = shape.equals("Shape") ? "shape" : about == null ? "thing" : "assertion";
    }

    String wref() {
      return shape + "/" + name;
    }

    Version last() {
      return versions.getLast();
    }

    /** Its name when a commit was the newest one. */
    String nameAt(int moment) {
      return formerNames.stream()
          .filter(former -> former.seq() > moment)
          .map(Former::name)
          .findFirst()
          .orElse(name);
    }

    /** What it was when a commit was the newest one. */
    Optional<Version> at(int moment) {
      return versions.stream().filter(v -> v.seq() <= moment).reduce((_, later) -> later);
    }
  }

  /** An entity as a read shows it. */
  record State(Entity entity, Version version) {
    /** As one line that reads can be compared by. */
    String line() {
      var about = entity.about == null ? null : entity.about.wref() + "@v" + entity.aboutVersion;
      return String.join(
          " ",
          entity.wref(),
          entity.kind,
          "v" + version.number(),
          String.valueOf(version.active()),
          String.valueOf(version.n()),
          String.valueOf(about));
    }
  }

  RepositoryModel(long seed, int commits) {
    random = new Random(seed);
    var shapes = new ArrayList<String>();
    for (var name : List.of("Note", "Sensor")) {
      shapes.add(
          "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{'n?':'number'}}}"
              .formatted(name));
      put(new Entity("Shape", name, null, Set.of()), true, null);
    }
    submit(shapes);
    for (int i = 0; i < commits; i++) {
      commit();
    }
  }

  /** The number of the newest commit. */
  int newest() {
    return seq;
  }

  /** What was there at a moment, inactive entities too, in the order of lists. */
  Stream<State> at(int moment) {
    return entities.stream()
        .flatMap(e -> e.at(moment).map(v -> new State(e, v)).stream())
        .sorted(
            Comparator.comparing((State s) -> s.entity().shape)
                .thenComparing(s -> s.entity().name));
  }

  /** The differences between two moments, each as one line, in the order of lists. */
  Stream<String> differences(int from, int to) {
    return at(to).flatMap(state -> difference(state, from, to).stream());
  }

  private static Optional<String> difference(State state, int from, int to) {
    var entity = state.entity();
    var then = entity.at(from);
    boolean wasActive = then.isPresent() && then.get().active();
    boolean isActive = state.version().active();
    boolean isRenamed = then.isPresent() && !entity.nameAt(from).equals(entity.nameAt(to));
    String change = null;
    if (isActive && then.isEmpty()) {
      change = "added";
    } else if (isActive && !wasActive) {
      change = "restored";
    } else if (!isActive && wasActive) {
      change = "retracted";
    } else if (isActive && then.get().number() < state.version().number()) {
      change = "revised";
    } else if (isActive && isRenamed) {
      change = "renamed";
    }
    return Optional.ofNullable(change)
        .map(
            c ->
                "%s %s %s %s %s"
                    .formatted(
                        entity.wref(),
                        c,
                        then.map(Version::number).orElse(null),
                        state.version().number(),
                        isRenamed ? entity.shape + "/" + entity.nameAt(from) : null));
  }

  private void commit() {
    var operations = new ArrayList<String>();
    int count = 1 + random.nextInt(6);
    while (operations.size() < count) {
      operations.add(operation());
    }
    // Behind all else, so that the operations before may say the names of before.
    var renamed = new HashSet<Entity>();
    for (int i = random.nextInt(3); i > 0; i--) {
      var entity = any(e -> !e.kind.equals("shape"));
      if (entity.isPresent() && renamed.add(entity.get())) {
        var name = freshName();
        operations.add(Sample.rename(entity.get().wref(), name));
        entity.get().formerNames.add(new Former(seq + 1, entity.get().name));
        entity.get().name = name;
      }
    }
    submit(operations);
  }

  private void submit(List<String> operations) {
    Sample.commit(repository, String.join(",", operations));
    seq++;
  }

  private String operation() {
    var revisable = any(e -> e.kind.equals("assertion") || e.shape.equals("Sensor"));
    var target = any(e -> !e.kind.equals("shape"));
    if (revisable.isEmpty() || random.nextInt(4) == 0) {
      var added = put(new Entity("Sensor", freshName(), null, Set.of()), true, ++counter);
      return "{'operation':'add','name':'%s','data':{'n':%d}}".formatted(added.wref(), counter);
    }
    return switch (random.nextInt(6)) {
      case 0 -> assertion(target.orElseThrow());
      case 1 -> set(target.orElseThrow(), revisable.get());
      case 2 -> retractOrRestore(target.orElseThrow());
      default -> {
        put(revisable.get(), revisable.get().last().active(), ++counter);
        yield Sample.revise(revisable.get().wref(), counter);
      }
    };
  }

  private String assertion(Entity about) {
    var text =
        "{'operation':'add','kind':'assertion','name':'Note/%s','about':'%s','data':{'n':%d}}";
    var added = put(new Entity("Note", freshName(), about, Set.of()), true, ++counter);
    return text.formatted(added.name, about.wref(), counter);
  }

  /** The number in the name keeps it from being the same collection as another one. */
  private String set(Entity first, Entity second) {
    var thing = "{'operation':'add','name':'%s','data':{'n':%d}}";
    var own = put(new Entity("Sensor", freshName(), null, Set.of()), true, ++counter);
    var adding = thing.formatted(own.wref(), counter);
    var made =
        put(
            new Entity("Set", freshName(), null, new HashSet<>(List.of(first, second, own))),
            true,
            null);
    return adding
        + ",{'operation':'add','name':'%s','type':'set','members':['%s','%s','%s']}"
            .formatted(made.wref(), first.wref(), second.wref(), own.wref());
  }

  private String retractOrRestore(Entity entity) {
    boolean active = entity.last().active();
    put(entity, !active, entity.last().n());
    return active
        ? Sample.retract(entity.wref())
        : "{'operation':'revise','name':'%s','active':true}".formatted(entity.wref());
  }

  private Entity put(Entity entity, boolean active, Integer n) {
    if (entity.versions.isEmpty()) {
      entities.add(entity);
    }
    entity.versions.add(new Version(entity.versions.size() + 1, seq + 1, active, n));
    return entity;
  }

  private String freshName() {
    return "%c%03d".formatted('a' + random.nextInt(4), ++counter);
  }

  /** One of the entities that a test lets through. */
  Optional<Entity> any(Predicate<Entity> test) {
    var found = entities.stream().filter(test).toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }
}
