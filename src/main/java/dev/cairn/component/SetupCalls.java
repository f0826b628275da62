package dev.cairn.component;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.cairn.access.Archived;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.session.Sessions;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.component.ComponentInstalls.State;
import dev.cairn.component.ServerCalls.NoAnswer;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Body;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.platform.http.RequestBody;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.subscription.UnusableSecretException;
import dev.cairn.subscription.WebhookMessage;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Tells the server behind a component about an install, with a token for the repository. See {@code
 * docs/components.md}, Setup call.
 */
@ApplicationScoped
public class SetupCalls {
  static final int MAX_RESULT = 64 * 1024;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Components components;
  private final ComponentInstalls installs;
  private final Resolutions resolutions;
  private final ServerCalls calls;
  private final CredentialSets credentials;
  private final MemberRoles roles;
  private final ServiceTokens tokens;
  private final Sessions sessions;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final ReadBounds bounds;
  private final AuditLog audit;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * The body of the request.
   *
   * @param installRepo as {@code org/repo}
   * @param installId of the component there
   * @param expectedManifestHash as it was resolved or installed
   */
  @RegisterForReflection
  record Request(String installRepo, String installId, String expectedManifestHash) {}

  /**
   * What came of the call.
   *
   * @param ok whether the server answered with a status of 2xx, or need not be called
   * @param skipped true if the component has no setup call; null otherwise
   * @param status of the answer; null if there is none
   * @param result the answer's body; null if it is not JSON of at most 64 KiB
   * @param truncated true if the body is too long, or did not end in time; null otherwise
   * @param reason why there is no answer: {@code network_error}, {@code timeout} or {@code
   *     target_forbidden}; null if there is one
   * @param detail the same for people
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Result(
      boolean ok,
      Boolean skipped,
      Integer status,
      @JsonRawValue String result,
      Boolean truncated,
      String reason,
      String detail) {}

  SetupCalls(
      Components components,
      ComponentInstalls installs,
      Resolutions resolutions,
      ServerCalls calls,
      CredentialSets credentials,
      MemberRoles roles,
      ServiceTokens tokens,
      Sessions sessions,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      ReadBounds bounds,
      AuditLog audit,
      RateLimiter limiter,
      CairnConfig config) {
    this.components = components;
    this.installs = installs;
    this.resolutions = resolutions;
    this.calls = calls;
    this.credentials = credentials;
    this.roles = roles;
    this.tokens = tokens;
    this.sessions = sessions;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.bounds = bounds;
    this.audit = audit;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /**
   * Makes the setup call of a component, if it has one.
   *
   * @param apiUrl the URL of this service, which gets the token back
   * @param read reads the request's body, once the caller is known to see the component
   * @throws Problem {@code NOT_FOUND} for the component, the repository or the install; {@code
   *     CONFLICT} for another hash ({@code manifest_changed}), an install that was torn down
   *     ({@code torn_down}), an account that may no longer say where the call goes ({@code
   *     setup_not_trusted}) or a credential set that cannot be used ({@code
   *     credentials_unavailable}); {@code FORBIDDEN}, {@code ARCHIVED}, {@code VALIDATION_ERROR},
   *     {@code RATE_LIMITED}, {@code UNAVAILABLE}
   */
  Result call(SignedIn caller, String org, String name, String apiUrl, Supplier<Request> read) {
    // Before the body is read, for those that may not see the component.
    var _ = components.find(caller, org, name);
    limiter.take("components", "account:" + caller.accountId(), perMinute, MINUTE);
    var request = read.get();
    var installId = id(RequestBody.required("/installId", request.installId()));
    var hash = RequestBody.required("/expectedManifestHash", request.expectedManifestHash());
    var access = resolutions.installRepository(caller, request.installRepo(), REPO_WRITE);
    Supplier<Registered> current =
        () -> {
          var newest = components.find(caller, org, name);
          return bounds.within(access, () -> version(access, newest, installId, hash));
        };
    var component = current.get();
    if (!component.hasSetup()) {
      return new Result(true, true, null, null, null, null, null);
    }
    requireToSetUp(access, component);
    bounds.within(access, () -> trustedSet(component));
    // What holds when it is its turn counts: it may have waited while something was revoked.
    return result(
        calls.call(
            access,
            component.orgId(),
            () -> message(access, current, installId.orElseThrow(), apiUrl)));
  }

