package dev.cairn.subscription;

import java.net.URI;
import java.util.Locale;

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
        : origin(webhookUrl);
  }

  /** Scheme, host and port as they are written, in lower case. */
  static String origin(String url) {
    var uri = URI.create(url);
    return (uri.getScheme() + "://" + uri.getRawAuthority()).toLowerCase(Locale.ROOT);
  }
}
