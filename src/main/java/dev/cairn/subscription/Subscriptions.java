package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_WRITE;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.IdempotencyKeys;
import dev.cairn.access.IdempotencyKeys.Answer;
import dev.cairn.access.Permission;
import dev.cairn.access.RateLimiter;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.persistence.LockModeType;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes, changes and deletes subscriptions of repositories; the rules are in {@code
 * docs/subscriptions.md}.
 *
 * <p>Every change locks in one order: the organization's row, the heads of its repository and of
 * what it watches, the subscription. So it waits for the commit that may be running, and the next
 * one knows of it. What was granted is asked for again behind these locks.
 */
@ApplicationScoped
public class Subscriptions {
  private static final int CREATED = 201;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Database database;
  private final SubscriptionRules rules;
  private final Sources sources;
  private final SubscriptionReads reads;
  private final CredentialSets credentials;
  private final IdempotencyKeys keys;
  private final Recheck recheck;
  private final Event<SubscriptionDeleted> deleted;
  private final ObjectMapper json;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * A subscription as it was found before the locks.
   *
   * @param sourceRepoId its own repository where it watches none
   */
  private record Known(UUID id, String kind, UUID sourceRepoId) {}

  /**
   * A subscription that was made, now or by the same request before.
   *
   * @param name of the subscription
   */
  public record Made(String name, Answer answer) {}

  /** A binding that was made. */
  @RegisterForReflection
  public record Bound(boolean bound, String subscriptionName, String credentialSetName) {}

  /** A binding that is gone. */
  @RegisterForReflection
  public record Unbound(boolean unbound, String subscriptionName) {}

  private record Standing(boolean archived, boolean granted) {}

