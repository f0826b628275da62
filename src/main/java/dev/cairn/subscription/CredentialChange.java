package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A change of a credential set; the rules are in {@code docs/credentials.md}, Keys. No problem here
 * repeats a value.
 *
 * @param description empty to leave it as it is; an empty text removes it
 * @param set the values to set, by their keys' names
 * @param removed the names of the keys to remove
 */
public record CredentialChange(
    Optional<String> description, Map<String, String> set, List<String> removed) {
  private static final Set<String> KNOWN = Set.of("description", "keys");

  /** Enough to replace all keys of a set by others. */
  private static final int MAX_KEYS = 2 * ManagedCredentials.MAX_KEYS;

  private static final int MAX_DESCRIPTION = 500;
  private static final int MAX_VALUE = 8_192;
  private static final int MAX_SECRETS = 10;
  private static final int MIN_SECRET = 16;
  private static final int MAX_SECRET = 64;
  private static final String SECRET_PREFIX = "whsec_";
  private static final Pattern TOKEN = Pattern.compile("[!-~]+");
  private static final Pattern FIELD_VALUE = Pattern.compile("[!-~](?:[ -~]*[!-~])?");
  private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  private static final Pattern USERNAME = Pattern.compile("[^:\\p{Cntrl}]+");
  private static final Pattern PASSWORD = Pattern.compile("\\P{Cntrl}+");

  /** The headers that a delivery sets itself, and those of the connection and of proxies. */
  private static final Pattern TAKEN_FIELD =
      Pattern.compile(
          "host|content-.*|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect"
              + "|http2-settings|proxy-.*|forwarded|x-forwarded-.*|x-real-ip|via|user-agent|accept.*|cookie|traceparent|tracestate|webhook-.*|x-cairn-.*");

  /** Whether a value is set or removed. */
  boolean changesKeys() {
    return !set.isEmpty() || !removed.isEmpty();
  }

  /** Reads a body. */
  public static CredentialChange of(JsonNode body) {
    for (var member : body.properties()) {
      if (!KNOWN.contains(member.getKey())) {
        throw Problem.invalid(
                IJson.pointer("", member.getKey()),
                "Unknown member `" + Excerpt.of(member.getKey()) + "`.")
            .hint("Known here: description, keys.");
      }
    }
    var set = new TreeMap<String, String>();
    var removed = new ArrayList<String>();
    keys(body.path("keys"), set, removed);
    return new CredentialChange(description(body.path("description")), set, removed);
  }

  private static Optional<String> description(JsonNode value) {
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (value.isNull()) {
      return Optional.of("");
    }
    if (!value.isTextual()
        || value.textValue().codePointCount(0, value.textValue().length()) > MAX_DESCRIPTION) {
      throw Problem.invalid(
          "/description",
          "`description` must be a string of at most " + MAX_DESCRIPTION + " characters.");
    }
    return Optional.of(value.textValue());
  }

  private static void keys(JsonNode keys, Map<String, String> set, List<String> removed) {
    if (keys.isMissingNode() || keys.isNull()) {
      return;
    }
    if (!keys.isObject()) {
      throw Problem.invalid("/keys", "`keys` must be an object of names and values.");
    }
    if (keys.size() > MAX_KEYS) {
      throw Problem.invalid("/keys", "A change may name at most %d keys.".formatted(MAX_KEYS));
    }
    for (var key : keys.properties()) {
      var pointer = IJson.pointer("/keys", key.getKey());
      if (!CredentialNames.isKey(key.getKey())) {
        throw Problem.invalid(pointer, CredentialNames.KEY_RULE);
      }
      if (key.getValue().isNull()) {
        removed.add(key.getKey());
      } else {
        set.put(key.getKey(), value(key.getKey(), key.getValue(), pointer));
      }
    }
  }

  private static String value(String key, JsonNode value, String pointer) {
    if (!value.isTextual()
        || value.textValue().isEmpty()
        || value.textValue().length() > MAX_VALUE) {
      throw Problem.invalid(
          pointer,
          "A value must be a string of 1 to %,d characters, or null to remove the key."
              .formatted(MAX_VALUE));
    }
    var text = value.textValue();
    var broken = broken(key, text);
    if (broken != null) {
      throw Problem.invalid(pointer, broken);
    }
    return text;
  }

  /** The rule that the value of a key with a meaning breaks; null if it breaks none. */
  private static String broken(String key, String value) {
    return switch (key) {
      case "WEBHOOK_SIGNING_SECRET", "CLI_SIGNING_SECRET" ->
          isSecrets(value)
              ? null
              : "`%s` must be 1 to %d secrets with a space between them, each `whsec_` and base64 of %d to %d bytes."
                  .formatted(key, MAX_SECRETS, MIN_SECRET, MAX_SECRET);
      case "WEBHOOK_BEARER_TOKEN" ->
          matches(TOKEN, value, "`WEBHOOK_BEARER_TOKEN` must be visible ASCII without spaces.");
      case "WEBHOOK_API_KEY" ->
          matches(FIELD_VALUE, value, "`WEBHOOK_API_KEY` must be visible ASCII, as in a header.");
      case "WEBHOOK_API_KEY_HEADER" ->
          FIELD_NAME.matcher(value).matches()
                  && !TAKEN_FIELD.matcher(value.toLowerCase(Locale.ROOT)).matches()
              ? null
              : "`WEBHOOK_API_KEY_HEADER` must be the name of a header that calls do not already have.";
      case "WEBHOOK_BASIC_USERNAME" ->
          matches(
              USERNAME,
              value,
              "`WEBHOOK_BASIC_USERNAME` must not contain a colon or control characters.");
      case "WEBHOOK_BASIC_PASSWORD" ->
          matches(PASSWORD, value, "`WEBHOOK_BASIC_PASSWORD` must not contain control characters.");
      default -> null;
    };
  }

  private static String matches(Pattern form, String value, String rule) {
    return form.matcher(value).matches() ? null : rule;
  }

  private static boolean isSecrets(String value) {
    var secrets = value.split(" ", -1);
    if (secrets.length > MAX_SECRETS) {
      return false;
    }
    for (var secret : secrets) {
      if (!isSecret(secret)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSecret(String secret) {
    if (!secret.startsWith(SECRET_PREFIX)) {
      return false;
    }
    try {
      int bytes = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())).length;
      return bytes >= MIN_SECRET && bytes <= MAX_SECRET;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
