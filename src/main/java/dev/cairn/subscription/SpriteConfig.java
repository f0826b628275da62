package dev.cairn.subscription;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * What a sprite runs, see {@code docs/subscriptions.md}, Sprites. A member that was not set is
 * null.
 *
 * @param inputMode {@code stdin}, {@code json-file} or {@code env}
 * @param gitRepo {@code owner/repo} or {@code none}
 * @param tokenTtlMinutes 5 to 60
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SpriteConfig(
    String command,
    String inputMode,
    String gitRepo,
    String ref,
    String spriteName,
    String inputPath,
    String spritePool,
    Integer tokenTtlMinutes) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MAX_CONTAINER = 63;

  /** Reads the stored text. */
  public static SpriteConfig of(String stored) {
    try {
      return JSON.readValue(stored, SpriteConfig.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a repository is to be cloned before the command runs. */
  public boolean clones() {
    return gitRepo != null && !gitRepo.equals("none");
  }

  /** The name that it gives to the execution environment; null if that depends on whose it is. */
  String chosenContainer() {
    return spriteName == null && clones() ? "cairn-" + gitRepo.replace('/', '-') : spriteName;
  }

  /**
   * The name of the execution environment: 1 to 63 of {@code a-z}, {@code 0-9} and {@code -}.
   *
   * @param name the subscription's
   */
  public String container(String org, String repo, String name) {
    return container(chosenContainer(), org, repo, name);
  }

  /**
   * The same without a config.
   *
   * @param chosen what {@link #chosenContainer} says
   */
  static String container(String chosen, String org, String repo, String name) {
    var wanted = chosen == null ? "cairn-" + org + "-" + repo + "-" + name : chosen;
    var fit = wanted.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]+", "-");
    return fit.substring(0, Math.min(fit.length(), MAX_CONTAINER)).replaceAll("^-+|-+$", "");
  }

  /** The text that is stored. */
  String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
