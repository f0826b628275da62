package dev.cairn.tenant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.Problem;
import dev.cairn.model.SearchLanguage;
import dev.cairn.platform.http.RequestBody;
import jakarta.inject.Singleton;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/** How the settings of a repository are read and changed; {@code docs/access.md}, Settings. */
@Singleton
class SettingsChange {
  private static final String POINTER = "/settings";
  private static final String NOTIFICATIONS = POINTER + "/notifications";

  private final ObjectMapper json;
  private final EgressPolicy egress;

  SettingsChange(ObjectMapper json, EgressPolicy egress) {
    this.json = json;
    this.egress = egress;
  }

  /** The settings that a text from the database holds. */
  RepositorySettings read(String stored) {
    return parse(stored, RepositorySettings.class);
  }

  /**
   * Judges a change by itself. It may resolve the addresses of a host, and wait for them.
   *
   * @param accountId the account that makes the change
   * @throws Problem {@code VALIDATION_ERROR}
   */
  void check(UUID accountId, JsonNode change) {
    var given = RequestBody.asRecord(change, RepositorySettings.class, POINTER);
    url(given).ifPresent(url -> egress.check(accountId, NOTIFICATIONS + "/webhookUrl", url));
    var language = given.search() == null ? null : given.search().language();
    if (language != null && !SearchLanguage.NAMES.contains(language)) {
      throw Problem.invalid(
          POINTER + "/search/language",
          "`language` must be one of "
              + String.join(", ", new TreeSet<>(SearchLanguage.NAMES))
              + ".");
    }
  }

  /**
   * Merges a change into what is stored, as JSON Merge Patch does: {@code null} takes a member
   * away.
   *
   * @return the text to be stored
   * @throws Problem {@code VALIDATION_ERROR} for secrets without a URL that they would go to
   */
  String merged(String stored, JsonNode change) {
    var settings = parse(stored, ObjectNode.class);
    merge(settings, change);
    var text = settings.toString();
    var result = read(text);
    if (credentialSet(result).isPresent() && url(result).isEmpty()) {
      throw Problem.invalid(
          NOTIFICATIONS + "/credentialSetName", "`credentialSetName` goes with a `webhookUrl`.");
    }
    return text;
  }

  private static void merge(ObjectNode into, JsonNode change) {
    for (var member : change.properties()) {
      var value = member.getValue();
      if (value.isNull()) {
        into.remove(member.getKey());
      } else if (value.isObject()) {
        merge(into.withObjectProperty(member.getKey()), value);
      } else {
        into.set(member.getKey(), value);
      }
    }
  }

  /** What the repository's subscriptions have to know of a change, if anything. */
  Optional<NotificationSecrets> named(UUID repoId, JsonNode change) {
    return credentialSet(RequestBody.asRecord(change, RepositorySettings.class, POINTER))
        .map(name -> new NotificationSecrets(repoId, name, NOTIFICATIONS));
  }

  /** Whether notifications are sent elsewhere, or with other credentials, than before. */
  boolean redirects(String before, String after) {
    var former = read(before);
    var next = read(after);
    return !url(former).equals(url(next)) || !credentialSet(former).equals(credentialSet(next));
  }

  /** The settings of the search, if a change names one. */
  Optional<SearchSettingsChosen> search(UUID repoId, String merged, JsonNode change) {
    if (!change.has("search")) {
      return Optional.empty();
    }
    var search = read(merged).search();
    var language =
        search == null || search.language() == null ? SearchLanguage.DEFAULT : search.language();
    boolean hasVectors = search == null || !Boolean.FALSE.equals(search.vectors());
    return Optional.of(new SearchSettingsChosen(repoId, language, hasVectors));
  }

  private static Optional<String> url(RepositorySettings settings) {
    return Optional.ofNullable(settings.notifications())
        .map(RepositorySettings.Notifications::webhookUrl);
  }

  private static Optional<String> credentialSet(RepositorySettings settings) {
    return Optional.ofNullable(settings.notifications())
        .map(RepositorySettings.Notifications::credentialSetName);
  }

  private <T> T parse(String text, Class<T> type) {
    try {
      return json.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
