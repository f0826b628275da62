package dev.cairn.component;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.component.Doctor.Check;
import dev.cairn.component.InstallReads.Found;
import dev.cairn.component.ServerAddress.Server;
import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.egress.NetworkFault;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.platform.memory.AnswerTurn;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Calls the paths that {@code health.requires} names, without credentials, and without a connection
 * to the database. See {@code docs/components.md}, Doctor.
 */
@ApplicationScoped
class HealthPaths {
  private static final String KIND = "requirement";
  private static final String PURPOSE = "component-health";

  /** For all paths of a component: while they are called, checks of others may wait. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /** For the turn: longer than three checks one after the other take. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(16);

  private static final int CALLS_AT_ONCE = 10;

  /** Only the status of an answer counts: hardly anything else of it is read. */
  private static final int MAX_ANSWER = 1024;

  /** Maximum number of checks of one account that call or wait, and of all accounts that call. */
  private static final int MAX_OF_ACCOUNT = 4;

  private static final int MAX_OF_ALL = 6;
  private static final int RESERVED = 2;

  private static final int OK = 200;
  private static final int REDIRECTION = 300;

  private final ServerAddress addresses;
  private final ServerCalls calls;
  private final EgressClient egress;
  private final ReadBounds bounds;
  private final KeyedLimiter<UUID> running =
      new KeyedLimiter<>(1, MAX_OF_ACCOUNT, MAX_OF_ALL, RESERVED);

  HealthPaths(ServerAddress addresses, ServerCalls calls, EgressClient egress, ReadBounds bounds) {
    this.addresses = addresses;
    this.calls = calls;
    this.egress = egress;
    this.bounds = bounds;
  }

  /**
   * Checks each path that a component requires.
   *
   * @throws Problem {@code UNAVAILABLE} if too many components are checked at this moment
   */
  List<Check> check(RepositoryAccess access, Found found) {
    var paths =
        found.component().version().manifest().health().requires().stream()
            .map(Manifest.Requirement::path)
            .filter(path -> path != null)
            .toList();
    if (paths.isEmpty()) {
      return List.of();
    }
    Server server;
    try {
      server = bounds.within(access, () -> addresses.of(access.repoId(), found.component().name()));
    } catch (Problem e) {
      if (e.code() != ErrorCode.CONFLICT) {
        throw e;
      }
      return paths.stream().map(path -> Check.failed(KIND, path, e.detail(), e.hint())).toList();
    }
    var tenantId = bounds.within(access, () -> calls.tenant(access.orgId()));
    AnswerTurn.end(); // Answers to other requests need not wait for the server.
    return running.call(
        access.account().accountId(),
        MAX_WAIT,
        () -> callAll(tenantId, server, paths),
        HealthPaths::busy);
  }

  private List<Check> callAll(UUID tenantId, Server server, List<String> paths) {
    var checks = new ArrayList<Check>();
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    try (var threads = Executors.newFixedThreadPool(CALLS_AT_ONCE, Thread.ofVirtual().factory())) {
      var calls = new ArrayList<Future<Check>>();
      for (var path : paths) {
        calls.add(threads.submit(() -> callPath(tenantId, server, path, deadline)));
      }
      for (var call : calls) {
        checks.add(call.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw stopping();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Problem problem
          ? problem
          : new IllegalStateException(e.getCause());
    }
    return checks;
  }

  private Check callPath(UUID tenantId, Server server, String path, long deadline) {
    var left = Duration.ofNanos(deadline - System.nanoTime());
    if (!left.isPositive()) {
      return failed(path, "It was not called: other paths took all of the time.");
    }
    return switch (egress.call(request(tenantId, server, path, left))) {
      case EgressResult.Answer answer when answer.status() >= OK && answer.status() < REDIRECTION ->
          Check.passed(KIND, path);
      case EgressResult.Answer answer ->
          failed(path, "It was answered with the status %d.".formatted(answer.status()));
      case EgressResult.Forbidden(var sentence) ->
          Check.failed(
              KIND,
              path,
              sentence,
              "Correct `cliBaseUrl` in its `ComponentConfig`, with `repo:read` and `repo:configure`.");
      case EgressResult.Unreachable(var fault) -> unreachable(path, fault);
    };
  }

  /** It has no credentials, and names neither the repository nor the account. */
  static EgressRequest request(UUID tenantId, Server server, String path, Duration timeout) {
    return EgressRequest.get(PURPOSE, server.at(path))
        .onBehalfOf(tenantId)
        .within(timeout)
        .withResponseLimits(MAX_ANSWER, MAX_ANSWER);
  }

  private static Check unreachable(String path, NetworkFault fault) {
    return switch (fault) {
      case BUSY -> throw busy();
      case CLOSED -> throw stopping();
      default -> failed(path, fault.sentence());
    };
  }

  private static Check failed(String path, String detail) {
    return Check.failed(KIND, path, detail, "See whether the component's server works.");
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many components are checked at this moment; wait for some, or try again.");
  }

  private static Problem stopping() {
    return Problem.of(ErrorCode.UNAVAILABLE, "The service is stopping; try again.");
  }
}
