package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.live.ChangeStreams;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.CrossOrigin;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.platform.http.RouteMethods;
import dev.cairn.platform.memory.AnswerMemory;
import dev.cairn.platform.memory.ArrivingBodies;
import dev.cairn.platform.memory.ArrivingBody;
import dev.cairn.platform.memory.BodyMemory;
import io.quarkus.arc.Arc;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;

/**
 * The HTTP endpoint of MCP, for all revisions of the protocol. It checks the origin and the size of
 * a request, answers 401 if the caller must sign in first, and runs the messages one by one. See
 * {@code docs/mcp.md}, Transport and Access.
 */
@ApplicationScoped
class McpEndpoint {
  private static final RouteMethods METHODS = new RouteMethods(List.of("POST"));
  private static final String PATH = "/mcp";
  private static final String REPOSITORY_PATH = "/mcp/:org/:repo";
  private static final String WELL_KNOWN = ".well-known";

  /** An origin, and its host. */
  private static final Pattern ORIGIN =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://(\\[[^]]*]|[^:/]*)(?::[0-9]*)?");

  /** After the filters that authenticate the caller, before the routes of the REST API. */
  private static final int ORDER = -5;

  private static final int MAX_MESSAGE_BYTES = 1024 * 1024;

  /** The maximum length of a call of {@code commit_submit}. */
  private static final int MAX_COMMIT_BYTES = RequestLimits.MAX_BODY;

  private static final int MAX_ANONYMOUS_MESSAGE_BYTES = 64 * 1024;

  /**
   * As many as a message can have, since a commit by REST may have more: room is taken for them.
   */
  private static final int MAX_JSON_VALUES = MAX_MESSAGE_BYTES / 2;

  private static final int MAX_ANONYMOUS_JSON_VALUES = 2_000;

  /**
   * The nesting depth of an operation's payload in a message, negative as {@link IJson} expects it.
   */
  static final int PAYLOAD_DEPTH = -5;

  private static final int BAD_REQUEST = 400;

  private final StatelessRevision stateless;
  private final HandshakeRevisions handshake;
  private final AnonymousAccess anonymousAccess;
  private final CurrentCaller caller;
  private final CurrentVertxRequest request;
  private final CurrentIdentityAssociation identity;
  private final ArrivingBodies bodies;
  private final BodyMemory memory;
  private final AnswerMemory answerMemory;
  private final ExecutorService threads;
  private final CairnConfig config;
  private final CrossOrigin crossOrigin;
  private final BaseUrl baseUrl;
  private final ChangeStreams streams;

  /**
   * The parsed body of a request.
   *
   * @param commit as in {@link McpRequest}
   */
  private record Message(JsonNode body, byte[] commit) {}

  McpEndpoint(
      StatelessRevision stateless,
      HandshakeRevisions handshake,
      AnonymousAccess anonymousAccess,
      CurrentCaller caller,
      CurrentVertxRequest request,
      CurrentIdentityAssociation identity,
      ArrivingBodies bodies,
      BodyMemory memory,
      AnswerMemory answerMemory,
      @VirtualThreads ExecutorService threads,
      CairnConfig config,
      CrossOrigin crossOrigin,
      BaseUrl baseUrl,
      ChangeStreams streams) {
    this.stateless = stateless;
    this.handshake = handshake;
    this.anonymousAccess = anonymousAccess;
    this.caller = caller;
    this.request = request;
    this.identity = identity;
    this.bodies = bodies;
    this.memory = memory;
    this.answerMemory = answerMemory;
    this.threads = threads;
    this.config = config;
    this.crossOrigin = crossOrigin;
    this.baseUrl = baseUrl;
    this.streams = streams;
  }

  void register(@Observes Router router) {
    for (var path : new String[] {PATH, REPOSITORY_PATH}) {
      router.route(path).order(ORDER).handler(this::enter).failureHandler(McpEndpoint::fail);
    }
  }

