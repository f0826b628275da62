package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.export.Exports.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.CollectionType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Makes a copy of any HEAD out of its export: docs/export.md, A copy of any HEAD. */
final class Replay {
  /** How many a commit has: so few that what belongs together comes in several. */
  private static final int OPERATIONS = 50;

  private static final JsonNode NO_FIELDS = Exports.read("{\"fields\":{}}");
  private static final JsonNode NOTHING = Exports.read("{}");

  private final String copy = Api.newRepository("private");
  private final Map<String, ObjectNode> lines = new LinkedHashMap<>();
  private final Set<String> absent;

  /** How many lines have the type and the members of a collection. */
  private final Map<String, Integer> alike = new HashMap<>();

  private Replay(List<ObjectNode> all) {
    all.forEach(line -> lines.put(line.get("wref").textValue(), line));
    absent = absent(all);
    collections().forEach(line -> alike.merge(contents(line), 1, Integer::sum));
  }

  /** Copies everything into a new repository; answers its path. */
  static String of(String ndjson) {
    var replay = new Replay(Exports.lines(ndjson));
    replay.run();
    return replay.copy;
  }

  private void run() {
    apply(shapes().map(line -> one(add(wref(line), NO_FIELDS))));
    var placeholders = placeholders();
    apply(placeholders.stream());
    addAll(lines.values().stream().filter(line -> !isShape(line)).toList());
    apply(shapes().map(line -> one(revise(line))));
    revise();
    apply(placeholders.stream().map(unit -> one(retract(unit.getLast().get("name").textValue()))));
  }

  /** What is of no line, though a line refers to it or is of it. */
  private static Set<String> absent(List<ObjectNode> lines) {
    var there = new TreeSet<String>();
    var named = new TreeSet<String>();
    var references = new LineReferences(lines);
    for (var line : lines) {
      there.add(wref(line));
      named.add("Shape/" + shapeName(line));
      named.addAll(references.of(line));
    }
    List.copyOf(named).forEach(wref -> named.add("Shape/" + wref.substring(0, wref.indexOf('/'))));
    named.removeAll(there);
    named.removeIf(
        wref -> wref.startsWith("Shape/") && BuiltinShape.named(wref.substring(6)).isPresent());
    return named;
  }

  /** What stands in for the absent, shapes first; the last operation of each is its add. */
  private List<List<ObjectNode>> placeholders() {
    var shapes = new ArrayList<List<ObjectNode>>();
    var things = new ArrayList<List<ObjectNode>>();
    var collections = new ArrayList<List<ObjectNode>>();
    var member = freeName();
    for (var wref : absent) {
      var shapeName = wref.substring(0, wref.indexOf('/'));
      var type = CollectionType.ofShape(shapeName);
      if (shapeName.equals("Shape")) {
        shapes.add(one(add(wref, NO_FIELDS)));
      } else if (type.isPresent()) {
        var unit = anew(member, 1);
        unit.add(add(wref, memberOnly(type.get(), member)));
        collections.add(unit);
      } else {
        things.add(one(add(wref, shapeName.equals("Content") ? emptyText() : NOTHING)));
      }
    }
    if (!collections.isEmpty()) {
      things.add(one(add(member, NOTHING)));
    }
    return Stream.of(shapes, things, collections).flatMap(List::stream).toList();
  }

  private static JsonNode emptyText() {
    return JSON.createObjectNode().put("content", "");
  }

  /** A name for a member that no collection of the export has. */
  private String freeName() {
    var name = "ComponentConfig/placeholder";
    while (lines.containsKey(name) || absent.contains(name)) {
      name += "-";
    }
    return name;
  }

  private static JsonNode memberOnly(CollectionType type, String member) {
    var data = JSON.createObjectNode();
    for (var field : type.fields()) {
      if (type.isOpen()) {
        data.putArray(field).add(member);
      } else {
        data.put(field, member);
      }
    }
    return data;
  }

