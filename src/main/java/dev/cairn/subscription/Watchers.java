package dev.cairn.subscription;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.commit.CommittedOperation;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.EntityKind;
import dev.cairn.model.IJson;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.filter.FilterIndex;
import dev.cairn.model.filter.OperationFilter;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The watchers of a repository for commits: filters are read and compiled once, and cached until
 * the watchers change. They may still have what the service has paused, which gets no run. See
 * {@code docs/subscriptions.md}, Matching.
 */
@ApplicationScoped
public class Watchers {
  private static final int MAX_BYTES = 64 * 1024 * 1024;
  private static final int BYTES_OF_WATCHER = 800;

  /**
   * By the subscriptions first: see {@code docs/decisions/0008-plans.md}. It does not ask whether
   * the organization is archived, because then none of its repositories takes a commit: so nothing
   * that is cached depends on it, and whoever archives or unarchives it waits for no commit to make
   * the cache out of date.
   */
  static final String LOAD =
      """
      select s.repo_id, s.id, o.name as org, r.name as repo, s.name, s.executor_kind,
             s.source_repo_id, s.allow_trace_reentry, s.base_url, s.webhook_url, s.sprite_container,
             s.filter, s.shape_id
      from subscription s
      cross join lateral (
        select r.name, r.org_id from repository r where r.id = s.repo_id and r.archived_at is null
        offset 0) r
      cross join lateral (
        select o.name from organization o where o.id = r.org_id offset 0) o
      where s.source_repo_id = ? and s.active
      order by s.id
      """;

  private final Database database;
  private final Cache<UUID, Cached> cache =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher((UUID _, Cached k) -> k.compiled().bytes())
          .executor(Runnable::run)
          .build();

  /** The filters as they were compiled for a state of {@code watchers}. */
  private record Cached(long version, Compiled compiled) {}

  /**
   * A watcher, and the operations of a commit that match its filter.
   *
   * @param indexes at least one, ascending
   */
  public record Match(Watcher watcher, int[] indexes) {}

  /** Indexes of operations, ascending, each once. */
  private static final class Indexes {
    private int[] values = new int[4];
    private int size;

    void add(int index, MatchingBudget budget) {
      if (size > 0 && values[size - 1] == index) {
        return;
      }
      budget.takeMatch();
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = index;
    }

    int[] toArray() {
      return Arrays.copyOf(values, size);
    }
  }

  /** All watchers of a repository. */
  public static final class Compiled {
    private final List<Watcher> watchers;
    private final Map<Long, OfShape> byShape;

    /**
     * The watchers of a shape.
     *
     * @param positions of these watchers among all, ascending
     * @param index of their filters, by their positions among these
     */
    private record OfShape(int[] positions, FilterIndex index) {}

    private Compiled(List<Watcher> watchers) {
      this.watchers = watchers;
      this.byShape =
          IntStream.range(0, watchers.size())
              .boxed()
              .collect(
                  Collectors.groupingBy(
                      position -> watchers.get(position).shapeId(),
                      Collectors.collectingAndThen(
                          Collectors.toList(), positions -> ofShape(watchers, positions))));
    }

    private static OfShape ofShape(List<Watcher> watchers, List<Integer> positions) {
      return new OfShape(
          Columns.ints(positions, Integer::intValue),
          new FilterIndex(positions.stream().map(watchers::get).map(Watcher::filter).toList()));
    }

    /** Whether the repository has no watchers. */
    public boolean isEmpty() {
      return watchers.isEmpty();
    }

    /**
     * The watchers that any of these operations match, and which.
     *
     * @throws Problem {@code PAYLOAD_TOO_LARGE} if that takes more than a commit may
     */
    public List<Match> match(List<CommittedOperation> operations) {
      return match(operations, MatchingBudget.ofCommit());
    }

    List<Match> match(List<CommittedOperation> operations, MatchingBudget budget) {
      var found = new Indexes[watchers.size()];
      try {
        operations.forEach(operation -> match(operation, found, budget));
      } catch (Problem e) {
        throw e.at("/operations");
      }
      return IntStream.range(0, found.length)
          .filter(position -> found[position] != null)
          .mapToObj(position -> new Match(watchers.get(position), found[position].toArray()))
          .toList();
    }

    private void match(CommittedOperation operation, Indexes[] found, MatchingBudget budget) {
      match(operation.shapeId(), operation, found, budget);
      if (operation.kind() == EntityKind.SHAPE) {
        match(BuiltinShape.SHAPE.id(), operation, found, budget);
      }
    }

    private void match(
        long shapeId, CommittedOperation operation, Indexes[] found, MatchingBudget budget) {
      var ofShape = byShape.get(shapeId);
      if (ofShape == null) {
        return;
      }
      var candidates = ofShape.index().candidates(operation.wref(), budget);
      for (int i = candidates.nextSetBit(0); i >= 0; i = candidates.nextSetBit(i + 1)) {
        int position = ofShape.positions()[i];
        if (matches(watchers.get(position), operation, budget)) {
          if (found[position] == null) {
            found[position] = new Indexes();
          }
          found[position].add(operation.index(), budget);
        }
      }
    }

    /** A filter concerns operations on the shape itself only if it names them. */
    private static boolean matches(
        Watcher watcher, CommittedOperation operation, MatchingBudget budget) {
      boolean onShapeItself =
          operation.kind() == EntityKind.SHAPE && operation.shapeId() == watcher.shapeId();
      return (!onShapeItself || watcher.filter().namesShapes())
          && watcher.filter().matches(operation, budget);
    }

    private int bytes() {
      return watchers.stream()
          .mapToInt(watcher -> BYTES_OF_WATCHER + watcher.filter().bytes())
          .reduce(BYTES_OF_WATCHER, Math::addExact);
    }
  }

  Watchers(Database database) {
    this.database = database;
  }

  /**
   * The watchers of a repository.
   *
   * @param version the row's {@code watchers}, read in the surrounding transaction, which holds the
   *     row's lock
   */
  public Compiled of(UUID sourceRepoId, long version) {
    var known = cache.getIfPresent(sourceRepoId);
    if (known != null && known.version() == version) {
      return known.compiled();
    }
    return reread(sourceRepoId, version);
  }

  /**
   * The same without what the service has paused, which may still be cached.
   *
   * @param version as above
   */
  public Compiled reread(UUID sourceRepoId, long version) {
    var compiled = new Compiled(load(sourceRepoId));
    cache.put(sourceRepoId, new Cached(version, compiled));
    return compiled;
  }

  /** Lets the next commit read the watchers again. */
  public void forget(UUID sourceRepoId) {
    cache.invalidate(sourceRepoId);
  }

  /** In the order of their creation, which is the order of their runs. */
  private List<Watcher> load(UUID sourceRepoId) {
    return database.list(LOAD, Watchers::watcher, sourceRepoId);
  }

  private static Watcher watcher(ResultSet row) throws SQLException {
    var org = row.getString("org");
    var repo = row.getString("repo");
    var name = row.getString("name");
    var filter = row.getString("filter").getBytes(StandardCharsets.UTF_8);
    return new Watcher(
        row.getObject("repo_id", UUID.class),
        row.getObject("id", UUID.class),
        org,
        repo,
        name,
        row.getString("executor_kind"),
        row.getObject("source_repo_id", UUID.class),
        row.getBoolean("allow_trace_reentry"),
        row.getString("base_url"),
        TargetName.of(
            row.getString("webhook_url"), row.getString("sprite_container"), org, repo, name),
        OperationFilter.parse(IJson.read(filter)),
        row.getLong("shape_id"));
  }
}
