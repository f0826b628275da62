package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;

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

  /** The pointer of a member of the body, which may have been sent under an alias. */
  public static String pointer(JsonNode body, String member) {
    return SubscriptionRequest.of(body).pointer(member);
  }
}
