package dev.cairn.access;

import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Authorizes again what the {@link Authorizer} granted to a request that then waited for a lock:
 * the right may have been revoked meanwhile, by a request that was already answered. See {@code
 * docs/access.md}, Order of checks.
 */
@ApplicationScoped
public class Recheck {
  /**
   * How long a change of an organization or its members waits for the changes that hold it, each of
   * which may wait for commits ({@link dev.cairn.content.RepositoryHeads}).
   */
  public static final Duration MAX_WAIT_FOR_ORGANIZATION = Duration.ofSeconds(25);

  /**
   * A condition on {@code repository r}: that the account's role still grants a permission, and
   * that neither its session was ended, nor its personal access token revoked or expired, nor the
   * subscription of its service token deleted, nor its component token ended ({@link
   * LiveComponentToken}). For the last check of a request that had to wait; its parameters are
   * {@link #parameters}.
   */
  public static final String CONDITION = condition("?", "?", "?", "?", "?");

  /**
   * A condition on {@code repository r} and each of the rows {@code h (account_id, pat, run_id,
   * session_id, component_token)}, the parts of {@link Holder}, whose account is null for callers
   * without credentials: that it may still read the repository. Its one parameter is {@link #roles}
   * of {@code repo:read}.
   */
  static final String READS_OF_ROWS =
      """
      (r.visibility = 'public' or exists (
        select from member m
        where m.org_id = r.org_id and m.account_id = h.account_id and m.role = any (?)))
      and
      """
          + tokenCondition(
              "h.account_id", "h.pat", "h.run_id", "h.session_id", "h.component_token");

  /** A row if a personal access token was revoked or has expired, or a session was ended. */
  private static final String ENDED =
      """
      select from personal_access_token
      where account_id = ? and name = ?
        and (revoked_at is not null or expires_at <= clock_timestamp())
      union all
      select where not %s
      """
          .formatted(LiveSession.CONDITION);

  /** The same, and a row if the token of a run or of a component has ended. */
  private static final String ENDED_OF_ANY_KIND =
      ENDED
          + """
          union all
          select where ?::uuid is not null and not exists (
            select from action_run a
            join subscription s on s.repo_id = a.repo_id and s.id = a.subscription_id
            where a.id = ?::uuid)
          union all
          select where ?::text is not null and not exists (
            select from %s
            where t.hash = decode(?::text, 'hex') and %s)
          """
              .formatted(LiveComponentToken.ROWS, LiveComponentToken.CONDITION);

  private static final int HOLDER_PARTS = 5;

  private final Database database;
  private final Authorizer authorizer;

  /**
   * An account and the token with which it was granted something, to check later whether both still
   * allow it.
   *
   * @param pat the name of a personal access token, or null
   * @param runId the run of a service token, or null
   * @param sessionId the session of an access token, or null
   * @param componentToken the hash of a component token in hexadecimal, or null
   */
  public record Holder(
      UUID accountId, String pat, UUID runId, UUID sessionId, String componentToken) {
    public static Holder of(Caller.SignedIn account) {
      return new Holder(
          account.accountId(),
          account.patNameOrNull(),
          account.runIdOrNull(),
          account.sessionIdOrNull(),
          account.componentTokenOrNull());
    }

    /** Reads what {@link #toString} wrote; {@link IllegalArgumentException} for any other text. */
    public static Holder parse(String text) {
      var parts = text.split("\\.", -1);
      if (parts.length != HOLDER_PARTS) {
        throw new IllegalArgumentException("not a holder");
      }
      return new Holder(
          UUID.fromString(parts[0]),
          text(parts[1]),
          uuid(parts[2]),
          uuid(parts[3]),
          text(parts[4]));
    }

    private static String text(String text) {
      return text.isEmpty() ? null : text;
    }

    private static UUID uuid(String text) {
      return text.isEmpty() ? null : UUID.fromString(text);
    }

    /** As a URL can hold it: no part has a dot. */
    @Override
    public String toString() {
      return Stream.of(accountId, pat, runId, sessionId, componentToken)
          .map(part -> part == null ? "" : part.toString())
          .collect(Collectors.joining("."));
    }
  }

  private static String condition(
      String account, String pat, String run, String session, String componentToken) {
    return """
    exists (
      select from member m
      where m.org_id = r.org_id and m.account_id = %1$s::uuid and m.role = any (?)
        and %2$s)
    """
        .formatted(account, tokenCondition("m.account_id", pat, run, session, componentToken));
  }

  /**
   * A condition on {@code repository r} and each of the rows {@code h} of these holders, which have
   * the columns of {@link #READS_OF_ROWS}: that its token, if it has one, is still what it was, as
   * in {@link #CONDITION}; it does not ask for the role. Kinds of tokens that none of the holders
   * has are left out, because each costs the statement the set-up of a subquery, at every commit.
   */
  public static String tokenConditionOfRows(List<Holder> holders) {
    return tokenCondition(
        "h.account_id",
        columnIfUsed(holders, Holder::pat, "h.pat"),
        columnIfUsed(holders, Holder::runId, "h.run_id"),
        columnIfUsed(holders, Holder::sessionId, "h.session_id"),
        columnIfUsed(holders, Holder::componentToken, "h.component_token"));
  }

