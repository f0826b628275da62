package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.DataValidator;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * docs/export.md, A copy of any HEAD: whatever its history was, the export of a repository gives
 * the same HEAD again, hash by hash.
 */
@HttpTest
@QuarkusTest
class ReplayOfAnyHeadTest {
  private static final int STEPS = 300;
  private static final long[] SEEDS = {1, 4, 11};

  /** What makes a HEAD hard to copy; each occurs in one of the histories. */
  private enum HardCase {
    CIRCLE,
    TO_INACTIVE_THING,
    TO_INACTIVE_ASSERTION,
    TO_INACTIVE_COLLECTION,
    TO_INACTIVE_SHAPE,
    ABOUT_INACTIVE,
    ABOUT_ASSERTION,
    ABOUT_COLLECTION,
    ABOUT_SHAPE,
    OF_INACTIVE_SHAPE,
    INACTIVE_OF_INACTIVE_SHAPE,
    MISMATCHED,
    EQUAL_MEMBERS,
    MEMBER_TWICE,
    COLLECTION_OF_COLLECTION,
    COLLECTION_OF_ASSERTION,
    NESTED,
    TO_ANOTHER_REPOSITORY,
    HIERARCHICAL
  }

  /** An edge of HEAD, with what is known of its ends. */
  private record Edge(
      String from, String to, String pointer, String kind, boolean active, boolean typed) {
    String shape() {
      return to.substring(0, to.indexOf('/'));
    }
  }