  /** Checks what can be checked before the body is read. */
  private void enter(RoutingContext context) {
    if (WELL_KNOWN.equals(context.pathParam("org"))) {
      // No organization can have this name: these are the metadata of OAuth.
      context.next();
      return;
    }
    RequestLimits.countUnder(context.pathParam("org") == null ? PATH : "/mcp/{org}/{repo}");
    var headers = context.request().headers();
    var host = context.request().authority();
    if (!headers.getAll("Origin").stream().allMatch(origin -> isAllowed(origin, host))) {
      refuse(context, ErrorCode.FORBIDDEN, "Pages of this `Origin` may not call MCP.");
    } else if (METHODS.allowsOrAnswers(context)) {
      if (!isJson(headers.get("Content-Type"))) {
        refuse(context, ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send `Content-Type: application/json`.");
        return;
      }
      read(context, isAnonymous(context) ? MAX_ANONYMOUS_MESSAGE_BYTES : MAX_COMMIT_BYTES);
    }
  }

  private void read(RoutingContext context, int maxBytes) {
    var body = bodies.read(context, maxBytes + 1);
    var _ =
        body.whole()
            .thenAccept(
                _ -> {
                  if (body.length() > maxBytes) {
                    fail(context, tooLarge());
                  } else {
                    handle(context, body);
                  }
                })
            .whenComplete(
                (_, failure) -> {
                  if (failure instanceof CompletionException wrapped) {
                    context.fail(wrapped.getCause());
                  }
                });
  }

  private static Problem tooLarge() {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "A message may have at most %d bytes, without credentials %d, and only a commit more than %d."
            .formatted(MAX_COMMIT_BYTES, MAX_ANONYMOUS_MESSAGE_BYTES, MAX_MESSAGE_BYTES));
  }

  /**
   * Whether the origin may call: one of {@link CrossOrigin}, or that of the service itself, which
   * without a public URL is any of this machine. If neither is set, a page that has the name of the
   * service itself is refused, as MCP demands of a server of one machine: with DNS rebinding, the
   * name of an attacker's page resolves to this service.
   */
  private boolean isAllowed(String origin, HostAndPort host) {
    var publicUrl = config.publicUrl();
    boolean isOwn =
        publicUrl
            .map(url -> origin.equalsIgnoreCase(url.getScheme() + "://" + url.getRawAuthority()))
            .orElseGet(() -> CrossOrigin.isOfThisMachine(origin));
    boolean isSet = publicUrl.isPresent() || config.cors().origins().isPresent();
    return isOwn || (crossOrigin.allows(origin) && (isSet || !isPageOf(host, origin)));
  }

  /** Whether the page is one of a host, on any port, or does not say whose it is. */
  private static boolean isPageOf(HostAndPort host, String origin) {
    var ofOrigin = ORIGIN.matcher(origin);
    return host == null || !ofOrigin.matches() || ofOrigin.group(1).equalsIgnoreCase(host.host());
  }

  private static boolean isAnonymous(RoutingContext context) {
    return !(context.user() instanceof QuarkusHttpUser user)
        || user.getSecurityIdentity().isAnonymous();
  }

  private static boolean isJson(String contentType) {
    return contentType != null
        && contentType.toLowerCase(Locale.ROOT).strip().matches("application/json\\s*(;.*)?");
  }

  /** Refuses a request before its message is read, as the REST API does. */
  private static void refuse(RoutingContext context, ErrorCode code, String detail) {
    ProblemDocument.end(context.response(), Problem.of(code, detail));
  }

  private static void fail(RoutingContext context) {
    if (context.response().ended() || context.response().closed()) {
      return;
    }
    if (context.statusCode() >= BAD_REQUEST && context.failure() == null) {
      refuse(context, ErrorCode.VALIDATION_ERROR, "The request is malformed.");
    } else if (context.failure() instanceof Problem problem
        && problem.code() == ErrorCode.PAYLOAD_TOO_LARGE) {
      fail(context, tooLarge());
    } else if (!(context.failure() instanceof HttpClosedException)) {
      fail(context, context.failure());
    }
  }

  private static void fail(RoutingContext context, Throwable failure) {
    new ResponseWriter(context.request()).failed(null, Failure.of(failure));
  }

  private void handle(RoutingContext context, ArrivingBody body) {
    var writer = new ResponseWriter(context.request());
    var messageMemory = MessageMemory.of(context);
    var budget =
        new AnswerBudget(
            answerMemory,
            messageMemory,
            body.ownerName(),
            isAnonymous(context),
            caller::isStillValid);
    threads.execute(
        () -> {
          var scope = Arc.container().requestContext();
          scope.activate();
          try {
            request.setCurrent(context);
            identity.setIdentity(
                context.user() instanceof QuarkusHttpUser user
                    ? user.getSecurityIdentity()
                    : QuarkusHttpUser.getSecurityIdentityBlocking(context, null));
            var subscription = answer(context, message(body, messageMemory), budget, writer);
            // What the message took is not kept while the stream lasts.
            subscription.ifPresent(_ -> messageMemory.release());
            subscription.ifPresent(subscribed -> stream(context, subscribed, writer));
          } catch (McpError e) {
            writer.error(null, e);
          } catch (Throwable e) {
            writer.failed(null, Failure.of(e));
          } finally {
            messageMemory.workEnded();
            scope.terminate();
          }
        });
  }

