package dev.cairn.commit;

import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.commit.References.Pin;
import dev.cairn.commit.VersionRow.ResolvedReference;
import dev.cairn.model.Allowance;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.DataValidator;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Link;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.Violations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Validates payloads against their shapes, resolves their references, and hashes them. */
final class PayloadRules {
  private static final String DATA = "/data";
  private static final int MAX_CONTENT_BYTES = 65_536;

  /** Maximum size of one entity's data, so that a page of entities fits into memory. */
  private static final int MAX_BYTES = 1024 * 1024;

  /**
   * Maximum characters of all pointers to one entity's references: the limit of its stored text.
   */
  static final int MAX_POINTER_CHARACTERS = 4 * 1024 * 1024;

  /** Maximum characters of all pointers of a commit: the limit of its body. */
  private static final int MAX_POINTER_CHARACTERS_OF_COMMIT = 16 * 1024 * 1024;

  /**
   * How many references of a commit that cannot be resolved are looked for in payloads to the end;
   * in any further payload, the first one is enough.
   */
  private static final int MAX_UNRESOLVED = 10_000;

  private final References references;
  private final AboutRules aboutRules;
  private int unresolvedSoFar;
  private final Allowance pointers = new Allowance(MAX_POINTER_CHARACTERS_OF_COMMIT);

  /** Shapes that this commit renamed, in order: earlier definitions still have the old names. */
  private final List<ShapeRename> renamedShapes = new ArrayList<>();

  /** The indexes of these renames, by the old name. */
  private final Map<String, NavigableSet<Integer>> renamesOf = new HashMap<>();

  /** Where the definitions of this commit name shapes, by their current names. */
  private final Map<String, List<ShapeName>> shapeNames = new HashMap<>();

  private record ShapeRename(String oldName, String newName) {}

  /**
   * A place in a definition that names a shape.
   *
   * @param names the current names in all places of the definition
   */
  private record ShapeName(Map<JsonNode, String> names, JsonNode place) {}

  /**
   * A payload that may be stored.
   *
   * @param length the number of characters of its canonical form
   */
  record Payload(
      byte[] hash,
      int length,
      List<ResolvedReference> references,
      Map<JsonNode, String> shapeNames,
      List<String> warnings) {
    /** The same with more warnings. */
    Payload with(List<String> more) {
      return new Payload(
          hash,
          length,
          references,
          shapeNames,
          Stream.concat(more.stream(), warnings.stream()).toList());
    }
  }

  /**
   * Rules for one commit.
   *
   * @param matching bounds the cost of matching the globs in {@code about} of shapes
   */
  PayloadRules(References references, MatchingBudget matching) {
    this.references = references;
    this.aboutRules = new AboutRules(matching);
  }

  void shapeRenamed(String oldName, String newName) {
    renamesOf.computeIfAbsent(oldName, _ -> new TreeSet<>()).add(renamedShapes.size());
    renamedShapes.add(new ShapeRename(oldName, newName));
    var renamed = shapeNames.remove(oldName);
    if (renamed != null) {
      renamed.forEach(shape -> shape.names().put(shape.place(), newName));
      shapeNames.computeIfAbsent(newName, _ -> new ArrayList<>()).addAll(renamed);
    }
  }

  /** The present name of a shape of this repository, for the name that it is stored with. */
  String today(String storedName) {
    return afterRenames(0, storedName);
  }

  /** The names that shapes had before this commit renamed them. */
  Set<String> renamedShapes() {
    return renamesOf.keySet();
  }

  private String afterRenames(int first, String shapeName) {
    var name = shapeName;
    var next = nextRename(name, first);
    while (next != null) {
      name = renamedShapes.get(next).newName();
      next = nextRename(name, next + 1);
    }
    return name;
  }

  private Integer nextRename(String name, int first) {
    var indexes = renamesOf.get(name);
    return indexes == null ? null : indexes.ceiling(first);
  }

  /** How many shapes have been renamed so far. */
  int shapesRenamed() {
    return renamedShapes.size();
  }

  /** A shape's definition, which is known to be valid. */
  Payload ofShape(SubmittedOperation submitted) {
    var data = submitted.data();
    var names = new IdentityHashMap<JsonNode, String>();
    for (var place : ShapeDefinition.shapeNames(data)) {
      names.put(place, place.textValue());
      shapeNames
          .computeIfAbsent(place.textValue(), _ -> new ArrayList<>())
          .add(new ShapeName(names, place));
    }
    var canonical = canonical(data, List.of());
    return new Payload(
        CanonicalJson.hash(canonical), canonical.length(), List.of(), names, List.of());
  }

