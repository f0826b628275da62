package dev.cairn.component;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.component.Registered.Version;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds registered components. A private component is shown to callers that may read its
 * organization as members of it ({@code org:read}); for all others it is as if it did not exist.
 * See {@code docs/components.md}, Registering.
 */
@ApplicationScoped
class Components {
  private static final String COLUMNS =
      """
      select c.id, c.org_id, o.name as org, c.name, c.visibility = 'public' as is_public,
             c.setup_url, c.credential_set, c.setup_url_by, c.credential_set_by, c.mints_token,
             c.deregistered_at is not null as is_deregistered, c.created_at, c.updated_at,
             v.number, v.version, v.manifest, v.manifest_hash, v.created_at as version_created_at
      from component c
      join organization o on o.id = c.org_id
      join component_version v on v.component_id = c.id
      """;

  /** The parameters are the id of the organization that the caller is a member of, or null. */
  static final String VISIBLE =
      " c.deregistered_at is null and (c.visibility = 'public' or c.org_id = ?::uuid) ";

  private final Database database;
  private final ReadBounds bounds;
  private final Authorizer authorizer;

  Components(Database database, ReadBounds bounds, Authorizer authorizer) {
    this.database = database;
    this.bounds = bounds;
    this.authorizer = authorizer;
  }

  /**
   * The newest version of a component that the caller may see.
   *
   * @throws Problem {@code NOT_FOUND}
   */
  Registered find(Caller caller, String org, String name) {
    return find(caller, org, name, Optional.empty());
  }

  /**
   * A component that the caller may see, at a version.
   *
   * @param version empty for the newest
   * @throws Problem {@code NOT_FOUND} for the component or the version
   */
  Registered find(Caller caller, String org, String name, Optional<String> version) {
    var memberOf = organizationOfMember(caller, org).orElse(null);
    return bounds.within(
        caller,
        () -> {
          var newest = newest(memberOf, org, name);
          return version
              .filter(wanted -> !wanted.equals(newest.version().version()))
              .map(wanted -> at(newest, wanted))
              .orElse(newest);
        });
  }

  /** The id of an organization, if the caller may read it as its member. */
  Optional<UUID> organizationOfMember(Caller caller, String org) {
    return authorizer.member(caller, org).map(Authorizer.OrganizationAccess::orgId);
  }

  /** Whether the caller may see a component that is registered. */
  boolean isVisible(Caller caller, Registered component) {
    return component.isPublic()
        || organizationOfMember(caller, component.org())
            .filter(component.orgId()::equals)
            .isPresent();
  }

  private Registered newest(UUID memberOf, String org, String name) {
    return database
        .first(
            COLUMNS + "where o.name = ? and c.name = ? and v.number = c.newest and" + VISIBLE,
            Components::registered,
            org.toLowerCase(Locale.ROOT),
            name.toLowerCase(Locale.ROOT),
            memberOf)
        .orElseThrow(() -> missing(org, name));
  }

  private Registered at(Registered component, String version) {
    return database
        .first(
            COLUMNS + "where c.id = ? and v.version = ?",
            Components::registered,
            component.id(),
            version)
        .orElseThrow(
            () ->
                Problem.notFound(
                    "`%s` has no version `%s`."
                        .formatted(component.fullName(), Excerpt.of(version))));
  }

  /**
   * The newest version of a registered component, in the transaction that has changed it.
   *
   * @throws Problem {@code NOT_FOUND}
   */
  Registered of(UUID orgId, String name) {
    return database
        .first(
            COLUMNS
                + "where c.org_id = ? and c.name = ? and v.number = c.newest"
                + " and c.deregistered_at is null",
            Components::registered,
            orgId,
            name)
        .orElseThrow(() -> Problem.notFound("The component was just deregistered."));
  }

  /**
   * A component at one of its versions, whoever asks: for callers that may see where it is
   * installed.
   *
   * @return empty if there is no such component or version
   */
  Optional<Registered> at(UUID componentId, int number) {
    return database.first(
        COLUMNS + "where c.id = ? and v.number = ?", Components::registered, componentId, number);
  }

  /**
   * Whether a component mints tokens. If it does, this locks its row until the surrounding
   * transaction ends, so a change that ends minting comes later and also ends the token.
   */
  boolean lockIfMinting(UUID componentId) {
    return database
        .first(
            """
            select from component where id = ? and mints_token and deregistered_at is null for share
            """,
            _ -> true,
            componentId)
        .isPresent();
  }

  /** The newest version of a component, whoever asks, also of one that was deregistered. */
  Optional<Registered> newest(UUID componentId) {
    return database.first(
        COLUMNS + "where c.id = ? and v.number = c.newest", Components::registered, componentId);
  }

  /** The problem that there is no such component for the caller. */
  static Problem missing(String org, String name) {
    return Problem.notFound(
        "There is no component `%s/%s`, or you may not see it."
            .formatted(Excerpt.of(org), Excerpt.of(name)));
  }

  private static Registered registered(ResultSet row) throws SQLException {
    return new Registered(
        row.getObject("id", UUID.class),
        row.getObject("org_id", UUID.class),
        row.getString("org"),
        row.getString("name"),
        row.getBoolean("is_public"),
        row.getString("setup_url"),
        row.getString("credential_set"),
        row.getObject("setup_url_by", UUID.class),
        row.getObject("credential_set_by", UUID.class),
        row.getBoolean("mints_token"),
        row.getBoolean("is_deregistered"),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"),
        new Version(
            row.getInt("number"),
            row.getString("version"),
            row.getString("manifest"),
            HexFormat.of().formatHex(row.getBytes("manifest_hash")),
            Rows.instant(row, "version_created_at")));
  }
}
