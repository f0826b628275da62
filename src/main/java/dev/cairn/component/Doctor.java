package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.component.ComponentInstalls.State;
import dev.cairn.component.InstallContent.InstallRecord;
import dev.cairn.component.InstallReads.Found;
import dev.cairn.content.read.EntityDetails;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.CairnConfig;
import dev.cairn.subscription.InstalledCredentials;
import dev.cairn.subscription.InstalledSubscriptions;
import dev.cairn.subscription.InstalledSubscriptions.Owned;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** What to do with a component that was deregistered. */
  static final String TO_REPLACE =
      "Tear it down. If it is registered again, that is another component: before you install that"
          + " one, rename the shapes of this one, and delete its credential sets and"
          + " subscriptions.";

  private static final String INSTALL_AGAIN = "Install the component again.";

  private final InstallReads reads;
  private final Components components;
  private final InstallContent content;
  private final InstalledCredentials credentials;
  private final InstalledSubscriptions subscriptions;
  private final ServiceTokens tokens;
  private final ServerAddress addresses;
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
   * @param kind {@code install}, {@code registration}, {@code version}, {@code record}, {@code
   *     shape}, {@code seed}, {@code credential-set}, {@code subscription}, {@code token}, {@code
   *     address} or {@code requirement}
   * @param name of what was checked
   * @param detail what was found; null if there is nothing to say
   * @param fix what to do; null if it passed
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Check(String kind, String name, boolean ok, String detail, String fix) {
    static Check passed(String kind, String name) {
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
      ServerAddress addresses,
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
    this.addresses = addresses;
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
    var record = content.findRecord(access, found.install().id());
    var owned = subscriptions.of(access, found.install().id());
    checks.add(install(found, isWorking(record, owned)));
    checks.addAll(registration(access, found));
    checks.addAll(installRecord(found, record));
    checks.addAll(shapes(access, record, manifest));
    checks.addAll(seeds(access, manifest));
    for (var credential : manifest.credentials()) {
      checks.add(credentialSet(access, found, credential));
    }
    for (var body : manifest.subscriptions()) {
      var name = body.path("name").textValue();
      checks.add(subscription(name, subscriptions.compare(access, found.install().id(), body)));
    }
    checks.addAll(leftOver(access, found, owned));
    if (InstallPlans.mintsToken(found.component()) && !found.component().isDeregistered()) {
      checks.add(token(access, found));
    }
    if (!manifest.cli().methods().isEmpty()) {
      checks.add(address(access, found));
    }
    checks.addAll(requirements(access, manifest));
    return checks;
  }

  /** Whether something is there that a teardown ends. */
  private static boolean isWorking(Optional<InstallRecord> record, List<Owned> owned) {
    return record.filter(InstallRecord::isActive).isPresent()
        || owned.stream().anyMatch(Owned::isActive);
  }

  private static Check install(Found found, boolean isWorking) {
    var name = found.install().id().toString();
    return switch (found.install().state()) {
      case INSTALLED -> Check.passed("install", name);
      case TORN_DOWN ->
          isWorking
              ? Check.failed(
                  "install",
                  name,
                  "Its teardown was not completed.",
                  "Repeat the teardown, or install the component again.")
              : Check.failed("install", name, "It is torn down.", INSTALL_AGAIN);
      case INSTALLING ->
          Check.failed(
              "install",
              name,
              "The installation was not completed.",
              "Install the component again, or tear it down.");
      case RESOLVED -> throw new IllegalStateException("It was only resolved: " + name);
    };
  }

  private static List<Check> installRecord(Found found, Optional<InstallRecord> record) {
    if (found.install().state() == State.TORN_DOWN) {
      return List.of(); // It is retracted.
    }
    var kind = InstallPlan.RECORD;
    var name = InstallContent.record(found.install().id()).local();
    if (record.filter(InstallRecord::isActive).isEmpty()) {
      return List.of(Check.failed(kind, name, "There is no active one.", INSTALL_AGAIN));
    }
    var version = record.get().version();
    return List.of(
        version == null || version.equals(found.component().version().version())
            ? Check.passed(kind, name)
            : Check.failed(
                kind, name, "It names another version: `%s`.".formatted(version), INSTALL_AGAIN));
  }

  /** Only whoever may see the component is told of a newer version. */
  private List<Check> registration(RepositoryAccess access, Found found) {
    var component = found.component();
    var version = component.version();
    if (component.isDeregistered()) {
      return List.of(
          Check.failed(
              "registration",
              component.fullName(),
              "It is no longer registered, so its token has ended, and it cannot be installed"
                  + " again.",
              TO_REPLACE));
    }
    var newest =
        components.isVisible(access.caller(), component)
            ? components.newest(component.id()).orElse(component).version()
            : version;
    return List.of(
        Check.passed("registration", component.fullName()),
        new Check(
            "version",
            version.version(),
            true,
            newest.number() == version.number()
                ? null
                : "There is a newer version: `%s`.".formatted(newest.version()),
            null));
  }

  private List<Check> shapes(
      RepositoryAccess access, Optional<InstallRecord> record, Manifest manifest) {
    var present = content.find(access, InstallContent.shapes(manifest));
    var own = record.map(InstallRecord::shapes).orElse(Set.of());
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
    return Check.passed(InstallPlan.SHAPE, name);
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
        ? Check.passed(kind, name.local())
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
        ? Check.passed(kind, name)
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
      case EQUAL -> Check.passed(kind, name);
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

  /** What an earlier version made, and still works. After a teardown, nothing does. */
  private List<Check> leftOver(RepositoryAccess access, Found found, List<Owned> owned) {
    if (found.install().state() == State.TORN_DOWN) {
      return List.of();
    }
    var manifest = found.component().version().manifest();
    var checks = new ArrayList<Check>();
    for (var name : credentials.of(access, found.install().id())) {
      if (!manifest.hasCredential(name)) {
        checks.add(
            Check.failed(
                InstallPlan.CREDENTIAL_SET,
                name,
                "It is of an earlier version: the installed one does not need it.",
                "Revoke or delete it."));
      }
    }
    for (var subscription : owned) {
      if (subscription.isActive() && !manifest.hasSubscription(subscription.name())) {
        checks.add(
            Check.failed(
                InstallPlan.SUBSCRIPTION,
                subscription.name(),
                "It is of an earlier version, and still active.",
                "Pause or delete it."));
      }
    }
    return checks;
  }

  private Check token(RepositoryAccess access, Found found) {
    var kind = InstallPlan.TOKEN;
    var name = found.component().name();
    var fault = tokenFault(access, found);
    return fault.isEmpty()
        ? Check.passed(kind, name)
        : Check.failed(
            kind,
            name,
            fault.get(),
            "Rotate it, `POST …/components/%s/token`, and give the new one to the component's server."
                .formatted(found.install().id()));
  }

  private Optional<String> tokenFault(RepositoryAccess access, Found found) {
    var live = tokens.liveRuntimeToken(access.repoId(), found.install().id());
    if (live.isEmpty()) {
      return Optional.of("There is no live token.");
    }
    var token = live.get();
    var wanted = found.component().version().manifest().runtimeAccess();
    if (!tokens.isFor(token, wanted.reads(), wanted.writes())) {
      return Optional.of("It was minted for another `runtimeAccess` than the installed version's.");
    }
    if (!tokens.isGranted(access.repoId(), token)) {
      return Optional.of("The role of the account that it acts for grants less than it needs.");
    }
    return Duration.between(Instant.now(), token.expiresAt()).compareTo(MIN_TOKEN_LIFE) > 0
        ? Optional.empty()
        : Optional.of(
            "It expires at %s.".formatted(token.expiresAt().truncatedTo(ChronoUnit.SECONDS)));
  }

  /** Where the calls of methods go. */
  private Check address(RepositoryAccess access, Found found) {
    var component = found.component();
    var name = ServerAddress.config(component.name()).local();
    try {
      var url = addresses.of(access.repoId(), component.name()).url();
      // What the manifest has is not told: it may be that of a private component.
      var detail =
          ServerAddress.ofSeed(component.version().manifest(), component.name())
              .filter(seeded -> !seeded.equals(url))
              .map(_ -> "It is `%s`, which is not the one in the manifest.".formatted(url));
      return new Check("address", name, true, detail.orElse(null), null);
    } catch (Problem e) {
      return Check.failed("address", name, e.detail(), e.hint());
    }
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
