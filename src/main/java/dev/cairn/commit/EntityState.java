package dev.cairn.commit;

import dev.cairn.commit.References.Pin;
import dev.cairn.commit.VersionRow.ResolvedReference;
import dev.cairn.content.write.NewEntity;
import dev.cairn.content.write.Revision;
import dev.cairn.content.write.StoredEdges;
import dev.cairn.content.write.StoredEntity;
import dev.cairn.content.write.StoredReference;
import dev.cairn.content.write.TargetsHash;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Wref;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The state of one entity while a commit is planned: at first as it is stored, then as the
 * operations planned so far leave it.
 */
final class EntityState {
  /** Null if the entity is in the repository of the commit. */
  final Foreign foreign;

  final long id;
  final EntityKind kind;

  /** The entity of its shape; null for a foreign entity and for {@code Shape} itself. */
  final EntityState shape;

  /** The shape's name if {@link #shape} is null. */
  private final String shapeName;

  /** The version in the database; 0 if this commit adds the entity. */
  final int storedVersion;

  /** Whether a rename has changed names in the payload in the database since it was hashed. */
  private boolean isStoredRewritten;

  /** The {@link TargetsHash} of the stored version; null unless {@link #isRewrittenData}. */
  String storedTargets;

  /** The bytes of the payload in the database. */
  private int storedLength;

  /** The payload in the database; null unless an operation patches it. */
  String storedData;

  /**
   * Whether the token may not patch it because it may not read it, by the name that it is stored
   * with; decided only for entities that operations patch.
   */
  boolean isHidden;

  /**
   * The references of the payload in the database by their texts, also by those of {@link #former};
   * empty unless it is revised.
   */
  final Map<String, Pin> storedReferences = new HashMap<>();

  /**
   * What the payload in the database refers to, and what the entity is about, by names that the
   * targets have had since; null if none is needed.
   */
  private Former former;

  /** The largest number of active entities that a warning says. */
  private static final int MAX_COUNTED = 1_000;

  /** That active entities referred to it before the commit; empty if none did, or none is known. */
  private String referrers = "";

  /** The active state in the database; false if this commit adds the entity. */
  boolean storedActive;

  String name;
  int version;
  boolean active;
  int shapeVersion;
  byte[] dataHash;
  AboutTarget about;

  /** The key that identifies a collection; null for anything else. */
  byte[] collectionKey;

  /** The definition as it is at this point, for a shape; null for anything else. */
  ShapeDefinition definition;

  /** How many shapes the commit had renamed when it gave the definition; 0 for a stored one. */
  int definedAfter;

  /** The newest planned version with a new payload; null if the stored payload is current. */
  VersionRow lastPlanned;

  /** The version of {@link #plannedReferences}; 0 if there is none. */
  private int plannedVersion;

  private int plannedRenames;
  private Map<String, Pin> plannedReferences;

  /** The characters of the payload of {@link #lastPlanned}, in its canonical form. */
  int payloadLength;

  /** What {@link #wref} returned last. */
  private String lastWref;

  /** The index of the operation that renames it; -1 if none does. */
  int renamedAt = -1;

  /** The other repository that an entity belongs to. */
  record Foreign(UUID repoId, String org, String repo) {
    String prefix() {
      return "cairn:" + org + "/" + repo + "/";
    }
  }

  /**
   * The pinned target of an assertion.
   *
   * @param entity null if the assertion was read from the database
   * @param storedWref the target's wref as it is stored; null if {@code entity} is given
   */
  record AboutTarget(UUID repoId, long id, int version, EntityState entity, String storedWref) {
    private static AboutTarget stored(StoredEntity.About about) {
      return about == null
          ? null
          : new AboutTarget(about.repoId(), about.id(), about.version(), null, about.wref());
    }

    String wref() {
      return entity == null ? storedWref : entity.wref() + "@v" + version;
    }

    StoredEntity.About row() {
      return new StoredEntity.About(repoId, id, version, wref());
    }

    boolean is(EntityState other, UUID home) {
      return id == other.id && repoId.equals(other.repoId(home));
    }
  }

  /**
   * Texts of wrefs with former names.
   *
   * @param abouts with the version
   */
  private record Former(Map<String, Pin> references, Set<String> abouts) {}

  EntityState(
      Foreign foreign,
      long id,
      EntityKind kind,
      EntityState shape,
      String shapeName,
      String name,
      int storedVersion) {
    this.foreign = foreign;
    this.id = id;
    this.kind = kind;
    this.shape = shape;
    this.shapeName = shapeName;
    this.name = name;
    this.storedVersion = storedVersion;
    this.version = storedVersion;
  }

