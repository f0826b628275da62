package dev.cairn.egress;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A client with names of its own, all within 127.0.0.0/8 or ::1. */
final class Egress implements AutoCloseable {
  static final String NAME = "hook.example";

  /** Its name servers answer only after {@link #lookUpsEnd}, that there is none. */
  static final String SLOW = "slow.example";

  private final Vertx vertx = Vertx.vertx();
  private final Map<String, List<List<InetAddress>>> names = new ConcurrentHashMap<>();
  private final AtomicInteger lookUps = new AtomicInteger();
  final CountDownLatch lookUpsEnd = new CountDownLatch(1);
  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  final EgressPolicy policy;
  final EgressClient client;

  /** One that may call what {@code allow} lists. */
  Egress(String... allow) {
    this(Optional.empty(), 8, allow);
  }

  Egress(Optional<TrustOptions> trust, int callsAtOnce, String... allow) {
    policy = new EgressPolicy(List.of(allow), EgressPolicyTest.resolving(this::resolve));
    client = new EgressClient(policy, metrics, vertx, trust, callsAtOnce);
  }

  /** Lets {@link #NAME} have these addresses. */
  Egress resolving(String... addresses) {
    return resolving(new String[][] {addresses});
  }

  /** Lets {@link #NAME} have these addresses at the first look-up, those at the next, and so on. */
  Egress resolving(String[]... turns) {
    names.put(
        NAME,
        Arrays.stream(turns).map(turn -> Arrays.stream(turn).map(Egress::named).toList()).toList());
    return this;
  }

  /** With the name, as the system's resolver gives it. */
  private static InetAddress named(String text) {
    try {
      return InetAddress.getByAddress(NAME, AddressRange.address(text).getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private List<InetAddress> resolve(String host) throws UnknownHostException {
    int turn = lookUps.getAndIncrement();
    var turns = names.get(host);
    if (host.equals(SLOW)) {
      awaitEnd();
    }
    if (turns == null) {
      throw new UnknownHostException(host);
    }
    return turns.get(Math.min(turn, turns.size() - 1));
  }

  private void awaitEnd() {
    try {
      lookUpsEnd.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  int lookUps() {
    return lookUps.get();
  }

  EgressResult get(String url) {
    return client.call(request(url));
  }

  FutureTask<EgressResult> inBackground(String url) {
    var call = new FutureTask<>(() -> get(url));
    Thread.ofVirtual().start(call);
    return call;
  }

  /** A call with a time limit that no test should come near. */
  static EgressRequest request(String url) {
    return EgressRequest.get("test", url).within(Duration.ofSeconds(10));
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
  }
}
