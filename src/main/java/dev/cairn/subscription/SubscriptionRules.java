package dev.cairn.subscription;

import dev.cairn.access.Permission;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.model.filter.OperationFilter;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the members of a body mean for a subscription, as far as they can be judged without what is
 * stored. The rules are in {@code docs/subscriptions.md}, Creating a subscription, and Changing.
 */
@ApplicationScoped
class SubscriptionRules {
  static final String WEBHOOK = "webhook";
  static final String SPRITE = "sprite";
  static final String CRON = "cron";

  private static final Set<String> SETTINGS =
      Set.of("allowTraceReentry", "workspacePolicy", "notifyOnSuccess");
  private static final Set<String> POLICIES = Set.of("ignore", "include");
  private static final Set<String> EXECUTORS = Set.of(WEBHOOK, SPRITE);

  /** The members of each kind besides {@link #SETTINGS}. */
  private static final Map<String, Set<String>> OF_KIND =
      Map.of(
          WEBHOOK, Set.of("shapeName", "filterJson", "webhookUrl"),
          SPRITE, Set.of("shapeName", "filterJson", "spriteConfig"),
          CRON, Set.of("executorKind", "cronConfig", "webhookUrl", "spriteConfig"));

  /** The members that each kind has in addition when it is created. */
  private static final Map<String, Set<String>> WHEN_MADE =
      Map.of(
          WEBHOOK, Set.of("sourceRepo"),
          SPRITE, Set.of("sourceRepo", "tokenScopes"),
          CRON, Set.of("tokenScopes"));

  private static final Set<String> OF_ALL_WHEN_MADE =
      Set.of("name", "kind", "credentialSetName", "active");

  private final EgressPolicy egress;

  SubscriptionRules(EgressPolicy egress) {
    this.egress = egress;
  }

  /** A subscription as a body describes it, without what it watches and without an id. */
  Subscription made(RepositoryAccess access, SubscriptionRequest request) {
    var subscription = made(request, access::allows);
    subscription.repoId = access.repoId();
    return subscription;
  }

  /**
   * The same for no repository.
   *
   * @param principal whether the principal has a permission for every wref
   */
  static Subscription made(SubscriptionRequest request, Predicate<Permission> principal) {
    var subscription = new Subscription();
    subscription.name = name(request);
    subscription.kind = request.required("kind", request.oneOf("kind", OF_KIND.keySet()));
    var known = new HashSet<>(SETTINGS);
    known.addAll(OF_KIND.get(subscription.kind));
    known.addAll(WHEN_MADE.get(subscription.kind));
    known.addAll(OF_ALL_WHEN_MADE);
    request.refuseOthers(known, "a subscription of the kind " + subscription.kind);
    subscription.executorKind =
        subscription.kind.equals(CRON)
            ? request.required("executorKind", request.oneOf("executorKind", EXECUTORS))
            : subscription.kind;
    subscription.active = request.flag("active").orElse(true);
    subscription.workspacePolicy = "ignore";
    subscription.createdAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    require(request, OF_KIND.get(subscription.kind), subscription.executorKind);
    change(subscription, request);
    request
        .value("tokenScopes")
        .ifPresent(
            scopes -> {
              subscription.tokenPermissions =
                  TokenScopeRules.check(principal, scopes, request.pointer("tokenScopes")).stream()
                      .map(Permission::scope)
                      .toArray(String[]::new);
              subscription.tokenScopes = scopes.toString();
            });
    return subscription;
  }

  private static String name(SubscriptionRequest request) {
    try {
      return Names.subscription(request.required("name", request.text("name")));
    } catch (Problem e) {
      throw e.errors().isEmpty() ? e.at("/name") : e;
    }
  }

  private static void require(SubscriptionRequest request, Set<String> members, String executor) {
    for (var member : members.stream().sorted().toList()) {
      boolean ofOther = member.equals(executor.equals(WEBHOOK) ? "spriteConfig" : "webhookUrl");
      if (!ofOther) {
        request.required(member, request.value(member));
      }
    }
  }

