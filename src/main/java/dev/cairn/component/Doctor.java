package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.component.InstallReads.Found;
import dev.cairn.content.read.EntityDetails;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.CairnConfig;
import dev.cairn.subscription.InstalledCredentials;
import dev.cairn.subscription.InstalledSubscriptions;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Checks whether everything that the manifest of an installed component promises is there, and says
 * what to do about what is not. It changes nothing. See {@code docs/components.md}, Doctor.
 */
@ApplicationScoped
public class Doctor {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A token that lives for less than this should be rotated. */
  private static final Duration MIN_TOKEN_LIFE = Duration.ofDays(30);

  private static final String INSTALL_AGAIN = "Install the component again.";

  private final InstallReads reads;
  private final Components components;
  private final InstallContent content;
  private final InstalledCredentials credentials;
  private final InstalledSubscriptions subscriptions;
  private final ServiceTokens tokens;
  private final HealthPaths paths;
  private final ReadBounds bounds;
  private final RateLimiter limiter;
  private final int perMinute;

  /** The result of all checks. */
  @RegisterForReflection
  public record Report(boolean healthy, List<Check> checks) {}

  /**
   * A check.
   *
   * @param kind {@code install}, {@code registration}, {@code version}, {@code shape}, {@code
   *     seed}, {@code credential-set}, {@code subscription}, {@code token} or {@code requirement}
   * @param name of what was checked
   * @param detail what was found; null if there is nothing to say
   * @param fix what to do; null if it is well
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Check(String kind, String name, boolean ok, String detail, String fix) {
    static Check well(String kind, String name) {
      return new Check(kind, name, true, null, null);
    }

    static Check failed(String kind, String name, String detail, String fix) {
      return new Check(kind, name, false, detail, fix);
    }
  }

  Doctor(
      InstallReads reads,
      Components components,
      InstallContent content,
      InstalledCredentials credentials,
      InstalledSubscriptions subscriptions,
      ServiceTokens tokens,
      HealthPaths paths,
      ReadBounds bounds,
      RateLimiter limiter,
      CairnConfig config) {
    this.reads = reads;
    this.components = components;
    this.content = content;
    this.credentials = credentials;
    this.subscriptions = subscriptions;
    this.tokens = tokens;
    this.paths = paths;
    this.bounds = bounds;
    this.limiter = limiter;
    this.perMinute = config.limits().subscriptionsPerMinute();
  }

  /**
   * Checks an install.
   *
   * @param access granted by {@link InstallAccess#toCheck}
   * @throws Problem {@code NOT_FOUND}, {@code RATE_LIMITED}
   */
  public Report examine(RepositoryAccess access, UUID installId) {
    limiter.take("components", "account:" + access.account().accountId(), perMinute, MINUTE);
    var found = reads.find(access, installId);
    var checks = new ArrayList<>(bounds.within(access, () -> stored(access, found)));
    checks.addAll(paths.check(access, found));
    return new Report(checks.stream().allMatch(Check::ok), checks);
  }

  private List<Check> stored(RepositoryAccess access, Found found) {
    var manifest = found.component().version().manifest();
    var checks = new ArrayList<Check>();
    checks.add(install(found));
    checks.addAll(registration(found));
    checks.addAll(shapes(access, found, manifest));
    checks.addAll(seeds(access, manifest));
    for (var credential : manifest.credentials()) {
      checks.add(credentialSet(access, found, credential));
    }
    for (var body : manifest.subscriptions()) {
      var name = body.path("name").textValue();
      checks.add(subscription(name, subscriptions.compare(access, found.install().id(), body)));
    }
    if (InstallPlans.mintsToken(found.component())) {
      checks.add(token(access, found));
    }
    checks.addAll(requirements(access, manifest));
    return checks;
  }

  private static Check install(Found found) {
    var name = found.install().id().toString();
    return switch (found.install().state()) {
      case INSTALLED -> Check.well("install", name);
      case TORN_DOWN -> Check.failed("install", name, "It is torn down.", INSTALL_AGAIN);
      case INSTALLING, RESOLVED ->
          Check.failed("install", name, "The installation was not completed.", INSTALL_AGAIN);
    };
  }

  private List<Check> registration(Found found) {
    var component = found.component();
    var version = component.version();
    if (component.isDeregistered()) {
      return List.of(
          Check.failed(
              "registration",
              component.fullName(),
              "It is no longer registered, so its token has ended.",
              "Tear it down, or have it registered again and install that."));
    }
    var newest = components.newest(component.id()).orElse(component).version();
    return List.of(
        Check.well("registration", component.fullName()),
        new Check(
            "version",
            version.version(),
            true,
            newest.number() == version.number()
                ? null
                : "There is a newer version: `%s`.".formatted(newest.version()),
            null));
  }

  private List<Check> shapes(RepositoryAccess access, Found found, Manifest manifest) {
    var present = content.find(access, InstallContent.shapes(manifest));
    var own = content.ownShapes(access, found.install().id());
    return manifest.shapes().stream()
        .map(
            shape -> {
              var wref = InstallContent.shape(shape.name());
              return shape(shape, present.get(wref), own.contains(wref.local()));
            })
        .toList();
  }

