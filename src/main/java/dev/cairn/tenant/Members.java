package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Archived;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller;
import dev.cairn.access.EmailAddress;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.Role;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.authentication.Account;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.persistence.LockModeType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The members of an organization and their roles, and invitations. Only an owner makes, changes or
 * removes owners, and the last one can be neither removed nor demoted. An address that has no
 * account yet is invited: the membership begins when that address signs up.
 */
@ApplicationScoped
public class Members {
  private static final String PAGE =
      """
      select a.email collate "C" as email, a.display_name, m.role,
             null::boolean as pending, m.created_at
      from member m join account a on a.id = m.account_id
      where m.org_id = ? and a.email collate "C" > ?
      union all
      select email collate "C", null, role, true, created_at
      from invitation where org_id = ? and email collate "C" > ?
      order by email limit ?
      """;

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final ServiceTokens tokens;
  private final Event<MembershipEnded> membershipEnded;
  private final AuditLog audit;
  private final AccountAudit accountAudit;
  private final UsageReads usage;
  private final RateLimiter limiter;
  private final int perMinute;

  /**
   * A member as other members see it.
   *
   * @param displayName null while it is invited
   * @param pending true while it is invited and has no account yet, otherwise null
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record MemberView(
      String email, String displayName, String role, Boolean pending, Instant createdAt) {}

  Members(
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      AuditLog audit,
      AccountAudit accountAudit,
      ServiceTokens tokens,
      Event<MembershipEnded> membershipEnded,
      UsageReads usage,
      RateLimiter limiter,
      CairnConfig config) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.changeLimiter = changeLimiter;
    this.tokens = tokens;
    this.membershipEnded = membershipEnded;
    this.recheck = recheck;
    this.audit = audit;
    this.accountAudit = accountAudit;
    this.usage = usage;
    this.limiter = limiter;
    this.perMinute = config.limits().membersPerMinute();
  }

  /** The members and the invited, by e-mail address. */
  public Page<MemberView> list(OrganizationAccess access, int limit, Optional<String> cursor) {
    var list = "members " + access.orgId();
    var after = cursor.map(c -> cursors.read(list, c, List::getFirst)).orElse("");
    // Names are short, so that no page is large.
    var rows =
        bounds.within(
            access.caller(),
            () ->
                database.list(
                    PAGE,
                    Members::listed,
                    access.orgId(),
                    after,
                    access.orgId(),
                    after,
                    limit + 1));
    return Page.of(rows, limit, last -> cursors.of(list, last.email()));
  }

  private static MemberView listed(ResultSet row) throws SQLException {
    return new MemberView(
        row.getString("email"),
        row.getString("display_name"),
        row.getString("role"),
        row.getObject("pending", Boolean.class),
        Rows.instant(row, "created_at"));
  }

  /**
   * Gives an address a role: to its account, as a new member or instead of its former role, or to
   * the invitation that waits for the account.
   *
   * @param role gives the role's name; called once the limit has counted the attempt, so that
   *     failed ones count too
   * @throws Problem {@code RATE_LIMITED} if the organization's quota of members is used up
   */
  public MemberView set(OrganizationAccess before, String email, Supplier<String> role) {
    limiter.take(
        "members", "account:" + before.account().accountId(), perMinute, Duration.ofMinutes(1));
    var name = role.get();
    return changeLimiter.call(before, () -> set(before, email, name));
  }

  private MemberView set(OrganizationAccess before, String email, String roleName) {
    var address = EmailAddress.checked("?email", email);
    var role = role(roleName);
    var access = locked(before);
    refuseUnlessOwner(access, role);
    holdSignUp(address);
    var account = Account.byEmail(address);
    return account.isPresent() ? set(access, account.get(), role) : invite(access, address, role);
  }

  private MemberView set(OrganizationAccess access, Account account, Role role) {
    var member = find(access, account);
    member.ifPresent(m -> refuseUnlessOwner(access, current(m)));
    refuseIfArchived(access);
    if (member.isEmpty()) {
      usage.refuseOneMoreMember(access.orgId());
      audit.record(
          access.account(),
          access.orgId(),
          "member.added",
          account.email,
          Map.of("role", role.wire()));
      return view(account, add(access.orgId(), account, role));
    }
    if (role == current(member.get())) {
      return view(account, member.get());
    }
    refuseIfLastOwner(access, member.get());
    audit.record(
        access.account(),
        access.orgId(),
        "member.role_changed",
        account.email,
        Map.of("from", member.get().role, "to", role.wire()));
    member.get().role = role.wire();
    withdrawInvitations(access, account.id, Optional.of(role));
    return view(account, member.get());
  }

