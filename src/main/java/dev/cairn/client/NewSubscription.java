package dev.cairn.client;

import java.util.List;

/**
 * A subscription to be created; the members of each kind are in {@code docs/subscriptions.md},
 * Creating a subscription.
 *
 * @param name a subscription's name, unique within its repository. No segment is empty, {@code .}
 *     or {@code ..}
 * @param kind what triggers it, and what is called ({@code webhook}, {@code sprite}, {@code cron})
 * @param shapeName the shape that is watched; null if absent
 * @param filterJson selects operations, which must match all members. {@code {}} matches every add
 *     and revise on the shape, see {@code docs/subscriptions.md}, Filters; null if absent
 * @param webhookUrl the URL of the calls: https on port 443 or 8443, with a public address; null if
 *     absent
 * @param executorKind the executor of a cron subscription ({@code webhook}, {@code sprite}); null
 *     if absent
 * @param cronConfig when it fires, see {@code docs/subscriptions.md}, Schedules; null if absent
 * @param spriteConfig the command of a sprite, see {@code docs/subscriptions.md}, Sprites; null if
 *     absent
 * @param tokenScopes what the tokens of its sprites may do; without it they get none; null if
 *     absent
 * @param sourceRepo the watched repository, {@code org/repo} of the same organization; by default
 *     its own one; null if absent
 * @param credentialSetName the credential set to bind; null if absent
 * @param allowTraceReentry whether it may run more than once in a trace; null if absent
 * @param workspacePolicy whether commits of workspaces count ({@code ignore}, {@code include});
 *     stored for clients; null if absent
 * @param notifyOnSuccess whether runs that succeed have notifications, too; null if absent
 * @param active whether it is active after its creation; null if absent
 */
public record NewSubscription(
    String name,
    @Values({"webhook", "sprite", "cron"}) String kind,
    @Nullable String shapeName,
    @Nullable Filter filterJson,
    @Nullable String webhookUrl,
    @Nullable @Values({"webhook", "sprite"}) String executorKind,
    @Nullable CronConfig cronConfig,
    @Nullable SpriteConfig spriteConfig,
    @Nullable List<TokenScope> tokenScopes,
    @Nullable String sourceRepo,
    @Nullable String credentialSetName,
    @Nullable Boolean allowTraceReentry,
    @Nullable @Values({"ignore", "include"}) String workspacePolicy,
    @Nullable Boolean notifyOnSuccess,
    @Nullable Boolean active) {
  /**
   * One for the commits that match a filter.
   *
   * @param shapeName the shape that is watched
   */
  public static NewSubscription onCommits(
      String name, String shapeName, Filter filter, SubscriptionExecutor executor) {
    return switch (executor) {
      case SubscriptionExecutor.Webhook(var url) ->
          of(name, "webhook", shapeName, filter, url, null, null, null);
      case SubscriptionExecutor.Sprite(var config) ->
          of(name, "sprite", shapeName, filter, null, null, null, config);
    };
  }

  /** One that a schedule fires. */
  public static NewSubscription onSchedule(
      String name, CronConfig schedule, SubscriptionExecutor executor) {
    return switch (executor) {
      case SubscriptionExecutor.Webhook(var url) ->
          of(name, "cron", null, null, url, "webhook", schedule, null);
      case SubscriptionExecutor.Sprite(var config) ->
          of(name, "cron", null, null, null, "sprite", schedule, config);
    };
  }

  private static NewSubscription of(
      String name,
      String kind,
      String shapeName,
      Filter filter,
      String url,
      String executorKind,
      CronConfig schedule,
      SpriteConfig command) {
    return new NewSubscription(
        name,
        kind,
        shapeName,
        filter,
        url,
        executorKind,
        schedule,
        command,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** The same one, bound to a credential set when it is created. */
  public NewSubscription boundTo(String credentialSet) {
    return new NewSubscription(
        name,
        kind,
        shapeName,
        filterJson,
        webhookUrl,
        executorKind,
        cronConfig,
        spriteConfig,
        tokenScopes,
        sourceRepo,
        credentialSet,
        allowTraceReentry,
        workspacePolicy,
        notifyOnSuccess,
        active);
  }
}