  Subscriptions(
      Database database,
      SubscriptionRules rules,
      Sources sources,
      SubscriptionReads reads,
      CredentialSets credentials,
      IdempotencyKeys keys,
      Recheck recheck,
      Event<SubscriptionDeleted> deleted,
      ObjectMapper json,
      RateLimiter limiter,
      CairnConfig config) {
    this.database = database;
    this.rules = rules;
    this.sources = sources;
    this.reads = reads;
    this.credentials = credentials;
    this.keys = keys;
    this.recheck = recheck;
    this.deleted = deleted;
    this.json = json;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  private void limit(RepositoryAccess access) {
    limiter.take("subscriptions", "account:" + access.account().accountId(), perMinute, MINUTE);
  }

  private JsonNode read(
      RepositoryAccess access, Supplier<JsonNode> body, Optional<String> idempotencyKey) {
    var answered = idempotencyKey.flatMap(key -> keys.bodyHash(access, key, Instant.now()));
    // Failed attempts count too, a body that is no JSON as well; only the very request does not.
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
   * Makes a subscription.
   *
   * @param access granted for {@code repo:write} or {@code repo:configure}
   * @param read the request's body; asked for when there may be one more request
   * @param baseUrl the base of the URLs that its runs are told of
   * @param idempotencyKey as the client sent it, if it did
   * @throws Problem {@code VALIDATION_ERROR}, {@code NOT_FOUND} for the shape or the watched
   *     repository, {@code ALREADY_EXISTS}, {@code FORBIDDEN}, {@code ARCHIVED}, {@code
   *     RATE_LIMITED} where there are as many as may be
   */
  public Made create(
      RepositoryAccess access,
      Supplier<JsonNode> read,
      String baseUrl,
      Optional<String> idempotencyKey) {
    var body = read(access, read, idempotencyKey);
    var key = idempotencyKey.map(IdempotencyKeys::checked);
    var request = SubscriptionRequest.of(body);
    // Once to say what is wrong before anything is asked of others, and waited for.
    rules.made(access, request);
    var source = sources.of(access, request);
    rules.checkTarget(request);
    var answer =
        database.transaction(
            () -> {
              var now = Instant.now();
              var before = key.flatMap(k -> keys.replay(access, k, hash(body), now));
              if (before.isPresent()) {
                return before.get();
              }
              var made = create(access, request, source, baseUrl);
              key.ifPresent(k -> keys.keep(access, k, hash(body), made, now));
              return made;
            });
    return new Made(body.path("name").textValue(), answer);
  }

  private Answer create(
      RepositoryAccess access, SubscriptionRequest request, UUID sourceRepoId, String baseUrl) {
    lock(access, sourceRepoId);
    var subscription = rules.made(access, request);
    subscription.id = Ids.next();
    subscription.baseUrl = baseUrl;
    subscription.updatedAt = subscription.createdAt;
    if (subscription.cronspec == null) {
      subscription.sourceRepoId = sourceRepoId;
      subscription.shapeId = sources.shape(sourceRepoId, request);
    }
    if (Subscription.count("repoId = ?1 and name = ?2", access.repoId(), subscription.name) > 0) {
      throw Problem.of(
          ErrorCode.ALREADY_EXISTS,
          "There is a subscription `%s` here already.".formatted(subscription.name));
    }
    sources.refuseOneMore(access.repoId());
    sources.refuseTooMany(subscription);
    schedule(subscription);
    subscription.persistAndFlush();
    return new Answer(CREATED, text(reads.find(access, subscription.name)));
  }

  /** When it fires next: never while it is paused. */
  private static void schedule(Subscription subscription) {
    subscription.nextTickAt =
        subscription.active && subscription.cronspec != null
            ? CronSchedule.of(subscription.cronspec, subscription.timezone)
                .next(Instant.now())
                .orElse(null)
            : null;
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
   *     ARCHIVED}
   */
  public SubscriptionView update(RepositoryAccess access, String name, JsonNode body) {
    var request = SubscriptionRequest.of(body);
    rules.refuseUnchangeable(known(access, name).kind(), request);
    rules.checkTarget(request);
    return database.transaction(
        () -> {
          var subscription = locked(access, name);
          sources.refuseUnreadable(access, subscription);
          rules.change(subscription, request);
          if (request.has("shapeName")) {
            subscription.shapeId = sources.shape(subscription.sourceRepoId, request);
          }
          if (request.has("filterJson")) {
            sources.refuseTooMany(subscription);
          }
          if (request.has("cronConfig")) {
            schedule(subscription);
          }
          subscription.updatedAt = Instant.now();
          subscription.persistAndFlush();
          return reads.find(access, name);
        });
  }

  /** Makes no more runs of it; those that exist complete. Nothing where it is paused already. */
  public void pause(RepositoryAccess access, String name) {
    change(
        access,
        name,
        subscription -> {
          subscription.active = false;
          schedule(subscription);
        });
  }

  /**
   * Makes runs of it again, of what happens from now on. Nothing where it is active already.
   *
   * @throws Problem {@code CONFLICT} where its creator may not read what it watches any more
   */
  public void resume(RepositoryAccess access, String name) {
    change(
        access,
        name,
        subscription -> {
          if (subscription.active) {
            return;
          }
          sources.refuseUnreadable(access, subscription);
          sources.refuseLost(subscription);
          subscription.active = true;
          sources.refuseTooMany(subscription);
          schedule(subscription);
        });
  }

  /**
   * Sends its calls with the secrets of a credential set from now on.
   *
   * @throws Problem {@code NOT_FOUND} for a set that neither the repository nor its organization
   *     has, {@code CONFLICT} for a revoked one
   */
  public Bound bind(RepositoryAccess access, String name, String credentialSetName) {
    change(
        access,
        name,
        subscription -> {
          sources.refuseUnreadable(access, subscription);
          credentials.requireUsable(access.repoId(), credentialSetName);
          subscription.credentialSet = credentialSetName;
        });
    return new Bound(true, name, credentialSetName);
  }

  /** Sends its calls without secrets from now on, also where it does already. */
  public Unbound unbind(RepositoryAccess access, String name) {
    change(access, name, subscription -> subscription.credentialSet = null);
    return new Unbound(true, name);
  }

  private void change(RepositoryAccess access, String name, Consumer<Subscription> change) {
    database.transaction(
        () -> {
          var subscription = locked(access, name);
          change.accept(subscription);
          subscription.updatedAt = Instant.now();
          subscription.persistAndFlush();
          return true;
        });
  }

  /** Deletes it with its binding and its schedule, and ends its runs that wait. */
  public void delete(RepositoryAccess access, String name) {
    database.transaction(
        () -> {
          var subscription = locked(access, name);
          subscription.delete();
          Subscription.flush();
          deleted.fire(new SubscriptionDeleted(subscription.repoId, subscription.id));
          return true;
        });
  }

  /**
   * Pauses a subscription whose receiver says that it is gone; nothing where it is paused or gone
   * already. It locks the head of what is watched, so it is called where no run is locked.
   */
  public void pauseBecauseGone(UUID repoId, UUID id) {
    database.transaction(
        () -> {
          sources.raiseFor(repoId, id);
          return database.update(
              """
              update subscription set active = false, next_tick_at = null, updated_at = ?
              where repo_id = ? and id = ? and active
              """,
              Instant.now(),
              repoId,
              id);
        });
  }

  /** Holds off commits and changes of the organization, and asks again whether this may be. */
  private void lock(RepositoryAccess access, UUID sourceRepoId) {
    database.lockName("subscriptions " + access.repoId());
    database.list(
        """
        select from repository r join organization o on o.id = r.org_id
        where r.id = ? for share of o
        """,
        _ -> true,
        access.repoId());
    sources.raise(access.repoId(), sourceRepoId);
    var by = access.allows(REPO_WRITE) ? REPO_WRITE : REPO_CONFIGURE;
    var standing = standing(access, by);
    if (!standing.granted()) {
      recheck.again(access, by);
    }
    if (standing.archived()) {
      throw Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.");
    }
  }

  private Standing standing(RepositoryAccess access, Permission by) {
    var parameters = new ArrayList<Object>(Recheck.parameters(access, by));
    parameters.add(access.repoId());
    return database
        .first(
            "select coalesce(r.archived_at, o.archived_at) is not null, "
                + Recheck.CONDITION
                + " from repository r join organization o on o.id = r.org_id where r.id = ?",
            row -> new Standing(row.getBoolean(1), row.getBoolean(2)),
            parameters.toArray())
        .orElseThrow();
  }

  private Known known(RepositoryAccess access, String name) {
    return database
        .first(
            """
            select id, kind, coalesce(source_repo_id, repo_id) from subscription
            where repo_id = ? and name = ?
            """,
            row ->
                new Known(
                    row.getObject(1, UUID.class), row.getString(2), row.getObject(3, UUID.class)),
            access.repoId(),
            name)
        .orElseThrow(() -> SubscriptionReads.missing(name));
  }

  private Subscription locked(RepositoryAccess access, String name) {
    var known = known(access, name);
    lock(access, known.sourceRepoId());
    return Subscription.<Subscription>findByIdOptional(known.id(), LockModeType.PESSIMISTIC_WRITE)
        .orElseThrow(() -> SubscriptionReads.missing(name));
  }
}
