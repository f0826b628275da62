package dev.cairn.subscription;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.TaggedAnswers;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.ByKey;
import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.SubscriptionView.ActionContainerConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Subscriptions as callers may see them; see {@code docs/subscriptions.md}, Fields.
 *
 * <p>Only callers that may change subscriptions see the URL of a webhook and the command of a
 * sprite; only callers that may read another repository see what is watched in it.
 */
@ApplicationScoped
public class SubscriptionReads {
  static final String SELECT =
      """
      select s.name, s.kind, s.active, shape.name as shape_name, s.webhook_url, s.executor_kind,
             s.cronspec, s.timezone, so.name || '/' || sr.name as source_repo,
             s.allow_trace_reentry, s.workspace_policy, s.notify_on_success, s.credential_set,
             s.created_at,
             case when w.whole then s.filter end as filter,
             case when w.whole then s.sprite_config end as sprite_config,
             case when w.whole then s.token_scopes end as token_scopes,
             case when w.whole
               then (select a.email from account a where a.id = s.principal_id) end as principal,
             s.id
      from (select ?::boolean) as w (whole)
      cross join subscription s
      left join repository sr on sr.id = s.source_repo_id and s.source_repo_id <> s.repo_id
      left join organization so on so.id = sr.org_id
      left join lateral %s shape on true
      where s.repo_id = ?
      """
          .formatted(ByKey.entity("s.source_repo_id", "s.shape_id"));

  private final Database database;
  private final Authorizer authorizer;
  private final ReadBounds bounds;
  private final ObjectMapper json;

  /** A row; filter, spriteConfig, tokenScopes and principal are read for a single one only. */
  private record Row(
      String name,
      String kind,
      boolean active,
      String shapeName,
      String webhookUrl,
      String executorKind,
      CronConfig cronConfig,
      String sourceRepo,
      boolean allowTraceReentry,
      String workspacePolicy,
      boolean notifyOnSuccess,
      String credentialSet,
      Instant createdAt,
      String filter,
      String spriteConfig,
      String tokenScopes,
      String principal,
      UUID id) {}

  SubscriptionReads(
      Database database, Authorizer authorizer, ReadBounds bounds, ObjectMapper json) {
    this.database = database;
    this.authorizer = authorizer;
    this.bounds = bounds;
    this.json = json;
  }

  /** All subscriptions of a repository by name, with the fields of the list. */
  public List<SubscriptionView> list(RepositoryAccess access) {
    return bounds.within(
        access,
        () -> {
          var rows =
              database.list(
                  SELECT + " order by s.name", SubscriptionReads::row, false, access.repoId());
          var readable = readable(access, rows);
          return rows.stream().map(row -> listed(row, access.seesDetails(), readable)).toList();
        });
  }

  /**
   * One subscription.
   *
   * @throws Problem {@code NOT_FOUND}
   */
  public SubscriptionView get(RepositoryAccess access, String name) {
    return bounds.within(access, () -> find(access, name));
  }

  /** The same, in the transaction that wrote it. */
  SubscriptionView find(RepositoryAccess access, String name) {
    var found =
        database
            .first(SELECT + " and s.name = ?", SubscriptionReads::row, true, access.repoId(), name)
            .orElseThrow(() -> missing(name));
    var readable = readable(access, List.of(found));
    var untagged = single(found, access, readable, null);
    return single(found, access, readable, tag(access, found.id(), untagged));
  }

  /**
   * Changes with all that the caller sees, and is of this subscription only, whatever other one has
   * its name later.
   */
  private String tag(RepositoryAccess access, UUID id, SubscriptionView view) {
    try {
      return TaggedAnswers.tag("subscription " + id, access.caller(), json.writeValueAsBytes(view));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The problem that a repository has no subscription of this name. */
  public static Problem missing(String name) {
    return Problem.notFound("There is no subscription `" + name + "` here.")
        .hint("`GET /subs`, or `subscription_list` over MCP, lists those that exist.");
  }

  /** Which of the watched repositories the caller may read. */
  private Set<String> readable(RepositoryAccess access, List<Row> rows) {
    var sources =
        rows.stream().map(Row::sourceRepo).filter(Objects::nonNull).collect(Collectors.toSet());
    return sources.isEmpty()
        ? Set.of()
        : authorizer.readable(access.caller(), sources).entrySet().stream()
            .filter(readable -> readable.getValue().narrowing().isUnrestricted())
            .map(readable -> readable.getKey())
            .collect(Collectors.toSet());
  }

  private static SubscriptionView listed(Row row, boolean seesAll, Set<String> readable) {
    boolean sees = seesSource(row, readable);
    return new SubscriptionView(
        row.name(),
        row.kind(),
        row.active(),
        sees ? row.shapeName() : null,
        null,
        url(row, seesAll),
        row.kind().equals("webhook") ? null : row.executorKind(),
        row.cronConfig(),
        null,
        null,
        null,
        null,
        sees ? row.sourceRepo() : null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SubscriptionView single(
      Row row, RepositoryAccess access, Set<String> readable, String etag) {
    boolean all = access.seesDetails();
    boolean sees = seesSource(row, readable);
    var sprite = Optional.ofNullable(row.spriteConfig()).map(SpriteConfig::of);
    return new SubscriptionView(
        row.name(),
        row.kind(),
        row.active(),
        sees ? row.shapeName() : null,
        sees ? row.filter() : null,
        url(row, all),
        row.executorKind(),
        row.cronConfig(),
        all ? sprite.orElse(null) : null,
        sprite.map(s -> s.container(access.org(), access.repo(), row.name())).orElse(null),
        sprite.map(s -> container(s, all)).orElse(null),
        row.tokenScopes(),
        sees ? row.sourceRepo() : null,
        row.allowTraceReentry(),
        row.workspacePolicy(),
        all ? row.notifyOnSuccess() : null,
        all ? row.credentialSet() : null,
        all ? row.principal() : null,
        row.createdAt(),
        etag);
  }

  private static boolean seesSource(Row row, Set<String> readable) {
    return row.sourceRepo() == null || readable.contains(row.sourceRepo());
  }

  private static String url(Row row, boolean seesAll) {
    return row.webhookUrl() == null || seesAll
        ? row.webhookUrl()
        : EgressPolicy.cut(row.webhookUrl());
  }

  private static ActionContainerConfig container(SpriteConfig config, boolean all) {
    return new ActionContainerConfig(
        all ? config.command() : null, config.gitRepo(), config.ref(), config.inputMode());
  }

  private static Row row(ResultSet row) throws SQLException {
    var cronspec = row.getString("cronspec");
    return new Row(
        row.getString("name"),
        row.getString("kind"),
        row.getBoolean("active"),
        row.getString("shape_name"),
        row.getString("webhook_url"),
        row.getString("executor_kind"),
        cronspec == null ? null : new CronConfig(cronspec, row.getString("timezone")),
        row.getString("source_repo"),
        row.getBoolean("allow_trace_reentry"),
        row.getString("workspace_policy"),
        row.getBoolean("notify_on_success"),
        row.getString("credential_set"),
        Rows.instant(row, "created_at"),
        row.getString("filter"),
        row.getString("sprite_config"),
        row.getString("token_scopes"),
        row.getString("principal"),
        row.getObject("id", UUID.class));
  }
}
