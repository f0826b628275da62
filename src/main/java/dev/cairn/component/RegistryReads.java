package dev.cairn.component;

import static dev.cairn.access.Permission.ORG_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows the registered components of organizations: the public ones to everybody, all of them to
 * members. See {@code docs/components.md}, Registering.
 */
@ApplicationScoped
public class RegistryReads {
  private static final String PAGE =
      """
      select o.name as org, c.name, v.title, v.description, c.visibility, v.version,
             v.manifest_hash, c.setup_url is not null as has_setup, c.mints_token, c.created_at,
             c.updated_at,
      """
          // 1,024 for everything but the texts of the manifest.
          + Pager.fits(
              "1024 + " + Pager.jsonBytes("v.title") + " + " + Pager.jsonBytes("v.description"))
          + """
           from component c
          join organization o on o.id = c.org_id
          join component_version v on v.component_id = c.id and v.number = c.newest
          where o.name = ? and c.name > ? and
          """
          + Components.VISIBLE
          + Pager.inOrder("c.name")
          + " limit ?";

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final Authorizer authorizer;
  private final Components components;

  RegistryReads(
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      Authorizer authorizer,
      Components components) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.authorizer = authorizer;
    this.components = components;
  }

  /**
   * The components of an organization that the caller may see, by name.
   *
   * @throws Problem {@code NOT_FOUND} for callers that may not read the organization as members of
   *     it, if it has no public component or does not exist
   */
  public Page<ComponentView.Item> list(
      Caller caller, String org, int limit, Optional<String> cursor) {
    var name = org.toLowerCase(Locale.ROOT);
    var list = "components " + name;
    var memberOf = components.organizationOfMember(caller, name).orElse(null);
    var after = cursor.map(c -> cursors.read(list, c, List::getFirst)).orElse("");
    var page =
        bounds.within(
            caller,
            () ->
                new Pager(cursors, list, limit)
                    .read(
                        database,
                        PAGE,
                        RegistryReads::item,
                        last -> List.of(last.name()),
                        PageBytes.max(),
                        name,
                        after,
                        memberOf,
                        limit + 1));
    if (page.items().isEmpty() && memberOf == null && cursor.isEmpty()) {
      throw Problem.notFound(
          "There is no organization `%s` with components, or you may not see them."
              .formatted(Excerpt.of(org)));
    }
    return page;
  }

  /**
   * A component that the caller may see.
   *
   * @param version empty for the newest
   * @throws Problem {@code NOT_FOUND} for the component or the version
   */
  public ComponentView get(Caller caller, String org, String name, Optional<String> version) {
    var found = components.find(caller, org, name, version);
    boolean configures =
        authorizer
            .member(caller, org)
            .filter(access -> access.orgId().equals(found.orgId()))
            .filter(access -> access.allows(ORG_CONFIGURE))
            .isPresent();
    return bounds.within(caller, () -> view(found, configures));
  }

  /** A component for a caller that has just changed it. */
  ComponentView of(OrganizationAccess access, String name) {
    return view(components.of(access.orgId(), name), true);
  }

  private ComponentView view(Registered found, boolean configures) {
    return new ComponentView(
        found.org(),
        found.name(),
        found.isPublic() ? Component.PUBLIC : Component.PRIVATE,
        found.version().version(),
        versions(found),
        found.version().json(),
        found.version().hash(),
        found.hasSetup(),
        configures ? found.setupUrl() : null,
        configures ? found.credentialSet() : null,
        found.mintsToken(),
        found.createdAt(),
        found.updatedAt());
  }

  private List<ComponentView.Version> versions(Registered found) {
    return database.list(
        """
        select version, manifest_hash, created_at from component_version
        where component_id = ? order by number desc
        """,
        row ->
            new ComponentView.Version(
                row.getString("version"),
                HexFormat.of().formatHex(row.getBytes("manifest_hash")),
                Rows.instant(row, "created_at")),
        found.id());
  }

  private static ComponentView.Item item(ResultSet row) throws SQLException {
    return new ComponentView.Item(
        row.getString("org"),
        row.getString("name"),
        row.getString("title"),
        row.getString("description"),
        row.getString("visibility"),
        row.getString("version"),
        HexFormat.of().formatHex(row.getBytes("manifest_hash")),
        row.getBoolean("has_setup"),
        row.getBoolean("mints_token"),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "updated_at"));
  }
}
