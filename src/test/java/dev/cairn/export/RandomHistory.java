package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.export.Exports.JSON;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/**
 * A repository with whatever operations can make of it. Each operation is a commit of its own; the
 * service says whether it may be, and what it does not allow is left out.
 */
final class RandomHistory {
  private static final List<String> NAMES =
      List.of("a", "ä", "日本/語", "🙂", "x\"y", "a/b/c", "é", "-", "Ω'", "名");
  private static final List<String> SHAPES = List.of("Node", "Other", "Third", "Fourth");
  private static final Set<Integer> ANSWERS = Set.of(200, 201, 400, 404, 409);

  /** What a shape's definition declares, and so what the data of its things looks like. */
  private enum Form {
    PLAIN("{'text?':'string','to?':'wref','many?':['wref'],'free?':'any'}"),
    REQUIRED("{'to':'wref'}"),
    NESTED("{'in':{'to':'wref','deep?':{'many':['wref']}}}"),
    NARROW("{'to':{'type':'wref','shape':'%s'}}"),
    TEXT("{'to':'string','many?':['string'],'in?':'any'}"),
    ROWS("{'rows':[{'to':'wref','text?':'string'}]}"),
    EMPTY("{}");

    private final String fields;

    Form(String fields) {
      this.fields = fields.replace('\'', '"');
    }
  }

  /** An entity as the service has it. */
  private static final class Entity {
    /** Null for a shape that the service has from the start. */
    final Entity shape;

    String name;
    int version = 1;
    Form form;

    /** The shape that the form asks its targets to have. */
    Entity target;

    Entity(Entity shape, String name) {
      this.shape = shape;
      this.name = name;
    }

    String wref() {
      return (shape == null ? "Shape" : shape.name) + "/" + name;
    }

    boolean isShape() {
      return shape == META;
    }
  }

  private static final Entity META = new Entity(null, "Shape");

  private final String repository = Api.newRepository("private");
  private final Random random;
  private final boolean renames;
  private final String foreign;
  private final List<Entity> shapes = new ArrayList<>();
  private final List<Entity> entities = new ArrayList<>();
  private final List<Entity> collections = new ArrayList<>();
  private int counter;

  /**
   * Begins one.
   *
   * @param renames whether it renames anything
   * @param foreign the canonical wref of something with two versions in another repository
   */
  RandomHistory(long seed, boolean renames, String foreign) {
    this.random = new Random(seed);
    this.renames = renames;
    this.foreign = foreign;
    SHAPES.forEach(this::addShape);
  }

  /**
   * Makes this number of further operations, if they are allowed; returns the repository's path.
   */
  String after(int steps) {
    for (int i = 0; i < steps; i++) {
      step();
    }
    return repository;
  }

  private void step() {
    int number = random.nextInt(100);
    if (number < 18) {
      addThing(null);
    } else if (number < 32) {
      addThing(anyWref());
    } else if (number < 40) {
      addCollection();
    } else if (number < 46) {
      addAgain();
    } else if (number < 76) {
      revise(any());
    } else if (number < 82) {
      reviseShape(shape());
    } else if (number < 87) {
      retract(any());
    } else if (number < 89) {
      retract(shape());
    } else if (number < 94) {
      bringBack(random.nextInt(3) == 0 ? any() : shape());
    } else if (renames) {
      rename(number < 99 ? any() : shape());
    }
  }

  private void addShape(String name) {
    var shape = new Entity(META, name);
    shapes.add(shape);
    var operation = operation("add", shape.wref());
    operation.set("data", definition(shape));
    commit(operation);
    entities.add(shape);
  }

  private void reviseShape(Entity shape) {
    var operation = operation("revise", shape.wref());
    var form = shape.form;
    operation.set("data", definition(shape));
    if (!apply(operation, shape)) {
      shape.form = form;
    }
  }

  private JsonNode definition(Entity shape) {
    shape.form = Form.values()[random.nextInt(Form.values().length)];
    shape.target = shape();
    var fields = Exports.read(shape.form.fields.formatted(shape.target.name));
    var definition = JSON.createObjectNode();
    if (random.nextInt(3) > 0) {
      definition.put("description", "of " + counter++);
    }
    return definition.set("fields", fields);
  }

  private void addThing(String about) {
    if (random.nextInt(12) == 0) {
      var text = operation("add", fresh("Content"));
      text.putObject("data").put("content", "of " + counter);
      add(text, new Entity(new Entity(null, "Content"), null), about);
      return;
    }
    var shape = shape();
    var operation = operation("add", fresh(shape.name));
    operation.set("data", data(shape));
    add(operation, new Entity(shape, null), about);
  }

  private void add(ObjectNode operation, Entity entity, String about) {
    if (about != null) {
      operation.put("about", about);
    }
    var result = commit(operation);
    if (result != null && result.get("status").textValue().equals("applied")) {
      entity.name = result.get("name").textValue();
      entities.add(entity);
    }
  }

