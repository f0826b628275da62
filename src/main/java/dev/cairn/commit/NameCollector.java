package dev.cairn.commit;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.content.write.EntityName;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Link;
import dev.cairn.model.Names;
import dev.cairn.model.Operation;
import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Members;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Collects every name that planning a commit may look up, so that all of them are loaded at once.
 * It may collect too many: a name that is not needed costs one index probe.
 */
final class NameCollector {
  private static final String SHAPE = BuiltinShape.SHAPE.shapeName();

  /** The heap that a name takes besides its characters: in sets, and as a row of a look-up. */
  private static final int NAME_SIZE = 500;

  /** Room is taken in blocks of this many bytes, since taking it may wait each time. */
  private static final int BLOCK_BYTES = 64 * 1024;

  /** How many names of the request take no room of their own besides that of the request. */
  private static final int FREE_NAMES = 4_000;

  /** Maximum additional names that are looked up because the commit renames shapes. */
  private static final int MAX_FORMER_NAMES = 100_000;

  /** How many definitions of a shape count as one step of {@link #renames}. */
  private static final int DEFINITIONS_PER_STEP = 16;

  /** How many steps of {@link #renames} it takes that a string is no reference. */
  private static final int STEPS_OF_WRONG_LINK = 4;

  private final List<SubmittedOperation> operations;
  private final Numbering numbering;
  private final References.Home home;
  private final LongConsumer room;

  /**
   * Whether names are collected in stored payloads, which the room of the request does not cover.
   */
  private boolean isInStored;

  /** The room that names need, and that is not taken yet. */
  private long needed;

  private final Allowance freeNames = new Allowance(FREE_NAMES);

  private final Allowance formerNames = new Allowance(MAX_FORMER_NAMES);

  /** The names that shapes may have had, of each shape by itself. */
  private final Allowance formerShapes = new Allowance(MAX_FORMER_NAMES);

  private final Allowance renames;

  /** For each operation, the name of its target's shape; null if only planning can find it. */
  private final String[] shapeOf;

  /** For each operation, its target as the request names it; null if it is not named. */
  private final Wref[] targets;

  /** For each operation on a shape itself, the name of that shape; null for all others. */
  private final String[] shapeTarget;

  /** The former names of shapes that this commit renames, by their new names: some may fail. */
  private final Map<String, Set<String>> formerShapeNames = new HashMap<>();

  /** The definitions that this commit gives, by the shape's name. */
  private final Map<String, List<ShapeDefinition>> newDefinitions = new HashMap<>();

  private final Set<EntityName> names = new LinkedHashSet<>();

  /** Those whose names under the former names of their shapes were collected too. */
  private final Set<EntityName> withFormerNames = new HashSet<>();

  /** Those that were collected since names were last handed over. */
  private Set<EntityName> newNames = new LinkedHashSet<>();

  private final Set<Wref> foreign = new LinkedHashSet<>();

  /** The names of the shapes that are patched: their definitions are known only in planning. */
  private final Set<String> patchedShapes = new HashSet<>();

  /**
   * Collects nothing yet.
   *
   * @param numbering of the operations
   * @param room takes room in memory, in bytes
   * @param renames how often what the commit renames may be gone through
   */
  NameCollector(
      List<SubmittedOperation> operations,
      Numbering numbering,
      References.Home home,
      LongConsumer room,
      Allowance renames) {
    this.operations = operations.stream().filter(o -> o.problem() == null).toList();
    this.numbering = numbering;
    this.home = home;
    this.room = room;
    this.renames = renames;
    this.shapeOf = new String[operations.size()];
    this.targets = new Wref[operations.size()];
    this.shapeTarget = new String[operations.size()];
    this.operations.forEach(this::locate);
  }

  /** The operations whose form is right. */
  List<SubmittedOperation> operations() {
    return operations;
  }

  /** The target of an operation as the request names it; null if it is not named. */
  Wref target(SubmittedOperation submitted) {
    return targets[submitted.index()];
  }

  private void locate(SubmittedOperation submitted) {
    int index = submitted.index();
    switch (submitted.operation()) {
      case Operation.Add add when add.target() != null -> locate(index, add.target());
      case Operation.Add add -> shapeOf[index] = add.members().type().shape().shapeName();
      case Operation.Revise revise -> locate(index, revise.target());
      case Operation.Retract retract -> locate(index, retract.target());
      case Operation.Rename rename -> locate(index, rename.target());
    }
  }

  private void locate(int index, Link link) {
    switch (link) {
      case Link.To(Wref wref) -> locate(index, wref);
      case Link.Result(int number) -> {
        int earlier = numbering.index(number);
        if (earlier < 0) {
          var result = numbering.earlier() == null ? null : numbering.earlier().get(number);
          if (result != null) {
            locate(index, result.wref());
          }
        } else if (earlier < index) {
          shapeOf[index] = shapeOf[earlier];
          targets[index] = targets[earlier];
          shapeTarget[index] = shapeTarget[earlier];
        }
      }
    }
  }

