package dev.cairn.commit;

import dev.cairn.access.Authorizer;
import dev.cairn.commit.References.Home;
import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.write.EntityName;
import dev.cairn.content.write.StoredEntities;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Loads the entities that batches name, with the same few statements for one operation or
 * thousands, and for one batch or many of the same repository.
 */
@ApplicationScoped
class CommitLoader {
  /**
   * Maximum weight of all shape definitions that the commits of one transaction need, see {@link
   * ShapeDefinitions#weight}: all of them stay in memory until the commits are written.
   */
  static final int MAX_DEFINITION_BYTES = StoredEntities.MAX_DEFINITION_BYTES;

  private final Database database;
  private final StoredEntities entities;
  private final Authorizer authorizer;
  private final ShapeDefinitions definitions;

  CommitLoader(
      Database database,
      StoredEntities entities,
      Authorizer authorizer,
      ShapeDefinitions definitions) {
    this.database = database;
    this.entities = entities;
    this.authorizer = authorizer;
    this.definitions = definitions;
  }

  /**
   * Begins to load every entity that planning may look up.
   *
   * @param batch takes the first look-up; to be sent before {@link #load}
   */
  LoadingCommit begin(PendingCommit commit, StatementBatch batch) {
    return begin(commit, LoadingBudget.ofCommit(), batch);
  }

  private LoadingCommit begin(PendingCommit commit, LoadingBudget budget, StatementBatch batch) {
    var loading =
        new LoadingCommit(commit, definitions, new Allowance(MAX_DEFINITION_BYTES), budget);
    lookUp(batch, List.of(loading), LoadingCommit::namesOutsidePayloads);
    return loading;
  }

  /**
   * Loads what is missing.
   *
   * @param leader what has begun
   * @param followers further batches of the same repository
   * @return for each batch, the leader first
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the definitions of the shapes are too
   *     large together
   */
  List<LoadingCommit> load(LoadingCommit leader, List<PendingCommit> followers) {
    leader.addFound();
    // All of them are in memory together, and so within one allowance.
    var following =
        followers.stream()
            .map(
                commit ->
                    new LoadingCommit(
                        commit, definitions, leader.allowance(), LoadingBudget.ofCommit()))
            .toList();
    load(following, LoadingCommit::namesOutsidePayloads, new StatementBatch());
    var all = Stream.concat(Stream.of(leader), following.stream()).toList();
    var payloads = new StatementBatch();
    all.forEach(commit -> commit.versions().load(payloads));
    load(all, LoadingCommit::namesInPayloads, payloads);
    all.forEach(commit -> commit.versions().requireFewReferences());
    var further = new StatementBatch();
    all.forEach(commit -> commit.versions().loadReferencesOfPatched(further));
    all.forEach(commit -> commit.versions().loadFormerReferences(further));
    all.forEach(commit -> commit.versions().loadTargets(further));
    load(all, LoadingCommit::namesInPatched, further);
    all.forEach(commit -> commit.versions().addReferences());
    all.forEach(this::loadForeign);
    return all;
  }

  /**
   * Loads everything again, with collections that an earlier round of planning found the batch to
   * name by their members.
   */
  LoadingCommit loadAgain(LoadingCommit before, Collection<byte[]> collectionKeys) {
    before.commit().room().release();
    var batch = new StatementBatch();
    var loading = begin(before.commit(), before.budget(), batch);
    database.send(batch);
    load(loading, List.of());
    loadCollections(before.commit().home(), collectionKeys, loading);
    return loading;
  }

  /** Looks new names up, and sends what else is in the batch. */
  private void load(
      List<LoadingCommit> commits,
      Function<LoadingCommit, Set<EntityName>> newNames,
      StatementBatch batch) {
    lookUp(batch, commits, newNames);
    database.send(batch);
    commits.forEach(LoadingCommit::addFound);
  }

  private static void lookUp(
      StatementBatch batch,
      List<LoadingCommit> commits,
      Function<LoadingCommit, Set<EntityName>> newNames) {
    var names =
        commits.size() == 1
            ? newNames.apply(commits.getFirst())
            : commits.stream()
                .flatMap(commit -> newNames.apply(commit).stream())
                .collect(Collectors.toSet());
    if (!names.isEmpty()) {
      var repoId = commits.getFirst().commit().repoId();
      StoredEntities.byName(
          batch, repoId, names, row -> commits.forEach(commit -> commit.found(row)));
    }
  }

  private void loadCollections(Home home, Collection<byte[]> keys, LoadingCommit loading) {
    if (!keys.isEmpty()) {
      loading.addCollections(entities.collections(home.repoId(), keys, defaultNames(keys)));
    }
  }

  private static List<String> defaultNames(Collection<byte[]> keys) {
    return keys.stream().map(Collections::defaultName).toList();
  }

  /** Whether any of the keys, or of their default names, belongs to an existing entity. */
  boolean anyCollection(Home home, Collection<byte[]> keys) {
    return entities.anyCollection(home.repoId(), keys, defaultNames(keys));
  }

  /** Loads entities of other repositories; those that the caller may not read count as missing. */
  private void loadForeign(LoadingCommit loading) {
    var wrefs = loading.foreignNames();
    if (wrefs.isEmpty()) {
      return;
    }
    var readable =
        authorizer.readable(
            loading.commit().access().caller(),
            wrefs.stream().map(CommitLoader::repository).collect(Collectors.toSet()));
    var found =
        wrefs.stream()
            .filter(w -> readable.containsKey(repository(w)))
            .filter(
                w ->
                    readable.get(repository(w)).narrowing().canRead(w, loading.budget().matching()))
            .toList();
    if (found.isEmpty()) {
      return;
    }
    var repoIds = found.stream().map(w -> readable.get(repository(w)).repoId()).toList();
    entities.byName(
        repoIds,
        found.stream().map(w -> new EntityName(w.shape(), w.name())).toList(),
        (row, i) -> loading.known().put(EntityState.foreign(row, found.get(i), repoIds.get(i))));
  }

  private static String repository(Wref wref) {
    return wref.org() + "/" + wref.repo();
  }
}
