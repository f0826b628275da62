package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Merged into the current settings, member by member; {@code null} removes one.
 *
 * @param streams streaming submissions; null if absent
 * @param notifications the webhook to which notifications are sent besides the inbox; the caller
 *     becomes the account that they are sent for; null if absent
 * @param search search; null if absent
 */
public record RepositorySettingsChange(
    @Nullable Streams streams, @Nullable Notifications notifications, @Nullable Search search) {

  /**
   * Streaming submissions.
   *
   * @param enabled whether they are enabled; null leaves it, a JSON null removes it
   */
  public record Streams(@Nullable JsonNode enabled) {}

  /**
   * The webhook to which notifications are sent besides the inbox; the caller becomes the account
   * that they are sent for.
   *
   * @param webhookUrl a URL that may be called, see {@code docs/egress.md}; null leaves it, a JSON
   *     null removes it
   * @param credentialSetName the credential set for the calls; only together with a URL; null
   *     leaves it, a JSON null removes it
   */
  public record Notifications(
      @Nullable JsonNode webhookUrl, @Nullable JsonNode credentialSetName) {}

  /**
   * Search.
   *
   * @param language {@code simple} or a language of PostgreSQL, such as {@code english}. All
   *     content is then indexed again, see {@code docs/search.md}; null leaves it, a JSON null
   *     removes it
   * @param vectors whether there is search by vectors; without them, they are deleted; null leaves
   *     it, a JSON null removes it
   */
  public record Search(@Nullable JsonNode language, @Nullable JsonNode vectors) {}
}
