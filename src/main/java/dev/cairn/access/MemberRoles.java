package dev.cairn.access;

import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** The present roles of accounts, for what the service does by itself on their behalf. */
@ApplicationScoped
public class MemberRoles {
  private final Database database;

  /** Reads the roles from this database. */
  public MemberRoles(Database database) {
    this.database = database;
  }

  /** The role of an account in the organization of a repository; empty if it has none. */
  public Optional<Role> in(UUID repoId, UUID accountId) {
    return database
        .first(
            """
            select m.role from repository r
            join member m on m.org_id = r.org_id and m.account_id = ? where r.id = ?
            """,
            row -> row.getString(1),
            accountId,
            repoId)
        .flatMap(Role::of);
  }

  /** The role of an account in an organization; empty if it has none. */
  public Optional<Role> ofMember(UUID orgId, UUID accountId) {
    return database
        .first(
            "select role from member where org_id = ? and account_id = ?",
            row -> row.getString(1),
            orgId,
            accountId)
        .flatMap(Role::of);
  }

  /** Whether the role of an account in the organization of a repository grants a permission. */
  public boolean grant(UUID repoId, UUID accountId, Permission permission) {
    return in(repoId, accountId).filter(role -> role.grants(permission)).isPresent();
  }
}