  @Test
  void the_same_head_hash_by_hash() {
    var missing = EnumSet.allOf(HardCase.class);
    for (long seed : SEEDS) {
      var repository = new RandomHistory(seed, false, foreign()).after(STEPS);
      Stored.assertCounted(repository);
      var original = Exports.stream(repository);
      var edges = edges(repository);
      missing.removeAll(cases(original, edges));

      var copy = Replay.of(original);
      assertEquals(
          Exports.content(original), Exports.content(Exports.stream(copy)), "seed " + seed);
      assertEquals(typed(edges), among(edges(copy), typed(edges)), "seed " + seed);
    }
    assertEquals(Set.of(), missing, "the histories are too tame");
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6, 7})
  void where_targets_were_renamed_all_but_their_hashes_and_the_order_of_sets(long seed) {
    var repository = new RandomHistory(seed, true, foreign()).after(STEPS);
    Stored.assertCounted(repository);
    var original = Exports.stream(repository);

    var copy = Exports.stream(Replay.of(original));
    var expected = Exports.content(original);
    var found = Exports.content(copy);
    int renamed = 0;
    for (var line : expected.values()) {
      if (hasOtherNames(line)) {
        renamed++;
        without(line);
        without(found.get(line.get("wref").textValue()));
      }
    }
    assertEquals(expected, found);
    assertTrue(renamed > 5 && renamed < expected.size() / 2, () -> "of " + expected.size());
    assertEquals(Exports.content(copy), Exports.content(Exports.stream(Replay.of(copy))));
  }

  @Test
  void the_demo_repository() {
    var original = Exports.stream("/api/repos/demo/world");
    assertEquals(Exports.content(original), Exports.content(Exports.stream(Replay.of(original))));
  }

  /** Something with two versions in a repository of its own, by its canonical wref. */
  private static String foreign() {
    var other = Api.newRepository("private");
    Prepared.commit(other, "{'operation':'add','name':'Far','data':{'fields':{}}}");
    Prepared.commit(other, "{'operation':'add','name':'Far/off','data':{}}");
    Prepared.commit(other, "{'operation':'revise','name':'Far/off','data':{'n':1}}");
    return "cairn:" + other.substring("/api/repos/".length()) + "/Far/off";
  }

  /** Whether its hash is of other names than those that it shows. */
  private static boolean hasOtherNames(ObjectNode line) {
    var hash = line.get("dataHash").textValue();
    return !hash.equals(hash(line.get("data")))
        && !hash.equals(hash(ForeignReferences.unversioned(line.get("data"))));
  }

  private static String hash(JsonNode data) {
    return HexFormat.of().formatHex(CanonicalJson.hash(CanonicalJson.of(data)));
  }

  /** Takes away what depends on the names of the write. */
  private static void without(ObjectNode line) {
    line.remove("dataHash");
    if (line.get("shapeName").textValue().equals("Set")) {
      var members = new ArrayList<>(Replay.members(line));
      members.sort(null);
      line.putPOJO("data", members.toString());
    }
  }

  private static Set<String> typed(List<Edge> edges) {
    var typed = new TreeSet<String>();
    edges.stream().filter(Edge::typed).forEach(e -> typed.add(e.from + e.pointer + " " + e.to));
    return typed;
  }

  /** The edges that are also in {@code others}, whatever shape they were validated with. */
  private static Set<String> among(List<Edge> edges, Set<String> others) {
    var all = new TreeSet<String>();
    edges.forEach(e -> all.add(e.from + e.pointer + " " + e.to));
    all.retainAll(others);
    return all;
  }

  /** The edges out of the data of what is active. */
  private static List<Edge> edges(String repository) {
    return OwnConnections.database()
        .list(
            """
            select f.shape_name || '/' || f.name, t.shape_name || '/' || t.name, r.pointer,
                   t.kind, t.active, s.active and f.shape_version = s.version
            from entity f
            join entity s on s.repo_id = f.repo_id and s.id = f.shape_id
            join reference r
              on r.repo_id = f.repo_id and r.from_id = f.id and r.from_version = f.version
            join entity t on t.repo_id = r.to_repo_id and t.id = r.to_id
            where f.repo_id = ? and f.active
            """,
            row ->
                new Edge(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getBoolean(5),
                    row.getBoolean(6)),
            Api.repoId(repository));
  }

  private static Set<HardCase> cases(String ndjson, List<Edge> edges) {
    var cases = EnumSet.noneOf(HardCase.class);
    var lines = Exports.lines(ndjson);
    var order = Exports.wrefs(ndjson);
    for (var edge : edges) {
      boolean collection = isCollection(edge.shape());
      find(cases, HardCase.CIRCLE, order.indexOf(edge.to) >= order.indexOf(edge.from));
      if (!edge.active) {
        cases.add(
            switch (edge.kind) {
              case "shape" -> HardCase.TO_INACTIVE_SHAPE;
              case "assertion" -> HardCase.TO_INACTIVE_ASSERTION;
              default -> collection ? HardCase.TO_INACTIVE_COLLECTION : HardCase.TO_INACTIVE_THING;
            });
        find(
            cases,
            HardCase.INACTIVE_OF_INACTIVE_SHAPE,
            BuiltinShape.named(edge.shape()).isEmpty() && !order.contains("Shape/" + edge.shape()));
      }
      boolean inCollection = isCollection(edge.from.substring(0, edge.from.indexOf('/')));
      find(cases, HardCase.COLLECTION_OF_COLLECTION, inCollection && collection);
      find(cases, HardCase.COLLECTION_OF_ASSERTION, inCollection && edge.kind.equals("assertion"));
      find(cases, HardCase.NESTED, edge.pointer.startsWith("/in/deep/many/"));
      find(cases, HardCase.TO_ANOTHER_REPOSITORY, edge.to.equals("Far/off"));
    }
    var contents = new HashSet<String>();
    for (var line : lines) {
      ofLine(cases, line, lines, contents);
    }
    return cases;
  }

  private static void ofLine(
      Set<HardCase> cases, ObjectNode line, List<ObjectNode> lines, Set<String> contents) {
    var shapeName = line.get("shapeName").textValue();
    find(cases, HardCase.HIERARCHICAL, line.get("name").textValue().contains("/"));
    var about = line.path("aboutWref").textValue();
    if (about != null) {
      var target = find(lines, other -> other.get("wref").textValue().equals(about));
      find(cases, HardCase.ABOUT_INACTIVE, target == null && !about.startsWith("cairn:"));
      find(cases, HardCase.ABOUT_ASSERTION, target != null && target.has("aboutWref"));
      find(
          cases,
          HardCase.ABOUT_COLLECTION,
          target != null && isCollection(target.get("shapeName").textValue()));
      find(cases, HardCase.ABOUT_SHAPE, about.startsWith("Shape/"));
    }
    if (isCollection(shapeName)) {
      var members = Replay.members(line);
      find(cases, HardCase.EQUAL_MEMBERS, !contents.add(shapeName + members));
      find(
          cases,
          HardCase.MEMBER_TWICE,
          shapeName.equals("Set") && Set.copyOf(members).size() < members.size());
    } else if (BuiltinShape.named(shapeName).isEmpty()) {
      var shape = find(lines, other -> other.get("wref").textValue().equals("Shape/" + shapeName));
      find(cases, HardCase.OF_INACTIVE_SHAPE, shape == null);
      find(cases, HardCase.MISMATCHED, shape != null && !matches(line, shape));
    }
  }

  private static boolean matches(ObjectNode line, ObjectNode shape) {
    var definition = ShapeDefinition.parse(shape.get("data"));
    var budget = ValidationBudget.ofCommit();
    return DataValidator.validate(definition, line.get("data"), budget).violations().isEmpty();
  }

  private static boolean isCollection(String shapeName) {
    return BuiltinShape.named(shapeName).filter(BuiltinShape::isCollection).isPresent();
  }

  private static void find(Set<HardCase> cases, HardCase hard, boolean is) {
    if (is) {
      cases.add(hard);
    }
  }

  private static ObjectNode find(List<ObjectNode> lines, Predicate<ObjectNode> wanted) {
    return lines.stream().filter(wanted).findFirst().orElse(null);
  }
}
