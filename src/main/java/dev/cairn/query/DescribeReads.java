package dev.cairn.query;

import static java.util.Comparator.naturalOrder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.content.ShapeDefinitions;
import dev.cairn.content.read.EntityCounts;
import dev.cairn.content.read.ShapeList;
import dev.cairn.content.read.ShapeSamples;
import dev.cairn.content.read.ShapeSamples.Sample;
import dev.cairn.model.AboutRule;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.ExampleData;
import dev.cairn.model.FieldType;
import dev.cairn.model.IJson;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes the content of a repository and how to add to it, for clients that do not know it yet;
 * see {@code docs/reads.md}, Describe. The number of statements does not depend on the number of
 * shapes.
 */
@ApplicationScoped
public class DescribeReads {
  /**
   * Maximum shapes that fields refer to, besides those of the page, for which an entity is looked
   * up.
   */
  static final int MAX_REFERRED_SHAPES = 1_000;

  /** The fraction of a page, one eighth, that is reserved for its last shape. */
  private static final int RESERVED_FRACTION = 8;

  /** Maximum bytes of an example; a longer one is left out. */
  private static final int MAX_EXAMPLE_BYTES = 512 * 1024;

  /** The built-in shapes that clients may write. */
  private static final List<BuiltinShape> BUILT_IN =
      List.of(
          BuiltinShape.PAIR,
          BuiltinShape.TRIPLE,
          BuiltinShape.SET,
          BuiltinShape.LIST,
          BuiltinShape.CONTENT);

  private static final JsonNode NOTHING = MissingNode.getInstance();

  private final Database database;
  private final RepositoryHeads heads;
  private final EntityCounts counts;
  private final ShapeSamples shapeSamples;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final ShapeDefinitions definitions;

  /**
   * A shape of the page. Its definition is kept as text, since a parsed one takes many times the
   * memory: {@link ShapeDefinitions} limits how many parsed ones are cached.
   */
  private record Shape(String name, int version, String definition) {
    static Shape of(ShapeList.Shape stored) {
      return new Shape(
          stored.name(), stored.version(), new String(stored.definition(), StandardCharsets.UTF_8));
    }
  }

  /** The shapes of a page, and the names of others that their fields refer to. */
  private record Shapes(List<Shape> shown, Set<String> referred) {
    List<String> names() {
      return Stream.concat(shown.stream().map(Shape::name), referred.stream()).distinct().toList();
    }
  }

  DescribeReads(
      Database database,
      RepositoryHeads heads,
      EntityCounts counts,
      ShapeSamples shapeSamples,
      ReadBounds bounds,
      Cursors cursors,
      ShapeDefinitions definitions) {
    this.database = database;
    this.heads = heads;
    this.counts = counts;
    this.shapeSamples = shapeSamples;
    this.bounds = bounds;
    this.cursors = cursors;
    this.definitions = definitions;
  }