  private void locate(int index, Wref wref) {
    targets[index] = wref;
    shapeOf[index] = wref.shape();
    shapeTarget[index] = wref.shape().equals(SHAPE) ? wref.name() : null;
  }

  /**
   * The names that the operations have outside of payloads, and the shapes whose definitions
   * determine which values of a payload are references.
   */
  Set<EntityName> outsidePayloads() {
    for (var submitted : operations) {
      var shapeName = shapeOf[submitted.index()];
      if (shapeName != null) {
        add(new EntityName(SHAPE, shapeName));
      }
      addShapeTarget(submitted);
      addInlineCollection(submitted.operation());
    }
    formerShapeNames.values().stream()
        .flatMap(Set::stream)
        .forEach(name -> add(new EntityName(SHAPE, name)));
    for (var submitted : operations) {
      addTarget(submitted.operation(), shapeOf[submitted.index()]);
      links(submitted.operation()).forEach(this::addLink);
    }
    if (numbering.earlier() != null) {
      numbering.earlier().values().forEach(result -> addName(result.wref()));
    }
    return takeNewNames();
  }

  private void addShapeTarget(SubmittedOperation submitted) {
    var name = shapeTarget[submitted.index()];
    if (name == null) {
      return;
    }
    add(new EntityName(SHAPE, name));
    if (submitted.operation() instanceof Operation.Rename rename) {
      var newName = newName(rename, SHAPE);
      if (newName != null) {
        add(new EntityName(SHAPE, newName));
        var former = formerShapeNames.computeIfAbsent(newName, _ -> new LinkedHashSet<>());
        var earlier = List.copyOf(formerShapeNames.getOrDefault(name, Set.of(name)));
        LoadingBudget.take(renames, earlier.size());
        int known = former.size();
        former.addAll(earlier);
        LoadingBudget.take(formerShapes, former.size() - known);
      }
    } else if (submitted.patch() != null) {
      patchedShapes.add(name);
    } else if (submitted.data() != null) {
      addDefinition(name, submitted);
    }
  }

  private void addInlineCollection(Operation operation) {
    var about =
        switch (operation) {
          case Operation.Add add -> add.about();
          case Operation.Revise revise -> revise.about();
          default -> null;
        };
    if (about instanceof About.Inline(Members members)) {
      add(new EntityName(SHAPE, members.type().shape().shapeName()));
    }
  }

  private void addDefinition(String shapeName, SubmittedOperation submitted) {
    try {
      newDefinitions.computeIfAbsent(shapeName, _ -> new ArrayList<>()).add(submitted.definition());
    } catch (Problem _) {
      // Planning runs into the same problem and reports it.
    }
  }

  /** The further names in payloads; to be called once the shapes are known. */
  Set<EntityName> inPayloads(KnownEntities known) {
    for (var submitted : operations) {
      var shapeName = shapeOf[submitted.index()];
      if (submitted.patch() != null) {
        addLinksIn(submitted.patch());
      } else if (submitted.data() != null && isPatchedShape(shapeName)) {
        addLinksIn(submitted.data());
      } else {
        references(submitted, known).forEach(text -> addLink(Link.parse(text)));
      }
    }
    return takeNewNames();
  }

  private boolean isPatchedShape(String shapeName) {
    return shapeName != null && names(shapeName).anyMatch(patchedShapes::contains);
  }

  /** The names that a shape may have had in this commit, the given one first. */
  Stream<String> names(String shapeName) {
    var former = formerShapeNames.getOrDefault(shapeName, Set.of());
    LoadingBudget.take(renames, former.size());
    return Stream.concat(
        Stream.of(shapeName), former.stream().filter(name -> !name.equals(shapeName)));
  }

  /** The names in the stored payloads of patched entities that are no references yet. */
  Set<EntityName> inPatched(Collection<EntityState> entities) {
    isInStored = true;
    for (var entity : entities) {
      if (entity.storedData != null && entity.kind != EntityKind.SHAPE) {
        var known = StoredJson.references(entity.storedData);
        addLinksIn(entity.storedData, known);
      }
    }
    return takeNewNames();
  }

