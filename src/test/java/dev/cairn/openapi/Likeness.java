package dev.cairn.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether answers are what the document shows, but for what differs from one installation to the
 * next: times, and the names that the service draws. Each such name of the document stands for one
 * of the live service, in all answers and requests.
 */
final class Likeness {
  /** The address of the service in the document. */
  private static final String BASE = "https://cairn.example.org";

  /** Members whose texts the service draws. */
  private static final Set<String> DRAWN =
      Set.of(
          "accessToken",
          "refreshToken",
          "token",
          "ticket",
          "commitId",
          "hash",
          "parentHash",
          "nextCursor",
          "id",
          "etag",
          "kid",
          "x",
          "y",
          "client_id",
          "device_code",
          "user_code",
          "verification_uri_complete",
          "exportToken",
          "access_token",
          "refresh_token");

  /** A reference to what the service named, out of what it draws; and an id. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(Pair|Triple|Set|List)/[0-9a-f]{32}@v\\d+"
              + "|(ComponentInstall/)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final String base;
  private final Map<String, String> live = new HashMap<>();
  private final Map<String, String> shown = new HashMap<>();

  /**
   * Before the first answer.
   *
   * @param base the address of the live service
   */
  Likeness(String base) {
    this.base = base;
  }

  /** A request of the document as it is sent to the live service. */
  JsonNode sent(JsonNode request) {
    if (request.isTextual()) {
      return JsonNodeFactory.instance.textNode(
          live.getOrDefault(request.asText(), request.asText()));
    }
    if (request instanceof ObjectNode object) {
      var sent = JsonNodeFactory.instance.objectNode();
      object.properties().forEach(member -> sent.set(member.getKey(), sent(member.getValue())));
      return sent;
    }
    if (request instanceof ArrayNode array) {
      var sent = JsonNodeFactory.instance.arrayNode();
      array.forEach(item -> sent.add(sent(item)));
      return sent;
    }
    return request;
  }

  /** How the live answer differs from the document's; the names in it are remembered. */
  List<String> differences(String place, JsonNode example, JsonNode answer) {
    var differences = new ArrayList<String>();
    compare(place, "", example, answer, differences);
    return differences;
  }

  /**
   * The live answer as the document is to show it: the texts that the service draws, the times, and
   * the order of members, which may differ from run to run, stay as the example has them.
   *
   * @param example the present one, missing if there is none yet
   */
  JsonNode shown(String member, JsonNode example, JsonNode answer) {
    if (answer.isObject()) {
      var shown = JsonNodeFactory.instance.objectNode();
      var names = new LinkedHashSet<String>();
      example.fieldNames().forEachRemaining(names::add);
      answer.fieldNames().forEachRemaining(names::add);
      names.removeIf(name -> !answer.has(name));
      names.forEach(name -> shown.set(name, shown(name, example.path(name), answer.get(name))));
      return shown;
    }
    if (answer.isArray()) {
      var shown = JsonNodeFactory.instance.arrayNode();
      var former = inOrder(member, example);
      var items = inOrder(member, answer);
      for (int i = 0; i < compared(member, items); i++) {
        shown.add(shown(member, former.path(i), items.get(i)));
      }
      return shown;
    }
    if (isLike(member, example, answer)) {
      return example;
    }
    return answer.isTextual()
        ? JsonNodeFactory.instance.textNode(
            shown.getOrDefault(answer.asText(), shown(base, answer)))
        : answer;
  }

  private void compare(
      String place, String member, JsonNode example, JsonNode answer, List<String> differences) {
    if (example.isObject() && answer.isObject()) {
      var members = new HashSet<String>();
      example.fieldNames().forEachRemaining(members::add);
      answer.fieldNames().forEachRemaining(members::add);
      for (var name : members) {
        compare(place + "/" + name, name, example.path(name), answer.path(name), differences);
      }
    } else if (example.isArray() && answer.isArray()) {
      int size = Math.max(compared(member, example), compared(member, answer));
      var expected = inOrder(member, example);
      var actual = inOrder(member, answer);
      for (int i = 0; i < size; i++) {
        compare(place + "/" + i, member, expected.path(i), actual.path(i), differences);
      }
    } else if (!isLike(member, example, answer)) {
      differences.add("%s: the document has %s, the service %s".formatted(place, example, answer));
    }
  }

  /** How many items count; how many keys there are depends on when they were changed. */
  private static int compared(String member, JsonNode array) {
    return member.equals("keys") ? 1 : array.size();
  }

  /** Checks of health come as they end; everything else has an order. */
  private static JsonNode inOrder(String member, JsonNode array) {
    if (!member.equals("checks")) {
      return array;
    }
    var ordered = JsonNodeFactory.instance.arrayNode();
    array
        .valueStream()
        .sorted(Comparator.comparing(check -> check.path("name").asText()))
        .forEach(ordered::add);
    return ordered;
  }

  /** Whether a member is a time. */
  static boolean isTime(String member) {
    return member.endsWith("At") || member.equals("at") || member.endsWith("_at");
  }

  /** Whether the service draws the text of a member. */
  static boolean isDrawn(String member) {
    return DRAWN.contains(member);
  }

  /** A text of an answer as the document shows it. */
  static String shown(String base, JsonNode answer) {
    return answer.asText().replace(base, BASE);
  }

  private boolean isLike(String member, JsonNode example, JsonNode answer) {
    if (isTime(member)) {
      return example.isIntegralNumber() && answer.isIntegralNumber();
    }
    if (example.isTextual() && answer.isTextual()) {
      var text = shown(base, answer);
      boolean isDrawn = isDrawn(member) || NAMED.matcher(text).matches();
      return isDrawn ? stands(example.asText(), answer.asText()) : example.asText().equals(text);
    }
    return example.equals(answer);
  }

  /** Whether one name stands for the other, from now on if for none before. */
  private boolean stands(String example, String answer) {
    var before = live.putIfAbsent(example, answer);
    var other = shown.putIfAbsent(answer, example);
    return (before == null || before.equals(answer)) && (other == null || other.equals(example));
  }
}
