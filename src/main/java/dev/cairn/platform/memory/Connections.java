package dev.cairn.platform.memory;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.CrossOrigin;
import dev.cairn.platform.http.FilterPriority;
import dev.cairn.platform.http.MessageFraming;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.http.RequestEnd;
import dev.cairn.platform.http.RequestLimits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.WebSocketFrameDecoder;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Bounds the connections of clients, in total and for each network address. A new connection beyond
 * a bound replaces the connection that has waited longest for a request or for the rest of a
 * request: among those of its own address if the bound of an address is reached, among those of the
 * address with the most connections if the total bound is reached. If all of these have requests in
 * progress, the new connection is refused, unless its own address has fewer connections than that
 * address, which then loses one of them.
 *
 * <p>The received part of the head of a request is counted in the {@link ArrivalRoom}, like bodies;
 * a complete head counts until its request is answered. So is the received part of a frame of a
 * WebSocket, whose request has not ended as long as it is open.
 */
@Singleton
class Connections {
  private static final String NAME = "cairn-connection";
  private static final String ACCEPTS = "cairn-connections";
  private static final String WATCHED = "cairn.connection.watched";

  /** More bytes than this after a complete request certainly belong to the next head. */
  private static final int MAX_UNCERTAIN_BYTES = 512;

  private static final Comparator<Connection> BY_WAIT =
      Comparator.comparingLong(connection -> connection.waitsSince);

  private final int max;
  private final int maxOfAddress;
  private final ArrivingBodies bodies;
  private final CrossOrigin crossOrigin;
  private final ArrivalRoom room;

  private final AtomicInteger open = new AtomicInteger();
  private final ConcurrentHashMap<String, Set<Connection>> byAddress = new ConcurrentHashMap<>();

  /** A logical clock, which orders the moments at which connections began to wait. */
  private final AtomicLong clock = new AtomicLong();

  private final AtomicLong refused = new AtomicLong();

  Connections(
      CairnConfig config,
      @ConfigProperty(name = "quarkus.http.proxy.proxy-address-forwarding", defaultValue = "false")
          boolean areOfProxies,
      ArrivingBodies bodies,
      CrossOrigin crossOrigin,
      MeterRegistry metrics) {
    this.max = bound(config.limits().connections());
    this.maxOfAddress = areOfProxies ? bound(0) : bound(config.limits().connectionsPerAddress());
    this.bodies = bodies;
    this.crossOrigin = crossOrigin;
    this.room = bodies.room();
    Gauge.builder("cairn.connections", open, AtomicInteger::get)
        .description("Connections of clients to this replica")
        .register(metrics);
    FunctionCounter.builder("cairn.connections.closed", refused, AtomicLong::get)
        .description("Connections that were closed because there were too many")
        .register(metrics);
  }

  private static int bound(int configured) {
    return configured == 0 ? Integer.MAX_VALUE : configured;
  }

  void register(@Observes Filters filters) {
    filters.register(this::watch, FilterPriority.CONNECTIONS);
  }

  private void watch(RoutingContext context) {
    // A request that is routed again passes here again.
    if (context.get(WATCHED) == null
        && context.request().connection() instanceof ConnectionBase base) {
      context.put(WATCHED, true);
      var connection = watched(base.channel());
      if (!connection.begins(context)) {
        return;
      }
      if (announcesBody(context.request())) {
        connection.bodyBegins();
        var _ = context.request().end().onComplete(_ -> connection.bodyEnds());
      }
      RequestEnd.handle(context, _ -> answered(context, connection));
    }
    context.next();
  }

  /**
   * An answer may be given before the body has come. The rest of it is dropped for a while, so that
   * the client gets the answer, which it may not if the connection is closed at once.
   */
  private static void answered(RoutingContext context, Connection connection) {
    connection.releaseRequest();
    var request = context.request();
    if (announcesBody(request)) {
      // On the event loop, so that the body cannot end between these steps.
      ((HttpServerRequestInternal) request)
          .context()
          .runOnContext(_ -> dropRest(request, context.vertx(), connection));
    } else {
      connection.waits();
    }
  }

