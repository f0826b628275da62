package dev.cairn.content.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.KeptCounts;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * Counts the active entities of a repository, in total and for given shapes: from the kept counts,
 * or for a narrowed token entity by entity. So counts are cached: they depend only on the sequence
 * number, the narrowing and the shapes. A repository may have any number of shapes, so the database
 * sums their counts up, and counts only those of a page one by one.
 */
// Caffeine loads the classes of a cache by name, so a native image needs them registered.
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.SSMW",
      "com.github.benmanes.caffeine.cache.PSMW"
    })
@ApplicationScoped
public class EntityCounts {
  /** Maximum size of the cache, measured in shapes of all counts together. */
  private static final int MAX_CACHED_SHAPES = 100_000;

  private static final String[] BUILT_IN =
      Arrays.stream(BuiltinShape.values()).map(BuiltinShape::shapeName).toArray(String[]::new);

  private static final List<String> KINDS = List.of("shape", "thing", "assertion");

  private static final String BY_KIND =
      KINDS.stream()
          .map("count(*) filter (where e.kind = '%1$s') as %1$ss"::formatted)
          .collect(Collectors.joining(", "));

  private static final String OF_NAMED =
      """
      select case when g.shape_name = any (?) then g.shape_name end as named,
             sum(g.shapes) as shapes, sum(g.things) as things, sum(g.assertions) as assertions
      from (%s) g group by named
      """;

  private static final String ALL =
      "select e.shape_name, " + BY_KIND + " from entity e %s group by e.shape_name";

  private static final String OF_RANGES =
      "select r.shape_name, c.* from %s cross join lateral (select "
          + BY_KIND
          + " from entity e %s%s) c";

  private final Database database;
  private final Cache<Key, Counts> cached =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CACHED_SHAPES)
          .weigher((Key _, Counts counts) -> 1 + counts.byShape().size())
          .build();

  /**
   * The values that counts depend on.
   *
   * @param narrowing a hash of the narrowing, because its patterns may be long
   * @param shapes a hash of the shapes' names; empty for the counts of all shapes
   */
  private record Key(UUID repoId, long seq, String narrowing, String shapes) {}

  /**
   * The numbers of active entities, not counting built-in shapes.
   *
   * @param byShape for each of the requested shapes with any entities
   * @param byKind for each kind of the read API; a collection also counts as a thing
   */
  public record Counts(long total, Map<String, Long> byShape, Map<String, Long> byKind) {
    public long of(String shape) {
      return byShape.getOrDefault(shape, 0L);
    }

    public long ofKind(String kind) {
      return byKind.getOrDefault(kind, 0L);
    }
  }

  EntityCounts(Database database) {
    this.database = database;
  }

  /**
   * The counts in the current snapshot.
   *
   * @param seq the repository's sequence number in the snapshot
   * @param shapes the names of the shapes to count one by one; built-in shapes always are
   */
  public Counts at(RepositoryAccess access, long seq, Collection<String> shapes) {
    var all = cached(access, seq, BUILT_IN, false);
    if (shapes.isEmpty()) {
      return all;
    }
    var named = cached(access, seq, shapes.toArray(String[]::new), true);
    var byShape = new HashMap<>(all.byShape());
    byShape.putAll(named.byShape());
    return new Counts(all.total(), Map.copyOf(byShape), all.byKind());
  }

  /**
   * @param only whether to count no other shapes
   */
  private Counts cached(RepositoryAccess access, long seq, String[] names, boolean only) {
    // No name has a line break.
    var shapes = only ? hash(String.join("\n", names)) : "";
    var key = new Key(access.repoId(), seq, hash(access.narrowing().identity()), shapes);
    var known = cached.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var counts = counted(statement(access.repoId(), access.narrowing(), names, only));
    cached.put(key, counts);
    return counts;
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }

  private Counts counted(Statement statement) {
    var total = new LongAdder();
    var byShape = new HashMap<String, Long>();
    var byKind = new HashMap<String, Long>();
    database.each(
        statement.sql(),
        0,
        row -> {
          var shape = row.getString("named");
          for (var kind : KINDS) {
            long count = row.getLong(kind + "s");
            total.add(count);
            add(shape, kind, count, byShape, byKind);
          }
          return true;
        },
        statement.parameters());
    return new Counts(total.sum(), Map.copyOf(byShape), Map.copyOf(byKind));
  }

  /**
   * @param shape null for all shapes that are not counted one by one
   */
  private static void add(
      String shape, String kind, long count, Map<String, Long> byShape, Map<String, Long> byKind) {
    if (count == 0) {
      return;
    }
    byKind.merge(kind, count, Long::sum);
    if (shape == null) {
      return;
    }
    byShape.merge(shape, count, Long::sum);
    if (BuiltinShape.named(shape).filter(BuiltinShape::isCollection).isPresent()) {
      byKind.merge("collection", count, Long::sum);
    }
  }

  /**
   * A statement that counts by shape; for a narrowed token, range by range, if its patterns give
   * ranges.
   *
   * @param names the names of the shapes that get a row of their own
   * @param only whether to count no other shapes; kept counts are of all shapes all the same
   */
  public static Statement statement(
      UUID repoId, Narrowing narrowing, String[] names, boolean only) {
    var parameters = new ArrayList<Object>(List.of((Object) names));
    if (narrowing.isUnrestricted()) {
      parameters.add(repoId);
      return new Statement(OF_NAMED.formatted(KeptCounts.BY_SHAPE), parameters.toArray());
    }
    var where =
        new Predicates(
            "e.repo_id = ? and e.id >= ? and e.active", repoId, BuiltinShape.FIRST_FREE_ID);
    if (only) {
      where.and("e.shape_name = any (?)", (Object) names);
    }
    var ranges = NameRanges.of(narrowing.patterns());
    if (ranges.isEmpty()) {
      where.narrowed(narrowing);
      return new Statement(
          OF_NAMED.formatted(ALL.formatted(where.sql())), where.parameters(parameters));
    }
    where.narrowedInRange(narrowing);
    parameters.addAll(ranges.get().parameters());
    return new Statement(
        OF_NAMED.formatted(OF_RANGES.formatted(NameRanges.SQL, where.sql(), NameRanges.WITHIN)),
        where.parameters(parameters));
  }
}
