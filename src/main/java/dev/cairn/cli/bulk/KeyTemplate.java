package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How names are made from rows: the name of a field, such as {@code id}, or a template with fields
 * in braces, such as {@code {country}/{code}}. A field within an object is named with dots.
 */
final class KeyTemplate {
  private static final Pattern FIELD = Pattern.compile("\\{([^{}]+)}");

  private final String template;
  private final List<String> fields = new ArrayList<>();

  private KeyTemplate(String template) {
    this.template = template;
    var matcher = FIELD.matcher(template);
    while (matcher.find()) {
      fields.add(matcher.group(1));
    }
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if it names no field, or has a brace without its pair; the
   *     message is a sentence
   */
  static KeyTemplate parse(String text) {
    var template = text.contains("{") || text.contains("}") ? text : "{" + text + "}";
    var rest = FIELD.matcher(template).replaceAll("");
    if (rest.contains("{") || rest.contains("}")) {
      throw new IllegalArgumentException(
          "`%s` is not a template: each `{` needs a field and a `}` after it.".formatted(text));
    }
    var parsed = new KeyTemplate(template);
    if (parsed.fields.isEmpty() || text.isBlank()) {
      throw new IllegalArgumentException("`%s` names no field.".formatted(text));
    }
    return parsed;
  }

  /** The fields that it names, in their order. */
  List<String> fields() {
    return List.copyOf(fields);
  }

  /**
   * The text for a row.
   *
   * @throws InputFault if a field is absent, null, empty, or an object or array
   */
  String render(ObjectNode row) throws InputFault {
    var text = new StringBuilder();
    var matcher = FIELD.matcher(template);
    int from = 0;
    while (matcher.find()) {
      text.append(template, from, matcher.start()).append(value(row, matcher.group(1)));
      from = matcher.end();
    }
    return text.append(template, from, template.length()).toString();
  }

  private static String value(ObjectNode row, String field) throws InputFault {
    JsonNode value = row.get(field);
    if (value == null) {
      value = row.at("/" + field.replace("~", "~0").replace("/", "~1").replace('.', '/'));
    }
    boolean isEmpty = value.isTextual() && value.textValue().isEmpty();
    if (value.isMissingNode() || value.isNull() || isEmpty) {
      throw new InputFault("The row has no `%s`, which its name is made from.".formatted(field));
    }
    if (value.isContainerNode()) {
      throw new InputFault(
          "`%s` is %s, and no name can be made from it."
              .formatted(field, value.isArray() ? "an array" : "an object"));
    }
    return value.asText();
  }
}
