package dev.cairn.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.content.ByKey;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The subscriptions of installed components: they are what the bodies in a manifest say, and belong
 * to their install. They watch the repository that they are in. See {@code docs/components.md},
 * Installing.
 */
@ApplicationScoped
public class InstalledSubscriptions {
  private static final String SELECT =
      "select s.id, s.name, s.install_id, "
          + SubscriptionSettings.COLUMNS
          + """
          , exists (
              select from repository r
              join member m on m.org_id = r.org_id and m.account_id = s.principal_id
              where r.id = s.repo_id) as has_principal
          from subscription s left join lateral %s shape on true where s.repo_id = ?
          """
              .formatted(ByKey.entity("s.source_repo_id", "s.shape_id"));

  private final Database database;
  private final ChangeLimiter changeLimiter;
  private final LockedSubscriptions locked;
  private final SubscriptionRules rules;
  private final Subscriptions subscriptions;
  private final Sources sources;
  private final Principals principals;
  private final Bindings bindings;
  private final CredentialSets credentials;
  private final StoredBytes storedBytes;
  private final AuditLog audit;

  /** How a subscription compares with its body. */
  public enum State {
    MISSING,
    /** Another one has its name, which does not belong to the install. */
    TAKEN,
    /** It differs in what cannot be changed: its kind or its {@code tokenScopes}. */
    FIXED,
    /** It is as its body says, but for being paused. */
    PAUSED,
    /** It differs, or the account that it acts for has left the organization. */
    DIFFERENT,
    EQUAL
  }

  /** A subscription that belongs to an install. */
  public record Owned(String name, boolean isActive) {}

  private record Found(
      UUID id, UUID installId, SubscriptionSettings settings, boolean hasPrincipal) {}

