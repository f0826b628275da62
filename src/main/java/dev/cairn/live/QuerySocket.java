package dev.cairn.live;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.CrossOrigin;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestEnd;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.platform.http.RouteMethods;
import dev.cairn.platform.memory.ArrivingBodies;
import dev.cairn.platform.memory.ArrivingMessages;
import dev.cairn.platform.memory.StreamedBody;
import io.quarkus.virtual.threads.VirtualThreads;
import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.UserData.TypedKey;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jboss.logging.Logger;

/**
 * The WebSocket of live queries. A request is authorized before it becomes a WebSocket, and refused
 * with a problem document like any other. The messages of the client are taken below the framework,
 * by {@link SocketFrames}. See {@code docs/live.md}, Live queries.
 */
@WebSocket(path = QuerySocket.PATH)
@Singleton
public class QuerySocket implements HttpUpgradeCheck {
  static final String PATH = "/live";

  private static final Logger LOG = Logger.getLogger(QuerySocket.class);
  private static final String TICKET = "ticket";
  private static final RouteMethods METHODS = new RouteMethods(List.of("GET"));

  /** After the filters that authenticate the caller, before the route of the WebSocket. */
  private static final int ORDER = -5;

  private static final int SERVER_ERROR = 500;
  private static final String VERSION = "13";
  private static final String EXTENSIONS = "Sec-WebSocket-Extensions";
  private static final String SESSION = QuerySocket.class.getName();
  private static final TypedKey<LiveQuerySession> SESSION_KEY = new TypedKey<>(SESSION);

  private final Authorizer authorizer;
  private final LiveTickets tickets;
  private final LiveQueries queries;
  private final ClientAddress addresses;
  private final ArrivingBodies bodies;
  private final CrossOrigin crossOrigin;
  private final BaseUrl baseUrl;
  private final ExecutorService threads;

  QuerySocket(
      Authorizer authorizer,
      LiveTickets tickets,
      LiveQueries queries,
      ClientAddress addresses,
      ArrivingBodies bodies,
      CrossOrigin crossOrigin,
      BaseUrl baseUrl,
      @VirtualThreads ExecutorService threads) {
    this.authorizer = authorizer;
    this.tickets = tickets;
    this.queries = queries;
    this.addresses = addresses;
    this.bodies = bodies;
    this.crossOrigin = crossOrigin;
    this.baseUrl = baseUrl;
    this.threads = threads;
  }

  void register(@Observes Router router) {
    router.route(PATH).order(ORDER).handler(this::enter).failureHandler(QuerySocket::fail);
  }

  private void enter(RoutingContext context) {
    RequestLimits.countUnder(PATH);
    if (!METHODS.allowsOrAnswers(context)) {
      return;
    }
    var request = context.request();
    var ticket = ticket(request);
    LiveTickets.requireForm(ticket);
    requireHandshake(request);
    requireOrigin(request);
    var connection = (ConnectionBase) request.connection();
    var extensions = MessageCompression.accept(request.headers().getAll(EXTENSIONS));
    var address = addresses.of(request);
    var room = bodies.messages(context);
    // Its end would be lost, which the handshake waits for.
    request.pause();
    threads.execute(
        () -> {
          LiveQuerySession session;
          try {
            session = open(access(ticket, address), extensions.isPresent(), room, request);
          } catch (RuntimeException e) {
            eventLoop(request).runOnContext(_ -> context.fail(e));
            return;
          }
          eventLoop(request).runOnContext(_ -> upgrade(context, connection, session, extensions));
          session.run();
        });
  }

  private LiveQuerySession open(
      RepositoryAccess access,
      boolean isCompressing,
      ArrivingMessages room,
      HttpServerRequest request) {
    var account = access.caller().accountIdOrNull();
    return queries.open(
        access,
        isCompressing,
        account == null ? room : room.ofAccount(account),
        () -> StreamedBody.abort(request));
  }

  private static Context eventLoop(HttpServerRequest request) {
    return ((HttpServerRequestInternal) request).context();
  }