  private void addCollection() {
    var types = List.of("pair", "triple", "set", "set", "list");
    var type = types.get(random.nextInt(types.size()));
    var members = JSON.createArrayNode();
    int count = type.equals("pair") ? 2 : type.equals("triple") ? 3 : 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      members.add(anyWref());
    }
    if (type.equals("set") && random.nextBoolean()) {
      var twice = any();
      members.add(twice.wref() + "@v1").add(twice.wref() + version(twice.version));
    }
    addCollection(type, members);
  }

  /** Another one of the same members, in the versions of now. */
  private void addAgain() {
    if (!collections.isEmpty()) {
      var other = collections.get(random.nextInt(collections.size()));
      var members = JSON.createArrayNode();
      membersOf(other).forEach(members::add);
      addCollection(other.shape.name.toLowerCase(Locale.ROOT), members);
    }
  }

  private void addCollection(String type, ArrayNode members) {
    var shapeName = type.substring(0, 1).toUpperCase(Locale.ROOT) + type.substring(1);
    var operation = operation("add", fresh(shapeName)).put("type", type);
    operation.set("members", members);
    var collection = new Entity(new Entity(null, shapeName), null);
    add(operation, collection, null);
    if (collection.name != null) {
      collections.add(collection);
    }
  }

  private List<String> membersOf(Entity collection) {
    var encoded = URLEncoder.encode(collection.wref(), StandardCharsets.UTF_8);
    var answer = admin().get(repository + "/things/" + encoded.replace("+", "%20"));
    assertTrue(answer.statusCode() == 200, answer::asString);
    return Replay.members((ObjectNode) Exports.read(answer.asString())).stream()
        .map(RandomHistory::bare)
        .toList();
  }

  private static String bare(String wref) {
    int at = wref.indexOf('@');
    return at < 0 ? wref : wref.substring(0, at);
  }

  private String version(int most) {
    return "@v" + (1 + random.nextInt(most));
  }

  private void revise(Entity entity) {
    if (entity.shape.form != null) {
      var operation = operation("revise", entity.wref());
      operation.set("data", data(entity.shape));
      apply(operation, entity);
    }
  }

  private void retract(Entity entity) {
    apply(operation("retract", entity.wref()), entity);
  }

  private void bringBack(Entity entity) {
    apply(operation("revise", entity.wref()).put("active", true), entity);
  }

  private void rename(Entity entity) {
    var name = fresh("");
    var renamed = entity.isShape() ? "Renamed" + counter : name.substring(1);
    var result = commit(operation("rename", entity.wref()).put("newName", renamed));
    if (result != null) {
      entity.name = result.get("name").textValue();
    }
  }

  private boolean apply(ObjectNode operation, Entity entity) {
    var result = commit(operation);
    if (result != null) {
      entity.version = result.get("version").intValue();
    }
    return result != null;
  }

  private JsonNode data(Entity shape) {
    var data = JSON.createObjectNode();
    switch (shape.form) {
      case PLAIN -> plain(data);
      case REQUIRED -> data.put("to", anyWref());
      case NESTED -> {
        var in = data.putObject("in").put("to", anyWref());
        if (random.nextInt(4) > 0) {
          many(in.putObject("deep").putArray("many"));
        }
      }
      case NARROW -> data.put("to", of(shape.target));
      case TEXT -> {
        data.put("to", random.nextInt(8) == 0 ? foreign + "@v1" : lookalike());
        data.putArray("many").add(lookalike()).add(lookalike());
      }
      case ROWS -> {
        data.putArray("rows").addObject().put("to", anyWref()).put("text", lookalike());
        data.withArray("rows").addObject().put("to", anyWref());
      }
      case EMPTY -> data.put("to", lookalike()).put("number", random.nextInt(100) / 8.0);
    }
    if (random.nextInt(5) == 0) {
      data.putArray("beside").add(lookalike()).addNull().add(7);
    }
    return data;
  }

  private void plain(ObjectNode data) {
    data.put("text", "of " + counter++ + " \u2028\"\\\n");
    if (random.nextBoolean()) {
      data.put("to", anyWref());
    }
    if (random.nextInt(3) == 0) {
      many(data.putArray("many"));
    }
    if (random.nextInt(3) == 0) {
      data.putObject("free").put("to", lookalike());
    }
  }

  private void many(ArrayNode array) {
    for (int i = random.nextInt(4); i > 0; i--) {
      array.add(anyWref());
    }
  }

  /** A string that is no reference, whatever it looks like. */
  private String lookalike() {
    return switch (random.nextInt(7)) {
      case 0 -> "$0";
      case 1 -> "$" + (1 + random.nextInt(40));
      case 2 -> any().wref() + "@v1";
      case 3 -> any().wref() + "@HEAD";
      case 4 -> "Nowhere/e\u0301" + counter++;
      case 5 -> "and so on";
      default -> any().wref();
    };
  }

  private String of(Entity shape) {
    var some = entities.stream().filter(entity -> entity.shape == shape).toList();
    return some.isEmpty() ? anyWref() : some.get(random.nextInt(some.size())).wref();
  }

  /** What can be referred to: mostly what is here, with a version at times. */
  private String anyWref() {
    int number = random.nextInt(30);
    if (number == 0) {
      return foreign + version(2);
    }
    if (number == 1) {
      return "Shape/Content";
    }
    var entity = any();
    return number < 6 ? entity.wref() + version(entity.version) : entity.wref();
  }

  private Entity any() {
    return entities.get(random.nextInt(entities.size()));
  }

  private Entity shape() {
    return shapes.get(random.nextInt(shapes.size()));
  }

  private String fresh(String shapeName) {
    return shapeName + "/" + NAMES.get(random.nextInt(NAMES.size())) + counter++;
  }

  private static ObjectNode operation(String word, String name) {
    return JSON.createObjectNode().put("operation", word).put("name", name);
  }

  /** The result; null where the service does not allow it. */
  private JsonNode commit(ObjectNode operation) {
    var body = JSON.createObjectNode();
    body.putArray("operations").add(operation);
    var answer = admin().body(body.toString()).post(repository + "/commits");
    assertTrue(ANSWERS.contains(answer.statusCode()), answer::asString);
    return answer.statusCode() / 100 == 2
        ? Exports.read(answer.asString()).get("operations").get(0)
        : null;
  }
}
