package dev.cairn.access;

import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.access.Permission.REPO_CHECKPOINT_READ;
import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Names;
import dev.cairn.model.Problem;
import dev.cairn.platform.ClientGoneException;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The only class that grants access, by role and token, to what {@link ResourceLookup} finds. A
 * private repository is {@code NOT_FOUND} for a caller without a role in its organization, as if it
 * did not exist; a member that lacks the permission gets {@code FORBIDDEN}; an anonymous write to a
 * public repository is {@code UNAUTHENTICATED}. See {@code docs/access.md}.
 */
@ApplicationScoped
public class Authorizer {
  private static final Permission[] EXPORT = {REPO_READ, REPO_CHECKPOINT_READ};

  private final Database database;
  private final ResourceLookup resources;
  private final AccessMemory memory;
  private final Grants grants;
  private final LookUpLimit limit;

  /**
   * A caller's standing in an organization.
   *
   * @param role null for a caller who is not a member, and sees it because it has public
   *     repositories
   * @param anyOf the caller needs one of these permissions
   */
  public record OrganizationAccess(
      UUID orgId, boolean isArchived, Role role, Caller caller, List<Permission> anyOf) {

    /** The account that calls: a permission is granted to an account only. */
    public Caller.SignedIn account() {
      return (Caller.SignedIn) caller;
    }

    /** The private repositories that role and token together let the caller read; empty for all. */
    public Optional<Set<UUID>> readable() {
      return role != null && caller instanceof Caller.SignedIn account
          ? account.token().scopes().repositories(REPO_READ, orgId)
          : Optional.of(Set.of());
    }

    /** Whether role and token together let the caller read all of every repository. */
    public boolean canReadAll() {
      return role != null
          && role.grants(REPO_READ)
          && caller instanceof Caller.SignedIn account
          && account.token().scopes().carryForAll(REPO_READ, orgId);
    }

    /** The same access, to be checked for another permission. */
    public OrganizationAccess needing(Permission permission) {
      return new OrganizationAccess(orgId, isArchived, role, caller, List.of(permission));
    }

    /** The same access, unless role or token do not allow a permission. */
    public OrganizationAccess requiring(Permission permission) {
      if (!allows(permission)) {
        throw refusal(caller, permission);
      }
      return this;
    }

    /** Whether role and token together allow this too. */
    public boolean allows(Permission permission) {
      return grants(role, orgId, caller, permission);
    }
  }

  /**
   * An account's standing in what a scope entry is about.
   *
   * @param orgId null for everything
   * @param repoId null for a whole organization
   * @param role null for an outsider
   */
  public record Standing(UUID orgId, UUID repoId, Role role, boolean isPublic) {
    /**
     * The standing for an entry without a resource, which takes effect as far as each role allows.
     */
    public static final Standing EVERYWHERE = new Standing(null, null, Role.OWNER, false);

    /** Whether the account has a permission there, whatever its token carries. */
    public boolean grants(Permission permission) {
      return (isPublic && permission == REPO_READ) || (role != null && role.grants(permission));
    }
  }

  Authorizer(
      Database database,
      ResourceLookup resources,
      AccessMemory memory,
      Grants grants,
      LookUpLimit limit) {
    this.database = database;
    this.limit = limit;
    this.resources = resources;
    this.memory = memory;
    this.grants = grants;
  }

  /** Access to a repository for any one of the permissions. */
  public RepositoryAccess repository(Caller caller, String org, String repo, Permission... anyOf) {
    var access = find(caller, org, repo, anyOf);
    grants.keep(() -> authorizeAgain(access, anyOf));
    return access;
  }

  /**
   * Authorizes a granted access again, for one of the permissions. The name may belong to another
   * repository by now.
   *
   * @return the access as it is now
   * @throws Problem as {@link #repository} does for a new request
   */
  RepositoryAccess authorizeAgain(RepositoryAccess access, Permission... anyOf) {
    var now = find(access.caller(), access.org(), access.repo(), anyOf);
    if (!now.repoId().equals(access.repoId())) {
      throw Problem.notFound("The repository was just renamed or deleted.");
    }
    return now;
  }

  /**
   * Runs {@code work} with access to a repository for a permission. Cached access is used at once,
   * and verified by the first query of {@code work}. If it is outdated, {@code work} runs again
   * with newly authorized access, so it must have no effect outside of the database before that
   * query. See {@code docs/access.md}, Remembered access.
   */
  public <T> T call(
      Caller caller,
      String org,
      String repo,
      Permission permission,
      Function<RepositoryAccess, T> work) {
    var remembered = memory.repository(caller, org, repo);
    if (remembered.isPresent()) {
      var unchanged = memory.unchanged(caller, remembered.get());
      var access = granted(remembered.get(), caller, seq(caller, unchanged), permission);
      if (access.isPresent()) {
        grants.keep(() -> authorizeAgain(access.get(), permission));
        try {
          return verified(caller, unchanged, () -> work.apply(access.get()));
        } catch (AccessMemory.ChangedException _) {
          // Authorized again below.
        }
      }
    }
    return work.apply(repository(caller, org, repo, permission));
  }

