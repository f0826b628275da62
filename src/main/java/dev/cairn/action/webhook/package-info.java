/**
 * What carries out runs by a call: the executors of webhooks and of notification URLs, and the
 * request that they send. See {@code docs/actions.md}, Webhooks.
 *
 * <p>It calls {@code action}, and {@code subscription}, {@code egress}, {@code access}, {@code
 * work}, {@code platform} and {@code model}; nothing calls it, since the executors are found by
 * their interface. Start reading at {@link dev.cairn.action.webhook.WebhookClient}.
 */
package dev.cairn.action.webhook;