  /** What waits for something that comes later, in its about or its members, is sent once more. */
  private void addAll(List<ObjectNode> all) {
    var waiting = all;
    while (!waiting.isEmpty()) {
      var results = send(waiting.stream().map(this::adding).toList());
      var refused = new ArrayList<ObjectNode>();
      for (int i = 0; i < results.size(); i++) {
        var status = results.get(i).get("status").textValue();
        assertTrue(!status.equals("noop"), results.get(i)::toString);
        if (status.equals("error")) {
          refused.add(waiting.get(i));
        }
      }
      assertTrue(refused.size() < waiting.size(), () -> "cannot be added: " + results);
      waiting = refused;
    }
  }

  private List<ObjectNode> adding(ObjectNode line) {
    if (CollectionType.ofShape(shapeName(line)).isPresent()) {
      return addingCollection(line);
    }
    var add = Exports.operation(line);
    if (BuiltinShape.named(shapeName(line)).isEmpty()) {
      add.set("data", NOTHING);
    }
    return one(add);
  }

  private List<ObjectNode> addingCollection(ObjectNode line) {
    var add = Exports.operation(line).<ObjectNode>deepCopy();
    var unit = new ArrayList<ObjectNode>();
    if (shapeName(line).equals("Set")) {
      var counts = new HashMap<String, Integer>();
      members(line).forEach(member -> counts.merge(member, 1, Integer::sum));
      counts.forEach((member, count) -> unit.addAll(anew(member, count - 1)));
      add.set("data", numbered((ArrayNode) line.get("data").get("members"), counts));
    }
    if (unit.isEmpty() && alike.get(contents(line)) > 1) {
      members(line).stream()
          .filter(Replay::canChange)
          .findFirst()
          .ifPresent(member -> unit.addAll(anew(member, 1)));
    }
    unit.add(add);
    return unit;
  }

  /** Names the members of a set that stand there several times by different versions. */
  private static JsonNode numbered(ArrayNode members, Map<String, Integer> counts) {
    var seen = new HashMap<String, Integer>();
    var data = JSON.createObjectNode();
    var array = data.putArray("members");
    for (var member : members) {
      var wref = member.textValue();
      int number = seen.merge(wref, 1, Integer::sum);
      array.add(number < counts.get(wref) ? wref + "@v" + number : wref);
    }
    return data;
  }

  /** Gives an entity newer versions that are as it was. */
  private static List<ObjectNode> anew(String wref, int times) {
    var operations = new ArrayList<ObjectNode>();
    for (int i = 0; i < times; i++) {
      operations.add(retract(wref));
      operations.add(operation("revise", wref).put("active", true));
    }
    return operations;
  }

  private static boolean canChange(String member) {
    return !member.startsWith("cairn:")
        && !(member.startsWith("Shape/") && BuiltinShape.named(member.substring(6)).isPresent());
  }

  /** Revises everything to its line; what does not come out as it was, under another shape. */
  private void revise() {
    var open =
        lines.values().stream()
            .filter(line -> BuiltinShape.named(shapeName(line)).isEmpty())
            .toList();
    var results = send(open.stream().map(line -> one(revise(line))).toList());
    var mended = new LinkedHashMap<String, Map<JsonNode, List<ObjectNode>>>();
    for (int i = 0; i < results.size(); i++) {
      var line = open.get(i);
      var definition = otherShape(line, results.get(i));
      if (definition != null) {
        mended
            .computeIfAbsent(shapeName(line), _ -> new LinkedHashMap<>())
            .computeIfAbsent(definition, _ -> new ArrayList<>())
            .add(line);
      }
    }
    mended.forEach(this::mend);
  }

  private void mend(String shapeName, Map<JsonNode, List<ObjectNode>> byDefinition) {
    var shape = "Shape/" + shapeName;
    byDefinition.forEach(
        (definition, some) -> {
          apply(Stream.of(one(revise(shape, definition))));
          apply(some.stream().map(line -> one(revise(line))));
        });
    var line = lines.get(shape);
    apply(Stream.of(one(revise(shape, line == null ? NO_FIELDS : line.get("data")))));
  }