  /** The repository's description, which can change without a commit. */
  public Optional<String> description(RepositoryAccess access) {
    return bounds
        .within(
            access,
            () ->
                database.list(
                    "select description from repository where id = ?",
                    row -> Optional.ofNullable(row.getString(1)),
                    access.repoId()))
        .stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  /**
   * The repository with a page of its shapes.
   *
   * @param description the repository's description, from {@link #description}
   */
  public JsonPage page(
      RepositoryAccess access, Optional<String> description, int limit, Optional<String> cursor) {
    return bounds.within(
        access, () -> database.snapshot(() -> answer(access, description, limit, cursor)));
  }

  private JsonPage answer(
      RepositoryAccess access, Optional<String> description, int limit, Optional<String> cursor) {
    var list = "describe " + access.repoId();
    long seq = heads.newest(access.repoId());
    var after = cursor.map(c -> cursors.read(list, c, List::getFirst)).orElse("");
    var pager = new Pager(cursors, list, limit);
    var shapes = shapes(access, after, limit, pager);
    var counted = counts.at(access, seq, shapes.names());
    var samples = samples(access, shapes, counted);
    var out = new JsonOut().object().name("orgName").value(access.org());
    out.name("name").value(access.repo());
    description.ifPresent(text -> out.name("description").value(text));
    out.name("repoSeq").value(seq);
    counts(counted, out);
    out.name("shapes").array();
    var any = samples.values().stream().map(List::getFirst).map(Sample::wref).min(naturalOrder());
    ExampleTargets targets = shape -> target(shape, samples, any);
    var examples = new ExampleData(targets);
    var shown = shapes.shown();
    int written = 0;
    int full = PageBytes.max() - PageBytes.max() / RESERVED_FRACTION;
    while (written < shown.size() && (written == 0 || out.size() < full)) {
      var shape = shown.get(written);
      var own = samples.getOrDefault(shape.name(), List.of());
      write(shape, counted, own, seq, examples, targets, out);
      written++;
    }
    out.endArray().name("builtInShapes").array();
    BUILT_IN.forEach(shape -> write(shape, counted, out));
    return out.endArray()
        .endPage(
            written == shown.size()
                ? pager.next()
                : Optional.of(cursors.of(list, shown.get(written - 1).name())));
  }

  private static void counts(EntityCounts.Counts counted, JsonOut out) {
    out.name("counts").object().name("total").value(counted.total());
    out.name("byKind").object();
    for (var kind : List.of("shape", "thing", "assertion", "collection")) {
      out.name(kind).value(counted.ofKind(kind));
    }
    out.end().end();
  }

  private Shapes shapes(RepositoryAccess access, String after, int limit, Pager pager) {
    var statement = ShapeList.page(access.repoId(), access.narrowing(), after, limit);
    var shown = new ArrayList<Shape>();
    var referred = new LinkedHashSet<String>();
    database.each(
        statement.sql(),
        0,
        row -> {
          var stored = ShapeList.Shape.read(row);
          return pager.take(
              stored.definition(),
              () -> {
                var shape = Shape.of(stored);
                shown.add(shape);
                referred(definitions.of(shape.definition()), referred);
                return List.of(shape.name());
              });
        },
        statement.parameters());
    return new Shapes(shown, referred);
  }

  /**
   * A few entities of each shape of the page, and one of each shape that their fields refer to, if
   * there are any.
   */
  private Map<String, List<Sample>> samples(
      RepositoryAccess access, Shapes shapes, EntityCounts.Counts counted) {
    var nonEmpty = shapes.names().stream().filter(name -> counted.of(name) > 0).toList();
    var shown = shapes.shown().stream().map(Shape::name).collect(Collectors.toSet());
    return shapeSamples.of(access.repoId(), access.narrowing(), nonEmpty, shown);
  }

  private static void referred(ShapeDefinition definition, Set<String> names) {
    definition.fields().values().forEach(field -> referred(field.type(), names));
    if (definition.about() != null) {
      definition.about().shapes().forEach(shape -> referred(shape, names));
    }
  }

  private static void referred(String shape, Set<String> names) {
    if (shape != null && names.size() < MAX_REFERRED_SHAPES) {
      names.add(shape);
    }
  }

  private static void referred(FieldType type, Set<String> names) {
    switch (type) {
      case FieldType.WrefType(String shape) -> referred(shape, names);
      case FieldType.ArrayType array -> referred(array.items(), names);
      case FieldType.ObjectType(var fields) ->
          fields.values().forEach(field -> referred(field.type(), names));
      default -> {}
    }
  }

  private static JsonNode json(String stored) {
    return IJson.read(StoredJson.plain(stored).getBytes(StandardCharsets.UTF_8));
  }

  private void write(
      Shape shape,
      EntityCounts.Counts counted,
      List<Sample> own,
      long seq,
      ExampleData examples,
      ExampleTargets targets,
      JsonOut out) {
    var definition = definitions.of(shape.definition());
    out.object().name("name").value(shape.name());
    out.name("version").value(shape.version());
    definition(definition, out);
    out.name("count").value(counted.of(shape.name()));
    out.name("sampleWrefs").array();
    own.forEach(sample -> out.value(sample.wref()));
    out.endArray().name("exampleOperations").array();
    var first = own.stream().findFirst();
    var sampleData = first.map(Sample::data).map(DescribeReads::json).orElse(NOTHING);
    var about = about(definition.about(), first.map(Sample::about), targets);
    boolean lacksTarget =
        definition.about() != null && definition.about().required() && about.isEmpty();
    examples
        .of(definition, sampleData)
        .filter(_ -> !lacksTarget)
        .map(data -> StoredJson.of(data, Map.of()).getBytes(StandardCharsets.UTF_8))
        .filter(data -> data.length <= MAX_EXAMPLE_BYTES)
        .ifPresent(data -> example(shape.name(), about, seq, data, out));
    out.endArray().end();
  }

  private void write(BuiltinShape shape, EntityCounts.Counts counted, JsonOut out) {
    out.object().name("name").value(shape.shapeName());
    definition(definitions.of(shape.definition()), out);
    out.name("count").value(counted.of(shape.shapeName())).end();
  }

  private static void definition(ShapeDefinition definition, JsonOut out) {
    if (definition.description() != null) {
      out.name("description").value(definition.description());
    }
    if (definition.about() != null) {
      about(definition.about(), out.name("about"));
    }
    new ShapeFields(out.name("fields")).write(definition.fields());
  }

  private static void about(AboutRule rule, JsonOut out) {
    if (rule.allowsAny() || !rule.required()) {
      out.value(rule.required());
      return;
    }
    out.array();
    rule.shapes().forEach(out::value);
    rule.globs().forEach(out::value);
    out.endArray();
  }

  /** A target for the example of a shape with this rule, which may be null. */
  private static Optional<String> about(
      AboutRule rule, Optional<String> ofSample, ExampleTargets targets) {
    if (rule == null) {
      return ofSample;
    }
    if (!rule.required()) {
      return Optional.empty();
    }
    if (ofSample.isPresent()) {
      return ofSample;
    }
    return rule.allowsAny()
        ? targets.apply(Optional.empty())
        : rule.shapes().stream().flatMap(s -> targets.apply(Optional.of(s)).stream()).findFirst();
  }

  private static Optional<String> target(
      Optional<String> wanted, Map<String, List<Sample>> samples, Optional<String> any) {
    return wanted.isEmpty() ? any : wanted.map(samples::get).map(List::getFirst).map(Sample::wref);
  }

  /** Finds an entity of a shape, or of any, for an example to refer to. */
  @FunctionalInterface
  private interface ExampleTargets extends Function<Optional<String>, Optional<String>> {}

  /** The example's name contains the next sequence number, so it is most likely free. */
  private static void example(
      String shape, Optional<String> about, long seq, byte[] data, JsonOut out) {
    out.object().name("operation").value("add");
    out.name("name").value(shape + "/example-" + (seq + 1));
    about.ifPresent(target -> out.name("about").value(target));
    out.name("data").stored(data).end();
  }
}