  private MemberView invite(OrganizationAccess access, String email, Role role) {
    var former = invitation(access, email);
    former.ifPresent(before -> refuseUnlessOwner(access, current(before)));
    refuseIfArchived(access);
    if (former.isEmpty()) {
      usage.refuseOneMoreMember(access.orgId());
    }
    var invitation = former.orElseGet(() -> invited(access.orgId(), email));
    invitation.role = role.wire();
    invitation.invitedBy = access.account().accountId();
    invitation.persist();
    audit.record(
        access.account(), access.orgId(), "member.invited", email, Map.of("role", role.wire()));
    return new MemberView(email, null, role.wire(), true, invitation.createdAt);
  }

  private static Invitation invited(UUID orgId, String email) {
    var invitation = new Invitation();
    invitation.orgId = orgId;
    invitation.email = email;
    invitation.createdAt = Instant.now();
    return invitation;
  }

  /** Whether an e-mail address is that of the account that calls. */
  public boolean isAddressOf(Caller caller, String email) {
    return caller instanceof Caller.SignedIn signedIn
        && database
            .first(
                "select from account where id = ? and email = ?",
                _ -> true,
                signedIn.accountId(),
                EmailAddress.folded(email))
            .isPresent();
  }

  /** Takes the membership or the invitation away. */
  public void remove(OrganizationAccess before, String email) {
    changeLimiter.call(
        before,
        () -> {
          removeLocked(locked(before), email);
          return true;
        });
  }

  private void removeLocked(OrganizationAccess access, String email) {
    var address = EmailAddress.folded(email);
    holdSignUp(address);
    var member = Account.byEmail(address).flatMap(account -> find(access, account));
    var invitation = invitation(access, address);
    var role =
        member
            .map(Members::current)
            .or(() -> invitation.map(Members::current))
            .orElseThrow(
                () -> Problem.notFound("`" + email + "` is not a member of this organization."));
    refuseUnlessOwner(access, role);
    var account = access.account();
    boolean leaves = member.filter(m -> m.accountId.equals(account.accountId())).isPresent();
    if (member.isPresent() && !leaves) {
      // Nobody has to stay, not even if an organization is archived, and an invitation does not
      // have to count when that ends.
      refuseIfArchived(access);
    }
    member.ifPresent(m -> refuseIfLastOwner(access, m));
    member.ifPresent(m -> end(access, m));
    invitation.ifPresent(Invitation::delete);
    audit.record(
        // A member that leaves may never have consented to be one, so nobody learns from where or
        // by which token.
        leaves ? Caller.service(account.accountId(), account.displayName()) : account,
        access.orgId(),
        member.isPresent() ? "member.removed" : "member.invitation_withdrawn",
        address,
        Map.of("role", role.wire()));
    if (leaves) {
      recordLeaving(access);
    }
  }

  /** For the member that leaves: its own log may say from where and by which token. */
  private void recordLeaving(OrganizationAccess access) {
    var account = access.account();
    var left = Organization.<Organization>findById(access.orgId());
    var details = new HashMap<String, String>();
    details.put("token", account.token().nameOrNull());
    details.put("session", Objects.toString(account.sessionIdOrNull(), null));
    accountAudit.record(
        account.accountId(), "organization.left", left.name, account.address(), details);
  }

  private void end(OrganizationAccess access, Member member) {
    // Before the version of the organization's access changes: a sign-up locks its invitations
    // first.
    withdrawInvitations(access, member.accountId, Optional.empty());
    member.delete();
    Member.flush();
    tokens.revokeOfMember(access.orgId(), member.accountId);
    membershipEnded.fire(new MembershipEnded(access.orgId()));
  }

  /**
   * Withdraws what an account has given that it may not give any longer.
   *
   * @param role its role now; empty if it is no member
   */
  private void withdrawInvitations(OrganizationAccess access, UUID inviter, Optional<Role> role) {
    boolean mayInvite = role.filter(r -> r.grants(Permission.ORG_CONFIGURE)).isPresent();
    boolean mayInviteOwners = role.filter(r -> r.grants(Permission.ORG_ADMIN)).isPresent();
    database
        .list(
            """
            delete from invitation
            where org_id = ? and invited_by = ? and not (? and (? or role <> 'owner'))
            returning email, role
            """,
            row -> Map.entry(row.getString(1), row.getString(2)),
            access.orgId(),
            inviter,
            mayInvite,
            mayInviteOwners)
        .forEach(
            withdrawn ->
                audit.record(
                    access.account(),
                    access.orgId(),
                    "member.invitation_withdrawn",
                    withdrawn.getKey(),
                    Map.of("role", withdrawn.getValue())));
  }

