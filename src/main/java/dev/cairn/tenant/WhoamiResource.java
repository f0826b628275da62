package dev.cairn.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Accounts;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.Database;
import dev.cairn.platform.QueryParameters;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;

/** Tells callers who they are to the service. */
@Path("/api/whoami")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class WhoamiResource {
  private final CurrentCaller caller;
  private final Accounts accounts;
  private final Database database;

  /**
   * The answer.
   *
   * @param kind how the caller is known: {@code jwt} or {@code anonymous}
   * @param account null for nobody known
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Whoami(boolean authenticated, String kind, AccountView account, List<Membership> orgs) {}

  /** The caller's account. */
  @RegisterForReflection
  record AccountView(String email, String displayName) {}

  /** The caller's role in an organization. */
  @RegisterForReflection
  record Membership(String name, String role) {}

  WhoamiResource(CurrentCaller caller, Accounts accounts, Database database) {
    this.caller = caller;
    this.accounts = accounts;
    this.database = database;
  }

  /** Who calls. */
  @GET
  public Whoami get(@Context UriInfo uri) {
    QueryParameters.none(uri);
    return switch (caller.get()) {
      case Caller.Anonymous() -> new Whoami(false, "anonymous", null, List.of());
      case Caller.SignedIn signedIn -> {
        var account = accounts.byId(signedIn.accountId());
        yield new Whoami(
            true,
            "jwt",
            new AccountView(account.email, account.displayName),
            memberships(signedIn));
      }
    };
  }

  private List<Membership> memberships(Caller.SignedIn signedIn) {
    return database.list(
        """
        select o.name, m.role from member m join organization o on o.id = m.org_id
        where m.account_id = ? order by o.name collate "C"
        """,
        row -> new Membership(row.getString(1), row.getString(2)),
        signedIn.accountId());
  }
}