  private static String columnIfUsed(
      List<Holder> holders, Function<Holder, Object> token, String column) {
    return holders.stream().map(token).anyMatch(Objects::nonNull) ? column : null;
  }

  /** Leaves out the kinds of tokens whose expression is null. */
  private static String tokenCondition(
      String account, String pat, String run, String session, String componentToken) {
    var conditions = new ArrayList<String>();
    if (pat != null) {
      conditions.add(
          """
          not exists (
            select from personal_access_token t
            where t.account_id = %s and t.name = %s::text
              and (t.revoked_at is not null or t.expires_at <= clock_timestamp()))
          """
              .formatted(account, pat));
    }
    if (run != null) {
      conditions.add(
          """
          (%1$s::uuid is null or exists (
            select from action_run a
            join subscription s on s.repo_id = a.repo_id and s.id = a.subscription_id
            where a.repo_id = r.id and a.id = %1$s::uuid))
          """
              .formatted(run));
    }
    if (componentToken != null) {
      conditions.add(
          """
          (%1$s::text is null or exists (
            select from %2$s
            where t.repo_id = r.id and t.hash = decode(%1$s::text, 'hex') and %3$s))
          """
              .formatted(componentToken, LiveComponentToken.ROWS, LiveComponentToken.CONDITION));
    }
    if (session != null) {
      conditions.add(LiveSession.condition(session));
    }
    return conditions.isEmpty() ? "true" : String.join(" and ", conditions);
  }

  Recheck(Database database, Authorizer authorizer) {
    this.database = database;
    this.authorizer = authorizer;
  }

  /**
   * The same access, authorized again for a request that has waited since: refused if role or token
   * have lost the permission. See {@code docs/access.md}, Order of checks.
   */
  public OrganizationAccess requireStill(OrganizationAccess access) {
    refuseRevoked(access.account());
    return database
        .first(
            """
            select o.archived_at is not null, m.role
            from organization o
            left join member m on m.org_id = o.id and m.account_id = ?
            where o.id = ?
            """,
            row ->
                new OrganizationAccess(
                    access.orgId(),
                    row.getBoolean(1),
                    Authorizer.role(row.getString(2)),
                    access.caller(),
                    access.anyOf()),
            access.account().accountId(),
            access.orgId())
        .map(Authorizer::granted)
        .orElseThrow(() -> Problem.notFound("The organization was just deleted."));
  }

  /**
   * The parameters of {@link #CONDITION}, in order.
   *
   * @param access granted for {@code permission}
   */
  public static List<Object> parameters(RepositoryAccess access, Permission permission) {
    return parameters(access, Set.of(permission));
  }

  /** The same for several permissions: the role must grant all of them. */
  public static List<Object> parameters(RepositoryAccess access, Set<Permission> permissions) {
    return parameters(Holder.of(access.account()), permissions);
  }

  /** The parameters of {@link #CONDITION} for what was granted in an earlier request. */
  public static List<Object> parameters(Holder holder, Permission permission) {
    return parameters(holder, Set.of(permission));
  }

  /** The roles that grant a permission. */
  public static String[] roles(Permission permission) {
    return roles(Set.of(permission));
  }

  private static String[] roles(Set<Permission> permissions) {
    return Arrays.stream(Role.values())
        .filter(role -> permissions.stream().allMatch(role::grants))
        .map(Role::wire)
        .toArray(String[]::new);
  }

  private static List<Object> parameters(Holder holder, Set<Permission> permissions) {
    return Arrays.asList(
        holder.accountId(),
        roles(permissions),
        holder.pat(),
        holder.runId(),
        holder.runId(),
        holder.componentToken(),
        holder.componentToken(),
        holder.sessionId(),
        holder.sessionId());
  }

  /**
   * Throws what a new request would get, if role or token no longer grant the permission, or if the
   * name belongs to another repository by now.
   */
  public void requireStill(RepositoryAccess access, Permission permission) {
    requireStill(access, Set.of(permission));
  }

  /**
   * The same access as it is now, as {@link #requireStill}: the repository may have been archived
   * since.
   */
  public RepositoryAccess stillGranted(RepositoryAccess access, Permission permission) {
    return stillGranted(access, Set.of(permission));
  }

  private RepositoryAccess stillGranted(RepositoryAccess access, Set<Permission> permissions) {
    if (access.caller() instanceof Caller.SignedIn account) {
      refuseRevoked(account);
    }
    var current = access;
    for (var permission : permissions) {
      current = authorizer.authorizeAgain(access, permission);
    }
    return current;
  }

  /** The same for several permissions: all of them are needed. */
  public void requireStill(RepositoryAccess access, Set<Permission> permissions) {
    var _ = stillGranted(access, permissions);
  }

