package dev.cairn.tenant;

import dev.cairn.access.Account;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Role;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Cursor;
import dev.cairn.platform.Database;
import dev.cairn.platform.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import jakarta.transaction.Transactional;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The members of an organization and their roles. Only an owner makes, changes or removes owners,
 * and the last one can be neither removed nor demoted.
 */
@ApplicationScoped
public class Members {
  private final Database database;

  /** A member as other members see it. */
  @RegisterForReflection
  public record MemberView(String email, String displayName, String role, Instant createdAt) {}

  Members(Database database) {
    this.database = database;
  }

  /** The members by e-mail address. */
  public Page<MemberView> list(OrganizationAccess access, int limit, Optional<String> cursor) {
    var list = "members " + access.orgId();
    var after = cursor.map(c -> Cursor.keys(list, c).getFirst()).orElse("");
    var rows =
        database.list(
            """
            select a.email, a.display_name, m.role, m.created_at
            from member m join account a on a.id = m.account_id
            where m.org_id = ? and a.email collate "C" > ?
            order by a.email collate "C" limit ?
            """,
            row ->
                new MemberView(
                    row.getString(1), row.getString(2), row.getString(3), Rows.instant(row, 4)),
            access.orgId(),
            after,
            limit + 1);
    return Page.of(rows, limit, last -> Cursor.of(list, last.email()));
  }

  /** Gives an account a role, as a new member or instead of its former role. */
  @Transactional
  public MemberView set(OrganizationAccess access, String email, String roleName) {
    var role = role(roleName);
    refuseUnlessOwner(access, role);
    lock(access);
    var account = account(email);
    var member = find(access, account);
    if (member.isPresent()) {
      return change(access, account, member.get(), role);
    }
    refuseIfArchived(access);
    var added = new Member();
    added.orgId = access.orgId();
    added.accountId = account.id;
    added.role = role.wire();
    added.createdAt = Instant.now();
    added.persist();
    return view(account, added);
  }

  /** Takes the membership away. */
  @Transactional
  public void remove(OrganizationAccess access, String email) {
    lock(access);
    var account = account(email);
    var member =
        find(access, account)
            .orElseThrow(() -> Problem.notFound("`" + email + "` is no member here."));
    refuseUnlessOwner(access, current(member));
    refuseIfArchived(access);
    refuseIfLastOwner(access, member);
    member.delete();
  }

  private static MemberView change(
      OrganizationAccess access, Account account, Member member, Role role) {
    refuseUnlessOwner(access, current(member));
    refuseIfArchived(access);
    if (role != Role.OWNER) {
      refuseIfLastOwner(access, member);
    }
    member.role = role.wire();
    return view(account, member);
  }

  /** Two owners who remove each other at the same moment must not leave none. */
  private static void lock(OrganizationAccess access) {
    Organization.findById(access.orgId(), LockModeType.PESSIMISTIC_WRITE);
  }

  private static Account account(String email) {
    return Account.byEmail(email)
        .orElseThrow(() -> Problem.notFound("There is no account `" + email + "`."));
  }

  private static Optional<Member> find(OrganizationAccess access, Account account) {
    return Member.findByIdOptional(new Member.Key(access.orgId(), account.id));
  }

  private static Role current(Member member) {
    return Role.of(member.role).orElseThrow();
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
    if (access.archived()) {
      throw Problem.of(ErrorCode.ARCHIVED, "The organization is archived.");
    }
  }

  private static void refuseUnlessOwner(OrganizationAccess access, Role touched) {
    if (touched == Role.OWNER && access.role() != Role.OWNER) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Only an owner changes owners.");
    }
  }

  private static void refuseIfLastOwner(OrganizationAccess access, Member member) {
    if (current(member) == Role.OWNER
        && Member.count("orgId = ?1 and role = ?2", access.orgId(), Role.OWNER.wire()) == 1) {
      throw Problem.of(ErrorCode.CONFLICT, "The last owner can be neither removed nor demoted.")
          .with("reason", "last_owner");
    }
  }

  private static MemberView view(Account account, Member member) {
    return new MemberView(account.email, account.displayName, member.role, member.createdAt);
  }
}