  /**
   * Turns the invitations of a new account's address into memberships, in the transaction that
   * creates the account. Those of an archived organization stay until it is unarchived.
   */
  public void acceptInvitations(Account account) {
    holdSignUp(account.email);
    // Whoever archives one of the organizations, or ends that, comes before this or after it.
    database.list(
        "select from invitation where email = ? order by org_id for update",
        _ -> true,
        account.email);
    database
        .list(
            """
            select i.org_id from invitation i join organization o on o.id = i.org_id
            where i.email = ? and o.archived_at is null
            """,
            row -> row.getObject(1, UUID.class),
            account.email)
        .forEach(orgId -> accept(account, orgId));
  }

  /** Keeps the invitations to an organization from being accepted until the transaction ends. */
  void holdInvitations(UUID orgId) {
    database.list("select from invitation where org_id = ? for update", _ -> true, orgId);
  }

  /** Accepts the invitations of those that signed up while the organization was archived. */
  void acceptInvitations(UUID orgId) {
    Account.<Account>list("email in (select i.email from Invitation i where i.orgId = ?1)", orgId)
        .forEach(account -> accept(account, orgId));
  }

  private void accept(Account account, UUID orgId) {
    database
        .first(
            "delete from invitation where org_id = ? and email = ? returning role",
            row -> row.getString(1),
            orgId,
            account.email)
        .ifPresent(
            role -> {
              add(orgId, account, Role.of(role).orElseThrow());
              audit.record(
                  Caller.service(account.id, account.displayName),
                  orgId,
                  "member.joined",
                  account.email,
                  Map.of("role", role));
            });
  }

  private static Member add(UUID orgId, Account account, Role role) {
    var added = new Member();
    added.orgId = orgId;
    added.accountId = account.id;
    added.role = role.wire();
    added.createdAt = Instant.now();
    added.persist();
    return added;
  }

  private static Optional<Invitation> invitation(OrganizationAccess access, String email) {
    return Invitation.findByIdOptional(
        new Invitation.Key(access.orgId(), email), LockModeType.PESSIMISTIC_WRITE);
  }

  /**
   * The access while no other transaction changes members: two owners that remove each other at the
   * same moment must not leave none, and an owner that was just demoted makes no owner.
   */
  private OrganizationAccess locked(OrganizationAccess access) {
    recheck.lockOrganization(access);
    return recheck.requireStill(access);
  }

  /**
   * Waits for a sign-up with an address, and keeps others from beginning until the transaction
   * ends. After the organization's row, so that whoever waits for an organization stops no sign-up.
   */
  private void holdSignUp(String address) {
    database.lockName(address);
  }

  private static Optional<Member> find(OrganizationAccess access, Account account) {
    return Member.findByIdOptional(new Member.Key(access.orgId(), account.id));
  }

  private static Role current(Member member) {
    return Role.of(member.role).orElseThrow();
  }

  private static Role current(Invitation invitation) {
    return Role.of(invitation.role).orElseThrow();
  }

  private static Role role(String name) {
    return Optional.ofNullable(name)
        .flatMap(Role::of)
        .orElseThrow(
            () ->
                Problem.invalid(
                    "/role",
                    "`role` must be one of "
                        + String.join(", ", Arrays.stream(Role.values()).map(Role::wire).toList())
                        + "."));
  }

  private static void refuseIfArchived(OrganizationAccess access) {
    if (access.isArchived()) {
      throw Archived.organization();
    }
  }

  /** Otherwise a token without {@code org:admin} could make an account that has it. */
  private static void refuseUnlessOwner(OrganizationAccess access, Role touched) {
    if (touched == Role.OWNER && !access.allows(Permission.ORG_ADMIN)) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Only an owner changes owners, with `org:admin`.");
    }
  }

  private static void refuseIfLastOwner(OrganizationAccess access, Member member) {
    if (current(member) == Role.OWNER
        && Member.count("orgId = ?1 and role = ?2", access.orgId(), Role.OWNER.wire()) == 1) {
      throw Problem.of(ErrorCode.CONFLICT, "The last owner can be neither removed nor demoted.")
          .with("reason", "last_owner")
          .hint("Make another member an owner first.");
    }
  }

  private static MemberView view(Account account, Member member) {
    return new MemberView(account.email, account.displayName, member.role, null, member.createdAt);
  }
}
