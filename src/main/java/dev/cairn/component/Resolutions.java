package dev.cairn.component;

import static dev.cairn.access.Permission.REPO_WRITE;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Resolves a component for a repository: which manifest would be installed, under which id, and
 * whether the caller may install it. See {@code docs/components.md}, Resolving.
 */
@ApplicationScoped
public class Resolutions {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Components components;
  private final ComponentInstalls installs;
  private final Authorizer authorizer;
  private final Recheck recheck;
  private final ReadBounds bounds;
  private final ChangeLimiter changeLimiter;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * A component for a repository.
   *
   * @param manifest of the newest version, as canonical JSON
   * @param manifestHash its SHA-256 hash in lower-case hexadecimal digits
   * @param hasSetup whether a setup call is made for it
   * @param installId of the install; null if the caller may not install it and none was reserved
   *     before
   * @param eligible whether the caller may install it
   * @param reasons why not; empty if it is eligible
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Resolved(
      @JsonRawValue String manifest,
      String manifestHash,
      boolean hasSetup,
      UUID installId,
      boolean eligible,
      List<Reason> reasons) {}

  /**
   * A reason why the caller may not install it.
   *
   * @param code {@code archived}, {@code permission_missing} or {@code delegated_token}
   * @param detail a sentence for people
   */
  @RegisterForReflection
  public record Reason(String code, String detail) {}

  Resolutions(
      Components components,
      ComponentInstalls installs,
      Authorizer authorizer,
      Recheck recheck,
      ReadBounds bounds,
      ChangeLimiter changeLimiter,
      RateLimiter limiter,
      CairnConfig config) {
    this.components = components;
    this.installs = installs;
    this.authorizer = authorizer;
    this.recheck = recheck;
    this.bounds = bounds;
    this.changeLimiter = changeLimiter;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /**
   * Resolves the newest version of a component, and reserves the id of its install.
   *
   * @param installRepo reads {@code org/repo} from the request's body, once the caller is known to
   *     see the component
   * @throws Problem {@code NOT_FOUND} for the component or the repository, {@code FORBIDDEN}
   *     without {@code repo:write}, {@code VALIDATION_ERROR}, {@code RATE_LIMITED}
   */
  public Resolved resolve(SignedIn caller, String org, String name, Supplier<String> installRepo) {
    // Before the body is read, for those that may not see the component.
    var _ = components.find(caller, org, name);
    limiter.take("components", "account:" + caller.accountId(), perMinute, MINUTE);
    var access = installRepository(caller, installRepo.get(), REPO_WRITE);
    // The body may have come late: what is seen now counts.
    var component = components.find(caller, org, name);
    var known = bounds.within(access, () -> installs.of(access.repoId(), component.id()));
    var reasons = reasons(access, component);
    var installId =
        known
            .map(Install::id)
            .orElseGet(() -> reasons.isEmpty() ? reserved(access, component) : null);
    return new Resolved(
        component.version().json(),
        component.version().hash(),
        component.hasSetup(),
        installId,
        reasons.isEmpty(),
        reasons);
  }

  /**
   * Access to the repository that a request's body names as {@code installRepo}.
   *
   * @param name {@code org/repo}; null if it was left out
   * @throws Problem {@code VALIDATION_ERROR}, {@code NOT_FOUND}, {@code FORBIDDEN}, each at {@code
   *     /installRepo}
   */
  RepositoryAccess installRepository(SignedIn caller, String name, Permission permission) {
    var parts = name == null ? new String[0] : name.split("/", -1);
    try {
      if (parts.length != 2) {
        throw Problem.invalid("", "`installRepo` must be the name of a repository, `org/repo`.");
      }
      return authorizer.repository(
          caller, Names.orgSyntax(parts[0]), Names.repo(parts[1]), permission);
    } catch (Problem e) {
      throw e.at("/installRepo");
    }
  }

  private UUID reserved(RepositoryAccess access, Registered component) {
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, Set.of(REPO_WRITE));
          return installs
              .reserve(access.repoId(), component.id())
              .map(Install::id)
              .orElseThrow(() -> Components.missing(component.org(), component.name()));
        });
  }

  private static List<Reason> reasons(RepositoryAccess access, Registered component) {
    var reasons = new ArrayList<Reason>();
    if (access.isArchived()) {
      reasons.add(new Reason("archived", "The repository is archived."));
    }
    for (var permission : component.version().manifest().permissionsToInstall()) {
      if (!access.allows(permission)) {
        reasons.add(
            new Reason(
                "permission_missing",
                "Installing it needs `%s` for the whole repository, by role and token."
                    .formatted(permission.scope())));
      }
    }
    if (access.account().token().isDelegated()) {
      reasons.add(
          new Reason("delegated_token", SignedIn.delegatedMayNot(InstallAccess.TO_INSTALL)));
    }
    return reasons;
  }
}
