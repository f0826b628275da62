package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Operation.About;
import dev.cairn.model.Operation.Kind;
import dev.cairn.model.Operation.Members;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one {@link Operation} and collects all its violations. */
final class OperationParser {
  private static final Set<String> ADD =
      Set.of(
          "operation",
          "kind",
          "name",
          "data",
          "about",
          "expectedVersion",
          "skipExisting",
          "active",
          "type",
          "members",
          "opId");
  private static final Set<String> REVISE =
      Set.of(
          "operation",
          "kind",
          "name",
          "data",
          "patch",
          "about",
          "expectedVersion",
          "active",
          "opId");
  private static final Set<String> RETRACT =
      Set.of("operation", "kind", "name", "expectedVersion", "opId");
  private static final Set<String> RENAME =
      Set.of("operation", "kind", "name", "newName", "expectedVersion", "opId");

  /** The members of all four. */
  private static final Set<String> ANY =
      Stream.of(ADD, REVISE, RETRACT, RENAME)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  static final int MAX_OP_ID = 200;

  /** The names that operations have in other services, with what to use here. */
  private static final Map<String, String> OTHER_WORDS =
      Map.ofEntries(
          Map.entry("create", "`add`"),
          Map.entry("insert", "`add`"),
          Map.entry("new", "`add`"),
          Map.entry("post", "`add`"),
          Map.entry("upsert", "`add` with `skipExisting`, or `revise`"),
          Map.entry("put", "`add`, or `revise` if it exists"),
          Map.entry("update", "`revise`"),
          Map.entry("modify", "`revise`"),
          Map.entry("edit", "`revise`"),
          Map.entry("change", "`revise`"),
          Map.entry("replace", "`revise`"),
          Map.entry("set", "`revise`"),
          Map.entry("patch", "`revise` with `patch`"),
          Map.entry("merge", "`revise` with `patch`"),
          Map.entry("restore", "`revise` with `active: true`"),
          Map.entry("delete", "`retract`"),
          Map.entry("remove", "`retract`"),
          Map.entry("archive", "`retract`"),
          Map.entry("move", "`rename`"));

  private final JsonNode root;
  private final OperationViolations violations;
  private final MembersReader collections;

  OperationParser(JsonNode root, Allowance violations) {
    this.root = root;
    this.violations = new OperationViolations(violations);
    this.collections = new MembersReader(root, this.violations);
  }

  Operation parse() {
    if (!root.isObject()) {
      throw Problem.invalid("", "An operation must be a JSON object.");
    }
    var word = text("operation");
    Supplier<Operation> read =
        switch (word == null ? "" : word) {
          case "add" -> known(ADD, this::add);
          case "revise" -> known(REVISE, this::revise);
          case "retract" -> known(RETRACT, this::retract);
          case "rename" -> known(RENAME, this::rename);
          default -> {
            refuseWord(word);
            yield () -> null;
          }
        };
    var operation = read.get();
    violations.throwIfAny();
    return operation;
  }

  /**
   * Names the word that is meant by one that other services use. Also refuses the members that
   * belong to no operation, so that a member that stands for {@code operation} is named.
   */
  private void refuseWord(String word) {
    var meant = word == null ? null : OTHER_WORDS.get(word.toLowerCase(Locale.ROOT));
    var rule = "`operation` must be add, revise, retract or rename";
    if (meant == null) {
      violations.refuseOnce("/operation", rule + ".");
      violations.hint(
          "`add` creates, `revise` changes, `retract` removes, `rename` gives another name.");
    } else {
      violations.refuseOnce(
          "/operation", rule + "; for `" + Excerpt.of(word) + "` use " + meant + ".");
      violations.hint("Use " + meant + " for `" + Excerpt.of(word) + "`.");
    }
    refuseOthers(ANY, "any operation");
  }

  private Supplier<Operation> known(Set<String> members, Supplier<Operation> read) {
    refuseOthers(members, (text("operation").startsWith("a") ? "an " : "a ") + text("operation"));
    return read;
  }