  private static boolean announcesBody(HttpServerRequest request) {
    return RequestLimits.contentLength(request) > 0
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
  }

  private static void dropRest(HttpServerRequest request, Vertx vertx, Connection connection) {
    if (request.isEnded() || request.response().closed()) {
      connection.waits();
      return;
    }
    connection.readOncePerTurn();
    long timer = vertx.setTimer(MessageFraming.LINGER_MILLIS, _ -> connection.close());
    request.endHandler(
        _ -> {
          vertx.cancelTimer(timer);
          connection.waits();
        });
    request.handler(_ -> {});
    request.resume();
  }

  /** The handler of a connection; added now if it was accepted before the very first request. */
  private Connection watched(Channel channel) {
    if (channel.pipeline().get(NAME) instanceof Connection present) {
      return present;
    }
    if (channel.parent() != null && channel.parent().pipeline().get(ACCEPTS) == null) {
      channel.parent().eventLoop().execute(() -> watchAccepted(channel.parent()));
    }
    var connection = new Connection(channel);
    channel.pipeline().addFirst(NAME, connection);
    Optional.ofNullable(framing(channel)).ifPresent(MessageFraming::startsLate);
    return connection;
  }

  private MessageFraming framing(Channel channel) {
    return MessageFraming.of(channel.pipeline(), crossOrigin.allowsAny());
  }

  private void watchAccepted(Channel server) {
    if (server.pipeline().get(ACCEPTS) == null) {
      server.pipeline().addFirst(ACCEPTS, new Accepting());
    }
  }

