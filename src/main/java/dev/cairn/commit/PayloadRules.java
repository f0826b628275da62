package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.commit.VersionRow.ResolvedReference;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.DataValidator;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Violations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Validates payloads against their shapes, resolves their references, and hashes them. */
final class PayloadRules {
  private static final String DATA = "/data";
  private static final int MAX_CONTENT_BYTES = 65_536;

  /** Maximum size of one entity's data, so that a page of entities fits into memory. */
  private static final int MAX_BYTES = 1024 * 1024;

  /**
   * Maximum characters of all pointers to one entity's references: the limit of its stored text.
   */
  private static final int MAX_POINTER_CHARACTERS = 4 * 1024 * 1024;

  /** Maximum characters of all pointers of a commit: the limit of its body. */
  private static final int MAX_POINTER_CHARACTERS_OF_COMMIT = 16 * 1024 * 1024;

  private final References references;
  private final Allowance pointers = new Allowance(MAX_POINTER_CHARACTERS_OF_COMMIT);

  /** Shapes that this commit renamed, in order: earlier definitions still have the old names. */
  private final List<ShapeRename> renamedShapes = new ArrayList<>();

  /** The current names of the shapes that the definitions of this commit name. */
  private final List<Map<JsonNode, String>> shapeNames = new ArrayList<>();

  private record ShapeRename(String oldName, String newName) {
    String of(String name) {
      return name.equals(oldName) ? newName : name;
    }
  }

  /** A payload that may be stored. */
  record Payload(
      byte[] hash,
      List<ResolvedReference> references,
      Map<JsonNode, String> shapeNames,
      List<String> warnings) {}

  PayloadRules(References references) {
    this.references = references;
  }

  void shapeRenamed(String oldName, String newName) {
    var rename = new ShapeRename(oldName, newName);
    renamedShapes.add(rename);
    shapeNames.forEach(names -> names.replaceAll((_, name) -> rename.of(name)));
  }

  /** How many shapes have been renamed so far. */
  int shapesRenamed() {
    return renamedShapes.size();
  }

  /** A shape's definition. */
  Payload ofShape(SubmittedOperation submitted) {
    submitted.definition();
    var data = submitted.data();
    var names = ShapeDefinition.shapeNames(data);
    shapeNames.add(names);
    return new Payload(hash(data, List.of()), List.of(), names, List.of());
  }

  /** The data of a thing or an assertion, validated against the current definition of its shape. */
  Payload ofThing(SubmittedOperation submitted, EntityState shape) {
    var data = submitted.data();
    var validated = submitted.validated(shape.definition);
    var violations = new Violations();
    for (var violation : validated.violations()) {
      mismatch(violations, violation.pointer(), violation.expected(), violation.found());
    }
    violations.addUnlisted(validated.unlisted());
    if (shape.id == BuiltinShape.CONTENT.id() && contentBytes(data) > MAX_CONTENT_BYTES) {
      mismatch(
          violations, "/content", "at most 65,536 bytes of UTF-8", contentBytes(data) + " bytes");
    }
    if (!violations.isEmpty()) {
      throw violations.problem(SHAPE_MISMATCH).with("shape", shape.name);
    }
    var resolved = resolve(submitted, shape, validated.references());
    var payload = ofReferences(data, resolved);
    return new Payload(payload.hash(), resolved, Map.of(), validated.warnings());
  }

  /** A payload whose references have been resolved. */
  Payload ofReferences(JsonNode data, List<ResolvedReference> resolved) {
    return new Payload(hash(data, resolved), resolved, Map.of(), List.of());
  }

  /** Hashes the data with references without versions, by their current names. */
  private byte[] hash(JsonNode data, List<ResolvedReference> resolved) {
    requireShortPointers(resolved);
    var names = new IdentityHashMap<JsonNode, String>();
    long characters = 0;
    for (var reference : resolved) {
      var wref = reference.target().wref();
      characters += wref.length();
      // Checked before they are written out: a reference may be shorter than its target's name.
      if (characters > MAX_BYTES) {
        throw tooLarge();
      }
      names.put(reference.node(), wref);
    }
    var canonical = CanonicalJson.of(data, names);
    if (canonical.length() * 3L > MAX_BYTES
        && canonical.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw tooLarge();
    }
    return CanonicalJson.hash(canonical);
  }

  /** Pointers are stored, and a few long names in the data may be part of thousands of them. */
  private void requireShortPointers(List<ResolvedReference> resolved) {
    long characters = resolved.stream().mapToLong(reference -> reference.pointer().length()).sum();
    if (characters > MAX_POINTER_CHARACTERS) {
      throw pointersTooLong("in the data of one entity", MAX_POINTER_CHARACTERS)
          .hint("Divide the references among several entities, or nest them less deeply.");
    }
    if (!pointers.take(characters)) {
      throw pointersTooLong("in one commit", MAX_POINTER_CHARACTERS_OF_COMMIT)
          .hint("Send fewer operations at once, or nest references less deeply.");
    }
  }

  private static Problem pointersTooLong(String where, int max) {
    return Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE,
            "The pointers to the references %s may have at most %,d characters together."
                .formatted(where, max))
        .at(DATA);
  }

  private static Problem tooLarge() {
    return Problem.of(
            ErrorCode.PAYLOAD_TOO_LARGE, "The data of one entity may have at most 1,048,576 bytes.")
        .at(DATA);
  }

  private List<ResolvedReference> resolve(
      SubmittedOperation submitted, EntityState shape, List<DataValidator.Reference> found) {
    var resolved = new ArrayList<ResolvedReference>(found.size());
    var violations = submitted.violations();
    for (var reference : found) {
      var target = resolve(submitted.index(), reference);
      resolved.add(target);
      var required = requiredShape(shape, reference);
      if (required != null && !required.equals(target.target().shapeName())) {
        mismatch(
            violations,
            reference.pointer().toString(),
            "a wref to a " + required,
            target.target().wref());
      }
    }
    if (!violations.isEmpty()) {
      throw violations.problem(SHAPE_MISMATCH);
    }
    return resolved;
  }

  private ResolvedReference resolve(int index, DataValidator.Reference reference) {
    try {
      var pin =
          references.pin(index, Link.parse(reference.node().textValue()), UNRESOLVED_REFERENCE);
      return new ResolvedReference(
          reference.node(), reference.pointer(), pin.entity(), pin.version());
    } catch (Problem e) {
      throw e.at(DATA + reference.pointer());
    }
  }

  private String requiredShape(EntityState shape, DataValidator.Reference reference) {
    var name = reference.requiredShape();
    if (name == null) {
      return null;
    }
    for (var rename : renamedShapes.subList(shape.definedAfter, renamedShapes.size())) {
      name = rename.of(name);
    }
    return name;
  }

  private static int contentBytes(JsonNode data) {
    return data.path("content").asText("").getBytes(StandardCharsets.UTF_8).length;
  }

  private static void mismatch(
      Violations violations, String pointer, String expected, String found) {
    violations.add(DATA + pointer, "Expected " + expected + ", found " + found + ".");
  }
}