  /**
   * The definition under which the line gets its hash; null where it has it, or gets it under none,
   * since it refers to something that was renamed.
   */
  private static JsonNode otherShape(ObjectNode line, JsonNode result) {
    var wanted = line.get("dataHash");
    var data = line.get("data");
    boolean refused = result.get("status").textValue().equals("error");
    if (!refused && result.get("dataHash").equals(wanted)) {
      return null;
    }
    if (hash(data).equals(wanted.textValue())) {
      return NO_FIELDS;
    }
    if (hash(ForeignReferences.unversioned(data)).equals(wanted.textValue())) {
      return ForeignReferences.definition(data).orElseThrow();
    }
    return refused ? NO_FIELDS : null;
  }

  private static String hash(JsonNode data) {
    return HexFormat.of().formatHex(CanonicalJson.hash(CanonicalJson.of(data)));
  }

  private void apply(Stream<List<ObjectNode>> units) {
    for (var result : send(units.toList())) {
      assertTrue(!result.get("status").textValue().equals("error"), result::toString);
    }
  }

  /** Sends operations in commits, each unit in one; answers the results of their last ones. */
  private List<JsonNode> send(List<List<ObjectNode>> units) {
    var results = new ArrayList<JsonNode>();
    var operations = JSON.createArrayNode();
    var last = new ArrayList<Integer>();
    for (var unit : units) {
      if (operations.size() + unit.size() > OPERATIONS && !operations.isEmpty()) {
        results.addAll(commit(operations, last));
        operations.removeAll();
        last.clear();
      }
      operations.addAll(unit);
      last.add(operations.size() - 1);
    }
    results.addAll(commit(operations, last));
    return results;
  }

  private List<JsonNode> commit(ArrayNode operations, List<Integer> wanted) {
    if (operations.isEmpty()) {
      return List.of();
    }
    var body = JSON.createObjectNode().put("atomic", false);
    body.set("operations", operations);
    var answer = admin().body(body.toString()).post(copy + "/commits");
    assertEquals(2, answer.statusCode() / 100, answer::asString);
    var results = Exports.read(answer.asString()).get("operations");
    return wanted.stream().map(results::get).toList();
  }

  private Stream<ObjectNode> shapes() {
    return lines.values().stream().filter(Replay::isShape);
  }

  private Stream<ObjectNode> collections() {
    return lines.values().stream()
        .filter(line -> CollectionType.ofShape(shapeName(line)).isPresent());
  }

  /** Its type and its members; those of a set may stand in any order where some were renamed. */
  private static String contents(ObjectNode line) {
    var members = members(line);
    if (shapeName(line).equals("Set")) {
      members.sort(null);
    }
    return shapeName(line) + members;
  }

  /** The members of a collection, in order. */
  static List<String> members(ObjectNode line) {
    var members = new ArrayList<String>();
    for (var value : line.get("data")) {
      (value.isArray() ? value : List.of(value)).forEach(one -> members.add(one.textValue()));
    }
    return members;
  }

  private static boolean isShape(ObjectNode line) {
    return line.get("kind").textValue().equals("shape");
  }

  private static String wref(ObjectNode line) {
    return line.get("wref").textValue();
  }

  private static String shapeName(ObjectNode line) {
    return line.get("shapeName").textValue();
  }

  private static List<ObjectNode> one(ObjectNode operation) {
    return List.of(operation);
  }

  private static ObjectNode add(String wref, JsonNode data) {
    return operation("add", wref).set("data", data);
  }

  private static ObjectNode revise(ObjectNode line) {
    return revise(wref(line), line.get("data"));
  }

  private static ObjectNode revise(String wref, JsonNode data) {
    return operation("revise", wref).set("data", data);
  }

  private static ObjectNode retract(String wref) {
    return operation("retract", wref);
  }

  private static ObjectNode operation(String word, String wref) {
    return JSON.createObjectNode().put("operation", word).put("name", wref);
  }
}