  /**
   * Parses the body of a request. Memory is reserved until the answer: for the parsed message, or
   * for the bytes of a large commit, which are about as many as those of the request.
   */
  private Message message(ArrivingBody body, MessageMemory messageMemory) {
    try {
      if (body.length() > MAX_MESSAGE_BYTES) {
        messageMemory.hold(body::release);
        var large = LargeCommit.read(body.bytes(), PAYLOAD_DEPTH);
        return new Message(large.message(), large.commit());
      }
      messageMemory.hold(memory.hold(body, maxValues()));
      var bytes = body.bytes();
      body.release();
      return new Message(IJson.read(bytes, PAYLOAD_DEPTH, new Allowance(maxValues())), null);
    } catch (Problem e) {
      if (e.code() != ErrorCode.VALIDATION_ERROR) {
        throw e;
      }
      throw McpError.malformed(e);
    }
  }

  /** Answers a message, unless it is to be answered by the stream of a subscription. */
  private Optional<ResourceSubscription> answer(
      RoutingContext context, Message message, AnswerBudget budget, ResponseWriter writer) {
    var body = message.body();
    try {
      var headers = context.request().headers();
      var repository = repository(context);
      var selection = ToolSelection.of(repository.isPresent(), context.queryParams(), headers);
      if (!anonymousAccess.allows(body, repository, selection)) {
        challenge(context);
        return Optional.empty();
      }
      var revision = StatelessRevision.isNamed(headers, body) ? stateless : handshake;
      var requests =
          revision.requests(headers, body).stream()
              .map(
                  request ->
                      new McpRequest(
                          headers,
                          context.response().headers(),
                          request,
                          repository,
                          selection,
                          message.commit(),
                          isSignedIn(),
                          budget,
                          writer::send))
              .toList();
      return answer(revision, requests, writer);
    } catch (McpError e) {
      writer.error(id(body), e);
    } catch (RuntimeException e) {
      writer.failed(id(body), Failure.of(e));
    }
    return Optional.empty();
  }

  private static Optional<ResourceSubscription> answer(
      Revision revision, List<McpRequest> requests, ResponseWriter writer) {
    if (requests.isEmpty()) {
      writer.accepted();
      return Optional.empty();
    }
    writer.expectAnswers(requests.size());
    for (var request : requests) {
      var id = request.message().get("id");
      try {
        request.budget().requireStillAllowed();
        var subscription = revision.subscription(request);
        if (subscription.isPresent()) {
          return subscription;
        }
        writer.result(id, revision.result(request));
      } catch (McpError e) {
        writer.error(id, e);
      } catch (RuntimeException e) {
        writer.failed(id, Failure.of(e));
      }
    }
    return Optional.empty();
  }

  private void stream(
      RoutingContext context, ResourceSubscription subscription, ResponseWriter writer) {
    try {
      writer.stream(subscription.writer(streams, ChangeStreams.Connection.of(context)));
    } catch (IOException | RuntimeException e) {
      writer.failed(subscription.id(), Failure.of(e));
    }
  }

  private int maxValues() {
    return isSignedIn() ? MAX_JSON_VALUES : MAX_ANONYMOUS_JSON_VALUES;
  }

  private boolean isSignedIn() {
    return caller.get() instanceof Caller.SignedIn;
  }

  /** The id of a message; null if it has no valid id. */
  private static JsonNode id(JsonNode message) {
    var id = message.path("id");
    return id.isTextual() || id.isIntegralNumber() ? id : null;
  }

  private void challenge(RoutingContext context) {
    context
        .response()
        .putHeader("WWW-Authenticate", baseUrl.challenge(context.request(), Optional.empty()));
    refuse(
        context,
        ErrorCode.UNAUTHENTICATED,
        "This requires `Authorization: Bearer <token>`: it changes something, or reads something that is not"
            + " public.");
  }

  private static Optional<String> repository(RoutingContext context) {
    return Optional.ofNullable(context.pathParam("org"))
        .map(org -> org + "/" + context.pathParam("repo"));
  }
}
