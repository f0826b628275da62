package dev.cairn.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.cairn.access.Narrowing;
import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ExampleData;
import dev.cairn.model.FieldType;
import dev.cairn.model.IJson;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.JsonOut;
import dev.cairn.platform.JsonPage;
import dev.cairn.query.FormerNames.Place;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tells what a repository holds and how to add to it, for who meets it for the first time: {@code
 * docs/reads.md}, Describe. The number of statements does not depend on the number of shapes.
 */
@ApplicationScoped
public class DescribeReads {
  private static final int SAMPLES = 3;

  /** Data of samples up to so many bytes lends its values to examples. */
  private static final int MAX_LENT = 4_096;

  /** What of the built-in shapes is written by clients. */
  private static final List<BuiltinShape> BUILT_IN =
      List.of(
          BuiltinShape.PAIR,
          BuiltinShape.TRIPLE,
          BuiltinShape.SET,
          BuiltinShape.LIST,
          BuiltinShape.CONTENT);

  /** About so many bytes of the answer come of a definition: fields, example, samples. */
  private static final String SHAPES =
      "select e.name, e.version, "
          + Pager.fitting("e.data", "4 * octet_length(e.data) + 2048", Pager.MAX_BYTES)
          + ", e.place from (select e.*, %s as place from entity e %s) e where e.place > ?"
          + Pager.inOrder("e.place")
          + " limit ?";

  private static final String SAMPLED =
      """
      select p.name, e.name,
             case when octet_length(e.data) <= %d then e.data end,
             case when e.about_repo_id = e.repo_id then e.about_wref end
      from unnest(?) as p (name)
      cross join lateral (%%s) e
      order by p.name, e.name
      """
          .formatted(MAX_LENT);

  private static final String FIRST_OF_SHAPE =
      "select e.* from entity e %s and e.shape_name = p.name order by e.shape_name, e.name limit "
          + SAMPLES;

  private static final String FIRST_OF_RANGES =
      """
      select x.* from %%s
      cross join lateral (
        select e.* from entity e %%s%%s order by e.shape_name, e.name limit %1$d) x
      where r.shape_name = p.name order by x.name limit %1$d
      """
          .formatted(SAMPLES);

  private static final JsonNode NOTHING = MissingNode.getInstance();

  private final Database database;
  private final EntityCounts counts;
  private final FormerNames formerNames;
  private final ReadBounds bounds;

  /** A shape of the page. */
  private record Shape(String name, int version, ShapeDefinition definition) {}

  /**
   * An entity of a shape.
   *
   * @param data missing where it is too long to be lent from
   * @param about the target, if it is of this repository; else null
   */
  private record Sample(String wref, JsonNode data, String about) {}

  DescribeReads(
      Database database, EntityCounts counts, FormerNames formerNames, ReadBounds bounds) {
    this.database = database;
    this.counts = counts;
    this.formerNames = formerNames;
    this.bounds = bounds;
  }

