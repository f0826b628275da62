package dev.cairn.access;

import dev.cairn.platform.memory.LateArrival;
import io.quarkus.arc.Arc;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;

/**
 * The access that the {@link Authorizer} granted to a request before its body had arrived. If the
 * body arrives late, the token is verified again and each grant is checked again, so that the
 * rights at the time of the complete body decide. See {@code docs/access.md}, Sessions.
 */
@ApplicationScoped
class Grants implements LateArrival {
  private static final String KEY = "cairn.grants";

  private final CurrentVertxRequest request;
  private final TokenVerification verification;

  Grants(CurrentVertxRequest request, TokenVerification verification) {
    this.request = request;
    this.verification = verification;
  }

  /**
   * Keeps a grant of the current request; does nothing outside of a request.
   *
   * @param again checks the grant again, and throws what a new request would get
   */
  void keep(Runnable again) {
    if (!Arc.container().requestContext().isActive() || request.getCurrent() == null) {
      return;
    }
    var context = request.getCurrent();
    List<Runnable> kept = context.get(KEY);
    if (kept == null) {
      kept = new ArrayList<>();
      context.put(KEY, kept);
    }
    kept.add(again);
  }

  /** Thrown if the token to verify is not that of the current request. */
  private static final class OtherRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherRequestException() {
      super("the token came with another request", null, false, false);
    }
  }

  /**
   * Verifies the token of a caller again.
   *
   * @throws dev.cairn.model.Problem {@code UNAUTHENTICATED} if it is no longer valid
   * @throws RuntimeException if the caller is not that of the current request, such as one whose
   *     commit another one takes along
   */
  void verifyTokenAgain(Caller caller) {
    var context = request.getCurrent();
    boolean isOwn =
        context.user() instanceof QuarkusHttpUser user
            && caller.equals(user.getSecurityIdentity().getAttribute(CurrentCaller.ATTRIBUTE));
    if (!isOwn) {
      throw new OtherRequestException();
    }
    verification.verifyAgain(context);
  }

  /** Records that a statement has found the token of the current request valid. */
  void tokenIsValid() {
    if (Arc.container().requestContext().isActive() && request.getCurrent() != null) {
      request.getCurrent().remove(TokenVerification.UNCONFIRMED);
    }
  }

  @Override
  public void check(RoutingContext context) {
    verification.verifyAgain(context);
    context.<List<Runnable>>get(KEY, List.of()).forEach(Runnable::run);
  }
}
