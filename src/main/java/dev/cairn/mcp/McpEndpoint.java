package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.AnswerMemory;
import dev.cairn.platform.ArrivingBodies;
import dev.cairn.platform.ArrivingBody;
import dev.cairn.platform.BaseUrl;
import dev.cairn.platform.BodyMemory;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Failure;
import dev.cairn.platform.ProblemDocument;
import dev.cairn.platform.RequestLimits;
import io.quarkus.arc.Arc;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;

/**
 * Where requests of MCP come in. It refuses what is none, tells who has to sign in first, answers
 * the revision that needs no handshake, and lets the others through to the extension. See {@code
 * docs/mcp.md}, Transport.
 */
@ApplicationScoped
class McpEndpoint {
  private static final String PATH = "/mcp";
  private static final String OF_REPOSITORY = "/mcp/:org/:repo";
  private static final String WELL_KNOWN = ".well-known";
  private static final String METADATA = "oauth-protected-resource";

  /** Behind the filters that say who calls, before the routes of the extension. */
  private static final int ORDER = -5;

  private static final int MAX_MESSAGE = 1024 * 1024;
  private static final int MAX_ANONYMOUS_MESSAGE = 64 * 1024;
  private static final int MAX_VALUES = 100_000;
  private static final int MAX_ANONYMOUS_VALUES = 2_000;

  /** How deep the payload of an operation stands in a message. */
  static final int DEPTH_OF_PAYLOADS = -5;

  private static final Pattern LOOPBACK =
      Pattern.compile("https?://(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");

  /** After this time the connection of a request that the extension has not answered is closed. */
  private static final long ANSWER_MILLIS = 120_000;

  /** Where a request keeps its message. */
  static final String MESSAGE = "cairn.mcp.message";

  private static final int BAD_REQUEST = 400;
  private static final int ACCEPTED = 202;

  private final Stateless stateless;
  private final AnonymousAccess anonymousAccess;
  private final CurrentCaller caller;
  private final CurrentVertxRequest request;
  private final CurrentIdentityAssociation identity;
  private final ArrivingBodies bodies;
  private final BodyMemory memory;
  private final AnswerMemory answerMemory;
  private final ExecutorService threads;
  private final CairnConfig config;
  private final BaseUrl baseUrl;

  McpEndpoint(
      Stateless stateless,
      AnonymousAccess anonymousAccess,
      CurrentCaller caller,
      CurrentVertxRequest request,
      CurrentIdentityAssociation identity,
      ArrivingBodies bodies,
      BodyMemory memory,
      AnswerMemory answerMemory,
      @VirtualThreads ExecutorService threads,
      CairnConfig config,
      BaseUrl baseUrl) {
    this.stateless = stateless;
    this.anonymousAccess = anonymousAccess;
    this.caller = caller;
    this.request = request;
    this.identity = identity;
    this.bodies = bodies;
    this.memory = memory;
    this.answerMemory = answerMemory;
    this.threads = threads;
    this.config = config;
    this.baseUrl = baseUrl;
  }

  void register(@Observes Router router) {
    for (var path : new String[] {PATH, OF_REPOSITORY}) {
      router.route(path).order(ORDER).handler(this::enter).failureHandler(McpEndpoint::fail);
      // What the extension adds for the transport that the first revision had.
      router.route(path + "/sse").order(ORDER).handler(McpEndpoint::nothingHere);
      router.route(path + "/messages/:id").order(ORDER).handler(McpEndpoint::nothingHere);
    }
  }

  private static void nothingHere(RoutingContext context) {
    ProblemDocument.end(
        context.response(), Problem.notFound("There is nothing at this path; POST to /mcp."));
  }