  /** The sentence about the repository itself, which changes without a commit. */
  public Optional<String> description(RepositoryAccess access) {
    return database
        .list(
            "select description from repository where id = ?",
            row -> Optional.ofNullable(row.getString(1)),
            access.repoId())
        .stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * The repository with a page of its shapes.
   *
   * @param description its own, as {@link #description} told it
   */
  public JsonPage page(
      RepositoryAccess access, Optional<String> description, int limit, Optional<String> cursor) {
    return bounds.within(
        access, () -> database.snapshot(() -> answer(access, description, limit, cursor)));
  }

  private JsonPage answer(
      RepositoryAccess access, Optional<String> description, int limit, Optional<String> cursor) {
    var list = "describe " + access.repoId();
    long seq = counts.seq(access);
    var place =
        cursor
            .map(c -> Place.of(Cursor.keys(list, c)))
            .orElse(new Place(BuiltinShape.SHAPE.shapeName(), "", seq));
    var counted = counts.at(access, seq);
    var pager = new Pager(limit);
    var shapes = shapes(access, place, limit, pager);
    var samples = samples(access, shapes, counted);
    var out = new JsonOut().object().name("orgName").value(access.org());
    out.name("name").value(access.repo());
    description.ifPresent(text -> out.name("description").value(text));
    out.name("repoSeq").value(seq);
    counts(counted, out);
    out.name("shapes").array();
    var examples = new ExampleData(shape -> target(shape, samples));
    shapes.forEach(
        shape -> {
          var own = samples.getOrDefault(shape.name(), List.of());
          write(shape, counted, own, out);
          example(shape, own, seq, examples, out);
          out.endArray().end();
        });
    out.endArray().name("builtInShapes").array();
    BUILT_IN.forEach(shape -> write(shape, counted, out));
    return out.endArray().endPage(pager.next(list));
  }

  private static void counts(EntityCounts.Counts counted, JsonOut out) {
    out.name("counts").object().name("total").value(counted.total());
    out.name("byKind").object();
    for (var kind : List.of("shape", "thing", "assertion", "collection")) {
      out.name(kind).value(counted.ofKind(kind));
    }
    out.end().end();
  }

  private List<Shape> shapes(RepositoryAccess access, Place after, int limit, Pager pager) {
    var where =
        new Predicates(
                "e.repo_id = ? and e.shape_name = 'Shape' and e.id >= ? and e.active",
                access.repoId(),
                BuiltinShape.FIRST_FREE_ID)
            .narrowed(access.narrowing());
    boolean renamed = formerNames.any(access.repoId(), after.seq());
    var before = renamed ? List.<Object>of(after.seq()) : List.of();
    var shapes = new ArrayList<Shape>();
    database.each(
        SHAPES.formatted(renamed ? FormerNames.then("e.id", "e.name") : "e.name", where.sql()),
        0,
        row ->
            pager.take(
                row.getBytes(3),
                () -> {
                  var definition = ShapeDefinition.parse(json(row.getString(3)));
                  shapes.add(new Shape(row.getString(1), row.getInt(2), definition));
                  return List.of(after.shapeName(), row.getString(4), after.seq());
                }),
        where.parameters(before, after.name(), limit + 1));
    return shapes;
  }

  /** A few entities of each shape, and of those that their fields refer to, where there are any. */
  private Map<String, List<Sample>> samples(
      RepositoryAccess access, List<Shape> shapes, EntityCounts.Counts counted) {
    var names = new LinkedHashSet<String>();
    for (var shape : shapes) {
      names.add(shape.name());
      shape.definition().fields().values().forEach(field -> referred(field.type(), names));
    }
    var counting = names.stream().filter(name -> counted.of(name) > 0).toArray(String[]::new);
    var statement = sampled(access.repoId(), access.narrowing(), counting);
    return Database.inOrder(() -> samples(statement));
  }

  private Map<String, List<Sample>> samples(EntityReads.Statement statement) {
    var samples = new HashMap<String, List<Sample>>();
    database.each(
        statement.sql(),
        0,
        row -> {
          var shape = row.getString(1);
          var data = row.getString(3);
          return samples
              .computeIfAbsent(shape, _ -> new ArrayList<>())
              .add(
                  new Sample(
                      shape + "/" + row.getString(2),
                      data == null ? NOTHING : json(data),
                      row.getString(4)));
        },
        statement.parameters());
    return samples;
  }

  /** The first entities of each shape, for a narrowed token out of its ranges of names. */
  static EntityReads.Statement sampled(UUID repoId, Narrowing narrowing, String[] shapes) {
    var where = new Predicates("e.repo_id = ? and e.active", repoId);
    var ranges = NameRanges.of(narrowing.patterns());
    if (ranges.isEmpty()) {
      where.narrowed(narrowing);
      return new EntityReads.Statement(
          SAMPLED.formatted(FIRST_OF_SHAPE.formatted(where.sql())),
          where.parameters(List.of((Object) shapes)));
    }
    where.narrowedInRange(narrowing);
    var parameters = new ArrayList<Object>(List.of((Object) shapes));
    parameters.addAll(ranges.get().parameters());
    return new EntityReads.Statement(
        SAMPLED.formatted(
            FIRST_OF_RANGES.formatted(NameRanges.SQL, where.sql(), NameRanges.WITHIN)),
        where.parameters(parameters));
  }

  private static void referred(FieldType type, Set<String> names) {
    switch (type) {
      case FieldType.WrefType(String shape) when shape != null -> names.add(shape);
      case FieldType.ArrayType array -> referred(array.items(), names);
      case FieldType.ObjectType(var fields) ->
          fields.values().forEach(field -> referred(field.type(), names));
      default -> {}
    }
  }

  private static JsonNode json(String stored) {
    return IJson.read(StoredJson.plain(stored).getBytes(StandardCharsets.UTF_8));
  }

  /** All but the examples, which come next. */
  private static void write(
      Shape shape, EntityCounts.Counts counted, List<Sample> own, JsonOut out) {
    out.object().name("name").value(shape.name());
    out.name("version").value(shape.version());
    definition(shape.definition(), out);
    out.name("count").value(counted.of(shape.name()));
    out.name("sampleWrefs").array();
    own.forEach(sample -> out.value(sample.wref()));
    out.endArray().name("exampleOperations").array();
  }

  private static void write(BuiltinShape shape, EntityCounts.Counts counted, JsonOut out) {
    out.object().name("name").value(shape.shapeName());
    definition(ShapeDefinition.parse(json(shape.definition())), out);
    out.name("count").value(counted.of(shape.shapeName())).end();
  }

  private static void definition(ShapeDefinition definition, JsonOut out) {
    if (definition.description() != null) {
      out.name("description").value(definition.description());
    }
    new ShapeFields(out.name("fields")).write(definition.fields());
  }

  private static Optional<String> target(
      Optional<String> wanted, Map<String, List<Sample>> samples) {
    return wanted
        .map(shape -> samples.getOrDefault(shape, List.of()).stream())
        .orElseGet(() -> samples.values().stream().flatMap(List::stream))
        .map(Sample::wref)
        .min(Comparator.naturalOrder());
  }

  /** The name is one that nobody has who does not count ahead. */
  private static void example(
      Shape shape, List<Sample> own, long seq, ExampleData examples, JsonOut out) {
    var first = own.stream().findFirst();
    var data = examples.of(shape.definition(), first.map(Sample::data).orElse(NOTHING));
    if (data.isEmpty()) {
      return;
    }
    out.object().name("operation").value("add");
    out.name("name").value(shape.name() + "/example-" + (seq + 1));
    first.map(Sample::about).ifPresent(about -> out.name("about").value(about));
    var stored = StoredJson.of(data.get(), Map.of());
    out.name("data").stored(stored.getBytes(StandardCharsets.UTF_8)).end();
  }
}