  private LongSupplier seq(Caller caller, AccessMemory.Unchanged unchanged) {
    return () -> {
      confirm(caller, unchanged);
      return unchanged.seq();
    };
  }

  /**
   * Confirms access also when the work fails: the failure may reveal what only access shows. One
   * that says that there was no turn reveals nothing, and must not take a connection.
   */
  private <T> T verified(Caller caller, AccessMemory.Unchanged unchanged, Supplier<T> work) {
    T done;
    try {
      done = Database.onCondition(unchanged, work);
    } catch (ClientGoneException e) {
      throw e;
    } catch (RuntimeException e) {
      if (!(e instanceof Problem refusal && refusal.code() == ErrorCode.UNAVAILABLE)) {
        confirm(caller, unchanged);
        grants.tokenIsValid();
      }
      throw e;
    }
    confirm(caller, unchanged);
    grants.tokenIsValid();
    return done;
  }

  /** Asks, unless a query of the work has asked already. */
  private void confirm(Caller caller, AccessMemory.Unchanged unchanged) {
    if (unchanged.isMet()) {
      return;
    }
    switch (caller) {
      case Caller.Anonymous nobody ->
          limit.lookUp(
              nobody,
              () -> {
                database.confirm(unchanged);
                return true;
              });
      case Caller.SignedIn _ -> database.confirm(unchanged);
    }
  }