  InstalledSubscriptions(
      Database database,
      ChangeLimiter changeLimiter,
      LockedSubscriptions locked,
      SubscriptionRules rules,
      Subscriptions subscriptions,
      Sources sources,
      Principals principals,
      Bindings bindings,
      CredentialSets credentials,
      StoredBytes storedBytes,
      AuditLog audit) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.locked = locked;
    this.rules = rules;
    this.subscriptions = subscriptions;
    this.sources = sources;
    this.principals = principals;
    this.bindings = bindings;
    this.credentials = credentials;
    this.storedBytes = storedBytes;
    this.audit = audit;
  }

  /**
   * Compares the subscription of a body with it.
   *
   * @param access granted to a caller that has the permissions in the body's {@code tokenScopes}
   * @param body as it creates a subscription
   */
  public State compare(RepositoryAccess access, UUID installId, JsonNode body) {
    var request = SubscriptionRequest.of(body);
    return compare(installId, rules.made(access, request), request);
  }

  private State compare(UUID installId, Subscription made, SubscriptionRequest request) {
    return find(made.repoId, made.name)
        .map(found -> compare(found, installId, SubscriptionSettings.of(made, request)))
        .orElse(State.MISSING);
  }

  private static State compare(Found found, UUID installId, SubscriptionSettings wanted) {
    if (!installId.equals(found.installId())) {
      return State.TAKEN;
    }
    if (!found.settings().fixed().equals(wanted.fixed())) {
      return State.FIXED;
    }
    if (!found.hasPrincipal() || found.settings().differsFrom(wanted)) {
      return State.DIFFERENT;
    }
    return found.settings().equals(wanted) ? State.EQUAL : State.PAUSED;
  }

  private Optional<Found> find(UUID repoId, String name) {
    return database.first(SELECT + " and s.name = ?", InstalledSubscriptions::found, repoId, name);
  }

  private static Found found(ResultSet row) throws SQLException {
    return new Found(
        row.getObject("id", UUID.class),
        row.getObject("install_id", UUID.class),
        SubscriptionSettings.of(row),
        row.getBoolean("has_principal"));
  }

  /**
   * Why the subscription of a body could not be created, or changed to be as the body says, because
   * of what else the repository has.
   *
   * @param newShapes the names of shapes that will be there by then
   * @return a sentence; empty if it could
   */
  public Optional<String> fault(RepositoryAccess access, JsonNode body, Set<String> newShapes) {
    var request = SubscriptionRequest.of(body);
    var made = rules.made(access, request);
    made.credentialSet = request.text("credentialSetName").orElse(null);
    try {
      if (request.text("shapeName").filter(name -> !newShapes.contains(name)).isPresent()) {
        var _ = sources.shape(access, access.repoId(), request);
      }
      credentials.refuseUnfit(made, "/credentialSetName");
      return Optional.empty();
    } catch (Problem e) {
      return Optional.of(e.errors().isEmpty() ? e.detail() : e.errors().getFirst().detail());
    }
  }

  /**
   * Refuses a body whose URL may not be called. It may resolve the host.
   *
   * @throws Problem {@code VALIDATION_ERROR}
   */
  public void checkTarget(RepositoryAccess access, JsonNode body) {
    rules.checkTarget(access, SubscriptionRequest.of(body));
  }

  /**
   * Refuses some more subscriptions if the quota of the repository would not have room for all.
   *
   * @throws Problem {@code RATE_LIMITED}
   */
  public void refuseMore(RepositoryAccess access, int more) {
    sources.refuseMore(access.repoId(), more);
  }

  /** The subscriptions of an install, by name. */
  public List<Owned> of(RepositoryAccess access, UUID installId) {
    return database.list(
        """
        select name, active from subscription where repo_id = ? and install_id = ? order by name
        """,
        row -> new Owned(row.getString("name"), row.getBoolean("active")),
        access.repoId(),
        installId);
  }

  /**
   * Creates the subscription of a body, or changes it to be as the body says, in a transaction of
   * its own. The caller becomes the principal of what is created or changed.
   *
   * @param access granted for {@code repo:configure}
   * @param requireCurrent throws if another installation or a teardown has begun since; it runs
   *     once no other change of the repository's subscriptions can come between
   * @throws Problem {@code CONFLICT} if another one has its name, or if it would take another
   *     subscription; and as {@link Subscriptions#create}
   */
  public void install(
      RepositoryAccess access, UUID installId, JsonNode body, Runnable requireCurrent) {
    var request = SubscriptionRequest.of(body);
    access
        .undelegated()
        .requiring(PrincipalRules.toAct(access, Set.of(), request.has("credentialSetName")));
    changeLimiter.call(
        access,
        () -> {
          locked.lock(access, access.repoId());
          requireCurrent.run();
          var made = rules.made(access, request);
          switch (compare(installId, made, request)) {
            case MISSING -> subscriptions.create(access, request, access.repoId(), installId);
            case TAKEN -> throw taken(made.name);
            case FIXED -> throw fixed(made.name);
            case PAUSED, DIFFERENT -> change(access, made, request);
            case EQUAL -> {
              // There is nothing to do.
            }
          }
          return true;
        });
  }

  private void change(RepositoryAccess access, Subscription wanted, SubscriptionRequest request) {
    var subscription = locked.take(access, wanted.name, IfMatch.UNRESTRICTED);
    var set = request.text("credentialSetName");
    principals.takeOver(access, subscription, set.isPresent());
    long before = subscription.storedBytes();
    subscription.executorKind = wanted.executorKind;
    subscription.active = wanted.active;
    subscription.filter = wanted.filter;
    subscription.webhookUrl = wanted.webhookUrl;
    subscription.setSprite(
        wanted.spriteConfig == null ? null : SpriteConfig.of(wanted.spriteConfig));
    subscription.cronspec = wanted.cronspec;
    subscription.timezone = wanted.timezone;
    subscription.allowTraceReentry = wanted.allowTraceReentry;
    subscription.notifyOnSuccess = wanted.notifyOnSuccess;
    subscription.workspacePolicy = wanted.workspacePolicy;
    if (request.has("shapeName")) {
      subscription.shapeId = sources.shape(access, access.repoId(), request);
    }
    bind(access, subscription, set.orElse(null));
    storedBytes.reserve(access.orgId(), subscription.storedBytes() - before);
    sources.refuseTooMany(subscription);
    subscription.schedule();
    subscription.save();
    audit.record(
        access,
        "subscription.updated",
        subscription.name,
        Map.of("changed", String.join(", ", request.names())));
  }

  private void bind(RepositoryAccess access, Subscription subscription, String set) {
    if (set == null) {
      subscription.credentialSet = null;
    } else if (!Objects.equals(set, subscription.credentialSet)) {
      bindings.bind(access, subscription, set);
    } else {
      credentials.refuseUnfit(subscription, "/credentialSetName");
    }
  }

  /**
   * Pauses or deletes the subscriptions of an install, in one transaction. One that is paused or
   * deleted already is left.
   *
   * @param access granted for {@code repo:configure}
   * @param requireCurrent throws if an installation has begun since; it runs once no other change
   *     of the repository's subscriptions can come between
   */
  public void tearDown(
      RepositoryAccess access, UUID installId, boolean deletes, Runnable requireCurrent) {
    changeLimiter.call(
        access,
        () -> {
          locked.lock(access, access.repoId());
          locked.require(access, PrincipalRules.toStop(access));
          requireCurrent.run();
          for (var subscription : owned(access.repoId(), installId)) {
            if (deletes) {
              subscriptions.delete(access, subscription);
            } else if (subscription.active) {
              subscriptions.stop(access, subscription);
              subscription.save();
            }
          }
          return true;
        });
  }

  private static List<Subscription> owned(UUID repoId, UUID installId) {
    return Subscription.<Subscription>find(
            "repoId = ?1 and installId = ?2 order by name", repoId, installId)
        .withLock(LockModeType.PESSIMISTIC_WRITE)
        .list();
  }

  private static Problem taken(String name) {
    return Problem.of(
            ErrorCode.CONFLICT,
            "The subscription `%s` does not belong to the component.".formatted(name))
        .with("reason", "subscription_taken")
        .hint("Delete that subscription, and install the component again.");
  }

  private static Problem fixed(String name) {
    return Problem.of(
            ErrorCode.CONFLICT,
            "The kind and the `tokenScopes` of the subscription `%s` cannot be changed."
                .formatted(name))
        .with("reason", "subscription_fixed")
        .hint("Delete the subscription, and install the component again.");
  }
}
