package dev.cairn.client;

/** What a subscription does for a commit or for a tick of its schedule. */
public sealed interface SubscriptionExecutor {

  /**
   * Calls a webhook.
   *
   * @param url where: https on port 443 or 8443, with a public address
   */
  record Webhook(String url) implements SubscriptionExecutor {}

  /**
   * Runs a command in an execution environment.
   *
   * @param config the command
   */
  record Sprite(SpriteConfig config) implements SubscriptionExecutor {}
}
