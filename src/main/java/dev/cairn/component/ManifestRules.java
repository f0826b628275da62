package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks a manifest as a whole, and lists everything that is wrong with it at once. The rules are
 * in {@code docs/components.md}, Manifest; the JSON Schema {@code docs/component.schema.json} has
 * those that a schema can have.
 */
final class ManifestRules {
  /** Maximum length of the canonical JSON of a manifest, in bytes. */
  static final int MAX_BYTES = 256 * 1024;

  static final String ID_RULE =
      "A component's name must have 1 to 100 lower-case letters, digits or '-', and begin and end"
          + " with a letter or digit.";

  private static final int MAX_NAME = 200;
  private static final int MAX_DESCRIPTION = 2_000;
  private static final Pattern ID = Pattern.compile("[a-z0-9]([a-z0-9-]{0,98}[a-z0-9])?");

  private static final Set<String> MEMBERS =
      Set.of(
          "component",
          "shapes",
          "credentials",
          "subscriptions",
          "seeds",
          "health",
          "teardown",
          "runtimeAccess",
          "cli");

  private ManifestRules() {}

  /** Whether a text has the form of a component's name. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /**
   * Checks a manifest.
   *
   * @return its canonical JSON
   * @throws Problem {@code VALIDATION_ERROR} with all violations, whose pointers begin at the
   *     manifest; {@code PAYLOAD_TOO_LARGE} if its canonical JSON is too long
   */
  static String check(JsonNode manifest) {
    var canonical = canonical(manifest);
    var violations = new Violations();
    ManifestPart.of("The manifest", manifest, "", violations, MEMBERS)
        .ifPresent(
            root -> {
              component(root);
              var id = manifest.path("component").path("id").textValue();
              var content = new ManifestContent(id == null || !isId(id) ? null : id);
              content.check(root);
              ManifestRuntime.check(root, content.credentials());
            });
    if (!violations.isEmpty()) {
      throw violations.problem(ErrorCode.VALIDATION_ERROR);
    }
    return canonical;
  }

  /** Before anything is read: a manifest that is too long is not worth the work. */
  private static String canonical(JsonNode manifest) {
    return CanonicalJson.of(manifest, Map.of(), MAX_BYTES)
        .filter(text -> text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES)
        .orElseThrow(
            () ->
                Problem.of(
                    ErrorCode.PAYLOAD_TOO_LARGE,
                    "A manifest may have at most %,d bytes as canonical JSON."
                        .formatted(MAX_BYTES)));
  }

  private static void component(ManifestPart root) {
    if (!root.has("component")) {
      root.reject("component", "`component` is required.");
      return;
    }
    root.part("component", Set.of("id", "name", "version", "description"))
        .ifPresent(
            component -> {
              component.matching("id", ID, ID_RULE);
              var name = component.required("name");
              if (name != null
                  && (name.isBlank() || name.codePointCount(0, name.length()) > MAX_NAME)) {
                component.reject(
                    "name",
                    "`name` must have 1 to %d characters, not only blanks.".formatted(MAX_NAME));
              }
              var version = component.required("version");
              if (version != null && SemanticVersion.of(version).isEmpty()) {
                component.reject("version", SemanticVersion.RULE);
              }
              component.description("description", MAX_DESCRIPTION);
            });
  }
}
