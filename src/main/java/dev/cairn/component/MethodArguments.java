package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.component.Manifest.Argument;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.DataValidator;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Violations;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The arguments of a method: checked like the data of a shape that has them as its fields. */
final class MethodArguments {
  /** Maximum characters of a URL with arguments: what servers commonly take. */
  static final int MAX_URL = 8_000;

  private static final String POINTER = "/args";

  private MethodArguments() {}

  /**
   * Refuses arguments that are missing, unknown or of another type.
   *
   * @param args null for none
   * @return them, or an empty object
   * @throws Problem {@code VALIDATION_ERROR} with all violations, at {@code /args/…}
   */
  static ObjectNode checked(List<Argument> declared, ObjectNode args) {
    var given = args == null ? JsonNodeFactory.instance.objectNode() : args;
    var violations = new Violations();
    var known = declared.stream().map(Argument::name).collect(Collectors.toSet());
    refuseUnknown(given, known, violations);
    var validated =
        DataValidator.validate(definition(declared), given, ValidationBudget.ofCommit());
    for (var violation : validated.violations()) {
      violations.add(
          POINTER + violation.pointer(),
          "Expected %s, found %s.".formatted(violation.expected(), violation.found()));
    }
    violations.addUnlisted(validated.unlisted());
    for (var reference : validated.references()) {
      if (reference.node().textValue().startsWith("$")) {
        violations.add(
            POINTER + reference.pointer(),
            "Expected a wref: there are no operations whose results `$n` could mean.");
      }
    }
    if (!violations.isEmpty()) {
      throw violations.problem(ErrorCode.VALIDATION_ERROR);
    }
    return given;
  }

  private static void refuseUnknown(ObjectNode args, Set<String> known, Violations violations) {
    for (var arg : args.properties()) {
      if (!known.contains(arg.getKey())) {
        violations.add(
            IJson.pointer(POINTER, arg.getKey()),
            "The method has no argument `%s`.".formatted(Excerpt.of(arg.getKey())));
      }
    }
  }

  private static ShapeDefinition definition(List<Argument> declared) {
    var fields = JsonNodeFactory.instance.objectNode();
    declared.forEach(argument -> fields.put(argument.name(), argument.type()));
    JsonNode definition = JsonNodeFactory.instance.objectNode().set("fields", fields);
    return ShapeDefinition.parse(definition);
  }

  /**
   * The URL of a {@code GET} with its arguments, in the order of the manifest. Those that are null
   * are left out.
   *
   * @param url without a query
   * @throws Problem {@code VALIDATION_ERROR} if it is too long
   */
  static String query(String url, List<Argument> declared, ObjectNode args) {
    var parameters = new ArrayList<String>();
    for (var argument : declared) {
      var value = args.path(argument.name());
      if (!value.isMissingNode() && !value.isNull()) {
        parameters.add(argument.name() + "=" + encoded(value));
      }
    }
    var all = parameters.isEmpty() ? url : url + "?" + String.join("&", parameters);
    if (all.length() > MAX_URL) {
      throw Problem.invalid(
          POINTER,
          "The URL of the call may have at most %,d characters with its arguments, not %,d."
              .formatted(MAX_URL, all.length()));
    }
    return all;
  }

  /** Percent-encoded, a blank too. */
  private static String encoded(JsonNode value) {
    var text = value.isTextual() ? value.textValue() : CanonicalJson.of(value);
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
