package dev.cairn.subscription;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A subscription as answers show it; {@code docs/subscriptions.md}, Fields, has the rules. A member
 * that is not shown is null.
 *
 * @param filterJson JSON as it was sent
 * @param tokenScopes JSON as it was sent
 * @param credentialSetName the bound credential set
 * @param principal the e-mail address of the account that it acts for
 * @param etag the tag of this state, for {@code If-Match}, with its quotes; null in a list
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SubscriptionView(
    String name,
    String kind,
    boolean active,
    String shapeName,
    @JsonRawValue String filterJson,
    String webhookUrl,
    String executorKind,
    CronConfig cronConfig,
    SpriteConfig spriteConfig,
    String actionContainer,
    ActionContainerConfig actionContainerConfig,
    @JsonRawValue String tokenScopes,
    String sourceRepo,
    Boolean allowTraceReentry,
    String workspacePolicy,
    Boolean notifyOnSuccess,
    String credentialSetName,
    String principal,
    Instant createdAt,
    String etag) {

  /**
   * What a sprite runs.
   *
   * @param command null if the caller may not see it
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ActionContainerConfig(
      String command, String gitRepo, String ref, String inputMode) {}
}