  /**
   * Remembers how many active entities refer to it.
   *
   * @param areAll whether there are no others
   */
  void countReferrers(int count, boolean areAll) {
    referrers =
        "Before this commit, %s%,d active %s referred to `%s`."
            .formatted(
                areAll && count < MAX_COUNTED ? "" : "at least ",
                Math.min(count, MAX_COUNTED),
                count == 1 ? "entity" : "entities",
                local());
  }

  /** The warnings of an operation that makes it inactive. */
  List<String> referrerWarnings() {
    return referrers.isEmpty() ? List.of() : List.of(referrers);
  }

  /**
   * An entity of the repository as it is stored.
   *
   * @param shape null for a shape
   */
  static EntityState stored(StoredEntity row, EntityState shape) {
    var shapeName = shape == null ? BuiltinShape.SHAPE.shapeName() : null;
    return new EntityState(null, row.id(), row.kind(), shape, shapeName, row.name(), row.version())
        .with(row);
  }

  /** An entity of another repository as it is stored there. */
  static EntityState foreign(StoredEntity row, Wref wref, UUID repoId) {
    var repository = new Foreign(repoId, wref.org(), wref.repo());
    return new EntityState(
            repository, row.id(), row.kind(), null, wref.shape(), row.name(), row.version())
        .with(row);
  }

  /** The target of a stored reference into another repository, which need not exist any longer. */
  static EntityState foreign(StoredReference reference, Wref wref) {
    var repository = new Foreign(reference.toRepoId(), wref.org(), wref.repo());
    return new EntityState(
        repository,
        reference.toId(),
        EntityKind.THING,
        null,
        wref.shape(),
        wref.name(),
        reference.toVersion());
  }

  /**
   * The target of a stored reference that the commit does not name. Only its name is known.
   *
   * @param shape its shape, if the commit names that; otherwise null
   */
  static EntityState target(StoredReference reference, Wref wref, EntityState shape) {
    return new EntityState(
        null,
        reference.toId(),
        EntityKind.THING,
        shape,
        wref.shape(),
        wref.name(),
        reference.toVersion());
  }

  private EntityState with(StoredEntity row) {
    storedLength = row.dataLength();
    isStoredRewritten = row.isRewritten();
    storedActive = row.active();
    active = storedActive;
    shapeVersion = row.shapeVersion();
    dataHash = row.dataHash();
    about = AboutTarget.stored(row.about());
    collectionKey = row.collectionKey();
    return this;
  }

  /** The references of the version in the database. */
  StoredEdges storedEdges() {
    return new StoredEdges(id, storedVersion, storedLength);
  }

  String shapeName() {
    return shape == null ? shapeName : shape.name;
  }

  /** {@code Shape/name} as the names are at this point. */
  String local() {
    return shapeName() + "/" + name;
  }

  /**
   * The wref without a version; canonical for a foreign entity. The same text as long as the names
   * are the same, since thousands of references may stand for it.
   */
  String wref() {
    var local = local();
    if (foreign != null) {
      local = foreign.prefix() + local;
    }
    if (!local.equals(lastWref)) {
      lastWref = local;
    }
    return lastWref;
  }

  /** The repository that contains it: {@code home} unless the entity is foreign. */
  UUID repoId(UUID home) {
    return foreign == null ? home : foreign.repoId();
  }

  boolean isNew() {
    return storedVersion == 0;
  }

  /** Whether this commit renames it, or its shape, by an operation after this one. */
  boolean isRenamedAfter(int opIndex) {
    return renamedAt > opIndex || (shape != null && shape.renamedAt > opIndex);
  }

  boolean isSameAs(EntityState other) {
    return id == other.id && Objects.equals(foreign, other.foreign);
  }

  /**
   * Whether a payload with the same hash as the newest version also refers to the same: a name may
   * have become another's since.
   *
   * @param home the repository of the commit
   * @param renamedShapes the names that shapes had before this commit renamed them
   */
  boolean refersToTheSame(
      UUID home,
      List<ResolvedReference> references,
      Collection<String> shapeNames,
      Set<String> renamedShapes) {
    if (lastPlanned != null) {
      return !lastPlanned.areShapesRenamed()
          && targets(home, lastPlanned.references()).equals(targets(home, references));
    }
    return isRewrittenData()
        ? targets(home, references).equals(storedTargets)
        : !isStoredRewritten
            && references.stream()
                .map(ResolvedReference::target)
                .noneMatch(target -> target.isNew() || target.isRenamedAfter(-1))
            && Collections.disjoint(shapeNames, renamedShapes);
  }

