package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Recheck;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.StoredBytes;
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
  private final RegistryReads reads;

  /**
   * What a registration has led to.
   *
   * @param isNew whether the component was not registered before
   */
  public record Result(ComponentView component, boolean isNew) {}

  private record KnownVersion(int number, byte[] hash) {}

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
      RegistryReads reads) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.changes = changes;
    this.recheck = recheck;
    this.audit = audit;
    this.quotas = quotas;
    this.storedBytes = storedBytes;
    this.egress = egress;
    this.credentials = credentials;
    this.reads = reads;
  }

  /**
   * Registers a component, or a further version of it, or changes what is not in its manifest.
   *
   * @param access granted for {@code org:configure}
   * @param name as the path has it
   * @param read reads the request's body, after the rate limit
   * @throws Problem {@code VALIDATION_ERROR} with all violations; {@code FORBIDDEN} for a delegated
   *     token; {@code NOT_FOUND} for the credential set; {@code CONFLICT} for another manifest of a
   *     known version, a version that is too low, one version too many, and a revoked set; {@code
   *     ARCHIVED}; {@code RATE_LIMITED} also if the quota of components is used up; {@code
   *     PAYLOAD_TOO_LARGE}
   */
  public Result register(OrganizationAccess access, String name, Supplier<JsonNode> read) {
    refuseDelegated(access);
    changes.take(access.account());
    if (!ManifestRules.isId(name)) {
      throw Problem.invalid("?name", ManifestRules.ID_RULE);
    }
    var wanted = Registration.of(read.get(), name);
    wanted
        .setupUrl()
        .filter(url -> !url.isEmpty())
        .ifPresent(url -> egress.check(access.account().accountId(), "/setupUrl", url));
    return changeLimiter.call(
        access,
        () -> {
          begin(access);
          var known = Component.of(access.orgId(), name);
          var component = known.orElseGet(() -> created(access, name));
          boolean hasNewVersion = addVersion(access, component, wanted);
          var changed = change(component, wanted);
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

  private static void refuseDelegated(OrganizationAccess access) {
    if (access.account().token().isDelegated()) {
      throw Problem.of(
              ErrorCode.FORBIDDEN,
              "Tokens of sprites, components and OAuth programs do not register components: what is"
                  + " installed from one works after the token has ended.")
          .hint("Use an access token of your own sign-in, or a personal access token.");
    }
  }

  /**
   * Runs changes of an organization's components one after another; each checks the right again.
   */
  private void begin(OrganizationAccess access) {
    database.lockName("components " + access.orgId());
    if (recheck.requireStill(access).isArchived()) {
      throw Archived.organization();
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
    var same = known(component, version);
    if (same.isPresent()) {
      if (!Arrays.equals(same.get().hash(), hash)) {
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

  private Optional<KnownVersion> known(Component component, String version) {
    return database.first(
        """
        select number, manifest_hash from component_version
        where component_id = ? and version = ?
        """,
        row -> new KnownVersion(row.getInt(1), row.getBytes(2)),
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
  private Set<String> change(Component component, Registration wanted) {
    var changed = new TreeSet<String>();
    var visibility = wanted.visibility().orElse(component.visibility);
    if (!visibility.equals(component.visibility)) {
      component.visibility = visibility;
      changed.add("visibility");
    }
    var setupUrl = text(wanted.setupUrl(), component.setupUrl);
    if (!Objects.equals(setupUrl, component.setupUrl)) {
      component.setupUrl = setupUrl;
      changed.add("setupUrl");
    }
    var set = text(wanted.credentialSetName(), component.credentialSet);
    if (!Objects.equals(set, component.credentialSet)) {
      component.credentialSet = set;
      changed.add("credentialSetName");
    }
    boolean mintsToken = wanted.mintsToken().orElse(component.mintsToken);
    if (mintsToken != component.mintsToken) {
      component.mintsToken = mintsToken;
      changed.add("mintsToken");
    }
    return changed;
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

  /** Refuses what the component could not use. */
  private void requireUsable(Component component, Registration wanted) {
    wanted
        .credentialSetName()
        .filter(set -> !set.isEmpty())
        .ifPresent(set -> credentials.requireUsableOfOrganization(component.orgId, set));
    var access = wanted.manifest().runtimeAccess();
    if (component.mintsToken && access.reads().isEmpty() && access.writes().isEmpty()) {
      throw Problem.invalid(
              wanted.mintsToken().isPresent() ? "/mintsToken" : "/manifest/runtimeAccess",
              "A component that mints a token needs `runtimeAccess`, which says what the token may"
                  + " do.")
          .hint("Add patterns to `runtimeAccess`, or set `mintsToken` to false.");
    }
  }

  private void recordChange(
      OrganizationAccess access,
      Component component,
      boolean isNew,
      Optional<String> version,
      Set<String> changed) {
    var details = new LinkedHashMap<String, String>();
    version.ifPresent(added -> details.put("version", added));
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
   * @throws Problem {@code NOT_FOUND}, {@code ARCHIVED}
   */
  public void deregister(OrganizationAccess access, String org, String name) {
    changeLimiter.call(
        access,
        () -> {
          begin(access);
          var component =
              database
                  .first(
                      """
                      select id from component
                      where org_id = ? and name = ? and deregistered_at is null for update
                      """,
                      row -> row.getObject(1, UUID.class),
                      access.orgId(),
                      name.toLowerCase(Locale.ROOT))
                  .orElseThrow(() -> Components.missing(org, name));
          deregister(component);
          audit.record(access.account(), access.orgId(), "component.deregistered", name, Map.of());
          return true;
        });
  }

  /**
   * Deletes what no install needs: all of it, if the component is installed nowhere. The row is
   * locked, so no installation begins meanwhile.
   */
  private void deregister(UUID componentId) {
    database.update(
        """
        delete from component c where c.id = ? and not exists (
          select from component_install i where i.component_id = c.id and i.number is not null)
        """,
        componentId);
    database.update(
        """
        delete from component_version v where v.component_id = ? and not exists (
          select from component_install i
          where i.component_id = v.component_id and i.number = v.number)
        """,
        componentId);
    database.update(
        """
        update component c
        set deregistered_at = now(), updated_at = now(),
            newest = (select max(v.number) from component_version v where v.component_id = c.id)
        where c.id = ?
        """,
        componentId);
  }
}
