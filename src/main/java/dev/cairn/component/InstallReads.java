package dev.cairn.component;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.component.ComponentInstalls.Install;
import dev.cairn.component.ComponentInstalls.State;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads the components of a repository; see {@code docs/components.md}, Installing. */
@ApplicationScoped
public class InstallReads {
  private static final String LIST =
      """
      select i.id, o.name || '/' || c.name as component, o.name as org, c.org_id, v.version,
             v.manifest_hash, i.state, a.email, i.created_at, i.updated_at,
             n.version as newest_version,
             c.visibility = 'public' as is_public, c.deregistered_at is not null as is_deregistered
      from component_install i
      join component c on c.id = i.component_id
      join organization o on o.id = c.org_id
      join component_version v on v.component_id = i.component_id and v.number = i.number
      join component_version n on n.component_id = c.id and n.number = c.newest
      left join account a on a.id = i.installed_by
      where i.repo_id = ? order by i.id
      """;

  private final Database database;
  private final ReadBounds bounds;
  private final ComponentInstalls installs;
  private final Components components;

  /**
   * A component of a repository.
   *
   * @param component as {@code org/name}; null if the caller may not know of it, and may neither
   *     write nor configure the repository
   * @param version null like {@code component}
   * @param manifestHash null like {@code component}
   * @param state as {@link State#wire} has it, never that it is only resolved
   * @param installedBy the e-mail address of the account; null if it was deleted, or the caller may
   *     not see it
   * @param newestVersion null if the component is no longer registered, or the caller may not see
   *     it
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record InstallView(
      UUID installId,
      String component,
      String version,
      String manifestHash,
      String state,
      String installedBy,
      Instant createdAt,
      Instant updatedAt,
      String newestVersion) {}

  /** An install with its component, at the version that is installed. */
  record Found(Install install, Registered component) {}

  private record Row(
      InstallView view, String org, UUID orgId, boolean isPublic, boolean isDeregistered) {}

  InstallReads(
      Database database, ReadBounds bounds, ComponentInstalls installs, Components components) {
    this.database = database;
    this.bounds = bounds;
    this.installs = installs;
    this.components = components;
  }

  /** The components of a repository, the oldest first, but those that were only resolved. */
  public List<InstallView> list(RepositoryAccess access) {
    var rows = bounds.within(access, () -> database.list(LIST, InstallReads::row, access.repoId()));
    var memberOf = new HashMap<String, Optional<UUID>>();
    return rows.stream().map(row -> shown(access, row, memberOf)).toList();
  }

  private InstallView shown(
      RepositoryAccess access, Row row, Map<String, Optional<UUID>> memberOf) {
    var view = row.view();
    boolean isVisible = row.isPublic() || isMember(access.caller(), row, memberOf);
    boolean isNamed = isVisible || access.seesDetails();
    return new InstallView(
        view.installId(),
        isNamed ? view.component() : null,
        isNamed ? view.version() : null,
        isNamed ? view.manifestHash() : null,
        view.state(),
        access.seesDetails() ? view.installedBy() : null,
        view.createdAt(),
        view.updatedAt(),
        isVisible && !row.isDeregistered() ? view.newestVersion() : null);
  }

  private boolean isMember(Caller caller, Row row, Map<String, Optional<UUID>> memberOf) {
    return memberOf
        .computeIfAbsent(row.org(), org -> components.organizationOfMember(caller, org))
        .filter(row.orgId()::equals)
        .isPresent();
  }

  /**
   * An install that is not only resolved.
   *
   * @throws Problem {@code NOT_FOUND}
   */
  Found find(RepositoryAccess access, UUID installId) {
    return bounds.within(
        access,
        () ->
            installs
                .find(access.repoId(), installId)
                .filter(install -> install.state() != State.RESOLVED)
                .flatMap(
                    install ->
                        components
                            .at(install.componentId(), install.number())
                            .map(component -> new Found(install, component)))
                .orElseThrow(() -> missing(installId.toString())));
  }

  /**
   * The id of an install in a path.
   *
   * @throws Problem {@code NOT_FOUND} for a text that is no id
   */
  public static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException _) {
      throw missing(Excerpt.of(text));
    }
  }

  /** The problem that a repository has no such install. */
  static Problem missing(String installId) {
    return Problem.notFound("No component is installed here as `%s`.".formatted(installId))
        .hint("`GET …/components` lists those that are.");
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        new InstallView(
            row.getObject("id", UUID.class),
            row.getString("component"),
            row.getString("version"),
            HexFormat.of().formatHex(row.getBytes("manifest_hash")),
            row.getString("state"),
            row.getString("email"),
            Rows.instant(row, "created_at"),
            Rows.instant(row, "updated_at"),
            row.getString("newest_version")),
        row.getString("org"),
        row.getObject("org_id", UUID.class),
        row.getBoolean("is_public"),
        row.getBoolean("is_deregistered"));
  }
}
