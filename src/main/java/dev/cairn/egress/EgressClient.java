package dev.cairn.egress;

import dev.cairn.platform.Deadline;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import io.vertx.core.tracing.TracingPolicy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Reception;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls the URLs that {@link EgressPolicy} permits, at the addresses that it vetted, while the TLS
 * server name, the check of the certificate and the {@code Host} header keep the name. Each call
 * has a connection of its own, over HTTP/1.1 and without a proxy, and follows no redirect.
 *
 * <p>Blocks, and so belongs on a virtual thread. Writes nothing to the log: URLs, headers and
 * bodies hold secrets.
 */
@Singleton
public final class EgressClient {
  private static final int CALLS_AT_ONCE = 256;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Short, since requests and attempts at runs have had their time to end by then. */
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);

  private static final int MAX_HEADERS = 32 * 1024;
  private static final String TLS = "egress";

  private final EgressPolicy policy;
  private final MeterRegistry metrics;
  private final Vertx vertx;
  private final HttpClient client;
  private final int callsAtOnce;
  private final Semaphore permits;
  private volatile boolean closed;

  @Inject
  EgressClient(
      EgressPolicy policy, MeterRegistry metrics, Vertx vertx, TlsConfigurationRegistry tls) {
    this(
        policy,
        metrics,
        vertx,
        tls.get(TLS).map(TlsConfiguration::getTrustStoreOptions),
        CALLS_AT_ONCE);
  }

  EgressClient(
      EgressPolicy policy,
      MeterRegistry metrics,
      Vertx vertx,
      Optional<TrustOptions> trust,
      int callsAtOnce) {
    this.policy = policy;
    this.metrics = metrics;
    this.vertx = vertx;
    this.callsAtOnce = callsAtOnce;
    this.permits = new Semaphore(callsAtOnce);
    Gauge.builder("cairn.egress.waiting", permits, Semaphore::getQueueLength)
        .description("Calls to other servers that wait in this replica for others to end")
        .register(metrics);
    Gauge.builder("cairn.egress.lookups.waiting", policy, EgressPolicy::waitingLookUps)
        .description("Look-ups of host names that wait in this replica for others to end")
        .register(metrics);
    this.client =
        vertx
            .httpClientBuilder()
            .with(options(trust))
            .with(pool(callsAtOnce))
            .withConnectHandler(EgressClient::keepQuiet)
            .build();
  }

  private static HttpClientOptions options(Optional<TrustOptions> trust) {
    var options =
        new HttpClientOptions()
            .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis())
            .setSslHandshakeTimeout(CONNECT_TIMEOUT.toMillis())
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setKeepAlive(false)
            .setKeepAliveTimeout(1)
            .setMaxHeaderSize(MAX_HEADERS)
            .setTracingPolicy(TracingPolicy.IGNORE);
    trust.ifPresent(options::setTrustOptions);
    return options;
  }

  /** One server may have as many connections as there may be calls, so that none is queued. */
  private static PoolOptions pool(int callsAtOnce) {
    return new PoolOptions().setHttp1MaxSize(callsAtOnce).setCleanerPeriod(1000);
  }

  /** The call's result has the failure; without this, the log would quote what was received. */
  private static void keepQuiet(HttpConnection connection) {
    connection.exceptionHandler(failure -> {});
  }

  /** Makes a call, unless the policy forbids it, and waits for its end. */
  public EgressResult call(EgressRequest request) {
    var timer = Timer.start(metrics);
    var result = result(request, Deadline.in(request.timeout()));
    timer.stop(
        Timer.builder("cairn.egress.calls")
            .description("Calls to other servers")
            .tag("purpose", request.purpose())
            .tag("outcome", outcome(result))
            .register(metrics));
    return result;
  }

  /** Refuses new calls, waits for those in progress, and closes the rest after 2 seconds. */
  void close(
      @Observes(notifyObserver = Reception.IF_EXISTS) @Priority(Interceptor.Priority.PLATFORM_AFTER)
          ShutdownEvent event) {
    close(DRAIN_TIMEOUT);
  }

  void close(Duration drain) {
    closed = true;
    try {
      if (permits.tryAcquire(callsAtOnce, drain.toMillis(), TimeUnit.MILLISECONDS)) {
        // Calls that wait for one are refused now, not after their time.
        permits.release(callsAtOnce);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
    }
  }

  private EgressResult result(EgressRequest request, Deadline deadline) {
    try {
      return bounded(request, deadline);
    } catch (ForbiddenTargetException e) {
      return new EgressResult.Forbidden(e.getMessage());
    } catch (NetworkException e) {
      return new EgressResult.Unreachable(e.fault());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new EgressResult.Unreachable(NetworkFault.CLOSED);
    }
  }

  private EgressResult bounded(EgressRequest request, Deadline deadline)
      throws ForbiddenTargetException, NetworkException, InterruptedException {
    requireOpen();
    // Before the permit: calls whose name servers are slow, or that are refused, hold up no others.
    var target =
        request.isOperatorUrl()
            ? policy.resolve(request.requester(), request.url(), deadline)
            : policy.vet(request.requester(), request.url(), deadline);
    if (!permits.tryAcquire(deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
      throw new NetworkException(NetworkFault.BUSY);
    }
    try {
      requireOpen();
      return exchange(request, target, deadline);
    } finally {
      permits.release();
    }
  }

  private void requireOpen() throws NetworkException {
    if (closed) {
      throw new NetworkException(NetworkFault.CLOSED);
    }
  }

  private EgressResult exchange(EgressRequest request, VettedTarget target, Deadline deadline)
      throws NetworkException, InterruptedException {
    var reader = new AnswerReader(request.maxResponseBytes(), request.maxKeptBytes());
    var call = connect(request, target, reader, deadline);
    try {
      call.putHeader("User-Agent", "Cairn");
      request.headers().forEach(call::putHeader);
      return reader.exchange(call, request.body(), deadline);
    } finally {
      call.connection().close();
    }
  }

  /** Connects to the first of the vetted addresses that lets itself be connected to. */
  private HttpClientRequest connect(
      EgressRequest request, VettedTarget target, AnswerReader reader, Deadline deadline)
      throws NetworkException, InterruptedException {
    var last = new NetworkException(NetworkFault.TIMEOUT);
    for (var address : target.addresses()) {
      if (deadline.hasPassed()) {
        break;
      }
      try {
        return connect(to(address, request, target.url(), deadline), reader, deadline);
      } catch (NetworkException e) {
        last = e;
      }
    }
    throw last;
  }

  private static RequestOptions to(
      InetAddress address, EgressRequest request, TargetUrl url, Deadline deadline) {
    var server = SocketAddress.inetSocketAddress(new InetSocketAddress(address, url.port()));
    long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline.nanosLeft()));
    return new RequestOptions()
        .setServer(server)
        .setHost(url.host())
        .setPort(url.port())
        .setSsl(url.isHttps())
        .setMethod(HttpMethod.valueOf(request.method()))
        .setURI(url.path())
        .setFollowRedirects(false)
        .setConnectTimeout(Math.min(left, CONNECT_TIMEOUT.toMillis()));
  }

  /**
   * The reader begins to listen on the event loop in the very step in which the connection is
   * there; later, something could have happened to it already.
   */
  private HttpClientRequest connect(RequestOptions options, AnswerReader reader, Deadline deadline)
      throws NetworkException, InterruptedException {
    Promise<HttpClientRequest> connected = Promise.promise();
    vertx
        .getOrCreateContext()
        .runOnContext(
            go ->
                Future.<HttpClientRequest>future(p -> client.request(options).onComplete(p))
                    .onSuccess(reader::listenTo)
                    .onComplete(connected));
    var waiting = connected.future().toCompletionStage().toCompletableFuture();
    try {
      return waiting.get(deadline.nanosLeft(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new NetworkException(NetworkFault.connecting(e.getCause()));
    } catch (TimeoutException e) {
      abandon(connected);
      throw new NetworkException(NetworkFault.TIMEOUT);
    } catch (InterruptedException e) {
      abandon(connected);
      throw e;
    }
  }

  private static void abandon(Promise<HttpClientRequest> connecting) {
    connecting.future().onSuccess(late -> late.connection().close());
  }

  private static String outcome(EgressResult result) {
    return switch (result) {
      case EgressResult.Answer answer -> statusClass(answer.status());
      case EgressResult.Forbidden _ -> "forbidden";
      case EgressResult.Unreachable unreachable ->
          unreachable.fault().name().toLowerCase(Locale.ROOT);
    };
  }

  /** Servers may answer with any number, and each would be a time series. */
  private static String statusClass(int status) {
    return status < 100 || status > 599 ? "other" : status / 100 + "xx";
  }
}
