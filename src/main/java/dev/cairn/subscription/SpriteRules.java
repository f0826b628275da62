package dev.cairn.subscription;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.regex.Pattern;

/** The rules of {@code spriteConfig}; see {@code docs/subscriptions.md}, Sprites. */
final class SpriteRules {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int MIN_TTL = 5;
  private static final int MAX_TTL = 60;
  private static final Set<String> KNOWN =
      Set.of(
          "command",
          "inputMode",
          "gitRepo",
          "ref",
          "spriteName",
          "inputPath",
          "spritePool",
          "tokenTtlMinutes");

  private static final Pattern COMMAND = Pattern.compile("(?s)(?=.*\\S)[^\\x00]{1,16384}");
  private static final Pattern INPUT_MODE = Pattern.compile("stdin|json-file|env");

  /** No part begins with a dash, which a program could take for an option, or is only dots. */
  private static final Pattern GIT_REPO =
      Pattern.compile(
          "none|[A-Za-z0-9][A-Za-z0-9._-]{0,99}/(?!\\.{1,2}$)[A-Za-z0-9._][A-Za-z0-9._-]{0,99}");

  private static final Pattern REF =
      Pattern.compile("(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9._/+@-]{0,254}");
  private static final Pattern SPRITE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern INPUT_PATH =
      Pattern.compile(
          "(?!.*(?:^|/)\\.\\.?(?:/|$))(?!.*//)/?[A-Za-z0-9._][A-Za-z0-9._/-]{0,254}(?<!/)");
  private static final Pattern SPRITE_POOL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private SpriteRules() {}

  /**
   * A new configuration, or a changed one.
   *
   * @param present null for a new one
   * @param wanted the request's {@code spriteConfig}
   * @param pointer of it in the request
   */
  static SpriteConfig of(SpriteConfig present, ObjectNode wanted, String pointer) {
    var members = new ConfigReader(tree(present), wanted, pointer, KNOWN);
    var config =
        new SpriteConfig(
            members.required(
                "command",
                COMMAND,
                "`command` must have 1 to 16,384 characters, none of them U+0000, and not be blank."),
            members.required(
                "inputMode", INPUT_MODE, "`inputMode` must be one of stdin, json-file, env."),
            members.text(
                "gitRepo",
                GIT_REPO,
                "`gitRepo` must be `owner/repo`, each of 1 to 100 letters, digits, '.', '_' or '-', or"
                    + " `none`."),
            members.text(
                "ref",
                REF,
                "`ref` must be a branch, a tag or a commit: at most 255 letters, digits, '.', '_',"
                    + " '/', '+', '@' or '-', beginning with a letter or digit, without '..'."),
            members.text(
                "spriteName",
                SPRITE_NAME,
                "`spriteName` must be a letter or digit followed by at most 62 letters, digits, '.', '_'"
                    + " or '-'."),
            members.text(
                "inputPath",
                INPUT_PATH,
                "`inputPath` must be the path of a file: at most 256 letters, digits, '.', '_', '-'"
                    + " or '/', without '..'."),
            members.text(
                "spritePool",
                SPRITE_POOL,
                "`spritePool` must be a letter or digit followed by at most 99 letters, digits, '.', '_'"
                    + " or '-'."),
            members.integer("tokenTtlMinutes", MIN_TTL, MAX_TTL));
    if (config.clones() && config.ref() == null) {
      throw members.refused("ref", "`ref` is required to clone `gitRepo`.");
    }
    return config;
  }

  private static ObjectNode tree(SpriteConfig config) {
    return config == null
        ? JsonNodeFactory.instance.objectNode()
        : JSON.convertValue(config, ObjectNode.class);
  }
}
