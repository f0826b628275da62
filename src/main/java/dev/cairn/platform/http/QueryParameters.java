package dev.cairn.platform.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Violations;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the query parameters of a request strictly: a name that the endpoint does not know, a name
 * given twice, or a value of the wrong type is a {@code VALIDATION_ERROR} that names the parameter;
 * one error lists all such names. Must be created after the caller is authorized, so that errors
 * tell nothing to others.
 */
public final class QueryParameters {
  /** Only ASCII digits: the JDK would also read digits of other scripts. */
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,10}");

  /** Until the year 5138. */
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,14}");

  /** Parameters with names of entities, which have no blanks, or with patterns of them. */
  private static final Set<String> WITHOUT_BLANKS =
      Set.of("about", "match", "missing", "shape", "wref");

  private final Map<String, List<String>> values;

  private QueryParameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /** The parameters of {@code uri}, which may have only {@code known} ones, each once. */
  public static QueryParameters of(UriInfo uri, Set<String> known) {
    return of(uri, known, Set.of());
  }

  /** The same, but parameters in {@code repeatable} may be given more than once. */
  public static QueryParameters of(UriInfo uri, Set<String> known, Set<String> repeatable) {
    var parameters = of(uri.getQueryParameters(), known, repeatable);
    for (var name : WITHOUT_BLANKS) {
      // It is usually a plus that was not encoded.
      refuseBlanks(
          name,
          parameters.texts(name),
          "In a query, `+` stands for a blank: write `%2B` for a plus.");
    }
    return parameters;
  }

  private static void refuseBlanks(String name, List<String> texts, String hint) {
    if (texts.stream().anyMatch(text -> text.contains(" "))) {
      throw Problem.invalid(pointer(name), "`%s` must not contain a blank.".formatted(name))
          .hint(hint);
    }
  }

  /** Refuses blanks in members with names of entities, or with patterns of them. */
  public static void refuseBlanks(JsonNode object) {
    for (var name : WITHOUT_BLANKS) {
      if (object.has(name)) {
        refuseBlanks(
            name,
            texts(object.get(name)),
            "Names of shapes and entities have no blanks: leave them out.");
      }
    }
  }

  private static List<String> texts(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asText).toList()
        : List.of(value.asText());
  }

  /**
   * The same for parameters that are members of an object: an array stands for a repeated
   * parameter.
   */
  public static QueryParameters of(JsonNode object, Set<String> known, Set<String> repeatable) {
    var values = new HashMap<String, List<String>>();
    for (var member : object.properties()) {
      var value = member.getValue();
      if (value.isArray() && value.isEmpty()) {
        // Without the parameter, everything would be selected.
        throw Problem.invalid(
            pointer(member.getKey()),
            "`%s` must have at least one element.".formatted(shortened(member.getKey())));
      }
      values.put(member.getKey(), texts(value));
    }
    return of(values, known, repeatable);
  }

  /** The same for parameters that were read elsewhere. */
  public static QueryParameters of(
      Map<String, List<String>> values, Set<String> known, Set<String> repeatable) {
    var violations = new Violations();
    // Sorted, since they have lost the order of the request.
    for (var entry : new TreeMap<>(values).entrySet()) {
      var name = entry.getKey();
      if (!known.contains(name)) {
        violations.add(pointer(name), "Unknown query parameter `%s`.".formatted(shortened(name)));
      } else if (entry.getValue().size() > 1 && !repeatable.contains(name)) {
        violations.add(pointer(name), "`" + name + "` may be given only once.");
      }
    }
    if (!violations.isEmpty()) {
      throw violations
          .problem(ErrorCode.VALIDATION_ERROR)
          .hint(known.containsAll(values.keySet()) ? null : hint(known));
    }
    return new QueryParameters(values);
  }

  private static String hint(Set<String> known) {
    return known.isEmpty()
        ? "This endpoint takes none."
        : "Known here: " + String.join(", ", known.stream().sorted().toList()) + ".";
  }

  /** Refuses every query parameter. */
  public static void none(UriInfo uri) {
    of(uri, Set.of());
  }

  /** A parameter's text, if it was given. */
  public Optional<String> text(String name) {
    return texts(name).stream().findFirst();
  }

  /** All texts of a parameter that may be repeated, in their order. */
  public List<String> texts(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** A parameter that is {@code true} or {@code false}; false if it was not given. */
  public boolean flag(String name) {
    return switch (text(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw Problem.invalid(pointer(name), "`" + name + "` must be true or false.");
    };
  }

  /** A parameter that is a whole number in a range, if it was given. */
  public Optional<Integer> integer(String name, int min, int max) {
    return text(name).map(t -> parse(name, t, min, max));
  }

  /** A parameter that is a time in epoch milliseconds, if it was given. */
  public Optional<Instant> time(String name) {
    return text(name).map(t -> millis(name, t));
  }

  private static Instant millis(String name, String text) {
    if (MILLIS.matcher(text).matches()) {
      return Instant.ofEpochMilli(Long.parseLong(text));
    }
    throw Problem.invalid(
        pointer(name),
        "`%s` must be in epoch milliseconds, not `%s`.".formatted(name, shortened(text)));
  }

  private static int parse(String name, String text, int min, int max) {
    if (DIGITS.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= min && value <= max) {
        return (int) value;
      }
    }
    throw Problem.invalid(
        pointer(name),
        "`%s` must be a whole number from %d to %d, not `%s`."
            .formatted(name, min, max, shortened(text)));
  }

  /** How the violations of a problem name a parameter: {@code ?limit}. */
  public static String pointer(String name) {
    return "?" + name;
  }

  private static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
