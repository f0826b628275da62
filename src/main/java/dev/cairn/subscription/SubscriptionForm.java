package dev.cairn.subscription;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import java.util.HashSet;
import java.util.function.Consumer;

/**
 * A body that creates a subscription, checked as far as that is possible without a repository; the
 * rules are in {@code docs/subscriptions.md}. What depends on a repository is checked when the
 * subscription is created: that the shape and the credential set exist, that the target may be
 * called, and that the principal has the permissions of its tokens.
 *
 * @param name of the subscription
 * @param shapeName the shape that it watches; null for one with a schedule
 * @param credentialSetName null if it binds none
 * @param sourceRepo the repository that it watches, as {@code org/repo}; null for its own
 */
public record SubscriptionForm(
    String name, String shapeName, String credentialSetName, String sourceRepo) {
  /** Valid values of members that a subscription may need. */
  private static final ObjectNode VALID = valid();

  private static ObjectNode valid() {
    var valid = JsonNodeFactory.instance.objectNode();
    valid.put("name", "name").put("shapeName", "Shape").put("on", "Shape");
    valid.put("webhookUrl", "https://host.example/").put("url", "https://host.example/");
    valid.putObject("filterJson");
    valid.putObject("filter");
    return valid;
  }

  /**
   * Reads an object.
   *
   * @throws Problem {@code VALIDATION_ERROR} for the first rule that it breaks, with a pointer from
   *     the root of the body
   */
  public static SubscriptionForm of(JsonNode body) {
    var request = SubscriptionRequest.of(body);
    var made = SubscriptionRules.made(request, _ -> true);
    var shape = request.text("shapeName");
    try {
      shape.ifPresent(Names::shape);
    } catch (Problem e) {
      throw e.at(request.pointer("shapeName"));
    }
    return new SubscriptionForm(
        made.name,
        shape.orElse(null),
        request.text("credentialSetName").orElse(null),
        request.text("sourceRepo").orElse(null));
  }

  /**
   * Checks an object, and finds what is wrong with each of its members: after each violation, the
   * rest is checked with a valid value in place of the member, or without it.
   *
   * @param violation gets each {@code VALIDATION_ERROR}
   */
  public static void check(ObjectNode body, Consumer<Problem> violation) {
    var rest = body.deepCopy();
    var reported = new HashSet<String>();
    while (true) {
      try {
        var _ = of(rest);
        return;
      } catch (Problem e) {
        var member = JsonPointer.compile(e.errors().getFirst().pointer()).getMatchingProperty();
        if (!reported.add(member)) {
          return; // It is missing now.
        }
        violation.accept(e);
        if (VALID.has(member)) {
          rest.set(member, VALID.get(member));
        } else if (rest.remove(member) == null) {
          return; // It is missing, and the rest depends on it.
        }
      }
    }
  }

  /** The pointer of a member of the body, which may have been sent under an alias. */
  public static String pointer(JsonNode body, String member) {
    return SubscriptionRequest.of(body).pointer(member);
  }
}
