package dev.cairn.client;

/**
 * A change of a subscription, see {@code docs/subscriptions.md}, Changing.
 *
 * @param shapeName the shape that is watched; null if absent
 * @param filterJson selects operations, which must match all members. {@code {}} matches every add
 *     and revise on the shape, see {@code docs/subscriptions.md}, Filters; null if absent
 * @param webhookUrl the URL of the calls: https on port 443 or 8443, with a public address; null if
 *     absent
 * @param executorKind the executor of a cron subscription ({@code webhook}, {@code sprite}); null
 *     if absent
 * @param cronConfig what changes of the schedule; null removes a member; null if absent
 * @param spriteConfig what changes of the command; null removes a member; null if absent
 * @param allowTraceReentry whether it may run more than once in a trace; null if absent
 * @param workspacePolicy whether commits of workspaces count ({@code ignore}, {@code include});
 *     stored for clients; null if absent
 * @param notifyOnSuccess whether runs that succeed have notifications, too; null if absent
 */
public record SubscriptionChange(
    @Nullable String shapeName,
    @Nullable Filter filterJson,
    @Nullable String webhookUrl,
    @Nullable @Values({"webhook", "sprite"}) String executorKind,
    @Nullable CronConfigChange cronConfig,
    @Nullable SpriteConfigChange spriteConfig,
    @Nullable Boolean allowTraceReentry,
    @Nullable @Values({"ignore", "include"}) String workspacePolicy,
    @Nullable Boolean notifyOnSuccess) {}
