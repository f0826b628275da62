package dev.cairn.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Counts the active entities of a repository by shape and kind. That looks at every one of them, so
 * the last counts are kept: they are what they are for one sequence number and one narrowing.
 */
// Caffeine finds the classes of a cache by name, which a native image has to be told.
@RegisterForReflection(
    classNames = {
      "com.github.benmanes.caffeine.cache.SSMW",
      "com.github.benmanes.caffeine.cache.PSMW"
    })
@ApplicationScoped
class EntityCounts {
  /** In shapes, of all kept counts together. */
  private static final int MAX_SHAPES = 100_000;

  private static final List<String> KINDS = List.of("shape", "thing", "assertion");

  private static final String BY_KIND =
      KINDS.stream()
          .map("count(*) filter (where e.kind = '%1$s') as %1$ss"::formatted)
          .collect(Collectors.joining(", "));

  private static final String ALL =
      "select e.shape_name, " + BY_KIND + " from entity e %s group by e.shape_name";

  private static final String OF_RANGES =
      "select r.shape_name, c.* from %s cross join lateral (select "
          + BY_KIND
          + " from entity e %s%s) c";

  private final Database database;
  private final Cache<Key, Counts> kept =
      Caffeine.newBuilder()
          .maximumWeight(MAX_SHAPES)
          .weigher((Key _, Counts counts) -> 1 + counts.byShape().size())
          .build();

  /**
   * What counts follow from.
   *
   * @param narrowing a hash, since patterns are as long as who makes a token likes
   */
  private record Key(UUID repoId, long seq, String narrowing) {}

  /**
   * How many active entities there are, built-in shapes left out.
   *
   * @param byShape under each shape that has any
   * @param byKind of the kinds as reads take them; collections count among the things too
   */
  record Counts(long total, Map<String, Long> byShape, Map<String, Long> byKind) {
    long of(String shape) {
      return byShape.getOrDefault(shape, 0L);
    }

    long ofKind(String kind) {
      return byKind.getOrDefault(kind, 0L);
    }
  }

  EntityCounts(Database database) {
    this.database = database;
  }

  /** The repository's sequence number at the moment of the surrounding snapshot. */
  long seq(RepositoryAccess access) {
    return database
        .first(
            "select seq from repository_head where repo_id = ?",
            row -> row.getLong(1),
            access.repoId())
        .orElse(0L);
  }

  /**
   * The counts at the moment of the surrounding snapshot.
   *
   * @param seq the repository's sequence number at that moment
   */
  Counts at(RepositoryAccess access, long seq) {
    var narrowing = access.narrowing();
    var hash = HexFormat.of().formatHex(Sha256.of(narrowing.identity()));
    var key = new Key(access.repoId(), seq, hash);
    var known = kept.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var counts = counted(access);
    kept.put(key, counts);
    return counts;
  }

  private Counts counted(RepositoryAccess access) {
    var statement = statement(access.repoId(), access.narrowing());
    var byShape = new HashMap<String, Long>();
    var byKind = new HashMap<String, Long>();
    database.each(
        statement.sql(),
        0,
        row -> {
          var shape = row.getString(1);
          for (int i = 0; i < KINDS.size(); i++) {
            add(shape, KINDS.get(i), row.getLong(2 + i), byShape, byKind);
          }
          return true;
        },
        statement.parameters());
    long total = byShape.values().stream().mapToLong(Long::longValue).sum();
    return new Counts(total, Map.copyOf(byShape), Map.copyOf(byKind));
  }

  private static void add(
      String shape, String kind, long count, Map<String, Long> byShape, Map<String, Long> byKind) {
    if (count == 0) {
      return;
    }
    byShape.merge(shape, count, Long::sum);
    byKind.merge(kind, count, Long::sum);
    if (BuiltinShape.named(shape).filter(BuiltinShape::isCollection).isPresent()) {
      byKind.merge("collection", count, Long::sum);
    }
  }

  /** Counts by shape; for a narrowed token range by range, as far as its patterns give any. */
  static EntityReads.Statement statement(UUID repoId, Narrowing narrowing) {
    var where =
        new Predicates(
            "e.repo_id = ? and e.id >= ? and e.active", repoId, BuiltinShape.FIRST_FREE_ID);
    var ranges = NameRanges.of(narrowing.patterns());
    if (ranges.isEmpty()) {
      where.narrowed(narrowing);
      return new EntityReads.Statement(ALL.formatted(where.sql()), where.parameters());
    }
    where.narrowedInRange(narrowing);
    return new EntityReads.Statement(
        OF_RANGES.formatted(NameRanges.SQL, where.sql(), NameRanges.WITHIN),
        where.parameters(ranges.get().parameters()));
  }
}
