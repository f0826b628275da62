package dev.cairn.client;

import java.util.List;
import java.util.Optional;

/**
 * A subscription; which callers see which fields is in {@code docs/subscriptions.md}, Fields.
 *
 * @param name a subscription's name, unique within its repository. No segment is empty, {@code .}
 *     or {@code ..}
 * @param kind what triggers it, and what is called ({@code webhook}, {@code sprite}, {@code cron})
 * @param active whether it creates runs
 * @param shapeName the present name of the watched shape; null if absent
 * @param filterJson selects operations, which must match all members. {@code {}} matches every add
 *     and revise on the shape, see {@code docs/subscriptions.md}, Filters; null if absent
 * @param webhookUrl the URL of the calls; only its origin and {@code /…} for callers that may not
 *     write; null if absent
 * @param executorKind the executor of runs ({@code webhook}, {@code sprite}); null if absent
 * @param cronConfig when it fires, see {@code docs/subscriptions.md}, Schedules; null if absent
 * @param spriteConfig the command of a sprite, see {@code docs/subscriptions.md}, Sprites; null if
 *     absent
 * @param actionContainer the name of the execution environment; null if absent
 * @param actionContainerConfig the command in the execution environment; null if absent
 * @param tokenScopes what the tokens of its sprites may do; null if absent
 * @param sourceRepo the watched repository, if it is another one; null if absent
 * @param allowTraceReentry whether it runs more than once in a trace; null if absent
 * @param workspacePolicy whether commits of workspaces count ({@code ignore}, {@code include});
 *     stored for clients; null if absent
 * @param notifyOnSuccess whether runs that succeed have notifications, too; null if absent
 * @param credentialSetName the bound credential set; null if absent
 * @param principal the e-mail address of the account that it acts for; null if absent
 * @param createdAt when it was created, in milliseconds since 1970-01-01 UTC; null if absent
 * @param etag the {@code ETag} of this state, for {@code If-Match}; null if absent
 */
public record Subscription(
    String name,
    @Values({"webhook", "sprite", "cron"}) String kind,
    boolean active,
    @Nullable String shapeName,
    @Nullable Filter filterJson,
    @Nullable String webhookUrl,
    @Nullable @Values({"webhook", "sprite"}) String executorKind,
    @Nullable CronConfig cronConfig,
    @Nullable SpriteConfig spriteConfig,
    @Nullable String actionContainer,
    @Nullable ActionContainerConfig actionContainerConfig,
    @Nullable List<TokenScope> tokenScopes,
    @Nullable String sourceRepo,
    @Nullable Boolean allowTraceReentry,
    @Nullable @Values({"ignore", "include"}) String workspacePolicy,
    @Nullable Boolean notifyOnSuccess,
    @Nullable String credentialSetName,
    @Nullable String principal,
    @Nullable Long createdAt,
    @Nullable String etag) {

  /**
   * What it does; empty if this answer has too little of it: in lists, and for callers that may not
   * write, the command is absent.
   */
  public Optional<SubscriptionExecutor> executor() {
    if (spriteConfig != null) {
      return Optional.of(new SubscriptionExecutor.Sprite(spriteConfig));
    }
    return Optional.ofNullable(webhookUrl).map(SubscriptionExecutor.Webhook::new);
  }

  /**
   * The command in the execution environment.
   *
   * @param command the shell command; null for callers that may not write
   * @param gitRepo what is cloned; null if absent
   * @param ref what is checked out; null if absent
   * @param inputMode how the input comes; null if absent
   */
  public record ActionContainerConfig(
      @Nullable String command,
      @Nullable String gitRepo,
      @Nullable String ref,
      @Nullable String inputMode) {}
}
