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
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.ByteArrayInputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;

/**
 * Where requests of MCP come in. It refuses what is none, tells who has to sign in first, answers
 * the revision that needs no handshake, and lets the others through to the extension. See {@code
 * docs/mcp.md}, Transport.
 */
@ApplicationScoped
class Gate {
  private static final String PATH = "/mcp";
  private static final String OF_REPOSITORY = "/mcp/:org/:repo";
  private static final String WELL_KNOWN = ".well-known";

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

  /** The first revisions allow several messages at once. */
  private static final int MAX_BATCH = 20;

  private static final int BAD_REQUEST = 400;
  private static final int ACCEPTED = 202;

  private final Stateless stateless;
  private final Doorkeeper doorkeeper;
  private final CurrentCaller caller;
  private final CurrentVertxRequest request;
  private final CurrentIdentityAssociation identity;
  private final BodyMemory memory;
  private final ExecutorService threads;
  private final CairnConfig config;
  private final BaseUrl baseUrl;

  Gate(
      Stateless stateless,
      Doorkeeper doorkeeper,
      CurrentCaller caller,
      CurrentVertxRequest request,
      CurrentIdentityAssociation identity,
      BodyMemory memory,
      @VirtualThreads ExecutorService threads,
      CairnConfig config,
      BaseUrl baseUrl) {
    this.stateless = stateless;
    this.doorkeeper = doorkeeper;
    this.caller = caller;
    this.request = request;
    this.identity = identity;
    this.memory = memory;
    this.threads = threads;
    this.config = config;
    this.baseUrl = baseUrl;
  }