  private static String targets(UUID home, List<ResolvedReference> references) {
    return TargetsHash.of(references.stream().map(reference -> reference.hashed(home)));
  }

  /** Whether the stored version is no definition, and a rename has changed names in its data. */
  boolean isRewrittenData() {
    return isStoredRewritten && kind != EntityKind.SHAPE;
  }

  int storedLength() {
    return storedLength;
  }

  /**
   * The references of the newest version by their texts, as a reader sees them, or has seen them
   * before a rename; those of a version of this commit are worked out once.
   *
   * @param renames how many renames are planned, which change these texts
   * @param collected bounds how many references are worked out
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it is used up
   */
  Map<String, Pin> references(int renames, Allowance collected) {
    if (lastPlanned == null) {
      return storedReferences;
    }
    if (plannedVersion != lastPlanned.version() || plannedRenames != renames) {
      int count =
          lastPlanned.references().size() + (former == null ? 0 : former.references().size());
      if (!collected.take(count)) {
        throw Problem.of(
                ErrorCode.PAYLOAD_TOO_LARGE,
                "Between the revises of entities with many references this commit has too many other changes.")
            .hint("Revise such an entity once in a commit, and rename others before.");
      }
      var planned = new HashMap<String, Pin>();
      for (var reference : lastPlanned.references()) {
        planned.put(reference.wref(), new Pin(reference.target(), reference.version()));
      }
      if (former != null) {
        addFormer(planned);
      }
      plannedReferences = planned;
      plannedVersion = lastPlanned.version();
      plannedRenames = renames;
    }
    return plannedReferences;
  }

  /** Adds the former texts of what is still referred to. */
  private void addFormer(Map<String, Pin> planned) {
    var still =
        planned.values().stream()
            .map(Pin::entity)
            .filter(target -> target.foreign == null)
            .map(target -> target.id)
            .collect(Collectors.toSet());
    former
        .references()
        .forEach(
            (text, pin) -> {
              if (still.contains(pin.entity().id)) {
                planned.putIfAbsent(text, pin);
              }
            });
  }

  /** Adds a reference of the stored version by a name that the target has had since. */
  void addFormerReference(String text, Pin target) {
    former().references().put(text, target);
    storedReferences.putIfAbsent(text, target);
  }

  /** Adds a text that its readers have seen of what it is about. */
  void addFormerAbout(String text) {
    former().abouts().add(text);
  }

  private Former former() {
    if (former == null) {
      former = new Former(new HashMap<>(), new HashSet<>());
    }
    return former;
  }

  /** Whether its readers have seen a local wref, with the version or without, as its target. */
  boolean hasShown(Wref wref) {
    var text = pinnedAsAbout(wref).toString();
    return text.equals(about.storedWref()) || (former != null && former.abouts().contains(text));
  }

  /** The wref with the version of what it is about, if it has none. */
  Wref pinnedAsAbout(Wref wref) {
    return wref.modifier() instanceof Wref.Modifier.None
        ? wref.at(new Wref.Modifier.Pinned(about.version()))
        : wref;
  }

  boolean isBuiltin() {
    return foreign == null && id < BuiltinShape.FIRST_FREE_ID;
  }

  boolean isCollection() {
    return kind == EntityKind.THING
        && BuiltinShape.named(shapeName()).filter(BuiltinShape::isCollection).isPresent();
  }

  long shapeId() {
    return shape == null ? BuiltinShape.SHAPE.id() : shape.id;
  }

  /**
   * The row of an entity that the commit adds.
   *
   * @param seq the sequence number of the commit
   * @param data the payload of its last version, as it is stored
   */
  NewEntity added(long seq, String data, int opIndex) {
    return new NewEntity(
        seq,
        id,
        kind,
        shapeId(),
        shapeName(),
        name,
        version,
        active,
        shapeVersion,
        data,
        dataHash,
        lastPlanned.isRewritten(),
        about == null ? null : about.row(),
        collectionKey,
        opIndex);
  }

  /**
   * The change of an entity that existed before the commit.
   *
   * @param seq the sequence number of the commit
   * @param data the payload of its last version, as it is stored; null to keep it
   */
  Revision revision(long seq, String data) {
    return new Revision(
        seq,
        id,
        shapeId(),
        version,
        active,
        shapeVersion,
        data,
        dataHash,
        lastPlanned != null && lastPlanned.isRewritten());
  }
}