  private void addLinksIn(String stored, Set<String> known) {
    try (var parser = IJson.factory().createParser(StoredJson.plain(stored))) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.VALUE_STRING && !known.contains(parser.getText())) {
          addLinkIn(parser.getText());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whichever strings are references: only planning can find the definition. */
  private void addLinksIn(JsonNode value) {
    strings(value).forEach(this::addLinkIn);
  }

  /** The strings in a value, without the names of members. */
  static Stream<String> strings(JsonNode value) {
    return value.isTextual()
        ? Stream.of(value.textValue())
        : value.valueStream().flatMap(NameCollector::strings);
  }

  private void addLinkIn(String text) {
    int slash = text.indexOf('/');
    boolean looksLikeLink =
        slash > 0 && (text.startsWith(Wref.SCHEME) || Names.isShape(text.substring(0, slash)));
    if (looksLikeLink) {
      link(text).ifPresent(this::addLink);
    }
  }

  private Optional<Link> link(String text) {
    try {
      return Optional.of(Link.parse(text));
    } catch (Problem _) {
      // It is no reference; to find that out takes long.
      LoadingBudget.take(renames, STEPS_OF_WRONG_LINK);
      return Optional.empty();
    }
  }

  private Set<EntityName> takeNewNames() {
    takeNeededRoom();
    var taken = newNames;
    newNames = new LinkedHashSet<>();
    return taken;
  }

  /** Whether a name was collected. */
  boolean names(EntityName name) {
    return names.contains(name);
  }

  /** The canonical wrefs of other repositories, without versions. */
  Set<Wref> foreign() {
    return foreign;
  }

  private void addTarget(Operation operation, String shapeName) {
    switch (operation) {
      case Operation.Add add when add.target() != null -> addName(add.target());
      case Operation.Add _ -> {}
      case Operation.Revise revise -> addLink(revise.target());
      case Operation.Retract retract -> addLink(retract.target());
      case Operation.Rename rename -> {
        addLink(rename.target());
        var newName = shapeName == null ? null : newName(rename, shapeName);
        if (newName != null) {
          addName(Wref.local(shapeName, newName));
        }
      }
    }
  }

  private static List<Link> links(Operation operation) {
    return switch (operation) {
      case Operation.Add add when add.members() != null -> add.members().links();
      case Operation.Add add -> links(add.about());
      case Operation.Revise revise -> links(revise.about());
      default -> List.of();
    };
  }

  private static List<Link> links(About about) {
    return switch (about) {
      case null -> List.of();
      case About.To(Link link) -> List.of(link);
      case About.Inline(Members members) -> members.links();
    };
  }

  /**
   * The texts of the references in the payload of an operation, by each definition that its shape
   * may have. They are mostly the same by each, and a commit may define a shape a hundred times.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if that takes too many steps
   */
  Set<String> references(SubmittedOperation submitted, KnownEntities known) {
    var shapeName = shapeOf[submitted.index()];
    if (submitted.data() == null || shapeName == null || shapeName.equals(SHAPE)) {
      return Set.of();
    }
    var found = new LinkedHashSet<String>();
    for (var definition : definitions(shapeName, known)) {
      submitted
          .validated(definition)
          .references()
          .forEach(reference -> found.add(reference.node().textValue()));
    }
    return found;
  }

  /** Every definition that the shape may have when an operation uses it. */
  private List<ShapeDefinition> definitions(String shapeName, KnownEntities known) {
    var definitions = new ArrayList<ShapeDefinition>();
    for (var name : names(shapeName).toList()) {
      var given = newDefinitions.getOrDefault(name, List.of());
      if (!renames.take(given.size() / DEFINITIONS_PER_STEP)) {
        throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "This commit defines shapes so often that checking its operations would take too long.")
            .at("/operations")
            .hint("Define each shape once.");
      }
      definitions.addAll(given);
      var shape = known.shape(name);
      if (shape != null) {
        definitions.add(shape.definition);
      }
    }
    return definitions;
  }

  private void addLink(Link link) {
    if (link instanceof Link.To(Wref wref)) {
      var here = home.localized(wref);
      if (here.isLocal()) {
        addName(here);
      } else if (foreign.add(here.bare())) {
        takeRoom(here.name().length(), true);
      }
    }
  }

  private void addName(Wref wref) {
    var name = new EntityName(wref.shape(), wref.name());
    add(new EntityName(SHAPE, wref.shape()));
    add(name);
    var former = formerShapeNames.getOrDefault(wref.shape(), Set.of());
    if (former.isEmpty() || !withFormerNames.add(name)) {
      return;
    }
    LoadingBudget.take(renames, former.size());
    for (var shape : former) {
      if (add(new EntityName(shape, wref.name()), false)) {
        LoadingBudget.take(formerNames, 1);
      }
    }
  }

  private void add(EntityName name) {
    add(name, true);
  }

  /** Whether the name is new. */
  private boolean add(EntityName name, boolean isOfRequest) {
    if (!names.add(name)) {
      return false;
    }
    newNames.add(name);
    takeRoom(name.name().length(), isOfRequest);
    return true;
  }

  private void takeRoom(int length, boolean isOfRequest) {
    if (!isOfRequest || isInStored || !freeNames.take(1)) {
      needed += NAME_SIZE + length;
      if (needed >= BLOCK_BYTES) {
        takeNeededRoom();
      }
    }
  }

  private void takeNeededRoom() {
    room.accept(needed);
    needed = 0;
  }

  /** The new local name that a rename gives; null if it is not valid. */
  static String newName(Operation.Rename rename, String shapeName) {
    try {
      return Operation.localName(rename.newName(), shapeName);
    } catch (Problem _) {
      return null;
    }
  }
}
