package dev.cairn.commit;

import dev.cairn.access.Narrowing;
import dev.cairn.commit.References.Pin;
import dev.cairn.content.write.FormerReference;
import dev.cairn.content.write.ReferenceReader;
import dev.cairn.content.write.StoredEntities;
import dev.cairn.content.write.StoredReference;
import dev.cairn.content.write.TargetsHash;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.StatementBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a commit needs of the stored versions of the entities that it revises or retracts: the
 * references that revises repeat, which keep their targets, payloads that are patched, and counts
 * for warnings and limits. Loaded in steps between those of {@link LoadingCommit}, in the order of
 * these methods.
 */
final class LoadingVersions {
  /** The heap that a stored reference takes, in bytes, besides its text. */
  private static final int REFERENCE_SIZE = 400;

  /** How many times the text of a reference is in memory while references are loaded. */
  private static final int COPIES_OF_TEXT = 5;

  /** What the wref takes more if it may be one by a former name. */
  private static final int FORMER_SIZE = 200;

  /** How many references to what a commit retracts are looked at, about. */
  private static final int MAX_REFERRERS = 100_000;

  /** How many of them at least for each entity. */
  private static final int MIN_LOOKED_AT = 50;

  /** How many of them at most for each entity. */
  private static final int MAX_LOOKED_AT = 10_000;

  /** The heap that a stored payload takes before it is parsed, as a multiple of its bytes. */
  private static final int PAYLOAD_SIZE = 3;

  private final PendingCommit commit;
  private final LoadingBudget budget;
  private final NameCollector names;
  private final KnownEntities known;
  private final Map<Long, EntityState> shapes;

  /** The entities that are revised, by their ids. */
  private final Map<Long, EntityState> revised = new HashMap<>();

  /** How many references the stored versions have that the commit ends. */
  private int changedReferences;

  private final List<StoredReference> references = new ArrayList<>();

  private final List<FormerReference> formerReferences = new ArrayList<>();

  /** Whether the token may read the entities that are revised, by their ids. */
  private final Map<Long, Boolean> readable = new HashMap<>();

  /** The texts that may be references in the new payloads and patches of entities. */
  private Map<EntityState, Set<String>> repeated = Map.of();

  /** The entities that get new data, and whose stored data a rename has changed. */
  private List<EntityState> rewritten = List.of();

  /** What operations that revise assertions say that they are about. */
  private Map<EntityState, Set<Wref>> repeatedAbouts = Map.of();

  /**
   * Nothing is loaded yet.
   *
   * @param known the entities that are loaded, also later
   * @param shapes of these, the shapes by their ids
   */
  LoadingVersions(
      PendingCommit commit,
      LoadingBudget budget,
      NameCollector names,
      KnownEntities known,
      Map<Long, EntityState> shapes) {
    this.commit = commit;
    this.budget = budget;
    this.names = names;
    this.known = known;
    this.shapes = shapes;
  }

  /** The entities of which versions are loaded. */
  Collection<EntityState> revised() {
    return revised.values();
  }

  /**
   * Begins to load what revises need of the stored payloads: the references that they repeat, which
   * keep their targets, and what is patched as a whole. To be called when the entities are loaded.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if too much is patched, {@link
   *     ErrorCode#UNAVAILABLE} if there is no room in memory
   */
  void load(StatementBatch batch) {
    var entities = new RevisedEntities(names, budget);
    var patched = entities.patched(known).stream().filter(this::mayPatch).toList();
    if (!patched.isEmpty()) {
      loadPatched(batch, patched);
    }
    Consumer<String> roomOf = text -> commit.room().add(roomOf(text));
    var inPayloads = entities.references(known, roomOf);
    loadReferences(batch, inPayloads);
    repeated = entities.withPatches(inPayloads, known, roomOf);
    repeatedAbouts = entities.abouts(known, roomOf);
    countReferrers(batch, entities.retracted(known));
    countReferences(batch, entities.changed(known));
    rewritten = entities.given(known).stream().filter(EntityState::isRewrittenData).toList();
  }

