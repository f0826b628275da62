package dev.cairn.component;

import static dev.cairn.access.Permission.REPO_READ;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.component.Manifest.Method;
import dev.cairn.component.ServerAddress.Server;
import dev.cairn.component.ServerCalls.NoAnswer;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.platform.Body;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Ids;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.subscription.UnusableSecretException;
import dev.cairn.subscription.WebhookMessage;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls the methods of installed components: the service checks who calls and with which arguments,
 * signs the call, and passes on what the component's server answers. See {@code
 * docs/components.md}, Methods.
 */
@ApplicationScoped
public class MethodCalls {
  static final int MAX_BODY = 256 * 1024;

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Components components;
  private final ComponentInstalls installs;
  private final Resolutions resolutions;
  private final ServerAddress addresses;
  private final ServerCalls calls;
  private final CredentialSets credentials;
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
   * @param args by their names; null for none
   */
  @RegisterForReflection
  record Request(String installRepo, ObjectNode args) {}

  /**
   * What came of the call.
   *
   * @param status of the answer; null if there is none
   * @param body of the answer: its JSON, or a string with its text; null if it is empty, too long
   *     or there is none
   * @param truncated true if the body is too long, or did not end in time; null otherwise
   * @param reason why there is no answer: {@code network_error}, {@code timeout} or {@code
   *     target_forbidden}; null if there is one
   * @param detail the same for people
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record Result(
      Integer status,
      @JsonRawValue String body,
      @JsonInclude(JsonInclude.Include.NON_NULL) Boolean truncated,
      @JsonInclude(JsonInclude.Include.NON_NULL) String reason,
      @JsonInclude(JsonInclude.Include.NON_NULL) String detail) {}

  /** What is called. */
  private record Target(Registered component, Install install, Method method, Server server) {}

  /**
   * A call of this moment.
   *
   * @param args those of the request that the method takes
   * @param secrets that sign it
   */
  private record Prepared(Target target, ObjectNode args, String secrets) {}

  MethodCalls(
      Components components,
      ComponentInstalls installs,
      Resolutions resolutions,
      ServerAddress addresses,
      ServerCalls calls,
      CredentialSets credentials,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      ReadBounds bounds,
      AuditLog audit,
      RateLimiter limiter,
      CairnConfig config) {
    this.components = components;
    this.installs = installs;
    this.resolutions = resolutions;
    this.addresses = addresses;
    this.calls = calls;
    this.credentials = credentials;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.bounds = bounds;
    this.audit = audit;
    this.limiter = limiter;
    this.perMinute = config.limits().componentCallsPerMinute();
  }

  /**
   * Calls a method.
   *
   * @param method its name
   * @param read reads the request's body, once the caller is known to see the component
   * @throws Problem {@code NOT_FOUND} for the component, the repository or the method; {@code
   *     FORBIDDEN} without the permissions; {@code VALIDATION_ERROR} for the arguments; {@code
   *     CONFLICT} if it is not installed ({@code not_installed}), its server is not known ({@code
   *     not_configured}, {@code config_not_trusted}) or the call cannot be signed ({@code
   *     credentials_unavailable}); {@code RATE_LIMITED}, {@code UNAVAILABLE}
   */
  Result call(SignedIn caller, String org, String name, String method, Supplier<Request> read) {
    // Before the body is read, for those that may not see the component.
    var _ = components.find(caller, org, name);
    limiter.take("component-calls", "account:" + caller.accountId(), perMinute, MINUTE);
    var request = read.get();
    var access =
        resolutions
            .installRepository(caller, request.installRepo(), REPO_READ)
            .requireCovered() // The call names its account.
            .requireUnrestricted();
    Supplier<Prepared> prepared =
        () -> prepared(access, components.find(caller, org, name), method, request.args());
    var _ = prepared.get(); // What is refused need not wait.
    // What holds when it is its turn counts: something may have been revoked while it waited.
    return result(
        calls.call(access, access.orgId(), () -> message(access, allowed(access, prepared.get()))));
  }

  private Prepared prepared(
      RepositoryAccess access, Registered newest, String method, ObjectNode args) {
    return bounds.within(
        access,
        () -> {
          var target = target(access, newest, method);
          var checked = MethodArguments.checked(target.method().args(), args);
          return new Prepared(target, checked, secrets(access, target));
        });
  }

