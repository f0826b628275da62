package dev.cairn.access.audit;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;

/** The caller's own audit log; {@code docs/audit.md}, Audit log of an account. */
@Path("/api/audit")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class AccountAuditResource {
  private final CurrentCaller caller;
  private final AccountAudit audit;

  AccountAuditResource(CurrentCaller caller, AccountAudit audit) {
    this.caller = caller;
    this.audit = audit;
  }

  /** What happened to the account, newest first. */
  @GET
  public Page<AccountAudit.AccountEvent> list(@Context UriInfo uri) {
    var account = caller.session();
    var parameters = QueryParameters.of(uri, Set.of(LIMIT, CURSOR));
    return audit.list(account, Page.limit(parameters), parameters.text(CURSOR));
  }
}