  /** What can be said before the body is read. */
  private void enter(RoutingContext context) {
    if (WELL_KNOWN.equals(context.pathParam("org"))) {
      // The extension would take it for a repository.
      if (METADATA.equals(context.pathParam("repo"))) {
        context.reroute("/" + WELL_KNOWN + "/" + METADATA + PATH);
      } else {
        nothingHere(context);
      }
      return;
    }
    RequestLimits.countUnder(context.pathParam("org") == null ? PATH : "/mcp/{org}/{repo}");
    var headers = context.request().headers();
    if (!headers.getAll("Origin").stream().allMatch(this::isAllowed)) {
      refuse(context, ErrorCode.FORBIDDEN, "This Origin may not call from a browser.");
    } else if (!context.request().method().equals(HttpMethod.POST)) {
      context.response().putHeader("Allow", "POST");
      refuse(context, ErrorCode.METHOD_NOT_ALLOWED, "MCP is spoken by POST here.");
    } else if (!isJson(headers.get("Content-Type"))) {
      refuse(context, ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send `Content-Type: application/json`.");
    } else {
      read(context, isAnonymous(context) ? MAX_ANONYMOUS_MESSAGE : MAX_MESSAGE);
    }
  }

  private void read(RoutingContext context, int maxBytes) {
    var body = bodies.read(context, maxBytes + 1);
    // So that the extension does not read the body again.
    ((RoutingContextInternal) context).visitHandler(RoutingContextInternal.BODY_HANDLER);
    var _ =
        body.whole()
            .thenAccept(
                _ -> {
                  if (body.length() > maxBytes) {
                    refuse(context, tooLarge());
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
        "A message has at most %d bytes here, without credentials %d; send more by REST."
            .formatted(MAX_MESSAGE, MAX_ANONYMOUS_MESSAGE));
  }

  /**
   * A page of another host, whose name was made to lead here, names itself: so the name of this one
   * is not asked of the request.
   */
  private boolean isAllowed(String origin) {
    return config
        .publicUrl()
        .map(url -> origin.equalsIgnoreCase(url.getScheme() + "://" + url.getRawAuthority()))
        .orElseGet(() -> LOOPBACK.matcher(origin).matches());
  }

  private static boolean isAnonymous(RoutingContext context) {
    return !(context.user() instanceof QuarkusHttpUser user)
        || user.getSecurityIdentity().isAnonymous();
  }

  private static boolean isJson(String contentType) {
    return contentType != null
        && contentType.toLowerCase(Locale.ROOT).strip().matches("application/json\\s*(;.*)?");
  }

  private static void refuse(RoutingContext context, ErrorCode code, String detail) {
    refuse(context, Problem.of(code, detail));
  }

  private static void refuse(RoutingContext context, Problem problem) {
    ProblemDocument.end(context.response(), problem);
  }

  private static void fail(RoutingContext context) {
    if (context.response().ended() || context.response().closed()) {
      return;
    }
    if (context.statusCode() >= BAD_REQUEST && context.failure() == null) {
      refuse(context, ErrorCode.VALIDATION_ERROR, "The request cannot be understood.");
    } else if (context.failure() instanceof Problem problem
        && problem.code() == ErrorCode.PAYLOAD_TOO_LARGE) {
      refuse(context, tooLarge());
    } else if (!(context.failure() instanceof HttpClosedException)) {
      ProblemDocument.end(context.response(), Failure.of(context.failure()));
    }
  }

  private void handle(RoutingContext context, ArrivingBody body) {
    var eventLoop = context.vertx().getOrCreateContext();
    var answer = new ResponseWriter(context.response());
    var room = MessageRoom.of(context);
    long parsedSize = body.parsedSize();
    context.put(
        AnswerBudget.KEY,
        new AnswerBudget(
            answerMemory, room, body.owner(), isAnonymous(context), caller::isStillValid));
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
            if (!answered(context, body, parsedSize, answer, room)) {
              eventLoop.runOnContext(_ -> handOn(context));
            }
          } catch (Throwable e) {
            answer.failed(Failure.of(e));
          } finally {
            room.workEnded();
            scope.terminate();
          }
        });
  }

  private static void handOn(RoutingContext context) {
    long timer =
        context.vertx().setTimer(ANSWER_MILLIS, _ -> context.request().connection().close());
    // Not the response's own handler, which is one only, and gives the room back.
    context.addEndHandler(_ -> context.vertx().cancelTimer(timer));
    context.next();
  }