  /**
   * The data of a thing or an assertion, validated against the current definition of its shape.
   *
   * @param about what it is about; null for a thing
   * @param kept the references of the entity's last version by their texts, which stay what they
   *     are
   * @throws Problem with all violations: {@code SHAPE_MISMATCH}, or the code of the first reference
   *     that cannot be resolved if there is nothing else
   */
  Payload ofThing(
      SubmittedOperation submitted,
      EntityState shape,
      AboutRules.Target about,
      Map<String, Pin> kept) {
    var data = submitted.data();
    var validated = submitted.validated(shape.definition);
    var violations = new Violations();
    requireAbout(violations, shape, about);
    for (var violation : validated.violations()) {
      mismatch(violations, violation.pointer(), violation.expected(), violation.found());
    }
    violations.addUnlisted(validated.unlisted());
    if (shape.id == BuiltinShape.CONTENT.id() && contentBytes(data) > MAX_CONTENT_BYTES) {
      mismatch(
          violations, "/content", "at most 65,536 bytes of UTF-8", contentBytes(data) + " bytes");
    }
    var resolved = resolve(submitted, shape, validated.references(), kept, violations);
    var payload = ofReferences(data, resolved);
    return new Payload(payload.hash(), payload.length(), resolved, Map.of(), validated.warnings());
  }

  private void requireAbout(Violations violations, EntityState shape, AboutRules.Target about) {
    var rule = shape.definition.about();
    UnaryOperator<String> today = name -> afterRenames(shape.definedAfter, name);
    if (!aboutRules.isSatisfied(rule, about, today)) {
      violations.add(
          "/about",
          // Not what it is about: a token that may write it may not know that.
          "`%s/…` must be %s; this is about %s."
              .formatted(
                  shape.name,
                  AboutRules.inWords(rule, today),
                  about == null ? "nothing" : "something else"));
    }
  }

  /** A payload whose references have been resolved. */
  Payload ofReferences(JsonNode data, List<ResolvedReference> resolved) {
    var canonical = canonical(data, resolved);
    return new Payload(
        CanonicalJson.hash(canonical), canonical.length(), resolved, Map.of(), List.of());
  }

  /** The text that is hashed: with references without versions, by their current names. */
  private String canonical(JsonNode data, List<ResolvedReference> resolved) {
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
    var canonical = CanonicalJson.of(data, names, MAX_BYTES).orElseThrow(PayloadRules::tooLarge);
    if (canonical.length() * 3L > MAX_BYTES
        && canonical.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw tooLarge();
    }
    return canonical;
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

  /**
   * Resolves the references, and throws one problem with all violations if there are any.
   *
   * @param kept those of the last version, which are not looked up
   * @param violations those that were found before
   */
  private List<ResolvedReference> resolve(
      SubmittedOperation submitted,
      EntityState shape,
      List<DataValidator.Reference> found,
      Map<String, Pin> kept,
      Violations violations) {
    var resolved = new ArrayList<ResolvedReference>(found.size());
    boolean mismatches = !violations.isEmpty();
    // Another list, whose length the operations of the commit share: each could have thousands.
    var inReferences = submitted.violations();
    Problem unresolved = null;
    for (var reference : found) {
      try {
        var target = resolve(submitted.index(), reference, kept);
        resolved.add(target);
        mismatches |= !isOfRequiredShape(inReferences, shape, reference, target);
      } catch (Problem e) {
        unresolved = unresolved == null ? e : unresolved;
        inReferences.addAll(e, DATA + reference.pointer());
        unresolvedSoFar++;
        if (unresolvedSoFar > MAX_UNRESOLVED) {
          break;
        }
      }
    }
    if (!inReferences.isEmpty()) {
      violations.addAll(inReferences.problem(SHAPE_MISMATCH), "");
    }
    if (mismatches) {
      var problem = violations.problem(SHAPE_MISMATCH).with("shape", shape.name);
      throw unresolved == null ? problem : References.alsoMissing(problem, unresolved);
    }
    if (unresolved != null) {
      throw References.alsoMissing(
          violations.problem(unresolved.code()).hint(unresolved.hint()), unresolved);
    }
    return resolved;
  }

  private boolean isOfRequiredShape(
      Violations violations,
      EntityState shape,
      DataValidator.Reference reference,
      ResolvedReference resolved) {
    var required = requiredShape(shape, reference);
    var target = resolved.target();
    if (required == null || required.equals(target.shapeName())) {
      return true;
    }
    mismatch(violations, reference.pointer().toString(), "a wref to a " + required, target.wref());
    return false;
  }

  private ResolvedReference resolve(
      int index, DataValidator.Reference reference, Map<String, Pin> kept) {
    var text = reference.node().textValue();
    var pin = kept.get(text);
    if (pin == null) {
      pin = references.pin(index, Link.parse(text), UNRESOLVED_REFERENCE);
    }
    return new ResolvedReference(
        reference.node(), reference.pointer(), pin.entity(), pin.version());
  }

  private String requiredShape(EntityState shape, DataValidator.Reference reference) {
    var name = reference.requiredShape();
    return name == null ? null : afterRenames(shape.definedAfter, name);
  }

  private static int contentBytes(JsonNode data) {
    return data.path("content").asText("").getBytes(StandardCharsets.UTF_8).length;
  }

  private static void mismatch(
      Violations violations, String pointer, String expected, String found) {
    violations.add(DATA + pointer, "Expected " + expected + ", found " + found + ".");
  }
}
