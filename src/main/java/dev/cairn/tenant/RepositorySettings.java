package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.egress.EgressPolicy;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What a repository has switched on; {@code docs/access.md}, Settings.
 *
 * @param streams null if nothing was set
 * @param notifications null if nothing was set
 * @param search null if nothing was set
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RepositorySettings(Streams streams, Notifications notifications, Search search) {

  /** Streaming submissions; off unless {@code enabled} is true. */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Streams(Boolean enabled) {}

  /**
   * Where notifications are sent besides the inbox.
   *
   * @param webhookUrl null for nowhere
   * @param credentialSetName the credential set that the calls are made with; null for none
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Notifications(String webhookUrl, String credentialSetName) {}

  /**
   * How the content is searched.
   *
   * @param language one of {@link dev.cairn.model.SearchLanguage#NAMES}; null for the default
   * @param vectors whether there are vectors; null for the default, true
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Search(String language, Boolean vectors) {}

  /** The same for a caller that may not see where calls go: the origin alone. */
  RepositorySettings withoutDetails() {
    return notifications == null || notifications.webhookUrl() == null
        ? this
        : new RepositorySettings(
            streams, new Notifications(EgressPolicy.cut(notifications.webhookUrl()), null), search);
  }
}
