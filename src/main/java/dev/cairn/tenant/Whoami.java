package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Caller;
import dev.cairn.access.ScopeEntry;
import dev.cairn.access.authentication.Accounts;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.TokenScopes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The caller as the service knows it; {@code docs/access.md}. */
@ApplicationScoped
public class Whoami {
  private static final int MAX_ORGANIZATIONS = 200;

  private final Accounts accounts;
  private final Database database;
  private final ReadBounds bounds;
  private final Organizations organizations;
  private final TokenScopes tokenScopes;

  /**
   * The answer.
   *
   * @param kind how the caller is known: {@code jwt}, {@code pat}, {@code service}, {@code
   *     component}, {@code ticket} or {@code anonymous}
   * @param account null for an anonymous caller
   * @param token null for a sign-in and for an anonymous caller
   * @param orgs the first 200, by name, of those that the token covers
   * @param orgsNext the path and query for the rest of the list; null if these are all
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Answer(
      boolean authenticated,
      String kind,
      AccountView account,
      TokenView token,
      List<Membership> orgs,
      String orgsNext) {}

  /** The caller's account. */
  @RegisterForReflection
  public record AccountView(String email, String displayName) {}

  /**
   * The caller's token.
   *
   * @param scopes null if nothing is narrowed
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record TokenView(String name, List<ScopeEntry> scopes, Instant expiresAt) {}

  /** The caller's role in an organization. */
  @RegisterForReflection
  public record Membership(String name, String role) {}

  Whoami(
      Accounts accounts,
      Database database,
      ReadBounds bounds,
      Organizations organizations,
      TokenScopes tokenScopes) {
    this.tokenScopes = tokenScopes;
    this.bounds = bounds;
    this.organizations = organizations;
    this.accounts = accounts;
    this.database = database;
  }

  /** What the service knows of the caller. */
  public Answer of(Caller caller) {
    return switch (caller) {
      case Caller.Anonymous _ -> new Answer(false, "anonymous", null, null, List.of(), null);
      case Caller.SignedIn signedIn -> bounds.within(signedIn, () -> of(signedIn));
    };
  }

  private Answer of(Caller.SignedIn signedIn) {
    var account = accounts.byId(signedIn.accountId());
    var orgs =
        Page.of(
            memberships(signedIn),
            MAX_ORGANIZATIONS,
            last -> organizations.cursorAfter(signedIn, last.name()));
    return new Answer(
        true,
        kind(signedIn.token()),
        new AccountView(account.email, account.displayName),
        token(signedIn),
        orgs.items(),
        orgs.nextCursor() == null
            ? null
            : "/api/orgs?limit=%d&cursor=%s".formatted(MAX_ORGANIZATIONS, orgs.nextCursor()));
  }

  private static String kind(Caller.Token token) {
    return switch (token) {
      case Caller.AccessToken _ -> "jwt";
      case Caller.PersonalAccessToken _ -> "pat";
      case Caller.ServiceToken _ -> "service";
      case Caller.ComponentToken _ -> "component";
      case Caller.Ticket _ -> "ticket";
    };
  }

  private TokenView token(Caller.SignedIn signedIn) {
    var token = signedIn.token();
    return token.nameOrNull() == null
        ? null
        : new TokenView(
            token.nameOrNull(),
            token.scopes().isUnrestricted()
                ? null
                : tokenScopes.entries(signedIn.accountId(), token.scopes()),
            token.expiresAt());
  }

  /** One more than is shown, to know whether there are more. */
  private List<Membership> memberships(Caller.SignedIn signedIn) {
    var scopes = signedIn.token().scopes();
    return database.list(
        """
        select o.name, m.role from member m join organization o on o.id = m.org_id
        where m.account_id = ? and (? or o.id = any (?))
        order by o.name collate "C" limit ?
        """,
        row -> new Membership(row.getString(1), row.getString(2)),
        signedIn.accountId(),
        scopes.reachEverywhere(),
        scopes.named().toArray(UUID[]::new),
        MAX_ORGANIZATIONS + 1);
  }
}