  /** Answers; or says that the extension is to. */
  private boolean answered(
      RoutingContext context,
      ArrivingBody body,
      long parsedSize,
      ResponseWriter answer,
      MessageRoom room) {
    // What was read stays until the answer, so its room does too.
    room.hold(memory.hold(body.owner(), parsedSize));
    var bytes = body.bytes();
    body.release();
    try {
      return answered(context, bytes, answer);
    } catch (McpError e) {
      answer.error(null, e);
      return true;
    }
  }

  private boolean answered(RoutingContext context, byte[] bytes, ResponseWriter answer) {
    var message = message(bytes);
    var repository = repository(context);
    if (!anonymousAccess.allows(message, repository)) {
      challenge(context);
      return true;
    }
    var headers = context.request().headers();
    if (Stateless.isSpoken(headers, message)) {
      answer(context, message, answer);
      return true;
    }
    return handled(context, message, repository, answer);
  }

  private JsonNode message(byte[] bytes) {
    boolean anonymous = caller.get() instanceof Caller.Anonymous;
    try {
      return IJson.read(
          bytes, DEPTH_OF_PAYLOADS, new Allowance(anonymous ? MAX_ANONYMOUS_VALUES : MAX_VALUES));
    } catch (Problem e) {
      if (e.code() != ErrorCode.VALIDATION_ERROR) {
        throw e;
      }
      throw McpError.malformed(e);
    }
  }

  /** Of the older revisions: the extension answers all but what it cannot list. */
  private boolean handled(
      RoutingContext context,
      JsonNode message,
      Optional<String> repository,
      ResponseWriter answer) {
    if (!accepts(context.request().headers().getAll("Accept"))) {
      throw Problem.of(
          ErrorCode.NOT_ACCEPTABLE, "`Accept` must name application/json and text/event-stream.");
    }
    List<ObjectNode> checked;
    try {
      checked =
          MessageValidator.checked(message, context.request().headers().contains("Mcp-Session-Id"));
    } catch (McpError e) {
      answer.error(idOf(message), e);
      return true;
    }
    if (checked.isEmpty()) {
      answer.status(ACCEPTED);
      return true;
    }
    if (repository.isPresent() && message.path("method").asText().equals("resources/list")) {
      var listed = JsonNodeFactory.instance.objectNode();
      listed.set("resources", stateless.resources(repository));
      answer.result(message.path("id"), listed);
      return true;
    }
    JsonNode goesOn =
        message.isArray()
            ? JsonNodeFactory.instance.arrayNode().addAll(checked)
            : checked.getFirst();
    context.put(MESSAGE, goesOn);
    ((RoutingContextInternal) context).setBody(Buffer.buffer(goesOn.toString()));
    return false;
  }

  private static boolean accepts(List<String> accept) {
    var all = String.join(",", accept);
    return all.contains("application/json") && all.contains("text/event-stream");
  }

  /** The id of a request, as far as it is one that an answer can have. */
  private static JsonNode idOf(JsonNode message) {
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
        "This needs `Authorization: Bearer <token>`: it changes something, or what it reads is not"
            + " public.");
  }

  private static Optional<String> repository(RoutingContext context) {
    return Optional.ofNullable(context.pathParam("org"))
        .map(org -> org + "/" + context.pathParam("repo"));
  }

  private void answer(RoutingContext context, JsonNode message, ResponseWriter answer) {
    var id = message.path("id");
    if (!(message instanceof ObjectNode object)
        || !message.path("method").isTextual()
        || !message.path("jsonrpc").asText().equals("2.0")
        || !(id.isMissingNode() || id.isTextual() || id.isIntegralNumber())) {
      answer.error(null, McpError.notARequest());
      return;
    }
    if (id.isMissingNode()) {
      answer.status(ACCEPTED);
      return;
    }
    try {
      answer.result(id, result(context, object, answer));
    } catch (McpError e) {
      answer.error(id, e);
    }
  }

  private ObjectNode result(RoutingContext context, ObjectNode message, ResponseWriter answer) {
    var headers = context.request().headers();
    return stateless.answer(
        new Stateless.Request(
            headers,
            message,
            repository(context),
            caller.get() instanceof Caller.SignedIn,
            answer::notification));
  }
}