  /** Refuses what a subscription of this kind does not take in a change. */
  void refuseUnchangeable(String kind, SubscriptionRequest request) {
    if (request.has("tokenScopes")) {
      throw Problem.invalid(request.pointer("tokenScopes"), "`tokenScopes` cannot be changed.")
          .hint("Delete the subscription and create it again.");
    }
    if (request.has("active")) {
      throw Problem.invalid(request.pointer("active"), "`active` cannot be changed by PATCH.")
          .hint("Send POST to `/pause` or `/resume` below the subscription.");
    }
    var known = new HashSet<>(SETTINGS);
    known.addAll(OF_KIND.get(kind));
    request.refuseOthers(known, "a change of a subscription of the kind " + kind);
  }

  /**
   * Changes what was sent, except what is watched; also in the transaction, under the lock, so that
   * configurations are merged into the present ones.
   */
  static void change(Subscription subscription, SubscriptionRequest request) {
    request
        .oneOf("executorKind", EXECUTORS)
        .ifPresent(executor -> subscription.executorKind = executor);
    refuseOther(request, subscription.executorKind);
    checkFilter(request);
    request.object("filterJson").ifPresent(filter -> subscription.filter = filter.toString());
    changeExecutor(subscription, request);
    request
        .object("cronConfig")
        .ifPresent(
            wanted -> {
              var present =
                  subscription.cronspec == null
                      ? null
                      : new CronConfig(subscription.cronspec, subscription.timezone);
              var config = CronConfig.of(present, wanted, request.pointer("cronConfig"));
              subscription.cronspec = config.cronspec();
              subscription.timezone = config.timezone();
            });
    request.flag("allowTraceReentry").ifPresent(flag -> subscription.allowTraceReentry = flag);
    request.flag("notifyOnSuccess").ifPresent(flag -> subscription.notifyOnSuccess = flag);
    request
        .oneOf("workspacePolicy", POLICIES)
        .ifPresent(policy -> subscription.workspacePolicy = policy);
  }

  /** Refuses an invalid filter; one that is changed replaces the whole of it. */
  static void checkFilter(SubscriptionRequest request) {
    request
        .object("filterJson")
        .ifPresent(
            filter -> {
              try {
                OperationFilter.parse(filter);
              } catch (Problem e) {
                throw e.under(request.pointer("filterJson"));
              }
            });
  }

  private static void refuseOther(SubscriptionRequest request, String executor) {
    var other = executor.equals(WEBHOOK) ? "spriteConfig" : "webhookUrl";
    if (request.has(other)) {
      throw Problem.invalid(
          request.pointer(other),
          "`%s` does not go with the executor %s.".formatted(other, executor));
    }
  }

  /** Removes what belonged to the former executor. */
  private static void changeExecutor(Subscription subscription, SubscriptionRequest request) {
    if (subscription.executorKind.equals(WEBHOOK)) {
      request.text("webhookUrl").ifPresent(url -> subscription.webhookUrl = url);
      request.required("webhookUrl", Optional.ofNullable(subscription.webhookUrl));
      subscription.setSprite(null);
      return;
    }
    var present =
        subscription.spriteConfig == null ? null : SpriteConfig.of(subscription.spriteConfig);
    request
        .object("spriteConfig")
        .ifPresent(
            wanted ->
                subscription.setSprite(
                    SpriteRules.of(present, wanted, request.pointer("spriteConfig"))));
    request.required("spriteConfig", Optional.ofNullable(subscription.spriteConfig));
    subscription.webhookUrl = null;
  }

  /** Refuses a URL that may not be called. It may resolve the host. */
  void checkTarget(RepositoryAccess access, SubscriptionRequest request) {
    var accountId = access.account().accountId();
    request
        .text("webhookUrl")
        .ifPresent(url -> egress.check(accountId, request.pointer("webhookUrl"), url));
  }
}
