package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.egress.EgressPolicy;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CredentialSets;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Registers components of organizations, and ends their registration; each change is recorded in
 * the audit log. The rules are in {@code docs/components.md}, Registering.
 */
@ApplicationScoped
public class Registrations {
  static final int MAX_VERSIONS = 100;

  private final Database database;
  private final ChangeLimiter changeLimiter;
  private final ChangeRateLimit changes;
  private final Recheck recheck;
  private final AuditLog audit;
  private final Quotas quotas;
  private final StoredBytes storedBytes;
  private final EgressPolicy egress;
  private final CredentialSets credentials;
  private final ServiceTokens tokens;
  private final RegistryReads reads;
  private final DeregisteredComponents deregistered;

  /**
   * What a registration has led to.
   *
   * @param isNew whether the component was not registered before
   */
  public record Result(ComponentView component, boolean isNew) {}

  /** A component that is being deregistered. */
  private record Deregistered(UUID id, String credentialSet) {}

  Registrations(
      Database database,
      ChangeLimiter changeLimiter,
      ChangeRateLimit changes,
      Recheck recheck,
      AuditLog audit,
      Quotas quotas,
      StoredBytes storedBytes,
      EgressPolicy egress,
      CredentialSets credentials,
      ServiceTokens tokens,
      RegistryReads reads,
      DeregisteredComponents deregistered) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.changes = changes;
    this.recheck = recheck;
    this.audit = audit;
    this.quotas = quotas;
    this.storedBytes = storedBytes;
    this.egress = egress;
    this.credentials = credentials;
    this.tokens = tokens;
    this.reads = reads;
    this.deregistered = deregistered;
  }

  /**
   * Registers a component, or a further version of it, or changes what is not in its manifest.
   *
   * @param access granted for {@code org:configure}
   * @param pathName its name as the path has it, in whichever case
   * @param read reads the request's body, after the rate limit
   * @throws Problem {@code VALIDATION_ERROR} with all violations; {@code FORBIDDEN} for a delegated
   *     token, and without {@code repo:configure} for what the setup call uses; {@code NOT_FOUND}
   *     for the credential set; {@code CONFLICT} for another manifest of a known version, a version
   *     that is too low, one version too many, and a revoked set; {@code ARCHIVED}; {@code
   *     RATE_LIMITED} also if the quota of components is used up; {@code PAYLOAD_TOO_LARGE}
   */
  public Result register(OrganizationAccess access, String pathName, Supplier<JsonNode> read) {
    access
        .account()
        .refuseDelegated(
            "register components: what is installed from one works after the token has ended.");
    changes.take(access.account());
    var name = pathName.toLowerCase(Locale.ROOT);
    if (!ManifestRules.isId(name)) {
      throw Problem.invalid("?name", ManifestRules.ID_RULE);
    }
    var wanted =
        Registration.of(
            read.get(), name, url -> egress.check(access.account().accountId(), "/setupUrl", url));
    return changeLimiter.call(
        access,
        () -> {
          begin(access);
          requireToBind(access, wanted);
          var known = Component.of(access.orgId(), name);
          var component = known.orElseGet(() -> created(access, name));
          boolean hasNewVersion = addVersion(access, component, wanted);
          var changed = change(access, component, wanted);
          requireUsable(component, wanted);
          if (hasNewVersion || !changed.isEmpty()) {
            component.updatedAt = Instant.now();
            component.persistAndFlush();
            var version = Optional.of(wanted.manifest().component().version());
            recordChange(
                access, component, known.isEmpty(), version.filter(_ -> hasNewVersion), changed);
          }
          return new Result(reads.of(access, name), known.isEmpty());
        });
  }

  /**
   * Runs changes of an organization's components one after another; each checks the right again.
   */
  private void begin(OrganizationAccess access) {
    database.lockName("components " + access.orgId());
    recheck.holdOrganization(access.orgId());
    if (recheck.requireStill(access).isArchived()) {
      throw Archived.organization();
    }
  }

  /**
   * Naming a set has it sent to a URL, as binding it to a subscription does. Removing the name
   * requires the same, because {@code org:configure} alone is enough to change a set that no
   * component names.
   */
  private static void requireToBind(OrganizationAccess access, Registration wanted) {
    if (wanted.credentialSetName().isPresent()
        || wanted.setupUrl().filter(text -> !text.isEmpty()).isPresent()) {
      access.requiring(Permission.REPO_CONFIGURE);
    }
  }

  private Component created(OrganizationAccess access, String name) {
    quotas.refuseOneMore(Quota.COMPONENTS, Component.countOf(access.orgId()));
    var component = new Component();
    component.id = Ids.next();
    component.orgId = access.orgId();
    component.name = name;
    component.visibility = Component.PRIVATE;
    component.createdAt = Instant.now();
    component.updatedAt = component.createdAt;
    component.persistAndFlush();
    return component;
  }

  /** Adds the version of the manifest, unless it is there already with the same manifest. */
  private boolean addVersion(OrganizationAccess access, Component component, Registration wanted) {
    var version = wanted.manifest().component().version();
    var hash = Sha256.of(wanted.json());
    var same = registeredHash(component, version);
    if (same.isPresent()) {
      if (!Arrays.equals(same.get(), hash)) {
        throw Problem.of(
                ErrorCode.CONFLICT,
                "Version `%s` is registered with another manifest.".formatted(version))
            .at("/manifest/component/version")
            .with("reason", "version_exists")
            .hint("A version never changes: register the manifest under a higher one.");
      }
      return false;
    }
    requireHigher(component, version);
    component.newest++;
    if (component.newest > MAX_VERSIONS) {
      throw Problem.of(
              ErrorCode.CONFLICT, "A component has at most %d versions.".formatted(MAX_VERSIONS))
          .with("reason", "too_many_versions")
          .hint("Register it under another name, or deregister it and register it again.");
    }
    storedBytes.reserve(
        access.orgId(),
        StoredBytes.ROW + (long) wanted.json().getBytes(StandardCharsets.UTF_8).length);
    database.update(
        """
        insert into component_version
          (component_id, number, version, title, description, manifest, manifest_hash,
           registered_by, created_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        component.id,
        component.newest,
        version,
        wanted.manifest().component().name(),
        wanted.manifest().component().description(),
        wanted.json(),
        hash,
        access.account().accountId(),
        Instant.now());
    return true;
  }

  /** The hash of the manifest with which a version is registered. */
  private Optional<byte[]> registeredHash(Component component, String version) {
    return database.first(
        "select manifest_hash from component_version where component_id = ? and version = ?",
        row -> row.getBytes(1),
        component.id,
        version);
  }

  private void requireHigher(Component component, String version) {
    var newest =
        database.first(
            "select version from component_version where component_id = ? and number = ?",
            row -> row.getString(1),
            component.id,
            component.newest);
    if (newest.isPresent()
        && SemanticVersion.of(version)
                .orElseThrow()
                .compareTo(SemanticVersion.of(newest.get()).orElseThrow())
            < 0) {
      throw Problem.of(
              ErrorCode.CONFLICT,
              "Version `%s` is lower than `%s`, which is registered."
                  .formatted(version, newest.get()))
          .at("/manifest/component/version")
          .with("reason", "version_too_low")
          .with("newest", newest.get())
          .hint("Register the manifest under a higher version.");
    }
  }

  /** Changes what was sent, and returns the names of the members that differ from before. */
  private Set<String> change(OrganizationAccess access, Component component, Registration wanted) {
    var changed = new TreeSet<String>();
    var visibility = wanted.visibility().orElse(component.visibility);
    if (!visibility.equals(component.visibility)) {
      component.visibility = visibility;
      changed.add("visibility");
    }
    changeSetup(access, component, wanted, changed);
    boolean mintsToken = wanted.mintsToken().orElse(component.mintsToken);
    if (mintsToken != component.mintsToken) {
      component.mintsToken = mintsToken;
      changed.add("mintsToken");
      if (!mintsToken) {
        component.persistAndFlush(); // first, so that a token that is being minted is ended too
        tokens.revokeRuntimeTokens(component.id);
      }
    }
    return changed;
  }

  /** Whoever sends a member answers for it from then on, also if it stays the same. */
  private static void changeSetup(
      OrganizationAccess access, Component component, Registration wanted, Set<String> changed) {
    var sender = access.account().accountId();
    var setupUrl = text(wanted.setupUrl(), component.setupUrl);
    var setupUrlBy = answersFor(wanted.setupUrl(), sender, component.setupUrlBy);
    if (!Objects.equals(setupUrl, component.setupUrl)
        || !Objects.equals(setupUrlBy, component.setupUrlBy)) {
      component.setupUrl = setupUrl;
      component.setupUrlBy = setupUrlBy;
      changed.add("setupUrl");
    }
    var set = text(wanted.credentialSetName(), component.credentialSet);
    var setBy = answersFor(wanted.credentialSetName(), sender, component.credentialSetBy);
    if (!Objects.equals(set, component.credentialSet)
        || !Objects.equals(setBy, component.credentialSetBy)) {
      component.credentialSet = set;
      component.credentialSetBy = setBy;
      changed.add("credentialSetName");
    }
  }

  private static UUID answersFor(Optional<String> wanted, UUID sender, UUID present) {
    if (wanted.isEmpty()) {
      return present;
    }
    return wanted.get().isEmpty() ? null : sender;
  }

  /**
   * A text after a change.
   *
   * @param wanted an empty text removes it
   */
  private static String text(Optional<String> wanted, String present) {
    if (wanted.isEmpty()) {
      return present;
    }
    return wanted.get().isEmpty() ? null : wanted.get();
  }

  /** Refuses what the newest version of the component could not use. */
  private void requireUsable(Component component, Registration wanted) {
    wanted
        .credentialSetName()
        .filter(set -> !set.isEmpty())
        .ifPresent(set -> credentials.requireUsableOfOrganization(component.orgId, set));
    if (component.mintsToken && newest(component).runtimeAccess().isEmpty()) {
      throw Problem.invalid(
              wanted.mintsToken().isPresent() ? "/mintsToken" : "/manifest/runtimeAccess",
              "A component that mints a token needs `runtimeAccess`, which says what the token may"
                  + " do.")
          .hint("Add patterns to `runtimeAccess`, or set `mintsToken` to false.");
    }
  }

  private Manifest newest(Component component) {
    return database
        .first(
            "select manifest from component_version where component_id = ? and number = ?",
            row -> Manifest.of(row.getString("manifest")),
            component.id,
            component.newest)
        .orElseThrow();
  }

  private void recordChange(
      OrganizationAccess access,
      Component component,
      boolean isNew,
      Optional<String> version,
      Set<String> changed) {
    var details = new LinkedHashMap<String, String>();
    version.ifPresent(added -> details.put("version", added));
    // What was removed is named among the changes alone.
    if (changed.contains("setupUrl") && component.setupUrl != null) {
      details.put("setupUrl", component.setupUrl);
    }
    if (changed.contains("credentialSetName") && component.credentialSet != null) {
      details.put("credentialSetName", component.credentialSet);
    }
    if (isNew) {
      details.put("visibility", component.visibility);
    } else if (!changed.isEmpty()) {
      details.put("changed", String.join(", ", changed));
    }
    audit.record(
        access.account(),
        access.orgId(),
        isNew ? "component.registered" : "component.updated",
        component.name,
        details);
  }

  /**
   * Ends the registration of a component. Its name is free again, and its tokens end at once. Where
   * it is installed, its content, subscriptions and credential sets stay; the versions that are
   * installed are kept.
   *
   * @param access granted for {@code org:configure}
   * @param org the name of the organization
   * @param pathName as of {@link #register}
   * @throws Problem {@code NOT_FOUND}, {@code ARCHIVED}, {@code FORBIDDEN} without {@code
   *     repo:configure} if it names a credential set
   */
  public void deregister(OrganizationAccess access, String org, String pathName) {
    var name = pathName.toLowerCase(Locale.ROOT);
    changeLimiter.call(
        access,
        () -> {
          begin(access);
          var component =
              database
                  .first(
                      """
                      select id, credential_set from component
                      where org_id = ? and name = ? and deregistered_at is null for update
                      """,
                      row ->
                          new Deregistered(
                              row.getObject("id", UUID.class), row.getString("credential_set")),
                      access.orgId(),
                      name)
                  .orElseThrow(() -> Components.missing(org, name));
          if (component.credentialSet() != null) {
            access.requiring(Permission.REPO_CONFIGURE);
          }
          database.update(
              "update component set deregistered_at = now(), updated_at = now() where id = ?",
              component.id());
          deregistered.deleteUnneeded(component.id());
          audit.record(access.account(), access.orgId(), "component.deregistered", name, Map.of());
          return true;
        });
  }
}
