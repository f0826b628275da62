package dev.cairn.subscription;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The forms in which a receiver of webhooks has the values of a credential set. */
public final class WebhookSecrets {
  /** The key of the secrets that sign, separated by white space. */
  public static final String SIGNING_SECRET = "WEBHOOK_SIGNING_SECRET";

  private static final String BASIC_USERNAME = "WEBHOOK_BASIC_USERNAME";
  private static final String BASIC_PASSWORD = "WEBHOOK_BASIC_PASSWORD";
  private static final String BEARER_TOKEN = "WEBHOOK_BEARER_TOKEN";
  private static final String API_KEY = "WEBHOOK_API_KEY";

  /** The key of the name of the header of the API key. */
  static final String API_KEY_HEADER = "WEBHOOK_API_KEY_HEADER";

  private static final String AUTHORIZATION = "Authorization";
  private static final String DEFAULT_API_KEY_HEADER = "X-API-Key";
  private static final String SIGNING_PREFIX = "whsec_";

  /**
   * A header of a call.
   *
   * @param key the key that says its value
   * @param secrets of the set, in the forms in which the value has them
   */
  record Header(String key, String name, String value, List<String> secrets) {
    @Override
    public String toString() {
      return name;
    }
  }

  private WebhookSecrets() {}

  /**
   * The headers that authenticate a call with a set. A bearer token goes before user and password,
   * and an API key before both if it is to be sent in the same header.
   */
  static Collection<Header> headers(Map<String, String> set) {
    var headers = new LinkedHashMap<String, Header>();
    if (set.containsKey(BASIC_USERNAME) || set.containsKey(BASIC_PASSWORD)) {
      var user = set.getOrDefault(BASIC_USERNAME, "");
      var password = set.getOrDefault(BASIC_PASSWORD, "");
      var basic =
          Base64.getEncoder()
              .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
      put(
          headers,
          new Header(
              BASIC_PASSWORD, AUTHORIZATION, "Basic " + basic, List.of(user, password, basic)));
    }
    if (set.containsKey(BEARER_TOKEN)) {
      var token = set.get(BEARER_TOKEN);
      put(headers, new Header(BEARER_TOKEN, AUTHORIZATION, "Bearer " + token, List.of(token)));
    }
    if (set.containsKey(API_KEY)) {
      var name = set.getOrDefault(API_KEY_HEADER, DEFAULT_API_KEY_HEADER);
      put(headers, new Header(API_KEY, name, set.get(API_KEY), List.of(set.get(API_KEY))));
    }
    return headers.values();
  }

  private static void put(Map<String, Header> headers, Header header) {
    headers.put(header.name().toLowerCase(Locale.ROOT), header);
  }

  /**
   * What a receiver knows of a set, which is what calls carry: the secrets of their headers, and
   * each signing secret. Whatever else is in the set it could find out by what is masked.
   */
  public static List<String> of(Map<String, String> set) {
    var secrets = new ArrayList<String>();
    headers(set).forEach(header -> secrets.addAll(header.secrets()));
    Stream.ofNullable(set.get(SIGNING_SECRET))
        .flatMap(all -> signing(all).stream())
        .forEach(
            secret -> {
              secrets.add(secret);
              secrets.add(withoutPrefix(secret));
            });
    return secrets;
  }

  /** Each of the signing secrets. */
  static List<String> signing(String secrets) {
    return List.of(secrets.strip().split("\\s+", -1));
  }

  /** A signing secret without what marks it as one. */
  static String withoutPrefix(String secret) {
    return secret.startsWith(SIGNING_PREFIX) ? secret.substring(SIGNING_PREFIX.length()) : secret;
  }
}