  /**
   * Begins to load what the revised entities refer to whose data a rename has changed; to be called
   * after {@link #requireFewReferences}.
   */
  void loadTargets(StatementBatch batch) {
    if (!rewritten.isEmpty()) {
      TargetsHash.ofStored(
          batch,
          commit.repoId(),
          Columns.longs(rewritten, entity -> entity.id),
          Columns.ints(rewritten, entity -> entity.storedVersion),
          (id, hash) -> known.entity(id).storedTargets = hash);
    }
  }

  /**
   * For the warnings of retracts. A narrowed token gets none: how many of those that it may read
   * are among the first, which are looked at, would tell how many others there are.
   */
  private void countReferrers(StatementBatch batch, List<EntityState> retracted) {
    if (!retracted.isEmpty()
        && commit.access().readable().filter(Narrowing::isUnrestricted).isPresent()) {
      ReferenceReader.referrers(
          batch,
          commit.repoId(),
          Columns.longs(retracted, entity -> entity.id),
          Math.clamp(MAX_REFERRERS / retracted.size(), MIN_LOOKED_AT, MAX_LOOKED_AT),
          (id, count, areAll) -> known.entity(id).countReferrers(count, areAll));
    }
  }

  /**
   * For the limit on what revises and retracts write again. Those of entities that the token may
   * not read do not count, since the refusal would tell of them; nor those of a single one, which
   * the size of its data bounds.
   */
  private void countReferences(StatementBatch batch, List<EntityState> changed) {
    var readable = commit.access().readable();
    if (changed.size() > 1 && readable.isPresent()) {
      ReferenceReader.countReferences(
          batch,
          commit.repoId(),
          readable.get(),
          Columns.longs(changed, entity -> entity.id),
          Columns.ints(changed, entity -> entity.storedVersion),
          count -> changedReferences = count);
    }
  }

