package dev.cairn.tenant;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Role;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import dev.cairn.platform.Page;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.hibernate.exception.ConstraintViolationException;

/** Makes and shows organizations. */
@ApplicationScoped
public class Organizations {
  private static final int MAX_DISPLAY_NAME = 200;
  private static final int MAX_DESCRIPTION = 2_000;

  private final Database database;

  Organizations(Database database) {
    this.database = database;
  }

  /** Makes an organization whose owner is {@code accountId}. */
  @Transactional
  public OrganizationView create(
      UUID accountId, String name, String displayName, String description) {
    var organization = new Organization();
    organization.id = Ids.next();
    organization.name = checkedName(name);
    organization.displayName = text("/displayName", displayName, MAX_DISPLAY_NAME);
    organization.description = text("/description", description, MAX_DESCRIPTION);
    organization.createdAt = Instant.now();
    return create(organization, accountId);
  }

  /**
   * Makes the organization that comes with an account, under the first free name.
   *
   * @param wanted the name to begin with; made fit where it is none
   */
  @Transactional
  public OrganizationView createPersonal(UUID accountId, String wanted) {
    var organization = new Organization();
    organization.id = Ids.next();
    organization.name = freeName(wanted);
    organization.personal = true;
    organization.createdAt = Instant.now();
    return create(organization, accountId);
  }

  /** The organizations that the account is a member of, by name. */
  public Page<OrganizationView> of(UUID accountId, int limit, Optional<String> cursor) {
    var list = "orgs " + accountId;
    var after = cursor.map(c -> Cursor.keys(list, c).getFirst()).orElse("");
    var rows =
        database.list(
            """
            select o.name, o.display_name, o.description, m.role, o.personal,
                   o.archived_at, o.created_at
            from member m join organization o on o.id = m.org_id
            where m.account_id = ? and o.name collate "C" > ?
            order by o.name collate "C" limit ?
            """,
            row ->
                new OrganizationView(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    row.getBoolean(5),
                    Rows.instant(row, 6),
                    Rows.instant(row, 7)),
            accountId,
            after,
            limit + 1);
    return Page.of(rows, limit, last -> Cursor.of(list, last.name()));
  }

  /** One organization; outsiders see its public side only. */
  @Transactional
  public OrganizationView get(OrganizationAccess access) {
    Organization organization = Organization.findById(access.orgId());
    return view(organization, access.role());
  }

  /** Changes what was given; null leaves a field as it is. */
  @Transactional
  public OrganizationView update(
      OrganizationAccess access, String displayName, String description, Boolean archived) {
    text("/displayName", displayName, MAX_DISPLAY_NAME);
    text("/description", description, MAX_DESCRIPTION);
    Organization organization = Organization.findById(access.orgId());
    if (organization.archivedAt != null && !Boolean.FALSE.equals(archived)) {
      throw Problem.of(ErrorCode.ARCHIVED, "The organization is archived.");
    }
    if (displayName != null) {
      organization.displayName = displayName;
    }
    if (description != null) {
      organization.description = description;
    }
    if (archived != null) {
      organization.archivedAt = archived ? Instant.now() : null;
    }
    return view(organization, access.role());
  }

  private OrganizationView create(Organization organization, UUID accountId) {
    if (Organization.count("name", organization.name) > 0) {
      throw taken(organization);
    }
    try {
      organization.persistAndFlush();
    } catch (ConstraintViolationException e) {
      // Somebody else was faster by a moment.
      throw taken(organization);
    }
    var owner = new Member();
    owner.orgId = organization.id;
    owner.accountId = accountId;
    owner.role = Role.OWNER.wire();
    owner.createdAt = organization.createdAt;
    // Plain SQL in the same transaction must see it.
    owner.persistAndFlush();
    return view(organization, Role.OWNER);
  }

  private static Problem taken(Organization organization) {
    return Problem.of(
        ErrorCode.ALREADY_EXISTS,
        "There is an organization `%s` already.".formatted(organization.name));
  }

  private static String freeName(String wanted) {
    var base = wanted.toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    base = base.replaceAll("^-+|-+$", "");
    base = base.isEmpty() ? "home" : base.substring(0, Math.min(base.length(), 80));
    for (int i = 1; ; i++) {
      var name = i == 1 ? base : base + "-" + i;
      if (isAllowed(name) && Organization.count("name", name) == 0) {
        return name;
      }
    }
  }

  private static boolean isAllowed(String name) {
    try {
      Names.org(name);
      return true;
    } catch (Problem e) {
      return false;
    }
  }

  private static String checkedName(String name) {
    if (name == null) {
      throw Problem.invalid("/name", "`name` is required.");
    }
    try {
      return Names.org(name);
    } catch (Problem e) {
      throw e.at("/name");
    }
  }

  static String text(String pointer, String text, int most) {
    if (text != null && text.codePointCount(0, text.length()) > most) {
      throw Problem.invalid(
          pointer, "`%s` has at most %d characters.".formatted(pointer.substring(1), most));
    }
    return text;
  }

  private static OrganizationView view(Organization organization, Role role) {
    return new OrganizationView(
        organization.name,
        organization.displayName,
        organization.description,
        role == null ? null : role.wire(),
        role == null ? null : organization.personal,
        organization.archivedAt,
        organization.createdAt);
  }
}
