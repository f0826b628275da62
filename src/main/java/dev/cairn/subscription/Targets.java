package dev.cairn.subscription;

import dev.cairn.egress.EgressPolicy;

/** What limits and breakers count as one; see {@code docs/actions.md}. */
public final class Targets {
  private Targets() {}

  /**
   * The target of a subscription: the origin of its URL, or {@code sprite:} and its container.
   *
   * @param webhookUrl null where the executor is a sprite
   * @param spriteConfig JSON text of a {@link SpriteConfig}, where it is
   * @param name the subscription's
   */
  public static String of(
      String webhookUrl, String spriteConfig, String org, String repo, String name) {
    return webhookUrl == null
        ? "sprite:" + SpriteConfig.of(spriteConfig).container(org, repo, name)
        : EgressPolicy.origin(webhookUrl);
  }
}
