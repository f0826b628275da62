package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Archived;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens.Minted;
import dev.cairn.commit.CommitAnswer;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.component.ComponentInstalls.State;
import dev.cairn.component.InstallPlan.Item;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.subscription.InstalledCredentials;
import dev.cairn.subscription.InstalledSubscriptions;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Installs components: after a plan without refusals, one step after the other, each in a
 * transaction of its own. Every step leaves what is already as the manifest says, so an
 * installation that was interrupted is repeated from the beginning. Nothing is ever deleted. See
 * {@code docs/components.md}, Installing.
 */
@ApplicationScoped
public class Installations {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Components components;
  private final ComponentInstalls installs;
  private final InstallPlans plans;
  private final InstallContent content;
  private final InstalledCredentials credentials;
  private final InstalledSubscriptions subscriptions;
  private final RuntimeTokens tokens;
  private final ReadBounds bounds;
  private final ChangeLimiter changeLimiter;
  private final ChangeRateLimit changes;
  private final Recheck recheck;
  private final AuditLog audit;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * An installation, or a plan of one.
   *
   * @param isNew whether the component was not installed before
   */
  public record Result(Installed installed, boolean isNew) {}

  /**
   * What an installation has done, or would do.
   *
   * @param installId null in a plan of a component that was never resolved for the repository
   * @param commitId of the commit that it made; null if the content was as it is to be, and in a
   *     plan
   * @param repoSeq null like {@code commitId}
   * @param token the new token of the component, which is shown only here; null if none was minted
   * @param tokenExpiresAt null like {@code token}
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Installed(
      UUID installId,
      String component,
      String version,
      String manifestHash,
      List<Item> plan,
      String commitId,
      Long repoSeq,
      String token,
      Instant tokenExpiresAt) {}

  Installations(
      Components components,
      ComponentInstalls installs,
      InstallPlans plans,
      InstallContent content,
      InstalledCredentials credentials,
      InstalledSubscriptions subscriptions,
      RuntimeTokens tokens,
      ReadBounds bounds,
      ChangeLimiter changeLimiter,
      ChangeRateLimit changes,
      Recheck recheck,
      AuditLog audit,
      RateLimiter limiter,
      CairnConfig config) {
    this.components = components;
    this.installs = installs;
    this.plans = plans;
    this.content = content;
    this.credentials = credentials;
    this.subscriptions = subscriptions;
    this.tokens = tokens;
    this.bounds = bounds;
    this.changeLimiter = changeLimiter;
    this.changes = changes;
    this.recheck = recheck;
    this.audit = audit;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /**
   * Installs a version of a component, or changes what is installed to be as that version says.
   *
   * @param access granted by {@link InstallAccess#toChange}
   * @param read reads the request's body, after the rate limit
   * @throws Problem {@code VALIDATION_ERROR}; {@code NOT_FOUND} for the component or the version;
   *     {@code FORBIDDEN} if a permission is missing that the component needs; {@code CONFLICT} for
   *     another manifest than the expected one, with all refusals of the plan, for one component
   *     too many, and if another installation or a teardown begins meanwhile; {@code ARCHIVED};
   *     {@code RATE_LIMITED}
   */
  public Result install(RepositoryAccess access, Supplier<InstallRequest> read) {
    limiter.take("components", "account:" + access.account().accountId(), perMinute, MINUTE);
    var request = read.get();
    var component = find(access, request);
    requireExpected(component, request);
    access.requiring(component.version().manifest().permissionsToInstall());
    if (access.isArchived()) {
      throw Archived.repository();
    }
    var known =
        bounds.within(
            access,
            () -> {
              installs.requireRoom(access.repoId(), component.id());
              return installs.of(access.repoId(), component.id());
            });
    if (request.isDryRun()) {
      var plan = plans.of(access, component, known.map(Install::id).orElseGet(Ids::next));
      plan.requireInstallable(true);
      return new Result(
          installed(component, known.map(Install::id), plan, Optional.empty(), Optional.empty()),
          false);
    }
    changes.take(access.account());
    return install(access, component, known);
  }

  private Registered find(RepositoryAccess access, InstallRequest request) {
    var parts = request.component() == null ? new String[0] : request.component().split("/", -1);
    if (parts.length != 2) {
      throw Problem.invalid(
          "/component", "`component` must be the name of a component, `org/name`.");
    }
    var newest = found("/component", () -> components.find(access.caller(), parts[0], parts[1]));
    return request.version() == null
        ? newest
        : found(
            "/version",
            () ->
                components.find(
                    access.caller(), parts[0], parts[1], Optional.of(request.version())));
  }

