package dev.cairn.subscription;

import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.Sha256;
import java.util.HexFormat;

/**
 * What circuit breakers count as one; see {@code docs/actions.md}. A target begins with its host,
 * which ends at the first {@code #}, or is all of it.
 */
public final class Targets {
  private static final int URL_HASH_BYTES = 16;

  private Targets() {}

  /**
   * The target of a subscription: its URL, or {@code sprite:} and its container. Of a URL only the
   * origin is readable, because the rest may be a secret and has any length.
   *
   * @param webhookUrl null where the executor is a sprite
   * @param spriteConfig JSON text of a {@link SpriteConfig}, where it is
   * @param name the subscription's
   */
  public static String of(
      String webhookUrl, String spriteConfig, String org, String repo, String name) {
    return webhookUrl == null
        ? "sprite:" + SpriteConfig.of(spriteConfig).container(org, repo, name)
        : EgressPolicy.origin(webhookUrl)
            + "#"
            + HexFormat.of().formatHex(Sha256.of(webhookUrl), 0, URL_HASH_BYTES);
  }
}
