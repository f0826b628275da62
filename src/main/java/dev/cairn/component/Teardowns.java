package dev.cairn.component;

import dev.cairn.access.Archived;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.component.InstallPlan.Item;
import dev.cairn.component.InstallReads.Found;
import dev.cairn.model.Problem;
import dev.cairn.subscription.InstalledSubscriptions;
import dev.cairn.subscription.InstalledSubscriptions.Owned;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Tears installed components down: their tokens end, their subscriptions are paused or deleted, and
 * their record is retracted. All content and all credential sets stay. See {@code
 * docs/components.md}, Teardown.
 */
@ApplicationScoped
public class Teardowns {
  private final InstallReads reads;
  private final ComponentInstalls installs;
  private final InstallContent content;
  private final InstalledSubscriptions subscriptions;
  private final ServiceTokens tokens;
  private final ReadBounds bounds;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final AuditLog audit;

  /**
   * The body that tears a component down.
   *
   * @param dryRun whether it is only planned; null for false
   * @param subscriptions {@code pause} or {@code delete}; null for what the manifest says
   */
  @RegisterForReflection
  public record Request(Boolean dryRun, String subscriptions) {}

  /** What a teardown has done, or would do. */
  @RegisterForReflection
  public record TornDown(List<Item> plan, boolean dryRun) {}

  Teardowns(
      InstallReads reads,
      ComponentInstalls installs,
      InstallContent content,
      InstalledSubscriptions subscriptions,
      ServiceTokens tokens,
      ReadBounds bounds,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      AuditLog audit) {
    this.reads = reads;
    this.installs = installs;
    this.content = content;
    this.subscriptions = subscriptions;
    this.tokens = tokens;
    this.bounds = bounds;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.audit = audit;
  }

  /**
   * Tears a component down; what is done already is left. It is not rate-limited: it ends things.
   *
   * @param access granted by {@link InstallAccess#toChange}
   * @throws Problem {@code NOT_FOUND}, {@code VALIDATION_ERROR}, {@code ARCHIVED}; {@code CONFLICT}
   *     ({@code superseded}) if an installation begins meanwhile
   */
  public TornDown tearDown(RepositoryAccess access, UUID installId, Request request) {
    var found = reads.find(access, installId);
    boolean deletes = deletes(found, request);
    if (access.isArchived()) {
      throw Archived.repository();
    }
    var plan = plan(access, found, deletes);
    boolean isDryRun = Boolean.TRUE.equals(request.dryRun());
    if (!isDryRun) {
      // The tokens first, so that the component does nothing more while the rest is done.
      end(access, found);
      Runnable requireCurrent = () -> installs.requireTornDown(access.repoId(), installId);
      subscriptions.tearDown(access, installId, deletes, requireCurrent);
      content.retract(access, found.install(), found.component(), requireCurrent);
    }
    return new TornDown(plan, isDryRun);
  }

  /**
   * Requires that a caller names the component that it is about to tear down.
   *
   * @param access granted by {@link InstallAccess#toChange}
   * @param name as the caller has it
   * @param pointer of the name
   * @throws Problem {@code NOT_FOUND}, {@code VALIDATION_ERROR}
   */
  public void requireName(RepositoryAccess access, UUID installId, String name, String pointer) {
    var component = reads.find(access, installId).component().fullName();
    if (!component.equals(name)) {
      throw Problem.invalid(
              pointer,
              "That is not the component that is installed as `%s`, so nothing was changed."
                  .formatted(installId))
          .hint("Call again with `%s`, and only if that is meant.".formatted(component));
    }
  }

  private static boolean deletes(Found found, Request request) {
    var wanted =
        Optional.ofNullable(request.subscriptions())
            .orElseGet(() -> found.component().version().manifest().teardown().subscriptions());
    return switch (wanted) {
      case Manifest.Teardown.PAUSE -> false;
      case Manifest.Teardown.DELETE -> true;
      default ->
          throw Problem.invalid("/subscriptions", "`subscriptions` must be `pause` or `delete`.");
    };
  }

  private List<Item> plan(RepositoryAccess access, Found found, boolean deletes) {
    var id = found.install().id();
    var plan = new ArrayList<Item>();
    bounds.within(
        access,
        () -> {
          boolean isLive = tokens.liveRuntimeToken(access.repoId(), id).isPresent();
          if (found.component().mintsToken() || isLive) {
            var action = isLive ? "revoke" : InstallPlan.LEAVE;
            plan.add(new Item(InstallPlan.TOKEN, found.component().name(), action));
          }
          for (var subscription : subscriptions.of(access, id)) {
            plan.add(
                new Item(
                    InstallPlan.SUBSCRIPTION, subscription.name(), action(subscription, deletes)));
          }
          return true;
        });
    plan.add(
        new Item(
            InstallPlan.RECORD,
            InstallContent.record(id).local(),
            content.isActive(access, id) ? "retract" : InstallPlan.LEAVE));
    return plan;
  }

  private static String action(Owned subscription, boolean deletes) {
    if (deletes) {
      return "delete";
    }
    return subscription.isActive() ? "pause" : InstallPlan.LEAVE;
  }

  private void end(RepositoryAccess access, Found found) {
    var id = found.install().id();
    changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, InstallAccess.toChange());
          if (installs.tearDown(access.repoId(), id)) {
            audit.record(
                access,
                "component.torn_down",
                found.component().fullName(),
                Map.of("version", found.component().version().version()));
          }
          tokens.revoke(access.repoId(), id);
          return true;
        });
  }
}
