package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Examples of JSON on the pages, which show only a part: members and the last items of lists may be
 * left out, and {@code …} in a text stands for any characters.
 */
public final class Shown {
  private static final String ANY = "…";
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private Shown() {}

  /** All values of a text, which may be separated by white space. */
  public static List<JsonNode> values(String text) throws IOException {
    try (var values =
        JSON.readerFor(JsonNode.class).<JsonNode>readValues(text.replace("[ … ]", "[]"))) {
      return values.readAll();
    }
  }

  /**
   * How an answer differs from what a page shows of it. Times, and the texts that the service
   * draws, differ from one installation to the next.
   *
   * @param base the address of the live service
   */
  public static List<String> differences(String base, JsonNode shown, JsonNode answer) {
    var differences = new ArrayList<String>();
    compare(base, "", shown, answer, differences);
    return differences;
  }

  private static void compare(
      String base, String place, JsonNode shown, JsonNode answer, List<String> differences) {
    if (shown.isObject() && answer.isObject()) {
      for (var member : shown.properties()) {
        var name = member.getKey();
        compare(base, place + "/" + name, member.getValue(), answer.path(name), differences);
      }
    } else if (shown.isArray() && answer.isArray()) {
      for (int i = 0; i < shown.size(); i++) {
        compare(base, place + "/" + i, shown.get(i), answer.path(i), differences);
      }
    } else if (!isLike(base, place.substring(place.lastIndexOf('/') + 1), shown, answer)) {
      differences.add("%s: the page has %s, the service %s".formatted(place, shown, answer));
    }
  }

  private static boolean isLike(String base, String member, JsonNode shown, JsonNode answer) {
    if (shown.isTextual() && answer.isTextual()) {
      return Likeness.isDrawn(member) || matches(shown.asText(), Likeness.shown(base, answer));
    }
    return Likeness.isTime(member)
        ? shown.isIntegralNumber() && answer.isIntegralNumber()
        : shown.equals(answer);
  }

  private static boolean matches(String shown, String answer) {
    var pattern =
        Arrays.stream(shown.split(ANY, -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(answer).matches();
  }

  /**
   * What is wrong with an example by a schema of the OpenAPI document, except with texts that are
   * shortened.
   *
   * @param schema its name
   */
  public static List<String> violations(String schema, JsonNode shown) {
    var api = OpenApi.get();
    return api.violations(api.root().at("/components/schemas/" + schema), shown).stream()
        .filter(violation -> !shown.at(location(violation)).asText().contains(ANY))
        .toList();
  }

  private static String location(String violation) {
    return violation.substring(0, violation.indexOf(": "));
  }
}
