package dev.cairn.access.authentication;

import dev.cairn.access.TokenVerification;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.http.Failure;
import dev.cairn.platform.http.ProblemDocument;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Verifies a token that no statement has found valid by the time of the answer: if it has expired,
 * the answer is 401, as on any other path. The {@code Authorizer} verifies the tokens of its
 * requests without a round trip of its own; the others are requests that the framework answers by
 * itself, such as for a path or a method that does not exist.
 */
@ApplicationScoped
class UnconfirmedTokens {
  /** Runs before the answer is written. */
  private static final int BEFORE_WRITING = 9_000;

  private final CurrentVertxRequest request;
  private final TokenVerification verification;
  private final TokenWorkers workers;

  UnconfirmedTokens(
      CurrentVertxRequest request, TokenVerification verification, TokenWorkers workers) {
    this.request = request;
    this.verification = verification;
    this.workers = workers;
  }

  /** Null if there is nothing to wait for. */
  @ServerResponseFilter(priority = BEFORE_WRITING)
  Uni<Void> verify(ContainerResponseContext response) {
    var context = request.getCurrent();
    return context.get(TokenVerification.UNCONFIRMED) == null ? null : verify(context, response);
  }

  /**
   * On another thread: the answer may come from the event loop, which must not query the database.
   */
  private Uni<Void> verify(RoutingContext context, ContainerResponseContext response) {
    // Once only: if this fails, its own answer comes here too.
    context.remove(TokenVerification.UNCONFIRMED);
    var verified = workers.execute(context, () -> verification.isStillValid(context));
    return Uni.createFrom()
        .completionStage(verified.toCompletionStage())
        .invoke(
            isValid -> {
              if (!isValid) {
                refuse(context, response);
              }
            })
        // What the workers fail with if nobody waits for the answer any more.
        .onFailure(AuthenticationFailedException.class)
        .transform(_ -> new ClientGoneException())
        // The framework would answer a failure here with a 500 of its own form.
        .onFailure()
        .recoverWithItem(
            failure -> {
              ProblemDocument.replace(response, Failure.of(failure));
              return true;
            })
        .replaceWithVoid();
  }

  private void refuse(RoutingContext context, ContainerResponseContext response) {
    var problem = verification.refusal(context);
    ProblemDocument.replace(response, problem);
    // The response has a more precise one already.
    response.getHeaders().remove(HttpHeaders.WWW_AUTHENTICATE);
  }
}