  /**
   * Checks the caller's rights again, and records the call: only one that needs more than the right
   * to read, since otherwise strangers could fill the audit log of a public repository.
   */
  private Prepared allowed(RepositoryAccess access, Prepared call) {
    var target = call.target();
    var needed = permission(target.method()).orElse(REPO_READ);
    if (needed == REPO_READ) {
      recheck.requireStill(access, needed);
      return call;
    }
    return changeLimiter.call(
        access,
        () -> {
          recheck.requireStill(access, needed);
          audit.record(
              access,
              "component.called",
              target.component().fullName(),
              Map.of(
                  "method",
                  target.method().name(),
                  "version",
                  target.component().version().version()));
          return call;
        });
  }

  private Target target(RepositoryAccess access, Registered newest, String name) {
    var install =
        installs
            .of(access.repoId(), newest.id())
            .filter(found -> found.completeNumber() != null)
            .orElseThrow(() -> notInstalled(access, newest));
    var component = components.at(newest.id(), install.completeNumber()).orElseThrow();
    var method =
        component.version().manifest().cli().methods().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> missing(component, name));
    permission(method).ifPresent(access::requiring);
    return new Target(component, install, method, addresses.of(access.repoId(), component.name()));
  }

  private static Optional<Permission> permission(Method method) {
    return Optional.ofNullable(method.requiresPermission()).flatMap(Permission::of);
  }

  private static Problem notInstalled(RepositoryAccess access, Registered component) {
    return Problem.of(
            ErrorCode.CONFLICT,
            "`%s` is not installed in `%s`, or its first installation is not complete."
                .formatted(component.fullName(), access.fullName()))
        .at("/installRepo")
        .with("reason", "not_installed")
        .hint("Install it first.");
  }

  private static Problem missing(Registered component, String name) {
    return Problem.notFound(
            "Version `%s` of `%s`, which is installed, has no method `%s`."
                .formatted(component.version().version(), component.fullName(), Excerpt.of(name)))
        .hint("The methods are in `cli.methods` of the manifest.");
  }

  /** The signing secrets, opened on behalf of the account that wrote the server's address. */
  private String secrets(RepositoryAccess access, Target target) {
    var set = target.method().credentialSet();
    var secrets =
        credentials
            .open(access.repoId(), set, target.server().accountId())
            .orElseThrow(
                () ->
                    ServerCalls.unusable(
                        ("The credential set `%s` is missing, revoked or cannot be read, or an"
                                + " account that set a value may no longer configure the"
                                + " repository.")
                            .formatted(set)))
            .get(ManifestRuntime.SIGNING_KEY);
    if (secrets == null) {
      throw ServerCalls.unusable(
          "The credential set `%s` has no value for %s."
              .formatted(set, ManifestRuntime.SIGNING_KEY));
    }
    return secrets;
  }

  private static EgressRequest message(RepositoryAccess access, Prepared call)
      throws UnusableSecretException, InterruptedException {
    var target = call.target();
    var args = call.args();
    var now = Instant.now();
    var url = target.server().at(target.method().path());
    var request =
        target.method().method().equals("GET")
            ? EgressRequest.get(
                "component-cli", MethodArguments.query(url, target.method().args(), args))
            : EgressRequest.post("component-cli", url, body(access, target, url, args, now))
                .header("Content-Type", "application/json");
    // A GET has no body: what its query says, and whom it is for, is signed nevertheless.
    var payload =
        request.body() == null
            ? Body.of(request.url().getBytes(StandardCharsets.UTF_8))
            : request.body();
    return new WebhookMessage(Ids.next().toString(), now, payload)
        .signed(
            request
                .header("X-Cairn-Install", target.install().id().toString())
                .withResponseLimits(MAX_BODY, MAX_BODY),
            ManifestRuntime.SIGNING_KEY,
            call.secrets());
  }

  private static byte[] body(
      RepositoryAccess access, Target target, String url, ObjectNode args, Instant now) {
    return ServerMessage.of(
        "cairn.component.cli",
        now,
        target.component(),
        target.install().id(),
        access,
        data -> {
          data.put("method", target.method().name()).put("url", url);
          data.putObject("caller")
              .put("accountId", access.account().accountId().toString())
              .put("displayName", access.account().displayName());
          data.set("args", args);
        });
  }

  private static Result result(EgressResult result) {
    return switch (result) {
      case EgressResult.Answer answer when answer.isTruncated() ->
          new Result(answer.status(), null, true, null, null);
      case EgressResult.Answer answer ->
          new Result(answer.status(), AnswerText.any(answer.body()), null, null, null);
      case EgressResult.Forbidden forbidden -> failed(NoAnswer.of(forbidden));
      case EgressResult.Unreachable unreachable -> failed(NoAnswer.of(unreachable));
    };
  }

  private static Result failed(NoAnswer why) {
    return new Result(null, null, null, why.reason(), why.detail());
  }
}
