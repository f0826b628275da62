package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;

/**
 * What a body can say about a subscription, in a form that can be compared: JSON is canonical here.
 * A member that the subscription does not have is null.
 *
 * @param fixed what no change of a subscription can change
 * @param shapeName the shape that it watches
 */
record SubscriptionSettings(
    Fixed fixed,
    String executorKind,
    boolean active,
    String shapeName,
    String filter,
    String webhookUrl,
    SpriteConfig spriteConfig,
    CronConfig cronConfig,
    String credentialSet,
    boolean allowTraceReentry,
    boolean notifyOnSuccess,
    String workspacePolicy) {

  /** The columns of {@link #of(ResultSet)}, of a {@code subscription s} and its {@code shape}. */
  static final String COLUMNS =
      """
      s.kind, s.executor_kind, s.active, shape.name as shape_name, s.filter, s.webhook_url,
      s.sprite_config, s.cronspec, s.timezone, s.token_scopes, s.credential_set,
      s.allow_trace_reentry, s.notify_on_success, s.workspace_policy
      """;

  /**
   * What only another subscription can have otherwise.
   *
   * @param tokenScopes canonical JSON
   */
  record Fixed(String kind, String tokenScopes) {}

  /** Those of a subscription that a body describes. */
  static SubscriptionSettings of(Subscription made, SubscriptionRequest request) {
    return new SubscriptionSettings(
        new Fixed(made.kind, canonical(made.tokenScopes)),
        made.executorKind,
        made.active,
        request.text("shapeName").orElse(null),
        canonical(made.filter),
        made.webhookUrl,
        sprite(made.spriteConfig),
        cron(made.cronspec, made.timezone),
        request.text("credentialSetName").orElse(null),
        made.allowTraceReentry,
        made.notifyOnSuccess,
        made.workspacePolicy);
  }

  /** Those of the current row. */
  static SubscriptionSettings of(ResultSet row) throws SQLException {
    return new SubscriptionSettings(
        new Fixed(row.getString("kind"), canonical(row.getString("token_scopes"))),
        row.getString("executor_kind"),
        row.getBoolean("active"),
        row.getString("shape_name"),
        canonical(row.getString("filter")),
        row.getString("webhook_url"),
        sprite(row.getString("sprite_config")),
        cron(row.getString("cronspec"), row.getString("timezone")),
        row.getString("credential_set"),
        row.getBoolean("allow_trace_reentry"),
        row.getBoolean("notify_on_success"),
        row.getString("workspace_policy"));
  }

  /** Whether these differ from others in more than whether it is active. */
  boolean differsFrom(SubscriptionSettings other) {
    return !Objects.equals(withActive(other.active), other);
  }

  private SubscriptionSettings withActive(boolean isActive) {
    return new SubscriptionSettings(
        fixed,
        executorKind,
        isActive,
        shapeName,
        filter,
        webhookUrl,
        spriteConfig,
        cronConfig,
        credentialSet,
        allowTraceReentry,
        notifyOnSuccess,
        workspacePolicy);
  }

  private static String canonical(String json) {
    if (json == null) {
      return null;
    }
    JsonNode tree = IJson.read(json.getBytes(StandardCharsets.UTF_8));
    return CanonicalJson.of(tree);
  }

  private static SpriteConfig sprite(String stored) {
    return stored == null ? null : SpriteConfig.of(stored);
  }

  private static CronConfig cron(String cronspec, String timezone) {
    return cronspec == null ? null : new CronConfig(cronspec, timezone);
  }
}
