package dev.cairn.content.read;

import dev.cairn.access.Narrowing;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Reads the first active entities of shapes. The data of only one entity of a shape is read,
 * because a parsed payload takes many times the memory of its text.
 */
@ApplicationScoped
public class ShapeSamples {
  private static final int MAX_SAMPLES = 3;

  /** Maximum bytes of the data of a sample; longer data is left out. */
  private static final int MAX_DATA_BYTES = 4_096;

  private static final String SAMPLED =
      """
      select p.name as shape_name, e.name,
             case when p.is_shown and e.place = 1 and octet_length(e.data) <= %d then e.data end
               as data,
             case when e.place = 1 and e.about_repo_id = e.repo_id then e.about_wref end as about
      from unnest(?, ?) as p (name, is_shown)
      cross join lateral (
        select x.*, row_number() over (order by x.name) as place from (%s) x) e
      order by p.name, e.name
      """;

  /** A shape that is only referred to needs one sample. */
  private static final String COUNT = "case when p.is_shown then " + MAX_SAMPLES + " else 1 end";

  private static final String FIRST_OF_SHAPE =
      "select e.* from entity e %s and e.shape_name = p.name order by e.shape_name, e.name limit "
          + COUNT;

  private static final String FIRST_OF_RANGES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from entity e %s%s order by e.shape_name, e.name limit %4$s) x
      where r.shape_name = p.name order by x.name limit %4$s
      """;

  private final Database database;

  /**
   * An entity of a shape.
   *
   * @param data the data of the first entity of a shown shape, unless it is too long; otherwise
   *     null
   * @param about the target of the first entity, if it is in this repository; otherwise null
   */
  public record Sample(String wref, String data, String about) {}

  ShapeSamples(Database database) {
    this.database = database;
  }

  /**
   * For each of the shapes its first entities that a token may read, in the order of their names:
   * some of a shown shape, and one of another.
   *
   * @param shown the names of the shapes that are shown
   */
  public Map<String, List<Sample>> of(
      UUID repoId, Narrowing narrowing, List<String> shapes, Set<String> shown) {
    var statement = statement(repoId, narrowing, shapes, shown);
    var samples = new HashMap<String, List<Sample>>();
    database
        .inIndexOrder()
        .each(
            statement.sql(),
            0,
            row -> {
              var shape = row.getString("shape_name");
              var wref = shape + "/" + row.getString("name");
              return samples
                  .computeIfAbsent(shape, _ -> new ArrayList<>())
                  .add(new Sample(wref, row.getString("data"), row.getString("about")));
            },
            statement.parameters());
    return samples;
  }

  /** The statement of {@link #of}; for a narrowed token, from its ranges of names. */
  public static Statement statement(
      UUID repoId, Narrowing narrowing, List<String> shapes, Set<String> shown) {
    var parameters = new ArrayList<Object>();
    parameters.add(shapes.toArray(String[]::new));
    parameters.add(Columns.booleans(shapes, shown::contains));
    var where = new Predicates("e.repo_id = ? and e.active", repoId);
    var ranges = NameRanges.of(narrowing.patterns());
    if (ranges.isEmpty()) {
      where.narrowed(narrowing);
      return new Statement(
          SAMPLED.formatted(MAX_DATA_BYTES, FIRST_OF_SHAPE.formatted(where.sql())),
          where.parameters(parameters));
    }
    where.narrowedInRange(narrowing);
    parameters.addAll(ranges.get().parameters());
    return new Statement(
        SAMPLED.formatted(
            MAX_DATA_BYTES,
            FIRST_OF_RANGES.formatted(NameRanges.SQL, where.sql(), NameRanges.WITHIN, COUNT)),
        where.parameters(parameters));
  }
}