  void register(@Observes Router router) {
    var body = BodyHandler.create(false).setBodyLimit(MAX_MESSAGE);
    for (var path : new String[] {PATH, OF_REPOSITORY}) {
      router.route(path).order(ORDER).handler(this::enter);
      router.route(path).order(ORDER + 1).handler(body).failureHandler(Gate::fail);
      router.route(path).order(ORDER + 2).handler(this::handle).failureHandler(Gate::fail);
      // What the extension adds for the transport that the first revision had.
      router.route(path + "/sse").order(ORDER).handler(Gate::nothingHere);
      router.route(path + "/messages/:id").order(ORDER).handler(Gate::nothingHere);
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
      context.reroute("/" + WELL_KNOWN + "/" + context.pathParam("repo") + PATH);
      return;
    }
    RequestLimits.countUnder(context.pathParam("org") == null ? PATH : "/mcp/{org}/{repo}");
    var origin = context.request().getHeader("Origin");
    if (origin != null && !isAllowed(origin)) {
      refuse(context, ErrorCode.FORBIDDEN, "This Origin may not call from a browser.");
    } else if (!context.request().method().equals(HttpMethod.POST)) {
      context.response().putHeader("Allow", "POST");
      refuse(context, ErrorCode.METHOD_NOT_ALLOWED, "MCP is spoken by POST here.");
    } else if (!isJson(context.request().getHeader("Content-Type"))) {
      refuse(context, ErrorCode.UNSUPPORTED_MEDIA_TYPE, "Send `Content-Type: application/json`.");
    } else {
      context.next();
    }
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

  private static boolean isJson(String contentType) {
    return contentType != null
        && contentType.toLowerCase(Locale.ROOT).strip().matches("application/json\\s*(;.*)?");
  }

  private static void refuse(RoutingContext context, ErrorCode code, String detail) {
    ProblemDocument.end(context.response(), Problem.of(code, detail));
  }

  private static void fail(RoutingContext context) {
    if (context.response().ended()) {
      return;
    }
    if (context.statusCode() == ErrorCode.PAYLOAD_TOO_LARGE.status()) {
      refuse(
          context,
          ErrorCode.PAYLOAD_TOO_LARGE,
          "A message has at most " + MAX_MESSAGE + " bytes here; send more by REST.");
    } else if (context.statusCode() >= BAD_REQUEST && context.failure() == null) {
      refuse(context, ErrorCode.VALIDATION_ERROR, "The request cannot be understood.");
    } else {
      ProblemDocument.end(context.response(), Failure.of(context.failure()));
    }
  }

  private void handle(RoutingContext context) {
    var eventLoop = context.vertx().getOrCreateContext();
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
            if (!answered(context)) {
              eventLoop.runOnContext(_ -> context.next());
            }
          } catch (RuntimeException e) {
            new Answer(context.response()).problem(Failure.of(e));
          } finally {
            scope.terminate();
          }
        });
  }

  /** Answers; or says that the extension is to. */
  private boolean answered(RoutingContext context) {
    var answer = new Answer(context.response());
    boolean anonymous = caller.get() instanceof Caller.Anonymous;
    var bytes = context.body().buffer() == null ? new byte[0] : context.body().buffer().getBytes();
    if (anonymous && bytes.length > MAX_ANONYMOUS_MESSAGE) {
      throw Problem.of(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "A message without credentials has at most %d bytes.".formatted(MAX_ANONYMOUS_MESSAGE));
    }
    JsonNode message;
    try {
      message =
          memory.read(
              new ByteArrayInputStream(bytes),
              bytes.length,
              all ->
                  IJson.read(
                      all,
                      DEPTH_OF_PAYLOADS,
                      new Allowance(anonymous ? MAX_ANONYMOUS_VALUES : MAX_VALUES)));
    } catch (Problem e) {
      if (e.code() != ErrorCode.VALIDATION_ERROR) {
        throw e;
      }
      answer.error(null, malformed(e));
      return true;
    }
    if (!isMessage(message, context.request().headers())) {
      answer.error(null, noRequest());
      return true;
    }
    var repository = repository(context);
    if (!doorkeeper.lets(message, repository)) {
      challenge(context);
      return true;
    }
    if (isOfThisDoor(context, message, repository)) {
      answer(context, message, answer);
      return true;
    }
    if (dropNulls(message)) {
      ((RoutingContextInternal) context).setBody(Buffer.buffer(message.toString()));
    }
    return false;
  }

  private static McpError malformed(Problem problem) {
    var error = McpError.of(BAD_REQUEST, McpError.PARSE_ERROR, problem.detail());
    problem
        .errors()
        .forEach(
            place ->
                error
                    .data()
                    .withArray("/errors")
                    .addObject()
                    .put("pointer", place.pointer())
                    .put("detail", place.detail()));
    return error;
  }

  /**
   * An argument that is null is left out, which the extension cannot say; whether there was one.
   */
  private static boolean dropNulls(JsonNode message) {
    if (message.isArray()) {
      return message.valueStream().filter(Gate::dropNulls).count() > 0;
    }
    return message.path("params").path("arguments") instanceof ObjectNode arguments
        && arguments.properties().removeIf(argument -> argument.getValue().isNull());
  }

  private static McpError noRequest() {
    return McpError.of(BAD_REQUEST, McpError.INVALID_REQUEST, "A JSON-RPC request is expected.");
  }

  /** What the extension would make a session for, and answer nothing. */
  private static boolean isMessage(JsonNode message, MultiMap headers) {
    return message.isArray()
        ? !message.isEmpty()
            && message.size() <= MAX_BATCH
            && message.valueStream().allMatch(each -> each.isObject() && isMessage(each, headers))
        : message.isObject() && (message.has("method") || headers.contains("Mcp-Session-Id"));
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

  /** The extension cannot list what a path names. */
  private static boolean isOfThisDoor(
      RoutingContext context, JsonNode message, Optional<String> repository) {
    return Stateless.isSpoken(context.request().headers(), message)
        || (repository.isPresent() && message.path("method").asText().equals("resources/list"));
  }

  private void answer(RoutingContext context, JsonNode message, Answer answer) {
    var id = message.path("id");
    if (!(message instanceof ObjectNode object)
        || !message.path("method").isTextual()
        || !message.path("jsonrpc").asText().equals("2.0")
        || !(id.isMissingNode() || id.isTextual() || id.isIntegralNumber())) {
      answer.error(null, noRequest());
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

  private ObjectNode result(RoutingContext context, ObjectNode message, Answer answer) {
    var headers = context.request().headers();
    if (!Stateless.isSpoken(headers, message)) {
      var listed = JsonNodeFactory.instance.objectNode();
      listed.set("resources", stateless.resources(repository(context)));
      return listed;
    }
    return stateless.answer(
        new Stateless.Request(
            headers,
            message,
            repository(context),
            caller.get() instanceof Caller.SignedIn,
            answer::notification));
  }
}
