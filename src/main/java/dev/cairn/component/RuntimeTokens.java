package dev.cairn.component;

import dev.cairn.access.Archived;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.session.Sessions;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.access.token.ServiceTokens.Minted;
import dev.cairn.component.ComponentInstalls.State;
import dev.cairn.component.InstallReads.Found;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Mints and rotates the tokens of installed components; see {@code docs/components.md}, Tokens. */
@ApplicationScoped
public class RuntimeTokens {
  private final InstallReads reads;
  private final Components components;
  private final ComponentInstalls installs;
  private final ServiceTokens tokens;
  private final ChangeLimiter changeLimiter;
  private final ChangeRateLimit changes;
  private final Recheck recheck;
  private final AuditLog audit;
  private final AccountAudit accountAudit;
  private final Sessions sessions;

  /** A new token, which is shown only here. */
  @RegisterForReflection
  public record Rotated(String token, Instant expiresAt) {}

  RuntimeTokens(
      InstallReads reads,
      Components components,
      ComponentInstalls installs,
      ServiceTokens tokens,
      ChangeLimiter changeLimiter,
      ChangeRateLimit changes,
      Recheck recheck,
      AuditLog audit,
      AccountAudit accountAudit,
      Sessions sessions) {
    this.reads = reads;
    this.components = components;
    this.installs = installs;
    this.tokens = tokens;
    this.changeLimiter = changeLimiter;
    this.changes = changes;
    this.recheck = recheck;
    this.audit = audit;
    this.accountAudit = accountAudit;
    this.sessions = sessions;
  }

  /**
   * Mints the runtime token of an install on behalf of the caller, in the surrounding transaction;
   * it replaces a former one.
   *
   * @return empty if nothing remains that it may do, or the component mints none any longer
   */
  Optional<Minted> mint(RepositoryAccess access, Registered component, UUID installId) {
    var caller = access.account();
    sessions.holdLive(caller); // Whoever ends it then ends it before the token is made.
    if (!components.lockIfMinting(component.id())) {
      return Optional.empty();
    }
    var runtime = component.version().manifest().runtimeAccess();
    var minted =
        tokens.mintRuntimeToken(
            access.repoId(), installId, caller.accountId(), runtime.reads(), runtime.writes());
    if (minted.isPresent()) {
      accountAudit.record(
          caller.accountId(),
          "component_token.created",
          component.fullName(),
          caller.address(),
          Map.of("repository", access.fullName()));
    }
    return minted;
  }

  /**
   * Mints a new token on behalf of the caller, and ends the former one.
   *
   * @param access granted by {@link InstallAccess#toChange}
   * @throws Problem {@code FORBIDDEN} if the caller may make no token; {@code NOT_FOUND}; {@code
   *     CONFLICT} if the component is not installed, was deregistered, or mints no token; {@code
   *     ARCHIVED}, {@code RATE_LIMITED}
   */
  public Rotated rotate(RepositoryAccess access, UUID installId) {
    if (!access.account().mayMakeTokens(Instant.now())) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "A token of a component requires an interactive sign-in, at an external issuer within"
                  + " the last 15 minutes.")
          .hint(
              "Sign in (POST /api/auth/login, or at the external issuer with `prompt=login`), and"
                  + " use the access token of that sign-in.");
    }
    changes.take(access.account());
    var found = reads.find(access, installId);
    if (access.isArchived()) {
      throw Archived.repository();
    }
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, InstallAccess.toChange());
          requireMinting(installs.lock(access.repoId(), installId), found);
          var minted = mint(access, found.component(), installId);
          audit.record(access, "component.token_rotated", found.component().fullName(), Map.of());
          return minted
              .map(token -> new Rotated(token.token(), token.expiresAt()))
              .orElseThrow(
                  () -> noToken("Nothing remains that the token may do, or none is minted."));
        });
  }

  private static void requireMinting(State now, Found found) {
    if (now != State.INSTALLED && now != State.INSTALLING) {
      throw Problem.of(ErrorCode.CONFLICT, "The component is torn down.")
          .with("reason", "not_installed")
          .hint("Install it again.");
    }
    if (found.component().isDeregistered()) {
      throw Problem.of(ErrorCode.CONFLICT, "The component is no longer registered.")
          .with("reason", "deregistered")
          .hint(Doctor.TO_REPLACE);
    }
    if (!InstallPlans.mintsToken(found.component())) {
      throw noToken("The component mints no token.");
    }
  }

  private static Problem noToken(String detail) {
    return Problem.of(ErrorCode.CONFLICT, detail)
        .with("reason", "mints_no_token")
        .hint(
            "A component mints a token if it is registered with `mintsToken` and `runtimeAccess`.");
  }
}
