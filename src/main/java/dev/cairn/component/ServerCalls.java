package dev.cairn.component;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.egress.NetworkFault;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.memory.AnswerTurn;
import dev.cairn.subscription.UnusableSecretException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;

/**
 * Calls the servers of components while a request waits for it. A server may hang, so each account
 * and each tenant has few calls at a time, and all of them together leave most of the calls of this
 * replica to webhooks. Nobody holds a connection to the database meanwhile. See {@code
 * docs/components.md}, Limits.
 */
@ApplicationScoped
@Startup // Its metric is there before the first call.
class ServerCalls {
  static final int MAX_OF_ACCOUNT = 4;
  static final int MAX_OF_TENANT = 8;
  static final int MAX_OF_ALL = 64;

  /** How many calls of one account, or of one tenant, may be under way or wait. */
  static final int MAX_WAITING = 32;

  /** Only for tenants whose calls took little time recently. */
  private static final int RESERVED = 16;

  private final Database database;
  private final ReadBounds bounds;
  private final EgressClient egress;
  private final Duration timeout;
  private final KeyedLimiter<UUID> ofAccounts = new KeyedLimiter<>(MAX_OF_ACCOUNT, MAX_WAITING);
  private final KeyedLimiter<UUID> ofTenants =
      new KeyedLimiter<>(MAX_OF_TENANT, MAX_WAITING, MAX_OF_ALL, RESERVED);

  /** Makes a request when it is its turn. */
  @FunctionalInterface
  interface Preparation {
    /** The request, signed; what it throws ends the turn. */
    EgressRequest request() throws UnusableSecretException, InterruptedException;
  }

  /**
   * Why there is no answer.
   *
   * @param reason {@code network_error}, {@code timeout} or {@code target_forbidden}
   * @param detail a sentence for people
   */
  record NoAnswer(String reason, String detail) {
    /** Why a call ended without an answer. */
    static NoAnswer of(EgressResult.Forbidden forbidden) {
      return new NoAnswer("target_forbidden", forbidden.sentence());
    }

    /** The same for a server that could not be reached. */
    static NoAnswer of(EgressResult.Unreachable unreachable) {
      return new NoAnswer(
          unreachable.fault() == NetworkFault.TIMEOUT ? "timeout" : "network_error",
          unreachable.fault().sentence());
    }
  }

  ServerCalls(
      Database database,
      ReadBounds bounds,
      EgressClient egress,
      CairnConfig config,
      MeterRegistry metrics) {
    this.database = database;
    this.bounds = bounds;
    this.egress = egress;
    this.timeout = config.webhook().timeout();
    Gauge.builder("cairn.components.waiting", () -> ofAccounts.waiting() + ofTenants.waiting())
        .description(
            "Calls to servers of components that wait in this replica for others of the same"
                + " account or tenant")
        .register(metrics);
  }

  /**
   * Makes a call when it is its turn.
   *
   * @param access of the account that causes it
   * @param orgId the organization whose server is called: its tenant is to blame if that hangs
   * @return never {@link NetworkFault#BUSY} or {@link NetworkFault#CLOSED}: those are thrown
   * @throws Problem {@code UNAVAILABLE} for those; {@code CONFLICT} ({@code
   *     credentials_unavailable}) for a secret that cannot be used
   */
  EgressResult call(RepositoryAccess access, UUID orgId, Preparation preparation) {
    var tenantId = bounds.within(access, () -> tenant(orgId));
    AnswerTurn.end(); // Answers to other requests need not wait for the turn of this one.
    return ofAccounts.call(
        access.account().accountId(),
        () -> ofTenants.call(tenantId, () -> call(tenantId, preparation), ServerCalls::busy),
        ServerCalls::busy);
  }

  /**
   * The tenant of an organization: who is to blame for its calls. See {@code docs/egress.md},
   * Limits of a call.
   */
  UUID tenant(UUID orgId) {
    return database
        .first(
            "select coalesce(creator_id, id) from organization where id = ?",
            row -> row.getObject(1, UUID.class),
            orgId)
        .orElse(orgId);
  }

  private EgressResult call(UUID tenantId, Preparation preparation) {
    try {
      var request = preparation.request().onBehalfOf(tenantId).within(timeout);
      AnswerTurn.end(); // Nor for the server: the preparation has begun another one.
      return requireAttempted(egress.call(request));
    } catch (UnusableSecretException e) {
      throw unusable(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw stopping();
    }
  }

  private static EgressResult requireAttempted(EgressResult result) {
    if (result instanceof EgressResult.Unreachable(var fault)) {
      switch (fault) {
        case BUSY -> throw busy();
        case CLOSED -> throw stopping();
        default -> {
          // The call was attempted: the fault is the server's or the network's.
        }
      }
    }
    return result;
  }

  /** The problem that a call cannot be signed. */
  static Problem unusable(String detail) {
    return Problem.of(ErrorCode.CONFLICT, detail)
        .with("reason", "credentials_unavailable")
        .hint("Set the values of the credential set again.");
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many calls to servers of components are in progress; wait for some, or try again.");
  }

  private static Problem stopping() {
    return Problem.of(ErrorCode.UNAVAILABLE, "The service is stopping; try again.");
  }
}