  /** Accepts or refuses new connections, as a handler of the listening socket. */
  private final class Accepting extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      var channel = (Channel) message;
      if (hasRoomFor(channel)) {
        channel.pipeline().addFirst(NAME, new Connection(channel));
        context.fireChannelRead(channel);
      } else {
        refused.incrementAndGet();
        channel.unsafe().closeForcibly();
      }
    }
  }

  private boolean hasRoomFor(Channel channel) {
    var address = address(channel);
    return (count(address) < maxOfAddress || closeLongestWaiting(address))
        && (open.get() < max || closeOneOfBusiest(address));
  }

  private int count(String address) {
    return of(address).size();
  }

  private Set<Connection> of(String address) {
    return byAddress.getOrDefault(address, Set.of());
  }

  /** Closes a connection of the busiest address, one with a request in progress if necessary. */
  private boolean closeOneOfBusiest(String newcomer) {
    var busiest =
        byAddress.entrySet().stream()
            .max(Comparator.comparingInt(entry -> entry.getValue().size()))
            .map(Map.Entry::getKey)
            .orElse(newcomer);
    return closeLongestWaiting(busiest)
        || (count(busiest) > count(newcomer) + 1 && closeFirst(busiest, _ -> true));
  }

  private boolean closeLongestWaiting(String address) {
    return closeFirst(address, connection -> !connection.isWorkedFor());
  }

  /** Closes the connection of an address that has waited longest; false if there is none. */
  private boolean closeFirst(String address, Predicate<Connection> among) {
    var first = of(address).stream().filter(among).min(BY_WAIT);
    first.ifPresent(
        connection -> {
          refused.incrementAndGet();
          connection.close();
        });
    return first.isPresent();
  }

  private static String address(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress inet
        ? NetworkAddress.network(inet.getAddress())
        : "";
  }

  /** A connection, as a handler next to its socket. */
  private final class Connection extends ChannelInboundHandlerAdapter {
    private final Channel channel;
    private final String address;
    private final AtomicInteger underWay = new AtomicInteger();

    /** The number of requests whose bodies are incomplete. */
    private final AtomicInteger arriving = new AtomicInteger();

    private volatile long waitsSince = clock.incrementAndGet();

    /** The arrival of an incomplete head; null if there is none. */
    private ArrivalRoom.Arrival head;

    /** The last request; null if there was none. */
    private volatile ArrivalRoom.Arrival inProgress;

    private long counted;

    /** The bytes received after the last decoded message; may be too high. */
    private long undecoded;

    Connection(Channel channel) {
      this.channel = channel;
      this.address = address(channel);
      SocketReads.limit(channel);
      open.incrementAndGet();
      byAddress.compute(address, (_, present) -> with(present));
      channel.closeFuture().addListener(_ -> closed());
    }

    private Set<Connection> with(Set<Connection> present) {
      var connections = present == null ? ConcurrentHashMap.<Connection>newKeySet() : present;
      connections.add(this);
      return connections;
    }

    private void closed() {
      giveUpPlace();
      releaseHead();
      releaseRequest();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      int received = message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
      var framing = framing(channel);
      long before = framing == null ? 0 : framing.decoded();
      super.channelRead(context, message);
      if (framing != null) {
        count(received, framing.decoded() - before, framing.isInBody());
      }
    }

    /**
     * Received bytes that are not part of a decoded message belong to the next head, or to the
     * trailers of a body. A few such bytes may be optional white space in the message itself.
     */
    private void count(int received, long decoded, boolean isInBody) {
      long rest = Math.max(0, undecoded + received - decoded);
      if (decoded == 0) {
        undecoded = rest;
      } else {
        undecoded = rest > MAX_UNCERTAIN_BYTES ? Math.min(rest, received) : 0;
      }
      if (undecoded > MAX_UNCERTAIN_BYTES || (decoded == 0 && !isInBody && underWay.get() == 0)) {
        headIs(undecoded);
      } else {
        releaseHead();
      }
    }

    private void headIs(long size) {
      if (size > counted) {
        if (head == null) {
          head = beginHead(ArrivalRoom.Owner.network(address));
        }
        var _ = head.take((int) (size - counted));
        counted = size;
      }
    }

    /** A frame has no headers, which take many times their length: it is counted like a body. */
    private ArrivalRoom.Arrival beginHead(ArrivalRoom.Owner owner) {
      return channel.pipeline().get(WebSocketFrameDecoder.class) == null
          ? room.beginHead(owner, _ -> close(), () -> underWay.get() == 0)
          : room.begin(owner, _ -> close());
    }

    private void releaseHead() {
      if (head != null) {
        head.release();
        head = null;
        counted = 0;
      }
    }

    /**
     * A head has come whole. It is in memory until the request is answered, with what was read of
     * the body besides.
     *
     * @return false if there is no room for it, and the connection is closed
     */
    boolean begins(RoutingContext context) {
      underWay.incrementAndGet();
      releaseHead();
      var request = context.request();
      inProgress =
          room.beginRequest(
                  bodies.owner(context),
                  RequestLimits.headMemory(request),
                  unread(request),
                  _ -> close())
              .orElse(null);
      context.put(ArrivingBodies.REQUEST, inProgress);
      return inProgress != null;
    }

    private int unread(HttpServerRequest request) {
      return request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
          ? SocketReads.perTurn(channel)
          : (int) Math.min(SocketReads.perTurn(channel), RequestLimits.contentLength(request));
    }

    void bodyBegins() {
      arriving.incrementAndGet();
    }

    void bodyEnds() {
      arriving.decrementAndGet();
    }

    /** Whether a complete request is not yet answered. */
    boolean isWorkedFor() {
      return underWay.get() > arriving.get();
    }

    /** Called when a request was answered or abandoned. */
    void waits() {
      waitsSince = clock.incrementAndGet();
      underWay.decrementAndGet();
      readOncePerTurn();
    }

    void readOncePerTurn() {
      SocketReads.readOncePerTurn(channel);
    }

    void releaseRequest() {
      if (inProgress != null) {
        inProgress.release();
      }
    }

    /** Closes at once, without {@link MessageFraming}, which would linger. */
    void close() {
      giveUpPlace();
      var context = channel.pipeline().context(this);
      var _ = context == null ? channel.close() : context.close();
    }

    /** Releases its place at once, although the event loop closes the socket later. */
    private void giveUpPlace() {
      byAddress.computeIfPresent(
          address,
          (_, present) -> {
            if (present.remove(this)) {
              open.decrementAndGet();
            }
            return present.isEmpty() ? null : present;
          });
    }
  }
}