  /** The framework refuses other requests without a problem document. */
  private static void requireHandshake(HttpServerRequest request) {
    var headers = request.headers();
    boolean isUpgrade =
        hasToken(headers.getAll("Upgrade"), "websocket")
            && hasToken(headers.getAll("Connection"), "upgrade")
            && headers.contains("Sec-WebSocket-Key");
    if (!isUpgrade) {
      throw Problem.invalid("", "This path takes only requests to open a WebSocket (RFC 6455).");
    }
    if (!VERSION.equals(headers.get("Sec-WebSocket-Version"))) {
      request.response().putHeader("Sec-WebSocket-Version", VERSION);
      throw Problem.invalid("", "The version of the WebSocket protocol must be 13.");
    }
    if (RequestLimits.contentLength(request) > 0 || headers.contains("Transfer-Encoding")) {
      throw Problem.invalid("", "A request to open a WebSocket has no body.");
    }
  }

  private static boolean hasToken(List<String> values, String token) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .anyMatch(part -> part.strip().equalsIgnoreCase(token));
  }

  /** A page needs a ticket in any case; this keeps to what the operator has set for pages. */
  private void requireOrigin(HttpServerRequest request) {
    for (var origin : request.headers().getAll("Origin")) {
      if (!crossOrigin.allows(origin) && !origin.equalsIgnoreCase(baseUrl.of(request))) {
        throw Problem.of(ErrorCode.FORBIDDEN, "Pages of this `Origin` may not open a WebSocket.");
      }
    }
  }

  private static String ticket(HttpServerRequest request) {
    Map<String, List<String>> sent = new LinkedHashMap<>();
    for (var name : request.params().names()) {
      sent.put(name, request.params().getAll(name));
    }
    return QueryParameters.of(sent, Set.of(TICKET), Set.of())
        .text(TICKET)
        .orElseThrow(
            () ->
                Problem.of(ErrorCode.UNAUTHENTICATED, "This needs the parameter `ticket`.")
                    .at("?ticket")
                    .hint("Request a ticket with `POST /api/repos/:org/:repo/live/tickets`."));
  }

  private RepositoryAccess access(String ticket, String address) {
    var redeemed = tickets.redeem(ticket, address);
    return authorizer.repository(redeemed.caller(), redeemed.org(), redeemed.repo(), REPO_READ);
  }

  private static void upgrade(
      RoutingContext context,
      ConnectionBase connection,
      LiveQuerySession session,
      Optional<String> extensions) {
    var channel = connection.channel();
    var _ = channel.closeFuture().addListener(_ -> session.gone());
    if (channel.isActive()) {
      session.frames().install(channel);
      RequestEnd.isThatOfConnection(context, channel);
      extensions.ifPresent(accepted -> context.response().putHeader(EXTENSIONS, accepted));
      eventLoop(context.request()).putLocal(SESSION, session);
      context.next();
    }
  }

  private static void fail(RoutingContext context) {
    var response = context.response();
    if (response.ended() || response.closed()) {
      LOG.debug("a WebSocket was not opened", context.failure());
    } else if (context.failure() == null) {
      var code =
          context.statusCode() >= SERVER_ERROR
              ? ErrorCode.INTERNAL_ERROR
              : ErrorCode.VALIDATION_ERROR;
      ProblemDocument.end(response, Problem.of(code, "The request is malformed."));
    } else {
      ProblemDocument.end(response, Failure.of(context.failure()));
    }
  }

  /** Hands the session over to the connection; all else was checked before. */
  @Override
  public Uni<CheckResult> perform(HttpUpgradeContext upgrade) {
    LiveQuerySession session = Vertx.currentContext().getLocal(SESSION);
    upgrade.userData().put(SESSION_KEY, session);
    return CheckResult.permitUpgrade();
  }

  /** The connection has become a WebSocket. */
  @OnOpen
  @NonBlocking
  public void opened(WebSocketConnection connection) {
    session(connection).opened();
  }

  /** The connection has failed, or is closed. */
  @OnError
  @NonBlocking
  public void failed(Throwable cause, WebSocketConnection connection) {
    LOG.debug("a WebSocket has failed", cause);
    session(connection).gone();
  }

  private static LiveQuerySession session(WebSocketConnection connection) {
    return connection.userData().get(SESSION_KEY);
  }
}
