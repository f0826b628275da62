package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Brings a part of the index of a repository up to date in slices. Each is computed without a
 * transaction, and stored in one that also stores how far the index came, so that a restart
 * continues there. See {@code docs/search.md}, The index.
 */
class Indexer {
  /**
   * Maximum bytes of the data of a slice, unless it is a single entity: its words are in memory.
   */
  private static final int MAX_BYTES = 256 << 10;

  /** A rename may have changed the data of very many entities. */
  private static final String TIMEOUT = "set local statement_timeout = '5min'";

  private static final String LIST_RENAMED =
      "insert into search_renamed (repo_id, part, entity_id) select ?, ?, x.id from ("
          + ChangedEntities.RENAMED
          + ") x on conflict do nothing";

  private final Database database;
  private final ChangedEntities entities;
  private final IndexQueue queue;
  private final PartWriter writer;

  /** Thrown if another worker has the index by now. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException() {
      super("another worker has the index", null, false, false);
    }
  }

  /**
   * What is indexed next.
   *
   * @param forms in which entities are stored
   * @param ids of these entities
   * @param end what else is done in the transaction that stores them; returns how far the index is
   */
  private record Slice(List<String> forms, long[] ids, Supplier<IndexState> end) {}

  Indexer(Database database, ChangedEntities entities, IndexQueue queue, PartWriter writer) {
    this.database = database;
    this.entities = entities;
    this.queue = queue;
    this.writer = writer;
  }

  /**
   * Indexes a slice: of the commits that are not indexed yet, or of the entities that are in a
   * former form.
   *
   * @return whether there is more to do
   * @throws LostException if the attempt no longer has the index
   */
  boolean slice(IndexAttempt attempt) throws InterruptedException {
    var state = queue.state(attempt).orElseThrow(LostException::new).begin(writer::canWrite);
    var slice = next(attempt.repoId(), state);
    var write = prepare(attempt, slice);
    return database.inNewTransaction(
        () -> {
          if (!queue.lock(attempt)) {
            throw new LostException();
          }
          write.run();
          var next = slice.end().get();
          if (!queue.save(attempt, next)) {
            throw new LostException();
          }
          return !next.isComplete();
        });
  }

  private Runnable prepare(IndexAttempt attempt, Slice slice) throws InterruptedException {
    var forms = slice.forms().stream().filter(writer::canWrite).toList();
    return slice.ids().length == 0 || forms.isEmpty()
        ? () -> {}
        : writer.prepare(attempt, forms, entities.rows(attempt.repoId(), slice.ids()));
  }

  private Slice next(UUID repoId, IndexState state) {
    if (state.pass().isPresent()) {
      var pass = state.pass().get();
      return pass.areRenamesListed() ? renamed(repoId, state) : versions(repoId, state, pass);
    }
    return state
        .rewrite()
        .map(rewrite -> rewrite(repoId, state, rewrite))
        .orElseGet(() -> new Slice(List.of(), new long[0], () -> state));
  }

  /** New versions, in the order of their commits. */
  private Slice versions(UUID repoId, IndexState state, IndexState.Pass pass) {
    var changed = entities.after(repoId, pass.position(), pass.seq(), writer.maxEntities());
    var versions = fitting(changed, ChangedEntities.Changed::bytes);
    var position = versions.isEmpty() ? pass.position() : versions.getLast().position();
    var ids = versions.stream().mapToLong(v -> v.position().entityId()).distinct().toArray();
    boolean isLast = versions.size() == changed.size() && changed.size() < writer.maxEntities();
    return new Slice(
        state.forms(),
        ids,
        () -> {
          if (!isLast) {
            return state.with(new IndexState.Pass(pass.seq(), position, false));
          }
          return listRenamed(repoId, state.indexedSeq(), pass.seq()) > 0
              ? state.with(new IndexState.Pass(pass.seq(), position, true))
              : state.endPass();
        });
  }

  private int listRenamed(UUID repoId, long afterSeq, long untilSeq) {
    var parameters = new ArrayList<Object>(List.of(repoId, writer.part().text()));
    parameters.addAll(List.of(ChangedEntities.renamed(repoId, afterSeq, untilSeq)));
    database.update(TIMEOUT);
    int listed = database.update(LIST_RENAMED, parameters.toArray());
    database.update("set local statement_timeout to default");
    return listed;
  }

  /** Entities that renames have changed. */
  private Slice renamed(UUID repoId, IndexState state) {
    var part = writer.part().text();
    var listed =
        database.list(
            """
            select entity_id from search_renamed
            where repo_id = ? and part = ? order by entity_id limit ?
            """,
            row -> row.getLong(1),
            repoId,
            part,
            writer.maxEntities());
    var sized = entities.sized(repoId, Columns.longs(listed, Long::longValue));
    var ids = ids(fitting(sized, ChangedEntities.Sized::bytes));
    boolean isLast = ids.length == listed.size() && listed.size() < writer.maxEntities();
    return new Slice(
        state.forms(),
        ids,
        () -> {
          database.update(
              "delete from search_renamed where repo_id = ? and part = ? and entity_id = any (?)",
              repoId,
              part,
              ids);
          return isLast ? state.endPass() : state;
        });
  }

  /** Entities that are in a former form. */
  private Slice rewrite(UUID repoId, IndexState state, IndexState.Rewrite rewrite) {
    var next = entities.after(repoId, rewrite.lastId(), writer.maxEntities());
    var taken = fitting(next, ChangedEntities.Sized::bytes);
    boolean isLast = taken.size() == next.size() && next.size() < writer.maxEntities();
    return new Slice(
        List.of(state.form()),
        ids(taken),
        () -> {
          if (!isLast) {
            return state.with(rewritten(rewrite, taken.getLast().id()));
          }
          return writer.deleteFormer(repoId, state.form())
              ? state.with(rewritten(rewrite, IndexState.Rewrite.ALL))
              : state.with(Optional.empty());
        });
  }

  private static Optional<IndexState.Rewrite> rewritten(IndexState.Rewrite rewrite, long lastId) {
    return Optional.of(new IndexState.Rewrite(rewrite.former(), lastId));
  }

  private static long[] ids(List<ChangedEntities.Sized> entities) {
    return Columns.longs(entities, ChangedEntities.Sized::id);
  }

  /** The first of these whose data fits into a slice, but at least one. */
  private static <T> List<T> fitting(List<T> all, ToIntFunction<T> bytes) {
    long sum = 0;
    int count = 0;
    for (var one : all) {
      sum += bytes.applyAsInt(one);
      if (count > 0 && sum > MAX_BYTES) {
        break;
      }
      count++;
    }
    return all.subList(0, count);
  }
}
