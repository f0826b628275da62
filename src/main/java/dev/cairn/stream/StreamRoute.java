package dev.cairn.stream;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.tenant.StreamSetting;
import io.quarkus.arc.Arc;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quarkus.virtual.threads.VirtualThreads;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * Hides the path of streaming submissions where they are off, or the caller may not know of the
 * repository: the request is routed to a path that does not exist, so that its answer is that of
 * any such path, whatever its method, headers and body are. See {@code docs/streams.md}, The
 * switch.
 */
@ApplicationScoped
class StreamRoute {
  private static final String NOWHERE = "/api/repos/-/-/-";

  /** After the filters that authenticate the caller, before the routes of the REST API. */
  private static final int ORDER = -5;

  /** The refusals of names that no repository has, or can have. */
  private static final Set<ErrorCode> NO_REPOSITORY =
      Set.of(ErrorCode.NOT_FOUND, ErrorCode.VALIDATION_ERROR);

  private final Authorizer authorizer;
  private final CurrentCaller caller;
  private final CurrentVertxRequest request;
  private final CurrentIdentityAssociation identity;
  private final StreamSetting setting;
  private final ExecutorService threads;

  StreamRoute(
      Authorizer authorizer,
      CurrentCaller caller,
      CurrentVertxRequest request,
      CurrentIdentityAssociation identity,
      StreamSetting setting,
      @VirtualThreads ExecutorService threads) {
    this.authorizer = authorizer;
    this.caller = caller;
    this.request = request;
    this.identity = identity;
    this.setting = setting;
    this.threads = threads;
  }

  void register(@Observes Router router) {
    router.routeWithRegex(RequestLimits.SUBMISSIONS).order(ORDER).handler(this::enter);
  }

  private void enter(RoutingContext context) {
    // Paused, because it is not known yet which handler reads the body.
    context.request().pause();
    var eventLoop = ((HttpServerRequestInternal) context.request()).context();
    threads.execute(
        () -> {
          boolean isHidden = isHidden(context);
          eventLoop.runOnContext(
              _ -> {
                if (isHidden) {
                  context.reroute(NOWHERE);
                } else if (RequestLimits.isCodingSupported(context.request())) {
                  context.next();
                } else {
                  RequestLimits.refuseCoding(context);
                }
              });
        });
  }

  private boolean isHidden(RoutingContext context) {
    var scope = Arc.container().requestContext();
    scope.activate();
    try {
      request.setCurrent(context);
      identity.setIdentity(
          context.user() instanceof QuarkusHttpUser user
              ? user.getSecurityIdentity()
              : QuarkusHttpUser.getSecurityIdentityBlocking(context, null));
      return !isOn(context.pathParam("param0"), context.pathParam("param1"));
    } catch (Problem e) {
      // Other refusals, as of a token that is no longer valid, come again from the resource.
      return NO_REPOSITORY.contains(e.code());
    } catch (RuntimeException | Error _) {
      // Without an answer, the request would stay paused; the resource answers such failures.
      return false;
    } finally {
      scope.terminate();
    }
  }

  private boolean isOn(String org, String repo) {
    return authorizer.visible(caller.get(), org, repo).filter(setting::isOn).isPresent();
  }
}
