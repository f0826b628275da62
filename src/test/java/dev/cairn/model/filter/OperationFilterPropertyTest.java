package dev.cairn.model.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.model.EntityKind;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.filter.OperationFilterTest.Done;
import dev.cairn.model.glob.NaiveGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Any filter says of any operation what its JSON says, read word for word. */
class OperationFilterPropertyTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Map<String, List<String>> LEAVES =
      Map.of(
          "operation", List.of("add", "revise", "retract", "rename"),
          "kind", List.of("shape", "thing", "assertion", "collection"),
          "shape", List.of("Sensor", "Pair", "Shape", "Note"),
          "name", List.of("a", "Sensor", "Sensor/a", "Shape/Sensor", "x/y", "Note/x/y"),
          "match",
              List.of(
                  "**",
                  "Sensor/*",
                  "*/a",
                  "Shape/*",
                  "Note/**",
                  "*/x/?",
                  "**/a/**",
                  "Sensor/a/**",
                  "{Sensor,Note}/{a,x}/**",
                  "**/Note/**/y"));

  @Property(tries = 5_000)
  void it_agrees_with_a_naive_reading(
      @ForAll("filters") JsonNode filter, @ForAll("operations") Done operation) {
    var parsed = OperationFilter.parse(filter);
    boolean expected = naive(filter, operation);
    assertEquals(expected, parsed.matches(operation, MatchingBudget.ofCommit()));
  }

  @Property(tries = 2_000)
  void an_index_finds_every_filter_that_matches(
      @ForAll @Size(max = 20) List<@From("filters") JsonNode> filters,
      @ForAll("operations") Done operation) {
    var parsed = filters.stream().map(OperationFilter::parse).toList();
    var found = new FilterIndex(parsed).candidates(operation.wref(), MatchingBudget.ofCommit());
    for (int place = 0; place < parsed.size(); place++) {
      var filter = parsed.get(place);
      if (filter.matches(operation, MatchingBudget.ofCommit())) {
        assertTrue(found.get(place), "it is found");
      }
    }
  }

  private static boolean naive(JsonNode filter, Done operation) {
    if (operation.operation().equals("rename") && values(filter, "operation").isEmpty()) {
      return false;
    }
    return holds(filter, operation);
  }

  /** What the filter says of a member, wherever it says so. */
  private static List<String> values(JsonNode filter, String member) {
    var found = new ArrayList<String>();
    for (var at : filter.findValues(member)) {
      if (at.isTextual()) {
        found.add(at.textValue());
      }
      at.elements().forEachRemaining(item -> found.add(item.asText()));
    }
    return found;
  }

  private static boolean holds(JsonNode filter, Done operation) {
    return filter.properties().stream()
        .allMatch(
            member ->
                switch (member.getKey()) {
                  case "all" -> each(member.getValue()).stream().allMatch(f -> holds(f, operation));
                  case "any" -> each(member.getValue()).stream().anyMatch(f -> holds(f, operation));
                  case "not" -> !holds(member.getValue(), operation);
                  default ->
                      each(member.getValue()).stream()
                          .anyMatch(v -> leaf(member.getKey(), v.textValue(), operation));
                });
  }

  private static List<JsonNode> each(JsonNode value) {
    var items = new ArrayList<JsonNode>();
    value.elements().forEachRemaining(items::add);
    return value.isArray() ? items : List.of(value);
  }

  private static boolean leaf(String member, String value, Done operation) {
    boolean isShape = operation.kind() == EntityKind.SHAPE;
    return switch (member) {
      case "operation" ->
          value.equals(operation.operation())
              || (value.equals("revise") && operation.operation().equals("retract"));
      case "kind" ->
          value.equals("collection")
              ? operation.kind() == EntityKind.THING
                  && List.of("Pair", "Triple", "Set", "List").contains(operation.shapeName())
              : value.equals(operation.kind().wire());
      case "shape" ->
          value.equals(operation.shapeName()) || (isShape && value.equals(operation.name()));
      case "name" -> value.equals(operation.name()) || value.equals(operation.wref());
      case "match" -> NaiveGlob.matches(value, operation.wref());
      default -> throw new AssertionError(member);
    };
  }

  @Provide
  Arbitrary<JsonNode> filters() {
    return filter(2);
  }

  private static Arbitrary<JsonNode> filter(int levels) {
    var members = LEAVES.keySet().stream().sorted().map(m -> leaf(m)).toList();
    var all = new ArrayList<Arbitrary<Map.Entry<String, JsonNode>>>(members);
    if (levels > 0) {
      var inner = filter(levels - 1);
      var list =
          inner.list().ofMinSize(1).ofMaxSize(3).map(parts -> NODES.arrayNode().addAll(parts));
      all.add(list.map(parts -> Map.entry("all", parts)));
      all.add(list.map(parts -> Map.entry("any", parts)));
      all.add(inner.map(part -> Map.entry("not", part)));
    }
    return Arbitraries.oneOf(all)
        .list()
        .ofMaxSize(3)
        .map(
            entries -> {
              var object = NODES.objectNode();
              entries.forEach(entry -> object.set(entry.getKey(), entry.getValue()));
              return object;
            });
  }

  private static Arbitrary<Map.Entry<String, JsonNode>> leaf(String member) {
    Arbitrary<String> text = Arbitraries.of(LEAVES.get(member));
    Arbitrary<JsonNode> one = text.map(NODES::textNode);
    // One pattern each: a filter has ten at most.
    Arbitrary<JsonNode> some =
        member.equals("match")
            ? one
            : text.list()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(
                    texts ->
                        NODES.arrayNode().addAll(texts.stream().map(NODES::textNode).toList()));
    return Arbitraries.oneOf(one, some).map(value -> Map.entry(member, value));
  }

  @Provide
  Arbitrary<Done> operations() {
    var operation = Arbitraries.of("add", "revise", "retract", "rename");
    var name = Arbitraries.of("a", "x/y", "b");
    var things =
        Combinators.combine(
                operation,
                Arbitraries.of(EntityKind.THING, EntityKind.ASSERTION),
                Arbitraries.of("Sensor", "Note", "Pair"),
                name)
            .as(Done::new);
    var shapes =
        Combinators.combine(operation, Arbitraries.of("Sensor", "Note"))
            .as((word, shape) -> new Done(word, EntityKind.SHAPE, "Shape", shape));
    return Arbitraries.oneOf(things, shapes);
  }
}
