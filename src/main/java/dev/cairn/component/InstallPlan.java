package dev.cairn.component;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;
import java.util.Map;

/**
 * What an installation or a teardown does, as far as it can be told before.
 *
 * @param items everything that the manifest names, in the order in which it is done
 * @param refusals why it cannot be done; empty if it can
 */
record InstallPlan(List<Item> items, List<Refusal> refusals) {
  static final String SHAPE = "shape";
  static final String SEED = "seed";
  static final String RECORD = "record";
  static final String CREDENTIAL_SET = "credential-set";
  static final String SUBSCRIPTION = "subscription";
  static final String TOKEN = "token";

  static final String CREATE = "create";
  static final String CHANGE = "change";
  static final String LEAVE = "leave";

  /** How many refusals a problem lists. */
  private static final int MAX_LISTED = 100;

  /**
   * One thing that it makes, changes or leaves.
   *
   * @param kind {@code shape}, {@code seed}, {@code record}, {@code credential-set}, {@code
   *     subscription} or {@code token}
   * @param action {@code create}, {@code change} or {@code leave}; of a teardown {@code pause},
   *     {@code delete}, {@code revoke}, {@code retract} or {@code leave}
   */
  @RegisterForReflection
  public record Item(String kind, String name, String action) {}

  /**
   * A reason why it cannot be done.
   *
   * @param reason for programs
   * @param detail for people
   */
  record Refusal(String kind, String name, String reason, String detail) {
    private Map<String, String> listed() {
      return Map.of("kind", kind, "name", name, "reason", reason, "detail", detail);
    }
  }

  /**
   * Throws if it cannot be done.
   *
   * @param isUnchanged whether nothing of it was done yet
   * @throws Problem {@code CONFLICT} with all reasons
   */
  void requireInstallable(boolean isUnchanged) {
    if (refusals.isEmpty()) {
      return;
    }
    var first = refusals.getFirst().detail();
    int others = refusals.size() - 1;
    throw Problem.of(
            ErrorCode.CONFLICT,
            others == 0 ? first : "%s There are %d more reasons.".formatted(first, others))
        .with("reason", "not_installable")
        .with("refusals", refusals.stream().limit(MAX_LISTED).map(Refusal::listed).toList())
        .hint(
            (isUnchanged ? "Nothing was changed. " : "")
                + "Rename or delete what is in the way, and install it again.");
  }
}
