package dev.cairn.subscription;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.access.conditional.IdempotencyKeys.Answer;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Makes, changes and deletes subscriptions of repositories; the rules are in {@code
 * docs/subscriptions.md}. What was granted is checked again once the locks of {@link
 * LockedSubscriptions} are held.
 */
@ApplicationScoped
public class Subscriptions {
  private static final int CREATED = 201;

  private static final String CREDENTIAL_SET = "credentialSetName";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ChangeLimiter changeLimiter;
  private final LockedSubscriptions locked;
  private final RepositoryStates repositories;
  private final SubscriptionRules rules;
  private final Sources sources;
  private final SubscriptionReads reads;
  private final Principals principals;
  private final CredentialSets credentials;
  private final Bindings bindings;
  private final StoredBytes storedBytes;
  private final AuditLog audit;
  private final IdempotencyKeys keys;
  private final Event<SubscriptionDeleted> deleted;
  private final ObjectMapper json;
  private final RateLimiter limiter;
  private final ChangeRateLimit changes;
  private final int perMinute;

  /**
   * A subscription that was made, now or by the same request before.
   *
   * @param name of the subscription
   */
  public record Made(String name, Answer answer) {}

  Subscriptions(
      ChangeLimiter changeLimiter,
      LockedSubscriptions locked,
      RepositoryStates repositories,
      SubscriptionRules rules,
      Sources sources,
      SubscriptionReads reads,
      Principals principals,
      CredentialSets credentials,
      Bindings bindings,
      StoredBytes storedBytes,
      AuditLog audit,
      IdempotencyKeys keys,
      Event<SubscriptionDeleted> deleted,
      ObjectMapper json,
      RateLimiter limiter,
      ChangeRateLimit changes,
      CairnConfig config) {
    this.changeLimiter = changeLimiter;
    this.locked = locked;
    this.repositories = repositories;
    this.rules = rules;
    this.sources = sources;
    this.reads = reads;
    this.principals = principals;
    this.credentials = credentials;
    this.bindings = bindings;
    this.storedBytes = storedBytes;
    this.audit = audit;
    this.keys = keys;
    this.deleted = deleted;
    this.json = json;
    this.limiter = limiter;
    this.changes = changes;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  private void limit(RepositoryAccess access) {
    limiter.take("subscriptions", "account:" + access.account().accountId(), perMinute, MINUTE);
  }

  private JsonNode read(
      RepositoryAccess access, Supplier<JsonNode> body, Optional<String> idempotencyKey) {
    var answered = idempotencyKey.flatMap(key -> keys.bodyHash(access, key, Instant.now()));
    // Failed attempts count too, even bodies that are not JSON; only a repeated request does not.
    if (answered.isEmpty()) {
      limit(access);
    }
    var wanted = body.get();
    if (answered.filter(before -> !Arrays.equals(before, hash(wanted))).isPresent()) {
      limit(access);
    }
    return wanted;
  }

  /** Other than the hash of a commit: the key of one is not the key of the other. */
  private static byte[] hash(JsonNode body) {
    return Sha256.of("subscription " + CanonicalJson.of(body));
  }

  /**
   * Creates a subscription.
   *
   * @param access granted for {@code repo:write} or {@code repo:configure}
   * @param read reads the request's body, after the rate limit
   * @param idempotencyKeys as the client sent them; more than one is refused
   * @throws Problem {@code VALIDATION_ERROR}, {@code NOT_FOUND} for the shape, the watched
   *     repository or the credential set, {@code CONFLICT} for a revoked set, {@code
   *     ALREADY_EXISTS}, {@code FORBIDDEN}, {@code ARCHIVED}, {@code RATE_LIMITED} if the quota is
   *     used up, {@code PAYLOAD_TOO_LARGE} if that of bytes is
   */
  public Made create(
      RepositoryAccess access, Supplier<JsonNode> read, List<String> idempotencyKeys) {
    access.undelegated().requiring(PrincipalRules.toSet(access));
    var body = read(access, read, idempotencyKeys.stream().findFirst());
    var key = IdempotencyKeys.of(idempotencyKeys);
    var request = SubscriptionRequest.of(body);
    // Checked first without a lock, so that an invalid request neither resolves names nor waits.
    rules.made(access, request);
    access.requiring(PrincipalRules.toAct(access, Set.of(), request.has(CREDENTIAL_SET)));
    var source = sources.of(access, request);
    rules.checkTarget(access, request);
    var answer =
        changeLimiter.call(
            access,
            () -> {
              var now = Instant.now();
              var before = key.flatMap(k -> keys.replay(access, k, hash(body), now, _ -> {}));
              if (before.isPresent()) {
                repositories.requireStill(access, PrincipalRules.toSet(access));
                return before.get();
              }
              var made = create(access, request, source, null);
              key.ifPresent(k -> keys.keep(access, k, hash(body), made, now));
              return made;
            });
    return new Made(body.path("name").textValue(), answer);
  }

  /**
   * Creates one in the surrounding transaction.
   *
   * @param installId the install of the component that it belongs to; null for none
   */
  Answer create(
      RepositoryAccess access, SubscriptionRequest request, UUID sourceRepoId, UUID installId) {
    locked.lock(access, sourceRepoId);
    var subscription = rules.made(access, request);
    boolean binds = request.has(CREDENTIAL_SET);
    locked.require(access, PrincipalRules.toAct(access, subscription.tokenPermissions(), binds));
    subscription.id = Ids.next();
    subscription.installId = installId;
    principals.replace(subscription, access);
    subscription.updatedAt = subscription.createdAt;
    if (subscription.cronspec == null) {
      subscription.sourceRepoId = sourceRepoId;
      subscription.shapeId = sources.shape(access, sourceRepoId, request);
    }
    if (Subscription.count("repoId = ?1 and name = ?2", access.repoId(), subscription.name) > 0) {
      throw Problem.of(
              ErrorCode.ALREADY_EXISTS,
              "There is a subscription `%s` here already.".formatted(subscription.name))
          .hint("Choose another name, or change the subscription that exists.");
    }
    sources.refuseOneMore(access.repoId());
    sources.refuseTooMany(subscription);
    storedBytes.reserve(access.orgId(), subscription.storedBytes());
    audit.record(
        access, "subscription.created", subscription.name, Map.of("kind", subscription.kind));
    request.text(CREDENTIAL_SET).ifPresent(set -> bindings.bind(access, subscription, set));
    subscription.schedule();
    subscription.persistAndFlush();
    return new Answer(CREATED, text(reads.find(access, subscription.name)));
  }

  private String text(SubscriptionView view) {
    try {
      return json.writeValueAsString(view);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Changes what was sent.
   *
   * @throws Problem {@code VALIDATION_ERROR}, {@code NOT_FOUND}, {@code FORBIDDEN}, {@code
   *     ARCHIVED}, {@code PRECONDITION_FAILED}, {@code RATE_LIMITED}, {@code PAYLOAD_TOO_LARGE} if
   *     the quota of bytes is used up
   */
  public SubscriptionView update(
      RepositoryAccess access, String name, IfMatch ifMatch, JsonNode body) {
    changes.take(access.account());
    access.requiring(PrincipalRules.toSet(access));
    var request = SubscriptionRequest.of(body);
    var known = locked.known(access, name);
    rules.refuseUnchangeable(known.kind(), request);
    boolean acts = PrincipalRules.changesWhatItDoes(request);
    if (acts) {
      access
          .undelegated()
          .requiring(PrincipalRules.toAct(access, known.tokenPermissions(), known.isBound()));
    }
    if (PrincipalRules.changesWhatRepeats(request)) {
      access.undelegated();
    }
    rules.checkTarget(access, request);
    // Before the turn, so that an invalid filter does not wait; the rest is merged under the lock.
    SubscriptionRules.checkFilter(request);
    return changeLimiter.call(
        access,
        () -> {
          var subscription = locked.take(access, name, ifMatch);
          if (acts) {
            principals.takeOver(access, subscription, false);
          } else {
            locked.require(access, PrincipalRules.toSet(access));
            sources.refuseUnreadable(access, subscription);
          }
          change(access, subscription, request);
          subscription.save();
          if (!request.names().isEmpty()) {
            var changed = String.join(", ", request.names());
            audit.record(access, "subscription.updated", name, Map.of("changed", changed));
          }
          return reads.find(access, name);
        });
  }

  private void change(
      RepositoryAccess access, Subscription subscription, SubscriptionRequest request) {
    long before = subscription.storedBytes();
    SubscriptionRules.change(subscription, request);
    storedBytes.reserve(access.orgId(), subscription.storedBytes() - before);
    if (request.has("shapeName")) {
      subscription.shapeId = sources.shape(access, subscription.sourceRepoId, request);
    }
    if (request.has("filterJson")) {
      sources.refuseTooMany(subscription);
    }
    if (request.has("cronConfig")) {
      subscription.schedule();
    }
    if (subscription.credentialSet != null && request.has("executorKind")) {
      credentials.refuseUnfit(subscription, request.pointer("executorKind"));
    }
  }

  /** Pauses it: existing runs complete. Does nothing if it is paused already. */
  public void pause(RepositoryAccess access, String name) {
    if (!locked.known(access, name).isActive()) {
      // The pause that is committed has waited for the commits before it: no lock is needed.
      locked.require(access, PrincipalRules.toStop(access));
      return;
    }
    locked.change(
        access,
        name,
        IfMatch.UNRESTRICTED,
        subscription -> {
          locked.require(access, PrincipalRules.toStop(access));
          stop(access, subscription);
        });
  }

  /** Pauses one that is locked; it is not written yet. */
  void stop(RepositoryAccess access, Subscription subscription) {
    if (subscription.active) {
      audit.record(access, "subscription.paused", subscription.name, Map.of());
    }
    subscription.active = false;
    subscription.schedule();
  }

  /**
   * Resumes it for later commits and ticks, with the account that resumes it as its principal. Does
   * nothing if it is active already.
   *
   * @throws Problem {@code PRECONDITION_FAILED}, {@code RATE_LIMITED}
   */
  public void resume(RepositoryAccess access, String name, IfMatch ifMatch) {
    changes.take(access.account());
    access.undelegated().requiring(PrincipalRules.toSet(access));
    locked.change(
        access,
        name,
        ifMatch,
        subscription -> {
          principals.requireToAct(access, subscription, false);
          if (subscription.active) {
            return;
          }
          principals.replace(subscription, access);
          subscription.active = true;
          sources.refuseTooMany(subscription);
          subscription.schedule();
          audit.record(access, "subscription.resumed", name, Map.of());
        });
  }

  /**
   * Deletes it with its binding and its schedule, and ends its runs that wait.
   *
   * @throws Problem {@code PRECONDITION_FAILED}
   */
  public void delete(RepositoryAccess access, String name, IfMatch ifMatch) {
    changeLimiter.call(
        access,
        () -> {
          var subscription = locked.take(access, name, ifMatch);
          locked.require(access, PrincipalRules.toStop(access));
          delete(access, subscription);
          return true;
        });
  }

  /** Deletes one that is locked. */
  void delete(RepositoryAccess access, Subscription subscription) {
    subscription.delete();
    Subscription.flush();
    audit.record(access, "subscription.deleted", subscription.name, Map.of());
    deleted.fire(
        new SubscriptionDeleted(
            subscription.repoId, subscription.id, subscription.callbackGeneration));
  }
}
