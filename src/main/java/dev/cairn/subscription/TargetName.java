package dev.cairn.subscription;

import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.Sha256;
import java.util.HexFormat;

/**
 * The name of the target of runs, for which a circuit breaker and the slots of a host are kept; see
 * {@code docs/actions.md}, Circuit breaker. It begins with the host, which ends at the first {@code
 * #} or at the end.
 */
public final class TargetName {
  private static final int URL_HASH_BYTES = 16;

  private TargetName() {}

  /**
   * The name of a subscription's target: the origin and a hash of its URL, or {@code sprite:} and
   * its container. The rest of the URL is not readable, because it may be a secret and has any
   * length.
   *
   * @param webhookUrl null if the executor is a sprite
   * @param spriteContainer what {@link SpriteConfig#chosenContainer} says
   * @param name the subscription's
   */
  public static String of(
      String webhookUrl, String spriteContainer, String org, String repo, String name) {
    return webhookUrl == null
        ? "sprite:" + SpriteConfig.container(spriteContainer, org, repo, name)
        : EgressPolicy.origin(webhookUrl)
            + "#"
            + HexFormat.of().formatHex(Sha256.of(webhookUrl), 0, URL_HASH_BYTES);
  }
}
