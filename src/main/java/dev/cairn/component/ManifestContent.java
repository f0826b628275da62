package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.BuiltinShape;
import dev.cairn.model.DataValidator;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;
import dev.cairn.subscription.CredentialNames;
import dev.cairn.subscription.SubscriptionForm;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of what a manifest brings into a repository: shapes, credential sets, subscriptions and
 * seeds.
 */
final class ManifestContent {
  static final int MAX_SHAPES = 100;
  static final int MAX_CREDENTIALS = 20;
  static final int MAX_SUBSCRIPTIONS = 50;
  static final int MAX_SEEDS = 500;

  private static final int MAX_DESCRIPTION = 500;
  private static final String CONFIG = BuiltinShape.COMPONENT_CONFIG.shapeName();

  private final ValidationBudget budget = ValidationBudget.ofCommit();

  /** The definitions of the component's shapes; of an invalid one, an empty value. */
  private final Map<String, Optional<ShapeDefinition>> shapes = new HashMap<>();

  private final Map<String, Set<String>> credentials = new HashMap<>();

  /** The name of the component; null if the manifest has no valid one. */
  private final String id;

  ManifestContent(String id) {
    this.id = id;
  }

  /** Checks all of it. */
  void check(ManifestPart root) {
    shapes.put(
        CONFIG,
        Optional.of(
            ShapeDefinition.parse(
                IJson.read(
                    BuiltinShape.COMPONENT_CONFIG.definition().getBytes(StandardCharsets.UTF_8)))));
    root.eachPart("shapes", "A shape", MAX_SHAPES, Set.of("name", "data"), this::shape);
    root.eachPart(
        "credentials",
        "A credential set",
        MAX_CREDENTIALS,
        Set.of("name", "description", "keys"),
        this::credential);
    var subscriptions = new HashSet<String>();
    root.each(
        "subscriptions",
        MAX_SUBSCRIPTIONS,
        (body, at) -> subscription(root, body, at, subscriptions));
    var seeds = ManifestPart.names();
    root.eachPart(
        "seeds", "A seed", MAX_SEEDS, Set.of("name", "about", "data"), seed -> seed(seed, seeds));
  }

  /** The names of the credential sets, with the names of their keys. */
  Map<String, Set<String>> credentials() {
    return credentials;
  }

  private void shape(ManifestPart shape) {
    var name = shape.checked("name", Names::shape);
    if (BuiltinShape.named(name).isPresent()) {
      shape.reject("name", "`%s` is a built-in shape.".formatted(name));
    } else if (name != null && shapes.containsKey(name)) {
      shape.reject("name", "The name `%s` may be there only once.".formatted(Excerpt.of(name)));
    }
    var data = shape.requiredObject("data");
    if (data != null) {
      shape.check(
          "data",
          () -> {
            shapes.putIfAbsent(name, Optional.empty());
            var definition = ShapeDefinition.parseNew(data, budget, Glob::parse);
            shapes.put(name, Optional.of(definition));
          });
    }
  }

  private void credential(ManifestPart credential) {
    var name = credential.required("name");
    if (name != null && !CredentialNames.isSet(name)) {
      credential.reject("name", CredentialNames.SET_RULE);
    }
    credential.description("description", MAX_DESCRIPTION);
    var keys = new HashSet<String>();
    credential.eachText(
        "keys",
        CredentialNames.MAX_KEYS,
        (key, at) -> {
          if (!CredentialNames.isKey(key)) {
            credential.rejectAt(at, CredentialNames.KEY_RULE);
          } else if (!keys.add(key)) {
            credential.rejectAt(at, "The key `%s` may be there only once.".formatted(key));
          }
        });
    if (!credential.has("keys")) {
      credential.reject("keys", "`keys` is required.");
    } else if (credential.isEmpty("keys")) {
      credential.reject("keys", "`keys` must have at least one name.");
    }
    if (name != null && credentials.putIfAbsent(name, keys) != null) {
      credential.reject(
          "name", "The name `%s` may be there only once.".formatted(Excerpt.of(name)));
    }
  }

  private void subscription(ManifestPart root, JsonNode value, String at, Set<String> names) {
    if (!(value instanceof ObjectNode body)) {
      root.rejectAt(at, "A subscription must be an object.");
      return;
    }
    SubscriptionForm.check(body, violation -> root.addAll(violation, at));
    var name = body.path("name").textValue();
    if (name != null && !names.add(name)) {
      root.rejectAt(
          at + "/name", "The name `%s` may be there only once.".formatted(Excerpt.of(name)));
    }
    if (body.path("sourceRepo").isTextual()) {
      root.rejectAt(
          at + "/sourceRepo",
          "A component's subscription watches the repository in which it is installed: leave"
              + " `sourceRepo` out.");
    }
    var set = body.path("credentialSetName").textValue();
    if (set != null && CredentialNames.isSet(set) && !credentials.containsKey(set)) {
      root.rejectAt(
          at + "/credentialSetName",
          "`%s` is not one of the manifest's `credentials`.".formatted(Excerpt.of(set)));
    }
  }

  private void seed(ManifestPart seed, Set<String> names) {
    var wref = wref(seed, "name");
    var about = seed.has("about") ? wref(seed, "about") : null;
    var data = seed.requiredObject("data");
    if (wref == null) {
      return;
    }
    seed.unique(names, "name", wref.local());
    if (wref.shape().equals(CONFIG) && id != null && !wref.name().equals(id)) {
      seed.reject(
          "name", "Of %1$s, a component may only seed its own, `%1$s/%2$s`.".formatted(CONFIG, id));
      return;
    }
    if (!shapes.containsKey(wref.shape())) {
      seed.reject(
          "name",
          "The shape of a seed must be one of the manifest's `shapes`, or %s.".formatted(CONFIG));
      return;
    }
    shapes
        .get(wref.shape())
        .ifPresent(
            definition -> {
              about(seed, definition, about);
              if (data != null) {
                data(seed, definition, data);
              }
            });
  }

  private static void about(ManifestPart seed, ShapeDefinition definition, Wref about) {
    var rule = definition.about();
    if (rule != null && rule.required() && !seed.has("about")) {
      seed.reject("about", "What is of this shape must be about something.");
    } else if (rule != null && !rule.required() && about != null) {
      seed.reject("about", "What is of this shape must not be about anything.");
    }
  }

  private void data(ManifestPart seed, ShapeDefinition definition, ObjectNode data) {
    var validated = DataValidator.validate(definition, data, budget);
    for (var violation : validated.violations()) {
      seed.rejectAt(
          seed.pointer("data") + violation.pointer(),
          "It must be %s; found %s.".formatted(violation.expected(), violation.found()));
    }
    seed.countUnlisted(validated.unlisted());
    for (var reference : validated.references()) {
      if (reference.node().textValue().startsWith("$")) {
        seed.rejectAt(
            seed.pointer("data") + reference.pointer(),
            "It must be a wref: seeds cannot refer to results of operations (`$n`).");
      }
    }
  }

  /** A member that must be a local wref without a modifier; null if it is not. */
  static Wref wref(ManifestPart part, String member) {
    var text = part.required(member);
    if (text == null) {
      return null;
    }
    try {
      var wref = Wref.parse(text);
      if (wref.isLocal() && wref.modifier() instanceof Wref.Modifier.None) {
        return wref;
      }
      part.reject(member, "It must be a local wref without a version, such as `Setting/default`.");
    } catch (Problem e) {
      part.reject(member, e.detail());
    }
    return null;
  }
}