  private static Check shape(Manifest.Shape shape, EntityDetails present, boolean isOwn) {
    var name = shape.name();
    if (present == null) {
      return Check.failed(InstallPlan.SHAPE, name, "It does not exist.", INSTALL_AGAIN);
    }
    if (!isOwn) {
      return Check.failed(
          InstallPlan.SHAPE,
          name,
          "It does not belong to the component.",
          "Rename that shape, and install the component again.");
    }
    if (!present.entity().active()) {
      return Check.failed(InstallPlan.SHAPE, name, "It is retracted.", INSTALL_AGAIN);
    }
    if (!Arrays.equals(present.dataHash(), CanonicalJson.hash(shape.data()))) {
      return Check.failed(
          InstallPlan.SHAPE, name, "Its definition differs from the manifest.", INSTALL_AGAIN);
    }
    return Check.well(InstallPlan.SHAPE, name);
  }

  private List<Check> seeds(RepositoryAccess access, Manifest manifest) {
    var names = manifest.seeds().stream().map(seed -> Wref.parse(seed.name())).toList();
    var present = content.find(access, names);
    return names.stream()
        .map(name -> entity(InstallPlan.SEED, name, present, INSTALL_AGAIN))
        .toList();
  }

  private static Check entity(
      String kind, Wref name, Map<Wref, EntityDetails> present, String ifMissing) {
    var found = present.get(name);
    if (found == null) {
      return Check.failed(kind, name.local(), "It does not exist.", ifMissing);
    }
    return found.entity().active()
        ? Check.well(kind, name.local())
        : Check.failed(
            kind, name.local(), "It is retracted.", "Restore it: revise it with `active: true`.");
  }

  private Check credentialSet(
      RepositoryAccess access, Found found, Manifest.Credential credential) {
    var kind = InstallPlan.CREDENTIAL_SET;
    var name = credential.name();
    var stored = credentials.find(access, name);
    if (stored.isEmpty()) {
      return Check.failed(kind, name, "It does not exist.", INSTALL_AGAIN);
    }
    if (!found.install().id().equals(stored.get().installId())) {
      return Check.failed(
          kind,
          name,
          "It does not belong to the component.",
          "Delete that set, and install the component again.");
    }
    if (stored.get().isRevoked()) {
      return Check.failed(
          kind, name, "It is revoked.", "Delete it, and install the component again.");
    }
    var missing = new TreeSet<>(credential.keys());
    missing.removeAll(stored.get().values());
    return missing.isEmpty()
        ? Check.well(kind, name)
        : Check.failed(
            kind,
            name,
            "These keys have no value, or one that was set by an account that may not configure the"
                + " repository now: %s.".formatted(String.join(", ", missing)),
            "Set them: `PUT …/credential-sets/%s`.".formatted(name));
  }

  private static Check subscription(String name, InstalledSubscriptions.State state) {
    var kind = InstallPlan.SUBSCRIPTION;
    return switch (state) {
      case EQUAL -> Check.well(kind, name);
      case MISSING -> Check.failed(kind, name, "It does not exist.", INSTALL_AGAIN);
      case PAUSED ->
          Check.failed(kind, name, "It is paused.", "Resume it, or install the component again.");
      case DIFFERENT ->
          Check.failed(
              kind,
              name,
              "It differs from the manifest, or the account that it acts for has left.",
              INSTALL_AGAIN);
      case FIXED ->
          Check.failed(
              kind,
              name,
              "Its kind or its `tokenScopes` differ from the manifest.",
              "Delete the subscription, and install the component again.");
      case TAKEN ->
          Check.failed(
              kind,
              name,
              "It does not belong to the component.",
              "Delete that subscription, and install the component again.");
    };
  }

  private Check token(RepositoryAccess access, Found found) {
    var kind = InstallPlan.TOKEN;
    var name = found.component().name();
    var expiry = tokens.liveRuntimeToken(access.repoId(), found.install().id());
    if (expiry.isEmpty()) {
      return Check.failed(
          kind,
          name,
          "There is no live token.",
          "Rotate it, `POST …/components/%s/token`, and give the new one to the component's server."
              .formatted(found.install().id()));
    }
    var left = Duration.between(Instant.now(), expiry.get());
    return left.compareTo(MIN_TOKEN_LIFE) > 0
        ? Check.well(kind, name)
        : Check.failed(
            kind,
            name,
            "It expires at %s.".formatted(expiry.get().truncatedTo(ChronoUnit.SECONDS)),
            "Rotate it, `POST …/components/%s/token`, and give the new one to the component's"
                    .formatted(found.install().id())
                + " server.");
  }

  private List<Check> requirements(RepositoryAccess access, Manifest manifest) {
    var names =
        manifest.health().requires().stream()
            .filter(requirement -> requirement.wref() != null)
            .map(requirement -> Wref.parse(requirement.wref()))
            .toList();
    var present = content.find(access, names);
    return names.stream().map(name -> entity("requirement", name, present, "Add it.")).toList();
  }
}