  /**
   * Requires that what the commit revises and retracts has few enough references; to be called when
   * they are counted.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} otherwise
   */
  void requireFewReferences() {
    if (changedReferences > ReferenceReader.MAX_REFERENCES) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "What this commit revises and retracts has more than %,d references."
                  .formatted(ReferenceReader.MAX_REFERENCES))
          .at("/operations")
          .hint("Send fewer of these operations in one commit.");
    }
  }

  /**
   * Whether the token may patch an entity. The payloads of others are not loaded, so that their
   * size does not show.
   */
  private boolean mayPatch(EntityState entity) {
    var wref = Wref.local(entity.shapeName(), entity.name);
    var access = commit.access();
    entity.isHidden = !mayRead(entity);
    return !entity.isHidden && access.narrowing().canWrite(wref.local(), budget.matching());
  }

  private void loadPatched(StatementBatch batch, List<EntityState> patched) {
    var bytes = new Allowance(PatchedPayloads.MAX_BYTES);
    for (var entity : patched) {
      PatchedPayloads.requireRoom(bytes.take(entity.storedLength()), "/operations");
      commit.room().add((long) PAYLOAD_SIZE * entity.storedLength());
      revised.put(entity.id, entity);
    }
    StoredEntities.payloads(
        batch,
        commit.repoId(),
        Columns.longs(patched, entity -> entity.id),
        (id, data) -> revised.get(id).storedData = data);
  }

  /** Begins to load the references of the payloads that were loaded whole. */
  void loadReferencesOfPatched(StatementBatch batch) {
    var wanted = new HashMap<EntityState, Set<String>>();
    for (var entity : revised.values()) {
      var texts =
          entity.storedData == null ? Set.<String>of() : StoredJson.references(entity.storedData);
      if (!texts.isEmpty()) {
        commit.room().add(texts.stream().mapToLong(LoadingVersions::roomOf).sum());
        wanted.put(entity, texts);
      }
    }
    loadReferences(batch, wanted);
  }

  /**
   * Begins to load what entities refer to, and are about, by names that the targets have had since:
   * for wrefs that a revise seems to repeat, by a token that may have read them. To be called when
   * the references by today's names are loaded.
   */
  void loadFormerReferences(StatementBatch batch) {
    var loaded = new HashSet<IdAndText>();
    references.forEach(
        reference -> loaded.add(new IdAndText(reference.fromId(), reference.wref())));
    var wanted = new HashMap<Long, Set<Wref>>();
    repeated.forEach(
        (entity, texts) ->
            texts.stream()
                .filter(text -> !loaded.contains(new IdAndText(entity.id, text)))
                .forEach(text -> addFormer(wanted, entity, text)));
    repeatedAbouts.forEach(
        (entity, wrefs) ->
            wrefs.stream()
                .map(wref -> entity.pinnedAsAbout(wref).toString())
                .filter(text -> !text.equals(entity.about.storedWref()))
                .forEach(text -> addFormer(wanted, entity, text)));
    if (wanted.isEmpty()) {
      return;
    }
    var entities = wanted.keySet().stream().map(known::entity).toList();
    entities.forEach(entity -> revised.put(entity.id, entity));
    ReferenceReader.formerReferences(
        batch,
        commit.repoId(),
        Columns.longs(entities, entity -> entity.id),
        Columns.ints(entities, entity -> entity.storedVersion),
        wanted,
        formerReferences::add);
  }

  private void addFormer(Map<Long, Set<Wref>> wanted, EntityState entity, String text) {
    if (!RevisedEntities.mayBeLocalVersion(text) || !mayRead(entity)) {
      return;
    }
    try {
      var wref = Wref.parse(text);
      commit.room().add(FORMER_SIZE + 2L * text.length());
      wanted.computeIfAbsent(entity.id, _ -> new HashSet<>()).add(wref);
    } catch (Problem e) {
      if (e.code() != ErrorCode.VALIDATION_ERROR) {
        throw e;
      }
      // It is a string of a patch, and no wref.
    }
  }

  /** Whether the token may read an entity, by the name that it is stored with. */
  private boolean mayRead(EntityState entity) {
    return readable.computeIfAbsent(
        entity.id,
        _ -> {
          var wref = Wref.local(entity.shapeName(), entity.name);
          return commit
              .access()
              .readable()
              .filter(read -> read.canRead(wref, budget.matching()))
              .isPresent();
        });
  }

  /** The heap that the text of a reference takes while references are loaded. */
  private static long roomOf(String text) {
    return REFERENCE_SIZE + (long) COPIES_OF_TEXT * text.length();
  }

  private void loadReferences(StatementBatch batch, Map<EntityState, Set<String>> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    var texts = new HashMap<Long, Set<String>>();
    wanted.forEach(
        (entity, wrefs) -> {
          revised.put(entity.id, entity);
          texts.put(entity.id, wrefs);
        });
    ReferenceReader.references(
        batch,
        commit.repoId(),
        Columns.longs(wanted.keySet(), entity -> entity.id),
        Columns.ints(wanted.keySet(), entity -> entity.storedVersion),
        texts,
        commit.access().readable().filter(Narrowing::isUnrestricted).isPresent(),
        references::add);
  }

  /** Adds the references that were loaded; to be called when all names are. */
  void addReferences() {
    for (var reference : references) {
      revised
          .get(reference.fromId())
          .storedReferences
          .put(reference.wref(), new Pin(target(reference), reference.toVersion()));
    }
    references.clear();
    for (var one : formerReferences) {
      if (!mayKnow(one)) {
        continue;
      }
      var entity = revised.get(one.reference().fromId());
      if (one.isAbout()) {
        entity.addFormerAbout(one.former());
      } else {
        var reference = one.reference();
        entity.addFormerReference(one.former(), new Pin(target(reference), reference.toVersion()));
      }
    }
    formerReferences.clear();
    repeated = Map.of();
    repeatedAbouts = Map.of();
  }

  /**
   * Whether the token may know that an entity had a name: it may read it by that name or by
   * today's. Otherwise a former name of a hidden entity would be confirmed to whoever guesses it.
   */
  private boolean mayKnow(FormerReference former) {
    return commit
        .access()
        .readable()
        .filter(
            readable ->
                readable.isUnrestricted()
                    || Stream.of(former.former(), former.reference().wref())
                        .map(Wref::parse)
                        .anyMatch(
                            wref ->
                                budget.canRead(readable, Wref.local(wref.shape(), wref.name()))))
        .isPresent();
  }

  private EntityState target(StoredReference reference) {
    var wref = Wref.parse(reference.wref());
    if (!wref.isLocal()) {
      return EntityState.foreign(reference, wref);
    }
    var target = known.entity(reference.toId());
    return target == null
        ? EntityState.target(reference, wref, shapes.get(reference.toShapeId()))
        : target;
  }
}
