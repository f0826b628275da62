package dev.cairn.subscription;

import dev.cairn.access.Permission;
import dev.cairn.access.RepositoryAccess;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The permissions that a change of a subscription requires. A subscription acts for its principal,
 * the account that created it or last changed what it does. So a caller that changes it needs every
 * permission that it has, and a token that is not delegated ({@link RepositoryAccess#undelegated}).
 * The rules are in {@code docs/subscriptions.md}, Principal.
 */
final class PrincipalRules {
  /** The members of a body that change what a subscription does. */
  private static final List<String> ACTS =
      List.of("webhookUrl", "executorKind", "spriteConfig", "sourceRepo");

  /** The members that make it act by itself, again and again. */
  private static final List<String> REPEATS = List.of("allowTraceReentry", "cronConfig");

  private PrincipalRules() {}

  /** Whether a request changes what a subscription does, and so makes its sender the principal. */
  static boolean changesWhatItDoes(SubscriptionRequest request) {
    return ACTS.stream().anyMatch(request::has);
  }

  /**
   * Whether a request changes whether and when a subscription acts without anybody: what a run
   * would set up for itself outlives its token, so it requires one that is not delegated.
   */
  static boolean changesWhatRepeats(SubscriptionRequest request) {
    return REPEATS.stream().anyMatch(request::has);
  }

  /** What pausing and deleting require. */
  static Set<Permission> toStop(RepositoryAccess access) {
    return EnumSet.of(
        access.allows(Permission.REPO_WRITE) ? Permission.REPO_WRITE : Permission.REPO_CONFIGURE);
  }

  /**
   * What any other change requires: also {@code repo:read}, because a subscription sends content.
   */
  static Set<Permission> toSet(RepositoryAccess access) {
    var needed = toStop(access);
    needed.add(Permission.REPO_READ);
    return needed;
  }

  /**
   * What becoming the principal requires.
   *
   * @param tokenPermissions of the tokens that its runs get
   * @param bound whether a credential set is bound, or becomes so
   */
  static Set<Permission> toAct(
      RepositoryAccess access, Set<Permission> tokenPermissions, boolean bound) {
    var needed = toSet(access);
    if (bound) {
      needed.add(Permission.REPO_CONFIGURE);
    }
    needed.addAll(tokenPermissions);
    return needed;
  }
}
