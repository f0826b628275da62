package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;

/** The caller of the request at hand. */
@ApplicationScoped
public class CurrentCaller {
  static final String ATTRIBUTE = "cairn.caller";

  private final SecurityIdentity identity;

  CurrentCaller(SecurityIdentity identity) {
    this.identity = identity;
  }

  /** Who calls; never null. */
  public Caller get() {
    Caller caller = identity.getAttribute(ATTRIBUTE);
    return caller == null ? new Caller.Anonymous() : caller;
  }

  /** The account that calls; without one the request is {@code UNAUTHENTICATED}. */
  public Caller.SignedIn account() {
    return switch (get()) {
      case Caller.SignedIn account -> account;
      case Caller.Anonymous() ->
          throw Problem.of(
              ErrorCode.UNAUTHENTICATED, "This needs `Authorization: Bearer <token>`.");
    };
  }
}