  private static Registered found(String pointer, Supplier<Registered> component) {
    try {
      return component.get();
    } catch (Problem e) {
      throw e.code() == ErrorCode.NOT_FOUND ? e.at(pointer) : e;
    }
  }

  private static void requireExpected(Registered component, InstallRequest request) {
    var expected = request.expectedManifestHash();
    if (expected != null && !expected.equals(component.version().hash())) {
      throw Problem.of(ErrorCode.CONFLICT, "The manifest has another hash than the expected one.")
          .at("/expectedManifestHash")
          .with("reason", "manifest_changed")
          .with("manifestHash", component.version().hash())
          .hint("Resolve the component again, and look at its manifest.");
    }
  }

  private Result install(RepositoryAccess access, Registered component, Optional<Install> known) {
    var needed = component.version().manifest().permissionsToInstall();
    var installId = known.map(Install::id).orElseGet(() -> reserve(access, component, needed).id());
    var plan = plans.of(access, component, installId);
    plan.requireInstallable(true);
    begin(access, component, installId, needed);
    int number = component.version().number();
    Runnable requireCurrent = () -> installs.requireCurrent(access.repoId(), installId, number);
    var commit = content.commit(access, component, installId, requireCurrent);
    for (var set : component.version().manifest().credentials()) {
      credentials.install(access, installId, set.name(), set.description(), requireCurrent);
    }
    for (var body : component.version().manifest().subscriptions()) {
      subscriptions.install(access, installId, body, requireCurrent);
    }
    var token = complete(access, component, installId, needed);
    boolean isNew =
        known
            .map(Install::state)
            .filter(state -> state == State.INSTALLING || state == State.INSTALLED)
            .isEmpty();
    return new Result(
        installed(component, Optional.of(installId), plan, Optional.of(commit), token), isNew);
  }

  private Install reserve(RepositoryAccess access, Registered component, Set<Permission> needed) {
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, needed);
          return installs
              .reserve(access.repoId(), component.id())
              .orElseThrow(() -> Components.missing(component.org(), component.name()));
        });
  }

  private void begin(
      RepositoryAccess access, Registered component, UUID installId, Set<Permission> needed) {
    changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, needed);
          installs.lockAll(access.repoId());
          plans.requireOwnAddress(access, component, installId);
          if (!installs.begin(
              access.repoId(),
              installId,
              component.id(),
              component.version().number(),
              access.account().accountId())) {
            throw installs.find(access.repoId(), installId).isPresent()
                ? Components.missing(component.org(), component.name())
                : ComponentInstalls.superseded();
          }
          return true;
        });
  }

  /** Mints the token, if that is to be done, in the transaction that ends the installation. */
  private Optional<Minted> complete(
      RepositoryAccess access, Registered component, UUID installId, Set<Permission> needed) {
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, needed);
          int number = component.version().number();
          if (!installs.complete(access.repoId(), installId, number)) {
            installs.requireCurrent(access.repoId(), installId, number);
            throw deregistered();
          }
          audit.record(
              access,
              "component.installed",
              component.fullName(),
              Map.of("version", component.version().version()));
          return plans.mintsToken(access, component, installId)
              ? tokens.mint(access, component, installId)
              : Optional.empty();
        });
  }

  private static Problem deregistered() {
    return Problem.of(
            ErrorCode.CONFLICT, "The component was deregistered while it was being installed.")
        .with("reason", "deregistered")
        .hint("Tear it down.");
  }

  private static Installed installed(
      Registered component,
      Optional<UUID> installId,
      InstallPlan plan,
      Optional<CommitAnswer> commit,
      Optional<Minted> token) {
    Optional<JsonNode> made =
        commit
            .filter(answer -> answer.outcome() == CommitAnswer.Outcome.COMMITTED)
            .map(answer -> IJson.read(answer.json().getBytes(StandardCharsets.UTF_8)));
    return new Installed(
        installId.orElse(null),
        component.fullName(),
        component.version().version(),
        component.version().hash(),
        plan.items(),
        made.map(answer -> answer.get("commitId").textValue()).orElse(null),
        made.map(answer -> answer.get("repoSeq").longValue()).orElse(null),
        token.map(Minted::token).orElse(null),
        token.map(Minted::expiresAt).orElse(null));
  }
}
