package dev.cairn.action;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The forms in which a receiver of webhooks has the values of a credential set. */
public final class WebhookSecrets {
  /** The key of the secrets that sign, separated by white space. */
  public static final String SIGNING_SECRET = "WEBHOOK_SIGNING_SECRET";

  private static final String BASIC_USERNAME = "WEBHOOK_BASIC_USERNAME";
  private static final String BASIC_PASSWORD = "WEBHOOK_BASIC_PASSWORD";
  private static final String SIGNING_PREFIX = "whsec_";

  private static final String PREFIX = "WEBHOOK_";

  private WebhookSecrets() {}

  /**
   * What a receiver knows of a set: the values of the keys that are for webhooks, each signing
   * secret by itself, and user and password as sent.
   */
  static List<String> of(Map<String, String> set) {
    var secrets = new ArrayList<String>();
    set.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            secrets.add(value);
          }
        });
    for (var secret : signing(set.getOrDefault(SIGNING_SECRET, ""))) {
      secrets.add(secret);
      secrets.add(withoutPrefix(secret));
    }
    if (isBasic(set)) {
      secrets.add(basic(set));
    }
    return secrets;
  }

  /** Each of the signing secrets. */
  public static List<String> signing(String secrets) {
    return List.of(secrets.strip().split("\\s+", -1));
  }

  /** A signing secret without what marks it as one. */
  public static String withoutPrefix(String secret) {
    return secret.startsWith(SIGNING_PREFIX) ? secret.substring(SIGNING_PREFIX.length()) : secret;
  }

  /** Whether a set has a user or a password. */
  public static boolean isBasic(Map<String, String> set) {
    return set.containsKey(BASIC_USERNAME) || set.containsKey(BASIC_PASSWORD);
  }

  /** User and password as HTTP sends them. */
  public static String basic(Map<String, String> set) {
    return SecretMask.basic(
        set.getOrDefault(BASIC_USERNAME, "") + ":" + set.getOrDefault(BASIC_PASSWORD, ""));
  }
}