  /**
   * The refusal of a change whose {@link #CONDITION} does not hold: what a new request would get,
   * if that would be refused too.
   */
  public Problem lost(RepositoryAccess access, Set<Permission> permissions) {
    requireStill(access, permissions);
    return Problem.of(
            ErrorCode.FORBIDDEN, "The right to do this was lost while the request waited.")
        .hint("Send the request again if you have the right now.");
  }

  /**
   * Keeps the personal access token of a caller, if it has one, from being revoked until the
   * surrounding transaction ends: what the transaction creates is there when the revocation looks
   * for what has to end with the token. Check afterwards whether it was revoked before.
   */
  public void holdToken(Caller.SignedIn account) {
    database.first(
        "select from personal_access_token where account_id = ? and name = ? for share",
        _ -> true,
        account.accountId(),
        account.patNameOrNull());
  }

  /**
   * Keeps an organization from being archived, and its members from being changed, until the
   * surrounding transaction ends. Ask afterwards whether that was done before.
   */
  public void holdOrganization(UUID orgId) {
    database.lockNameShared(queueOf(orgId));
    database.list("select from organization where id = ? for share", _ -> true, orgId);
  }

  /**
   * Locks an organization in order to change it, its members or the number of its repositories:
   * waits for those that {@linkplain #holdOrganization hold} it, and whoever wants to hold it waits
   * until the surrounding transaction ends. A queue comes before the row, since shared locks of a
   * row go on being granted while somebody waits to change it, so members could hold off their own
   * removal. It also waits longer than the changes that hold it, since these may themselves be
   * waiting for commits.
   */
  public void lockOrganization(OrganizationAccess access) {
    var orgId = access.orgId();
    database.update("set local lock_timeout = " + MAX_WAIT_FOR_ORGANIZATION.toMillis());
    // An account waits in the queue once, over all replicas.
    database.lockName(queueOf(orgId) + " by " + access.account().accountId());
    database.lockName(queueOf(orgId));
    database.update("set local lock_timeout to default");
    database.list("select from organization where id = ? for no key update", _ -> true, orgId);
  }

  private static String queueOf(UUID orgId) {
    return "changes of organization " + orgId;
  }

  /**
   * Keeps a repository and its organization from being archived, and the members of the
   * organization from being changed, until the surrounding transaction ends, and requires
   * permissions once more. Whoever archives a repository takes its head before its row, so no head
   * may be locked after this.
   *
   * @throws Problem also {@code ARCHIVED}
   */
  public void holdUnarchived(RepositoryAccess access, Set<Permission> permissions) {
    holdOrganization(access.orgId());
    holdRepositoryRow(access.repoId());
    if (stillGranted(access, permissions).isArchived()) {
      throw Archived.repository();
    }
  }

  /** Only the repository, in a transaction that {@linkplain #holdOrganization holds} the rest. */
  public void holdRepositoryRow(UUID repoId) {
    database.list("select from repository where id = ? for share", _ -> true, repoId);
  }

  /**
   * Refuses a caller whose token has expired or was revoked, or whose session was ended, since the
   * request began. For the end of a change, which may have waited for any lock. The tokens of runs
   * and of components may have ended, because a change may end the one that it was made with: that
   * of a sprite may delete its own subscription.
   *
   * @throws Problem {@code UNAUTHENTICATED}
   */
  public void requireLiveToken(Caller.SignedIn account) {
    requireUnexpired(account);
    refuseIfAny(ENDED, parametersOfEnded(account));
  }

  /**
   * Refuses a caller whose token has expired since the request began.
   *
   * @throws Problem {@code UNAUTHENTICATED}
   */
  public static void requireUnexpired(Caller.SignedIn account) {
    var end = account.token().expiresAt();
    if (end != null && !end.isAfter(Instant.now())) {
      throw ended();
    }
  }

  private void refuseRevoked(Caller.SignedIn account) {
    requireUnexpired(account);
    var parameters = parametersOfEnded(account);
    Collections.addAll(
        parameters,
        account.runIdOrNull(),
        account.runIdOrNull(),
        account.componentTokenOrNull(),
        account.componentTokenOrNull());
    refuseIfAny(ENDED_OF_ANY_KIND, parameters);
  }

  private static List<Object> parametersOfEnded(Caller.SignedIn account) {
    var parameters = new ArrayList<Object>();
    Collections.addAll(
        parameters,
        account.accountId(),
        account.patNameOrNull(),
        account.sessionIdOrNull(),
        account.sessionIdOrNull());
    return parameters;
  }

  private void refuseIfAny(String sql, List<Object> parameters) {
    if (database.first(sql, _ -> true, parameters.toArray()).isPresent()) {
      throw ended();
    }
  }

  private static Problem ended() {
    return Problem.of(
        ErrorCode.UNAUTHENTICATED,
        "The token was just revoked or has expired, or its session was ended.");
  }
}
