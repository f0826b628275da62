package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.http.RequestLimits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.core.Vertx;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Reads the bodies of all requests, those of MCP included, within one {@link ArrivalRoom}; see
 * {@code docs/limits.md}, Slow requests.
 */
@Singleton
public class ArrivingBodies {
  /** The key of the context under which the arrival of a request is stored. */
  static final String REQUEST = "cairn.request.arrival";

  private static final int MIB = 1024 * 1024;
  private static final long SWEEP_MILLIS = 1_000;

  private final ArrivalRoom room;
  private final ClientAddress addresses;
  private final LateArrival late;
  private final Vertx vertx;

  ArrivingBodies(
      CairnConfig config,
      ClientAddress addresses,
      LateArrival late,
      MeterRegistry metrics,
      Vertx vertx) {
    var limits = config.limits();
    long size =
        limits.arrivingMib() > 0 ? limits.arrivingMib() * (long) MIB : HeapShare.ARRIVING.bytes();
    this.room =
        new ArrivalRoom(
            size,
            RequestLimits.MAX_BODY,
            new ArrivalRoom.Pace(limits.bodyBytesPerSecond(), limits.bodySeconds()),
            System::nanoTime);
    this.addresses = addresses;
    this.late = late;
    this.vertx = vertx;
    Gauge.builder("cairn.requests.arriving", room, ArrivalRoom::count)
        .description("Requests that have begun to arrive in this replica, and are in memory")
        .register(metrics);
    Gauge.builder("cairn.requests.arriving.bytes", room, ArrivalRoom::bytes)
        .baseUnit("bytes")
        .description("Bytes in memory of the requests that are arriving in this replica")
        .register(metrics);
    FunctionCounter.builder("cairn.requests.arriving.ended", room, ArrivalRoom::ended)
        .description(
            "Requests that were ended because they arrived too slowly, or the room was full")
        .register(metrics);
  }

  void sweep(@Observes StartupEvent event) {
    vertx.setPeriodic(SWEEP_MILLIS, _ -> room.endTooSlow());
  }

  /** The room in which bodies are counted, and heads of requests too. */
  ArrivalRoom room() {
    return room;
  }

  /**
   * Begins to read a body. Its room is released when the request has been answered, unless {@link
   * ArrivingBody#release} was called before. If the connection is closed instead, the code that
   * took the bytes may still use them, and must release the room.
   *
   * @param limit the number of bytes after which reading stops
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if {@code Content-Length} is at least the limit
   */
  public ArrivingBody read(RoutingContext context, int limit) {
    var request = context.request();
    if (RequestLimits.contentLength(request) >= limit) {
      throw Problem.of(
          ErrorCode.PAYLOAD_TOO_LARGE, "A body may have at most " + (limit - 1) + " bytes here.");
    }
    var eventLoop = (ContextInternal) ((HttpServerRequestInternal) request).context();
    var owner = owner(context);
    var body =
        new ArrivingBody(
            request,
            eventLoop,
            limit,
            onEnd -> room.beginBody(owner, context.get(REQUEST), onEnd),
            owner,
            () -> late.check(context));
    eventLoop.execute(
        () -> {
          context.addEndHandler(_ -> ended(context, body));
          if (!owner.isAnonymous()
              && !request.isEnded()
              && request.connection() instanceof ConnectionBase base) {
            SocketReads.readSeveralTimesPerTurn(base.channel());
          }
          body.start();
        });
    return body;
  }

  /**
   * Begins to read a body of any length part by part. What waits to be read is a few parts, for
   * which no room is taken: the number of such requests is limited where they are accepted.
   */
  PartwiseBody inParts(RoutingContext context) {
    var request = context.request();
    var eventLoop = ((HttpServerRequestInternal) request).context();
    var body = new PartwiseBody(request, eventLoop);
    eventLoop.runOnContext(
        _ -> {
          context.addEndHandler(_ -> body.ended());
          if (!request.isEnded() && request.connection() instanceof ConnectionBase base) {
            SocketReads.readSeveralTimesPerTurn(base.channel());
          }
          body.start();
        });
    return body;
  }

  /**
   * Counts the messages of a WebSocket that a request opens: as bodies of this request, which has
   * not ended as long as the WebSocket is open. To be called on its event loop.
   */
  public ArrivingMessages messages(RoutingContext context) {
    return new ArrivingMessages(room, owner(context), context.get(REQUEST));
  }

  /** Begins to count what is kept of a body that is read part by part. */
  KeptBytes kept(RoutingContext context) {
    return new KeptArrival(onEnd -> room.beginParts(owner(context), context.get(REQUEST), onEnd));
  }

  /** Counts what a request keeps in memory, beside its head, until it is answered. */
  public static void keep(RoutingContext context, int bytes) {
    ArrivalRoom.Arrival request = context.get(REQUEST);
    if (request != null) {
      // Ended if there is no room for it.
      var _ = request.take(bytes);
    }
  }

  private static void ended(RoutingContext context, ArrivingBody body) {
    if (context.response().ended()) {
      body.release();
    } else {
      body.drop();
    }
  }

  /** The account if it is known, otherwise the network address. */
  ArrivalRoom.Owner owner(RoutingContext context) {
    if (context.user() instanceof QuarkusHttpUser user
        && !user.getSecurityIdentity().isAnonymous()) {
      return ArrivalRoom.Owner.account(user.getSecurityIdentity().getPrincipal().getName());
    }
    return ArrivalRoom.Owner.network(NetworkAddress.network(addresses.of(context.request())));
  }
}
