package dev.cairn.subscription;

import dev.cairn.access.Permission;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.Role;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The credential sets of installed components: they are created without keys, whose values people
 * set. See {@code docs/components.md}, Installing.
 */
@ApplicationScoped
public class InstalledCredentials {
  private final Database database;
  private final ManagedCredentials managed;
  private final BoundCalls bound;

  /**
   * A credential set of a repository.
   *
   * @param installId the install that it belongs to; null for none
   * @param values the names of the keys whose values count: the account that set them may still
   *     configure the repository
   */
  public record Stored(String name, UUID installId, boolean isRevoked, Set<String> values) {}

  private record Key(UUID installId, boolean isRevoked, String key, String role) {}

  InstalledCredentials(Database database, ManagedCredentials managed, BoundCalls bound) {
    this.database = database;
    this.managed = managed;
    this.bound = bound;
  }

  /** The set of a repository with this name. */
  public Optional<Stored> find(RepositoryAccess access, String name) {
    var keys =
        database.list(
            """
            select c.install_id, c.revoked_at is not null as is_revoked, k.name as key, m.role
            from credential_set c
            left join credential_key k on k.set_id = c.id
            left join member m on m.org_id = c.org_id and m.account_id = k.set_by
            where c.org_id = ? and c.repo_id = ? and c.name = ?
            """,
            row ->
                new Key(
                    row.getObject("install_id", UUID.class),
                    row.getBoolean("is_revoked"),
                    row.getString("key"),
                    row.getString("role")),
            access.orgId(),
            access.repoId(),
            name);
    return keys.stream()
        .findFirst()
        .map(
            first ->
                new Stored(
                    name,
                    first.installId(),
                    first.isRevoked(),
                    keys.stream()
                        .filter(InstalledCredentials::counts)
                        .map(Key::key)
                        .collect(Collectors.toSet())));
  }

  /** The names of the sets of an install, without those that are revoked. */
  public List<String> of(RepositoryAccess access, UUID installId) {
    return database.list(
        """
        select name from credential_set
        where org_id = ? and repo_id = ? and install_id = ? and revoked_at is null order by name
        """,
        row -> row.getString("name"),
        access.orgId(),
        access.repoId(),
        installId);
  }

  private static boolean counts(Key key) {
    return Optional.ofNullable(key.role())
        .flatMap(Role::of)
        .filter(role -> role.grants(Permission.REPO_CONFIGURE))
        .isPresent();
  }

  /** See {@link BoundCalls#isBoundElsewhere}. */
  public boolean isBoundElsewhere(RepositoryAccess access, UUID installId, String name) {
    return bound.isBoundElsewhere(access.repoId(), installId, name);
  }

  /**
   * Refuses some more sets if the repository would have too many.
   *
   * @throws Problem {@code CONFLICT}
   */
  public void refuseMore(RepositoryAccess access, int more) {
    long present =
        database
            .first(
                "select count(*) from credential_set where repo_id = ?",
                row -> row.getLong(1),
                access.repoId())
            .orElseThrow();
    if (more > 0 && present + more > ManagedCredentials.MAX_SETS) {
      throw ManagedCredentials.tooMany();
    }
  }

  /**
   * Creates a set without keys, if it is missing, in a transaction of its own.
   *
   * @param access granted for {@code repo:configure}
   * @param description null for none
   * @param requireCurrent throws if another installation or a teardown has begun since; it runs
   *     once no other change of the repository's sets can come between
   * @throws Problem {@code CONFLICT} if a set has the name that does not belong to the install, if
   *     calls of others are bound to the name, and for one too many; {@code FORBIDDEN} if the
   *     caller may not change what is bound to the name; {@code ARCHIVED}
   */
  public void install(
      RepositoryAccess access,
      UUID installId,
      String name,
      String description,
      Runnable requireCurrent) {
    managed.install(access, installId, name, description, requireCurrent);
  }

  /** Why a set of that name is not made. */
  public static String whyBound(String name) {
    return ("Subscriptions of others, the notification URL, or methods of other components use the"
            + " name `%s`: a new credential set would change what they send.")
        .formatted(name);
  }

  static Problem nameBound(String name) {
    return Problem.of(ErrorCode.CONFLICT, whyBound(name))
        .with("reason", "name_bound")
        .hint("Unbind them, and install the component again.");
  }

  static Problem taken(String name) {
    return Problem.of(
            ErrorCode.CONFLICT,
            "The credential set `%s` does not belong to the component.".formatted(name))
        .with("reason", "credential_set_taken")
        .hint("Delete that set, and install the component again.");
  }
}
