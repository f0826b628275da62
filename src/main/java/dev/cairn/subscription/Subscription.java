package dev.cairn.subscription;

import dev.cairn.access.Permission;
import dev.cairn.access.limit.StoredBytes;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.PostLoad;
import jakarta.persistence.Transient;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** An action for commits or for a schedule; see {@code docs/subscriptions.md}. */
@Entity
public class Subscription extends PanacheEntityBase {
  @Id public UUID id;

  /** The repository that it belongs to. */
  @Column(name = "repo_id")
  public UUID repoId;

  /** Unique within the repository. */
  public String name;

  /** {@code webhook}, {@code sprite} or {@code cron}. */
  public String kind;

  /** {@code webhook} or {@code sprite}. */
  @Column(name = "executor_kind")
  public String executorKind;

  public boolean active;

  /** The repository that it watches; null for a cron subscription. */
  @Column(name = "source_repo_id")
  public UUID sourceRepoId;

  /** The shape in the watched repository; null for a cron subscription. */
  @Column(name = "shape_id")
  public Long shapeId;

  /** JSON text of the filter as it was sent; null for a cron subscription. */
  public String filter;

  /** Null if the executor is a sprite. */
  @Column(name = "webhook_url")
  public String webhookUrl;

  /** JSON text of a {@link SpriteConfig}; null if the executor is a webhook. */
  @Column(name = "sprite_config")
  public String spriteConfig;

  /** What {@link SpriteConfig#chosenContainer} says, to be read without the rest of it. */
  @Column(name = "sprite_container")
  public String spriteContainer;

  /** Null unless it is a cron subscription. */
  public String cronspec;

  /** The IANA zone of the schedule; null unless it is a cron subscription. */
  public String timezone;

  /** When the schedule fires next; null while it is paused. */
  @Column(name = "next_tick_at")
  public Instant nextTickAt;

  /** JSON text of the entries as they were sent; null for none. */
  @Column(name = "token_scopes")
  public String tokenScopes;

  /** The names of all permissions in them. */
  @Column(name = "token_permissions")
  public String[] tokenPermissions = {};

  /** The name of the bound credential set; null for none. */
  @Column(name = "credential_set")
  public String credentialSet;

  @Column(name = "allow_trace_reentry")
  public boolean allowTraceReentry;

  @Column(name = "notify_on_success")
  public boolean notifyOnSuccess;

  /** {@code ignore} or {@code include}. */
  @Column(name = "workspace_policy")
  public String workspacePolicy;

  /** The base of the URLs that its runs get: that of the request that set its principal. */
  @Column(name = "base_url")
  public String baseUrl;

  /** The account that it acts for, see {@link PrincipalRules}; null if that was deleted. */
  @Column(name = "principal_id")
  public UUID principalId;

  /**
   * How often what it calls, or for whom, was changed: each time, the tokens of its runs' callbacks
   * become invalid; {@code docs/actions.md}, Callbacks.
   */
  @Column(name = "callback_generation")
  public int callbackGeneration;

  /** The install of the component that it belongs to; null if an account created it. */
  @Column(name = "install_id")
  public UUID installId;

  @Column(name = "created_at")
  public Instant createdAt;

  @Column(name = "updated_at")
  public Instant updatedAt;

  /** As it was loaded; null if it is new. */
  @Transient private Calls loaded;

  /** What it calls, and for whom. */
  private record Calls(
      String executorKind,
      String webhookUrl,
      String spriteConfig,
      String credentialSet,
      UUID principalId) {}

  private Calls calls() {
    return new Calls(executorKind, webhookUrl, spriteConfig, credentialSet, principalId);
  }

  @PostLoad
  void keepLoaded() {
    loaded = calls();
  }

  /**
   * Sets what its sprite runs.
   *
   * @param config null if the executor is a webhook
   */
  void setSprite(SpriteConfig config) {
    spriteConfig = config == null ? null : config.text();
    spriteContainer = config == null ? null : config.chosenContainer();
  }

  /** The permissions of the tokens that its runs get. */
  Set<Permission> tokenPermissions() {
    return Permission.named(tokenPermissions);
  }

  /** Sets when it fires next: never while it is paused. */
  void schedule() {
    nextTickAt =
        active && cronspec != null
            ? CronSchedule.of(cronspec, timezone).next(Instant.now()).orElse(null)
            : null;
  }

  /** Writes its changes. */
  void save() {
    updatedAt = Instant.now();
    if (!calls().equals(loaded)) {
      callbackGeneration++;
    }
    persistAndFlush();
  }

  /** What it counts in the quota of bytes; see {@link StoredBytes}. */
  long storedBytes() {
    return StoredBytes.SUBSCRIPTION
        + Stream.of(filter, spriteConfig, tokenScopes)
            .filter(Objects::nonNull)
            .mapToLong(text -> text.getBytes(StandardCharsets.UTF_8).length)
            .sum();
  }
}