  private void refuseOthers(Set<String> members, String owner) {
    for (var member : root.properties()) {
      if (!members.contains(member.getKey())) {
        violations.refuse(
            IJson.pointer("", member.getKey()),
            "`" + Excerpt.of(member.getKey()) + "` does not belong to " + owner + ".");
      }
    }
  }

  private Operation add() {
    var about = collections.about();
    var kind = kind();
    var members = root.has("members") || root.has("type") ? collections.ofMembers() : null;
    var inferred = kind != null ? kind : inferred();
    var target = addTarget(inferred);
    var data = object("data");
    if (Boolean.FALSE.equals(flag("active"))) {
      violations.refuse(
          "/active", "An entity is always added as active: retract it in another operation.");
    }
    var expected = expectedVersion();
    if (expected != null && expected != 0) {
      violations.refuse("/expectedVersion", "On add, `expectedVersion` must be 0.");
    }
    if (isCollectionPayload(inferred, target, members, data)) {
      inferred = Kind.COLLECTION;
      members = collections.ofData(target, data);
    }
    checkParts(inferred, target, data, about, members);
    return new Operation.Add(
        target,
        inferred,
        inferred == Kind.COLLECTION ? null : data,
        about,
        members,
        Boolean.TRUE.equals(flag("skipExisting")),
        opId());
  }

  private Kind inferred() {
    if (root.has("about")) {
      return Kind.ASSERTION;
    }
    if (root.has("type") || root.has("members")) {
      return Kind.COLLECTION;
    }
    var name = text("name");
    boolean isThing = name != null && name.indexOf('/') >= 0 && !name.startsWith("Shape/");
    return isThing ? Kind.THING : Kind.SHAPE;
  }

  private void checkParts(Kind kind, Wref target, JsonNode data, About about, Members members) {
    if (kind == Kind.COLLECTION) {
      checkCollection(target, members);
    } else {
      refuseCollectionMember("type");
      refuseCollectionMember("members");
      if (data == null && !root.has("data")) {
        violations.refuse("/data", "`data` is required.");
      }
    }
    if (kind == Kind.ASSERTION && about == null && !root.has("about")) {
      violations.refuse("/about", "An assertion needs `about`.");
    }
    if (kind == Kind.ASSERTION && target != null && isCollectionShape(target)) {
      violations.refuse(
          "/name", "`" + target.shape() + "/…` names a collection, not an assertion.");
    }
    if (kind != Kind.ASSERTION && root.has("about")) {
      violations.refuseOnce(
          "/about", "`about` belongs to an assertion, not to a " + kind.wire() + ".");
    }
  }

  private void refuseCollectionMember(String member) {
    if (root.has(member)) {
      violations.refuseOnce("/" + member, "`" + member + "` belongs to a collection.");
    }
  }

  private void checkCollection(Wref target, Members members) {
    boolean hasPayload = target != null && isCollectionShape(target) && root.has("data");
    if (members == null && !root.has("members") && !hasPayload) {
      violations.refuse("/members", "A collection needs `members`.");
    }
    if (members != null
        && target != null
        && !target.shape().equals(members.type().shape().shapeName())) {
      violations.refuse(
          "/name",
          "A %s is named %s/…."
              .formatted(members.type().wire(), members.type().shape().shapeName()));
    }
    if (root.has("data") && root.has("members")) {
      violations.refuseOnce("/data", "A collection has `members` or `data`, not both.");
    }
  }

  /** Whether the data of a thing of a collection's shape gives the members. */
  private static boolean isCollectionPayload(
      Kind kind, Wref target, Members members, JsonNode data) {
    return (kind == Kind.THING || kind == Kind.COLLECTION)
        && members == null
        && data != null
        && target != null
        && isCollectionShape(target);
  }

  private static boolean isCollectionShape(Wref target) {
    return CollectionType.ofShape(target.shape()).isPresent();
  }

