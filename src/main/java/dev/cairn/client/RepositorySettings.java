package dev.cairn.client;

/**
 * The settings of a repository.
 *
 * @param streams streaming submissions; null if absent
 * @param notifications the webhook to which notifications are sent besides the inbox; null if
 *     absent
 * @param search search; null if absent
 */
public record RepositorySettings(
    @Nullable Streams streams, @Nullable Notifications notifications, @Nullable Search search) {

  /**
   * Streaming submissions.
   *
   * @param enabled whether they are enabled; null if absent
   */
  public record Streams(@Nullable Boolean enabled) {}

  /**
   * The webhook to which notifications are sent besides the inbox.
   *
   * @param webhookUrl the URL; only its origin for callers without {@code repo:write} and {@code
   *     repo:configure}; null if absent
   * @param credentialSetName the credential set for the calls; null if absent
   */
  public record Notifications(@Nullable String webhookUrl, @Nullable String credentialSetName) {}

  /**
   * Search.
   *
   * @param language the language of the content; {@code simple} by default; null if absent
   * @param vectors whether there is search by vectors; true by default; null if absent
   */
  public record Search(@Nullable String language, @Nullable Boolean vectors) {}
}
