package dev.cairn.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Narrowing;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
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
 * Counts the active entities of a repository, in all and of some shapes. To count all looks at
 * every one of them, so the last counts are kept: they follow from the sequence number, the
 * narrowing, and the shapes. A repository may have any number of shapes, so they are added up in
 * the database, and those of a page are counted by themselves.
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
             sum(g.shapes), sum(g.things), sum(g.assertions)
      from (%s) g group by named
      """;

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
   * @param narrowing a hash of it, because its patterns may be long
   * @param shapes a hash of their names; empty for the counts of all
   */
  private record Key(UUID repoId, long seq, String narrowing, String shapes) {}

  /**
   * How many active entities there are, built-in shapes left out.
   *
   * @param byShape under each of the shapes in question that has any
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

  /**
   * The counts at the moment of the surrounding snapshot.
   *
   * @param seq the repository's sequence number at that moment
   * @param shapes the names of those to count each by itself; built-in ones are always
   */
  Counts at(RepositoryAccess access, long seq, Collection<String> shapes) {
    var all = kept(access, seq, BUILT_IN, false);
    if (shapes.isEmpty()) {
      return all;
    }
    var named = kept(access, seq, shapes.toArray(String[]::new), true);
    var byShape = new HashMap<>(all.byShape());
    byShape.putAll(named.byShape());
    return new Counts(all.total(), Map.copyOf(byShape), all.byKind());
  }

  /**
   * @param only whether to look at no other shapes
   */
  private Counts kept(RepositoryAccess access, long seq, String[] names, boolean only) {
    // No name has a line break.
    var shapes = only ? hash(String.join("\n", names)) : "";
    var key = new Key(access.repoId(), seq, hash(access.narrowing().identity()), shapes);
    var known = kept.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var counts = counted(statement(access.repoId(), access.narrowing(), names, only));
    kept.put(key, counts);
    return counts;
  }

  private static String hash(String text) {
    return HexFormat.of().formatHex(Sha256.of(text));
  }

  private Counts counted(EntityReads.Statement statement) {
    var total = new LongAdder();
    var byShape = new HashMap<String, Long>();
    var byKind = new HashMap<String, Long>();
    database.each(
        statement.sql(),
        0,
        row -> {
          var shape = row.getString(1);
          for (int i = 0; i < KINDS.size(); i++) {
            long count = row.getLong(2 + i);
            total.add(count);
            add(shape, KINDS.get(i), count, byShape, byKind);
          }
          return true;
        },
        statement.parameters());
    return new Counts(total.sum(), Map.copyOf(byShape), Map.copyOf(byKind));
  }

  /**
   * @param shape null for all those that nobody asked for
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
   * Counts by shape; for a narrowed token range by range, as far as its patterns give any.
   *
   * @param names of the shapes that get a row of their own
   * @param only whether to look at no other shapes
   */
  static EntityReads.Statement statement(
      UUID repoId, Narrowing narrowing, String[] names, boolean only) {
    var parameters = new ArrayList<Object>(List.of((Object) names));
    var where =
        new Predicates(
            "e.repo_id = ? and e.id >= ? and e.active", repoId, BuiltinShape.FIRST_FREE_ID);
    if (only) {
      where.and("e.shape_name = any (?)", (Object) names);
    }
    var ranges = NameRanges.of(narrowing.patterns());
    if (ranges.isEmpty()) {
      where.narrowed(narrowing);
      return new EntityReads.Statement(
          OF_NAMED.formatted(ALL.formatted(where.sql())), where.parameters(parameters));
    }
    where.narrowedInRange(narrowing);
    parameters.addAll(ranges.get().parameters());
    return new EntityReads.Statement(
        OF_NAMED.formatted(OF_RANGES.formatted(NameRanges.SQL, where.sql(), NameRanges.WITHIN)),
        where.parameters(parameters));
  }
}