  /**
   * The repository that a caller may know of, whatever it may do there; empty if it may not.
   *
   * @throws Problem {@code UNAUTHENTICATED} if the caller's session has ended
   */
  public Optional<UUID> visible(Caller caller, String org, String repo) {
    try {
      return Optional.of(resources.repository(caller, org, repo).repoId());
    } catch (Problem e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private RepositoryAccess find(Caller caller, String org, String repo, Permission... anyOf) {
    var found = resources.repository(caller, org, repo);
    return granted(found, caller, found::seq, anyOf).orElseThrow(() -> refusal(caller, anyOf));
  }

  private static Optional<RepositoryAccess> granted(
      ResourceLookup.Repository found, Caller caller, LongSupplier seq, Permission... anyOf) {
    return Arrays.stream(anyOf)
        .map(permission -> narrowing(found, caller, permission))
        .flatMap(Optional::stream)
        // Of two permissions, the less narrowed one decides.
        .min(Comparator.comparing(narrowing -> !narrowing.isUnrestricted()))
        .map(narrowing -> access(found, caller, narrowing, seq));
  }

  /**
   * Access to all of a repository at once, as an export shows it: {@code repo:read} and {@code
   * repo:checkpoint-read}, neither of them narrowed, and not with a component token. See {@code
   * docs/access.md}, Exports.
   */
  public RepositoryAccess export(Caller caller, String org, String repo) {
    var found = resources.repository(caller, org, repo);
    refuseComponent(caller);
    for (var permission : EXPORT) {
      narrowing(found, caller, permission)
          .orElseThrow(() -> refusal(caller, " and ", EXPORT))
          .requireUnrestricted();
    }
    return access(found, caller, Narrowing.UNRESTRICTED, found::seq);
  }

  /** A component works with what its manifest names, and takes no repository away as a whole. */
  private static void refuseComponent(Caller caller) {
    if (caller instanceof Caller.SignedIn account
        && account.token() instanceof Caller.ComponentToken) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Component tokens do not export.")
          .hint("Use an access token of your own sign-in, or a personal access token.");
    }
  }

  private static RepositoryAccess access(
      ResourceLookup.Repository found, Caller caller, Narrowing narrowing, LongSupplier seq) {
    var visible = narrowing(found, caller, REPO_READ).map(narrowing::or).orElse(narrowing);
    return new RepositoryAccess(
        found.orgId(),
        found.repoId(),
        found.org(),
        found.repo(),
        found.isArchived(),
        found.role(),
        caller,
        narrowing,
        visible,
        MatchingBudget.ofRead(),
        seq,
        permission -> narrowing(found, caller, permission));
  }

  /** The narrowing of a permission that role and token together allow; empty if they do not. */
  private static Optional<Narrowing> narrowing(
      ResourceLookup.Repository found, Caller caller, Permission permission) {
    if (!found.grants(permission)) {
      return Optional.empty();
    }
    if (!(caller instanceof Caller.SignedIn account)) {
      return Optional.of(Narrowing.UNRESTRICTED);
    }
    var scopes = account.token().scopes();
    var carried = scopes.narrowing(permission, found.orgId(), found.repoId());
    boolean readsAsAnonymous =
        permission == REPO_READ && found.isPublic() && !scopes.cover(found.orgId(), found.repoId());
    return readsAsAnonymous ? Optional.of(Narrowing.UNRESTRICTED) : carried;
  }

  /**
   * Access to those of some repositories that the caller may read. To be called within a read, or
   * for a caller without credentials within {@link LookUpLimit#lookUp}.
   *
   * @param names as {@code org/repo}, in lower case
   */
  public Map<String, RepositoryAccess> readable(Caller caller, Set<String> names) {
    var readable = new HashMap<String, RepositoryAccess>();
    for (var found : resources.repositories(caller, names)) {
      narrowing(found, caller, REPO_READ)
          .ifPresent(
              narrowing ->
                  readable.put(found.fullName(), access(found, caller, narrowing, found::seq)));
    }
    return readable;
  }

  /** The account's standing in {@code org/repo} or {@code org}, as a request's body names it. */
  public Standing standing(Caller.SignedIn account, String resource) {
    int slash = resource.indexOf('/');
    if (slash < 0) {
      var found = resources.organization(account, Names.orgSyntax(resource));
      return new Standing(found.id(), null, found.role(), false);
    }
    var org = Names.orgSyntax(resource.substring(0, slash));
    var repo = Names.repo(resource.substring(slash + 1));
    var found = resources.repository(account, org, repo);
    return new Standing(found.orgId(), found.repoId(), found.role(), found.isPublic());
  }

  /** Access to an organization for any one of the permissions. */
  public OrganizationAccess organization(Caller caller, String name, Permission... anyOf) {
    var access = find(caller, name, anyOf);
    grants.keep(
        () -> {
          if (!find(caller, name, anyOf).orgId().equals(access.orgId())) {
            throw Problem.notFound("The organization was just renamed or deleted.");
          }
        });
    return access;
  }

  /**
   * Access of a member that may read an organization; empty for everybody else, as for an
   * organization that does not exist. For what an organization shows only to its members, or shows
   * to others although they may not know of it.
   *
   * @throws Problem {@code UNAUTHENTICATED} if the caller's session has ended
   */
  public Optional<OrganizationAccess> member(Caller caller, String name) {
    var access = findMember(caller, name);
    if (access.isPresent()) {
      grants.keep(
          () -> {
            if (findMember(caller, name).isEmpty()) {
              throw Problem.notFound("The membership was just ended.");
            }
          });
    }
    return access;
  }

  private Optional<OrganizationAccess> findMember(Caller caller, String name) {
    if (caller instanceof Caller.Anonymous) {
      return Optional.empty();
    }
    try {
      var found = resources.organization(caller, name);
      return grants(found.role(), found.id(), caller, ORG_READ)
          ? Optional.of(
              new OrganizationAccess(
                  found.id(), found.isArchived(), found.role(), caller, List.of(ORG_READ)))
          : Optional.empty();
    } catch (Problem e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private OrganizationAccess find(Caller caller, String name, Permission... anyOf) {
    var found = resources.organization(caller, name);
    return granted(
        new OrganizationAccess(
            found.id(), found.isArchived(), found.role(), caller, List.of(anyOf)));
  }

  /** The access, if role and token allow one of the permissions; otherwise it is refused. */
  static OrganizationAccess granted(OrganizationAccess access) {
    if (access.anyOf().stream().noneMatch(access::allows)) {
      throw refusal(access.caller(), access.anyOf().toArray(Permission[]::new));
    }
    return access;
  }

  /**
   * Access to end a membership of an organization. Ending one's own takes no permission: nobody has
   * to stay where others have put them. It takes a token that nothing narrows.
   *
   * @param own whether it is the caller's
   */
  public OrganizationAccess toEndMembership(Caller caller, String name, boolean own) {
    boolean leaves =
        own
            && caller instanceof Caller.SignedIn account
            && account.token().scopes().isUnrestricted();
    // Every role has org:read, so this checks no more than whether the caller is a member.
    return organization(caller, name, leaves ? ORG_READ : ORG_CONFIGURE);
  }

  /** Access to what the caller may see of an organization: as a member, or of its public side. */
  public OrganizationAccess visibleOrganization(Caller caller, String name) {
    var found = resources.organization(caller, name);
    if (grants(found.role(), found.id(), caller, ORG_READ)) {
      return new OrganizationAccess(
          found.id(), found.isArchived(), found.role(), caller, List.of(ORG_READ));
    }
    if (!found.hasPublic()) {
      throw refusal(caller, ORG_READ);
    }
    return new OrganizationAccess(found.id(), found.isArchived(), null, caller, List.of(ORG_READ));
  }

  private static boolean grants(Role role, UUID orgId, Caller caller, Permission permission) {
    return role != null
        && role.grants(permission)
        && caller instanceof Caller.SignedIn account
        && account.token().scopes().carry(permission, orgId);
  }

  static Problem refusal(Caller caller, Permission... anyOf) {
    return refusal(caller, " or ", anyOf);
  }

  static Problem refusal(Caller caller, String between, Permission... permissions) {
    if (caller instanceof Caller.Anonymous) {
      return Problem.of(ErrorCode.UNAUTHENTICATED, "This needs `Authorization: Bearer <token>`.");
    }
    var needed =
        Arrays.stream(permissions).map(Permission::scope).collect(Collectors.joining(between));
    return Problem.of(ErrorCode.FORBIDDEN, "This needs the permission " + needed + ".")
        .hint(
            "Use a token whose scopes include it, or ask an owner of the organization for a role that grants it.");
  }

  static Role role(String wire) {
    return Role.of(wire).orElse(null);
  }
}