  private Operation revise() {
    var about = collections.about();
    var kind = kind();
    var target = target(kind);
    var data = root.has("data") ? object("data") : null;
    var patch = root.has("patch") ? object("patch") : null;
    var active = flag("active");
    if (!root.has("data") && !root.has("patch") && !root.has("active")) {
      violations.refuse("", "A revise needs `data`, `patch` or `active`.");
    }
    if (root.has("data") && root.has("patch")) {
      violations.refuseOnce("/patch", "A revise has `data` or `patch`, not both.");
    }
    return new Operation.Revise(
        target, kind, data, patch, active, about, expectedVersion(), opId());
  }

  private Operation retract() {
    var kind = kind();
    return new Operation.Retract(target(kind), kind, expectedVersion(), opId());
  }

  private Operation rename() {
    var kind = kind();
    var target = target(kind);
    var newName = text("newName");
    if (newName == null) {
      refuseMissing("newName");
    } else if (target instanceof Link.To(Wref wref)) {
      newName =
          violations.attempt("/newName", newName, name -> Operation.localName(name, wref.shape()));
    }
    return new Operation.Rename(target, kind, newName, expectedVersion(), opId());
  }

  private Wref addTarget(Kind kind) {
    var text = text("name");
    if (text == null) {
      if (kind != Kind.COLLECTION || root.has("name")) {
        refuseMissing("name");
      }
      return null;
    }
    return violations.attempt("/name", text, name -> named(name, kind));
  }

  private Link target(Kind kind) {
    var text = text("name");
    if (text == null) {
      refuseMissing("name");
      return null;
    }
    if (Link.isResult(text)) {
      return Link.parse(text);
    }
    return violations.attempt("/name", text, name -> new Link.To(named(name, kind)));
  }

  private static Wref named(String text, Kind kind) {
    boolean bareIsShape = kind == Kind.SHAPE || (kind == null && text.indexOf('/') < 0);
    var wref = bareIsShape ? Wref.parseShape(text) : Wref.parse(text);
    if (!wref.isLocal() || !(wref.modifier() instanceof Wref.Modifier.None)) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR,
          "An operation must name an entity of this repository, without a version: Shape/name.");
    }
    boolean isShapeName = wref.shape().equals(BuiltinShape.SHAPE.shapeName());
    if (kind != null && isShapeName != (kind == Kind.SHAPE)) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR,
          isShapeName
              ? "`Shape/…` names a shape, which is not of kind " + kind.wire() + "."
              : "A shape must be named `Sensor` or `Shape/Sensor`.");
    }
    return wref;
  }

  private Kind kind() {
    var text = text("kind");
    if (text == null) {
      return null;
    }
    return Kind.of(text)
        .orElseGet(
            () -> {
              violations.refuse("/kind", "`kind` must be shape, thing, assertion or collection.");
              return null;
            });
  }

  private Integer expectedVersion() {
    var version = root.get("expectedVersion");
    if (version == null) {
      return null;
    }
    if (!version.isInt() || version.intValue() < 0) {
      violations.refuse("/expectedVersion", "`expectedVersion` must be an integer of at least 0.");
      return null;
    }
    return version.intValue();
  }

  private String opId() {
    var opId = text("opId");
    if (opId != null && opId.length() > MAX_OP_ID) {
      violations.refuse("/opId", "`opId` may have at most 200 characters.");
    }
    return opId;
  }

  private Boolean flag(String member) {
    var flag = root.get(member);
    if (flag == null) {
      return null;
    }
    if (!flag.isBoolean()) {
      violations.refuseOnce("/" + member, "`" + member + "` must be true or false.");
      return null;
    }
    return flag.booleanValue();
  }

  private JsonNode object(String member) {
    var object = root.get(member);
    if (object != null && !object.isObject()) {
      violations.refuse("/" + member, "`" + member + "` must be a JSON object.");
      return null;
    }
    return object;
  }

  private String text(String member) {
    return violations.text(root, member);
  }

  /** Does nothing for a member of the wrong type, which has been refused already. */
  private void refuseMissing(String member) {
    if (!root.has(member)) {
      violations.refuse("/" + member, "`" + member + "` is required.");
    }
  }
}