  private static Optional<UUID> id(String text) {
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The version with the expected hash: the newest one, or the one that is installed. */
  private Registered version(
      RepositoryAccess access, Registered newest, Optional<UUID> installId, String hash) {
    var install =
        installId
            .flatMap(id -> installs.find(access.repoId(), id))
            .filter(found -> found.componentId().equals(newest.id()))
            .orElseThrow(() -> missingInstall(access, newest));
    requireNotTornDown(install.state());
    if (newest.version().hash().equals(hash)) {
      return newest;
    }
    return installed(install)
        .filter(version -> version.version().hash().equals(hash))
        .orElseThrow(() -> changed(newest));
  }

  private static void requireNotTornDown(State state) {
    if (state == State.TORN_DOWN) {
      throw Problem.of(ErrorCode.CONFLICT, "The component was torn down in the repository.")
          .with("reason", "torn_down")
          .hint("Install it again first.");
    }
  }

  private Optional<Registered> installed(Install install) {
    return Optional.ofNullable(install.number())
        .flatMap(number -> components.at(install.componentId(), number));
  }

  private static Problem missingInstall(RepositoryAccess access, Registered component) {
    return Problem.notFound(
            "`%s` has no such install of `%s`.".formatted(access.fullName(), component.fullName()))
        .at("/installId")
        .hint("Resolve the component for the repository: the answer has `installId`.");
  }

  private static Problem changed(Registered newest) {
    return Problem.of(
            ErrorCode.CONFLICT,
            "The manifest is another one now, of version `%s`."
                .formatted(newest.version().version()))
        .at("/expectedManifestHash")
        .with("reason", "manifest_changed")
        .with("manifestHash", newest.version().hash())
        .hint("Resolve the component again, and check what has changed.");
  }

  /**
   * The token of the call acts for the caller, so the caller's own token must allow whatever that
   * one may do.
   */
  private static void requireToSetUp(RepositoryAccess access, Registered component) {
    if (access.isArchived()) {
      throw Archived.repository();
    }
    access
        .undelegated("set up components: the server gets a token that may outlive them.")
        .requiring(needed(component));
  }

  private static Set<Permission> needed(Registered component) {
    var runtime = component.version().manifest().runtimeAccess();
    var needed = EnumSet.of(REPO_WRITE);
    if (!runtime.reads().isEmpty()) {
      needed.add(REPO_READ);
    }
    return needed;
  }

  /**
   * The secrets that are sent. The call takes them, and a token for the repository, to where an
   * account has said. So that one must still be able to say so.
   */
  private Map<String, String> trustedSet(Registered component) {
    boolean isTrusted =
        component.hasSetup()
            && maySetUp(component.orgId(), component.setupUrlBy())
            && (component.credentialSet() == null
                || maySetUp(component.orgId(), component.credentialSetBy()));
    if (!isTrusted) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "The component's `setupUrl` was removed, or the account that set it or"
                  + " `credentialSetName` may no longer do so, so no setup call is made.")
          .with("reason", "setup_not_trusted")
          .hint("Its organization has to check both, and to register it with them again.");
    }
    return credentials
        .openOfOrganization(component.orgId(), component.credentialSet())
        .orElseThrow(SetupCalls::unusableSet);
  }

  private boolean maySetUp(UUID orgId, UUID accountId) {
    return roles
        .ofMember(orgId, accountId)
        .filter(role -> role.grants(ORG_CONFIGURE) && role.grants(REPO_CONFIGURE))
        .isPresent();
  }

  private EgressRequest message(
      RepositoryAccess access, Supplier<Registered> current, UUID installId, String apiUrl)
      throws UnusableSecretException, InterruptedException {
    var known = current.get();
    bounds.within(access, () -> trustedSet(known));
    var token = minted(access, known, installId);
    // To mint it, it waited for its turn again.
    var component = current.get();
    var set = bounds.within(access, () -> trustedSet(component));
    var now = Instant.now();
    var body = Body.of(body(access, component, installId, now, token.orElse(null), apiUrl));
    return new WebhookMessage(Ids.next().toString(), now, body)
        .authenticated(
            EgressRequest.post("component-setup", component.setupUrl(), body)
                .header("Content-Type", "application/json")
                .withResponseLimits(MAX_RESULT, MAX_RESULT),
            set);
  }

  private static Problem unusableSet() {
    return ServerCalls.unusable(
            "The credential set of the component's setup call is missing, revoked or cannot be"
                + " read, or an account that set a value may no longer do so.")
        .hint("Its organization has to set the values again, or to name another set.");
  }

  private Optional<String> minted(RepositoryAccess access, Registered component, UUID installId) {
    var runtime = component.version().manifest().runtimeAccess();
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, needed(component));
          // Whoever revokes the caller's token does so before this transaction, or after it.
          recheck.holdToken(access.account());
          recheck.requireStill(access, needed(component));
          // A teardown ends all tokens: it comes before this transaction, or after it.
          requireNotTornDown(installs.lock(access.repoId(), installId));
          // So does whoever ends the session.
          sessions.holdLive(access.account());
          audit.record(
              access,
              "component.setup_called",
              component.fullName(),
              Map.of("version", component.version().version()));
          if (component.credentialSet() != null) {
            audit.recordByService("component.setup_called", List.of(ofOwner(access, component)));
          }
          return tokens
              .mintSetupToken(
                  access.repoId(),
                  installId,
                  access.account().accountId(),
                  runtime.reads(),
                  runtime.writes(),
                  access.account().token().expiresAt())
              .map(ServiceTokens.Minted::token);
        });
  }

  /** For the organization whose secrets are sent; it is not told which account causes that. */
  private static AuditLog.ByService ofOwner(RepositoryAccess access, Registered component) {
    return new AuditLog.ByService(
        component.orgId(),
        component.fullName(),
        Map.of(
            "installRepo", access.fullName(),
            "credentialSetName", component.credentialSet(),
            "version", component.version().version()));
  }

  private static byte[] body(
      RepositoryAccess access,
      Registered component,
      UUID installId,
      Instant now,
      String token,
      String apiUrl) {
    return ServerMessage.of(
        "cairn.component.setup",
        now,
        component,
        installId,
        access,
        data -> {
          data.put("manifestHash", component.version().hash());
          if (token != null) {
            data.put("setupToken", token);
          }
          data.put("apiUrl", apiUrl);
        });
  }

  private static Result result(EgressResult result) {
    return switch (result) {
      case EgressResult.Answer answer ->
          new Result(
              answer.status() >= 200 && answer.status() < 300,
              null,
              answer.status(),
              answer.isTruncated() ? null : AnswerText.json(answer.body()).orElse(null),
              answer.isTruncated() ? true : null,
              null,
              null);
      case EgressResult.Forbidden forbidden -> failed(NoAnswer.of(forbidden));
      case EgressResult.Unreachable unreachable -> failed(NoAnswer.of(unreachable));
    };
  }

  private static Result failed(NoAnswer why) {
    return new Result(false, null, null, null, null, why.reason(), why.detail());
  }
}
