package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The body that registers a component or a version of it. What is left out stays as it is, or gets
 * its default. See {@code docs/components.md}, Registering.
 *
 * @param json the manifest as canonical JSON, checked
 * @param visibility {@code public} or {@code private}
 * @param setupUrl an empty text removes it
 * @param credentialSetName an empty text removes it
 */
record Registration(
    String json,
    Manifest manifest,
    Optional<String> visibility,
    Optional<String> setupUrl,
    Optional<String> credentialSetName,
    Optional<Boolean> mintsToken) {
  /** Maximum number of JSON values and member names of a body. */
  static final int MAX_VALUES = 50_000;

  private static final String MANIFEST = "manifest";
  private static final String VISIBILITY = "visibility";
  private static final String SETUP_URL = "setupUrl";
  private static final String CREDENTIAL_SET = "credentialSetName";
  private static final String MINTS_TOKEN = "mintsToken";
  private static final Set<String> MEMBERS =
      Set.of(MANIFEST, VISIBILITY, SETUP_URL, CREDENTIAL_SET, MINTS_TOKEN);

  /**
   * Reads a body.
   *
   * @param name of the component, which its manifest must have as {@code component.id}
   * @param checkUrl throws a {@code VALIDATION_ERROR} at {@code /setupUrl} for one that may not be
   *     called
   * @throws Problem {@code VALIDATION_ERROR} with all violations, {@code PAYLOAD_TOO_LARGE} for a
   *     manifest that is too long
   */
  static Registration of(JsonNode body, String name, Consumer<String> checkUrl) {
    var violations = new Violations();
    for (var member : body.properties()) {
      if (!MEMBERS.contains(member.getKey())) {
        violations.add(
            IJson.pointer("", member.getKey()),
            "Unknown member `%s`; known here: %s."
                .formatted(
                    Excerpt.of(member.getKey()),
                    String.join(", ", MEMBERS.stream().sorted().toList())));
      }
    }
    var visibility = text(body, VISIBILITY, false, violations);
    if (visibility
        .filter(v -> !v.equals(Component.PUBLIC) && !v.equals(Component.PRIVATE))
        .isPresent()) {
      violations.add("/" + VISIBILITY, "`visibility` must be public or private.");
    }
    var setupUrl = text(body, SETUP_URL, true, violations);
    var refusal = setupUrl.filter(url -> !url.isEmpty()).flatMap(url -> refusal(url, checkUrl));
    refusal.ifPresent(problem -> violations.addAll(problem, ""));
    var credentialSet = text(body, CREDENTIAL_SET, true, violations);
    var mintsToken = Optional.ofNullable(body.get(MINTS_TOKEN));
    if (mintsToken.filter(value -> !value.isBoolean()).isPresent()) {
      violations.add("/" + MINTS_TOKEN, "`mintsToken` must be true or false.");
    }
    var json = manifest(body, name, violations);
    if (!violations.isEmpty()) {
      var problem = violations.problem(ErrorCode.VALIDATION_ERROR);
      for (var detail : refusal.map(Problem::details).orElse(Map.of()).entrySet()) {
        problem = problem.with(detail.getKey(), detail.getValue());
      }
      throw problem;
    }
    return new Registration(
        json,
        Manifest.of(json),
        visibility,
        setupUrl,
        credentialSet,
        mintsToken.map(JsonNode::booleanValue));
  }

  private static Optional<Problem> refusal(String url, Consumer<String> checkUrl) {
    try {
      checkUrl.accept(url);
      return Optional.empty();
    } catch (Problem e) {
      return Optional.of(e);
    }
  }

  private static String manifest(JsonNode body, String name, Violations violations) {
    if (!body.has(MANIFEST)) {
      violations.add("/" + MANIFEST, "`manifest` is required.");
      return null;
    }
    var manifest = body.get(MANIFEST);
    String json = null;
    try {
      json = ManifestRules.check(manifest);
    } catch (Problem e) {
      if (e.code() != ErrorCode.VALIDATION_ERROR) {
        throw e.at("/" + MANIFEST);
      }
      violations.addAll(e, "/" + MANIFEST);
    }
    var id = manifest.path("component").path("id");
    if (id.isTextual() && ManifestRules.isId(id.textValue()) && !id.textValue().equals(name)) {
      violations.add(
          "/manifest/component/id",
          "`id` must be the name in the path, `%s`.".formatted(Excerpt.of(name)));
    }
    return json;
  }

  /** A member that is a string; null removes what it sets, if it can be removed. */
  private static Optional<String> text(
      JsonNode body, String member, boolean isRemovable, Violations violations) {
    var value = body.get(member);
    if (value == null) {
      return Optional.empty();
    }
    if (value.isNull() && isRemovable) {
      return Optional.of("");
    }
    if (!value.isTextual() || value.textValue().isEmpty()) {
      violations.add(
          "/" + member,
          "`%s` must be a string that is not empty%s."
              .formatted(member, isRemovable ? ", or null to remove it" : ""));
      return Optional.empty();
    }
    return Optional.of(value.textValue());
  }
}
