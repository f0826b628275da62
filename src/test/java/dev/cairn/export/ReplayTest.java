package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.export.Exports.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An export that is added line by line to an empty repository rebuilds the HEAD: the same entities
 * with the same data and hashes, for repositories with any kind of history.
 */
@HttpTest
@QuarkusTest
class ReplayTest {
  private static final int STEPS = 120;
  private static final List<String> NAMES =
      List.of("a", "ä", "日本/語", "🙂", "x\"y", "a/b/c", "é", "-", "Ω'", "名");

  /**
   * A history that makes no circles, and refers to nothing that is or becomes inactive: these
   * cannot be added again.
   */
  private static final class History {
    private final Random random;
    private final ArrayNode operations = JSON.createArrayNode();

    /** What there is, in the order in which it could be added, with what it refers to. */
    private final List<String> entities = new ArrayList<>();

    private final Map<String, Set<String>> references = new TreeMap<>();
    private final Set<String> revisable = new HashSet<>();
    private final Set<String> pinnedTwice = new HashSet<>();

    /** What refers to something that was renamed since: its hash has the former name. */
    private final Set<String> outdated = new HashSet<>();

    private int counter;

    History(long seed) {
      random = new Random(seed);
      var fields = JSON.createObjectNode();
      fields.put("to?", "wref").put("text?", "string");
      fields.putArray("many?").add("wref");
      for (var shape : List.of("Node", "Other")) {
        add("Shape/" + shape, operation("add", "Shape/" + shape), Set.of())
            .putObject("data")
            .set("fields", fields);
        entities.remove("Shape/" + shape);
      }
    }

    /** The operations, of which each is a commit of its own. */
    List<String> commits() {
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      var commits = new ArrayList<String>();
      operations.forEach(o -> commits.add("{\"operations\":[" + o + "]}"));
      return commits;
    }

    private void step() {
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> addNode(null);
        case 3, 4 -> addNode(any());
        case 5 -> addCollection();
        case 6, 7 -> revise();
        case 8 -> retract();
        default -> rename();
      }
    }

    private ObjectNode operation(String word, String name) {
      return JSON.createObjectNode().put("operation", word).put("name", name);
    }

    private ObjectNode add(String wref, ObjectNode operation, Set<String> to) {
      operations.add(operation);
      entities.add(wref);
      references.put(wref, new HashSet<>(to));
      return operation;
    }

    private String fresh(String shape) {
      return shape + "/" + NAMES.get(random.nextInt(NAMES.size())) + counter++;
    }

    private String any() {
      return entities.isEmpty() ? null : entities.get(random.nextInt(entities.size()));
    }

    private void addNode(String about) {
      var wref = fresh(random.nextBoolean() ? "Node" : "Other");
      var to = new HashSet<String>();
      var operation = operation("add", wref);
      operation.set("data", data(wref, to, entities.size()));
      if (about != null) {
        operation.put("about", about);
        to.add(about);
      }
      add(wref, operation, to);
      if (about == null) {
        revisable.add(wref);
      }
    }

    /** Data with references to what stands before a place. */
    private ObjectNode data(String wref, Set<String> to, int before) {
      var data = JSON.createObjectNode().put("text", "of " + counter++ + " \u2028\"\\\n" + wref);
      if (before > 0 && random.nextBoolean()) {
        data.put("to", refer(to, before));
      }
      if (before > 0 && random.nextInt(3) == 0) {
        data.putArray("many").add(refer(to, before)).add(refer(to, before));
      }
      return data;
    }

    private String refer(Set<String> to, int before) {
      var target = entities.get(random.nextInt(before));
      to.add(target);
      return target;
    }

    /** Its members differ, and stay as they are called: a set is sorted by names. */
    private void addCollection() {
      var members = new HashSet<String>();
      for (int i = 0; i < 3 && !entities.isEmpty(); i++) {
        members.add(any());
      }
      if (members.size() < 2 || !pinnedTwice.add(members.toString())) {
        return;
      }
      var wref = fresh("Set");
      var operation = operation("add", wref).put("type", "set");
      var array = operation.putArray("members");
      members.forEach(array::add);
      add(wref, operation, members);
    }

    /** What is revised may refer to anything that does not depend on it, also to what is newer. */
    private void revise() {
      var wref = any();
      if (wref == null || !revisable.contains(wref)) {
        return;
      }
      var all = List.copyOf(entities);
      var free = all.stream().filter(other -> !reaches(other, wref)).toList();
      entities.clear();
      entities.addAll(free);
      var to = new HashSet<String>();
      var operation = operation("revise", wref);
      operation.set("data", data(wref, to, free.size()));
      entities.clear();
      entities.addAll(all);
      operations.add(operation);
      references.put(wref, to);
      outdated.remove(wref);
    }

    private boolean reaches(String from, String to) {
      return from.equals(to)
          || references.getOrDefault(from, Set.of()).stream().anyMatch(next -> reaches(next, to));
    }

    private void retract() {
      var wref = any();
      if (wref != null && isFree(wref)) {
        operations.add(operation("retract", wref));
        entities.remove(wref);
        references.remove(wref);
      }
    }

    private boolean isFree(String wref) {
      return references.values().stream().noneMatch(to -> to.contains(wref));
    }

    private void rename() {
      var wref = any();
      if (wref == null
          || references.entrySet().stream()
              .anyMatch(e -> e.getKey().startsWith("Set/") && e.getValue().contains(wref))) {
        return;
      }
      var renamed = fresh(wref.substring(0, wref.indexOf('/')));
      operations.add(operation("rename", wref).put("newName", renamed));
      entities.set(entities.indexOf(wref), renamed);
      references.put(renamed, references.remove(wref));
      if (revisable.remove(wref)) {
        revisable.add(renamed);
      }
      if (outdated.remove(wref)) {
        outdated.add(renamed);
      }
      references.forEach(
          (from, to) -> {
            if (to.remove(wref)) {
              to.add(renamed);
              outdated.add(from);
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void an_export_added_to_an_empty_repository_gives_the_same_head(long seed) {
    var history = new History(seed);
    var repository = Api.newRepository("private");
    for (var commit : history.commits()) {
      var answer = admin().body(commit).post(repository + "/commits");
      assertEquals(201, answer.statusCode(), answer::asString);
    }

    var original = Exports.stream(repository);
    var copy = Exports.stream(Exports.replay(original));
    var copyOfCopy = Exports.stream(Exports.replay(copy));

    assertEquals(Exports.content(copy), Exports.content(copyOfCopy));
    var expected = Exports.content(original);
    var found = Exports.content(copy);
    // Of what refers to something that was renamed, the hash has the name of the write.
    assertTrue(expected.size() > history.outdated.size() + 5, "little is compared");
    for (var wref : history.outdated) {
      expected.get(wref).remove("dataHash");
      found.get(wref).remove("dataHash");
    }
    assertEquals(expected, found);
  }
}
