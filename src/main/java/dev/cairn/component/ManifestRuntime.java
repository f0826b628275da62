package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.access.Permission;
import dev.cairn.component.Manifest.Teardown;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.glob.Glob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rules of what a manifest says about the component at run time: its health, its teardown, its
 * token and its methods.
 */
final class ManifestRuntime {
  static final int MAX_REQUIREMENTS = 50;
  static final int MAX_PATTERNS = 50;
  static final int MAX_METHODS = 50;
  static final int MAX_ARGUMENTS = 20;
  static final int MAX_PATH = 500;

  /** The key of the set that signs the calls of methods. */
  static final String SIGNING_KEY = "CLI_SIGNING_SECRET";

  private static final int MAX_DESCRIPTION = 500;
  private static final int MAX_PATTERN_CHARACTERS = 16_384;

  private static final Pattern METHOD_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
  private static final Pattern HTTP_METHOD = Pattern.compile("GET|POST");
  private static final Pattern ARGUMENT_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final Pattern IN_QUERY = Pattern.compile("(string|number|boolean|wref)\\??");
  private static final Pattern PATH =
      Pattern.compile("/|(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~!$&'()*+,;=:@-]+)+/?");
  private static final String PATH_RULE =
      "A path must begin with '/', have at most %d letters, digits or characters of"
              .formatted(MAX_PATH)
          + " `._~!$&'()*+,;=:@-`, and no empty segment, '.' or '..'.";

  private ManifestRuntime() {}

  /**
   * Checks all of it.
   *
   * @param credentials the keys of the manifest's credential sets by their names
   */
  static void check(ManifestPart root, Map<String, Set<String>> credentials) {
    root.part("health", Set.of("requires"))
        .ifPresent(
            health ->
                health.eachPart(
                    "requires",
                    "A requirement",
                    MAX_REQUIREMENTS,
                    Set.of("wref", "path"),
                    ManifestRuntime::requirement));
    root.part("teardown", Set.of("subscriptions")).ifPresent(ManifestRuntime::teardown);
    root.part("runtimeAccess", Set.of("reads", "writes"))
        .ifPresent(
            access -> {
              patterns(access, "reads");
              patterns(access, "writes");
            });
    root.part("cli", Set.of("methods"))
        .ifPresent(
            cli -> {
              var names = ManifestPart.names();
              cli.eachPart(
                  "methods",
                  "A method",
                  MAX_METHODS,
                  Set.of("name", "method", "path", "credentialSet", "requiresPermission", "args"),
                  method -> method(method, names, credentials));
            });
  }

  private static void requirement(ManifestPart requirement) {
    if (requirement.has("wref") == requirement.has("path")) {
      requirement.rejectAll("A requirement must have either `wref` or `path`.");
    } else if (requirement.has("wref")) {
      var _ = ManifestContent.wref(requirement, "wref");
    } else {
      path(requirement);
    }
  }

  private static void teardown(ManifestPart teardown) {
    var choice = teardown.text("subscriptions");
    if (choice != null && !choice.equals(Teardown.PAUSE) && !choice.equals(Teardown.DELETE)) {
      teardown.reject("subscriptions", "`subscriptions` must be pause or delete.");
    }
  }

  private static void patterns(ManifestPart access, String member) {
    var globs = new ArrayList<Glob>();
    access.eachText(
        member,
        MAX_PATTERNS,
        (pattern, at) -> access.checkAt(at, () -> globs.add(Glob.parse(pattern))));
    int characters = globs.stream().mapToInt(glob -> glob.toString().length()).sum();
    if (characters > MAX_PATTERN_CHARACTERS) {
      access.reject(
          member,
          "The patterns may have at most %,d characters together."
              .formatted(MAX_PATTERN_CHARACTERS));
    } else {
      access.check(member, () -> Glob.requireCheap(globs, ""));
    }
  }

  private static void method(
      ManifestPart method, Set<String> names, Map<String, Set<String>> credentials) {
    var name =
        method.matching(
            "name",
            METHOD_NAME,
            "A method's name must be a letter followed by at most 63 letters, digits, '_' or '-'.");
    method.unique(names, "name", name);
    var http = method.matching("method", HTTP_METHOD, "`method` must be GET or POST.");
    path(method);
    var set = method.required("credentialSet");
    if (set != null && !credentials.containsKey(set)) {
      method.reject(
          "credentialSet",
          "`%s` is not one of the manifest's `credentials`.".formatted(Excerpt.of(set)));
    } else if (set != null && !credentials.get(set).contains(SIGNING_KEY)) {
      method.reject(
          "credentialSet", "`%s` must have the key %s.".formatted(Excerpt.of(set), SIGNING_KEY));
    }
    permission(method);
    var arguments = ManifestPart.names();
    method.eachPart(
        "args",
        "An argument",
        MAX_ARGUMENTS,
        Set.of("name", "type", "description"),
        argument -> argument(argument, arguments, "GET".equals(http)));
  }

  private static void permission(ManifestPart method) {
    var permission = method.text("requiresPermission");
    if (permission != null
        && Permission.of(permission).filter(Permission::isOfRepositories).isEmpty()) {
      method.reject(
          "requiresPermission",
          "`requiresPermission` must be one of %s."
              .formatted(
                  Arrays.stream(Permission.values())
                      .filter(Permission::isOfRepositories)
                      .map(Permission::scope)
                      .collect(Collectors.joining(", "))));
    }
  }

  private static void argument(ManifestPart argument, Set<String> names, boolean isInQuery) {
    var name =
        argument.matching(
            "name",
            ARGUMENT_NAME,
            "An argument's name must be a letter or '_' followed by at most 63 letters, digits, '_'"
                + " or '-'.");
    argument.unique(names, "name", name);
    var type = argument.required("type");
    if (type != null && isInQuery && !IN_QUERY.matcher(type).matches()) {
      argument.reject(
          "type",
          "The arguments of a GET are query parameters: `type` must be string, number, boolean or"
              + " wref, with '?' if it may be left out.");
    } else if (type != null) {
      argument.check("type", () -> parse(type));
    }
    argument.description("description", MAX_DESCRIPTION);
  }

  /** Reads a type as that of a field. */
  private static void parse(String type) {
    JsonNode definition =
        JsonNodeFactory.instance
            .objectNode()
            .set("fields", JsonNodeFactory.instance.objectNode().put("argument", type));
    try {
      var _ = ShapeDefinition.parse(definition);
    } catch (Problem e) {
      throw Problem.invalid("", e.detail());
    }
  }

  private static void path(ManifestPart part) {
    var path = part.required("path");
    if (path != null && (path.length() > MAX_PATH || !PATH.matcher(path).matches())) {
      part.reject("path", PATH_RULE);
    }
  }
}
