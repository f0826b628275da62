package dev.cairn.access.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.cairn.access.Authorizer.OrganizationAccess;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.Scopes;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.Page;
import dev.cairn.platform.page.Pager;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Who did what to members, tokens, visibility, credentials and subscriptions, and from where. An
 * event is written in the transaction of what it describes, so neither exists without the other,
 * and the database refuses to change or delete one. See {@code docs/audit.md}, Audit log of an
 * organization.
 */
@ApplicationScoped
public class AuditLog {
  /** The bytes of an event in a list; 512 for its id, time and names. */
  private static final String SIZE =
      "octet_length(details) + 512 + "
          + Pager.jsonBytes("actor")
          + " + "
          + Pager.jsonBytes("target");

  private static final String PAGE =
      "select id, at, action, actor, token_name, address, target, "
          + Pager.fitting("details", SIZE)
          + " as details, "
          + Pager.fits(SIZE)
          + " from audit_event where org_id = ? and id < ?"
          + Pager.inOrder("id desc")
          + " limit ?";

  /** A token without a name is called after its OAuth client, also once its session has ended. */
  private static final String INSERT =
      """
      insert into audit_event
        (org_id, id, at, action, account_id, actor, token_name, address, target, details)
      select ?, ?, ?, ?, a.id, a.email,
             coalesce(?, (select c.name from oauth_client c where c.id = ?), ?),
             ?, ?, ?
      from account a where a.id = ?
      """;

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;

  /**
   * An event as {@code org:admin} sees it.
   *
   * @param action what was done, such as {@code member.role_changed}
   * @param actor the account's e-mail address at that time; {@code cairn} for the service itself
   * @param token the name of the personal access token, of the sprite's subscription or of the
   *     OAuth client by which it was done; null for a sign-in
   * @param address the network address; null if the service itself acted
   * @param target what it was done to
   * @param details a JSON object of particulars
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AuditEvent(
      UUID id,
      Instant at,
      String action,
      String actor,
      String token,
      String address,
      String target,
      @JsonRawValue String details) {}

  /** The actor of events that the service itself caused. */
  private static final String SERVICE = "cairn";

  /**
   * Something that the service itself did.
   *
   * @param orgId whose log it is added to
   * @param target what it was done to; never a secret
   * @param details particulars by name
   */
  public record ByService(UUID orgId, String target, Map<String, String> details) {}

  AuditLog(Database database, ReadBounds bounds, Cursors cursors) {
    this.bounds = bounds;
    this.cursors = cursors;
    this.database = database;
  }

  /**
   * Adds an event to an organization's log.
   *
   * @param target what it was done to; never a secret
   * @param details particulars by name; a null value is left out
   */
  public void record(
      SignedIn actor, UUID orgId, String action, String target, Map<String, String> details) {
    database.update(
        INSERT,
        orgId,
        Ids.next(),
        Instant.now(),
        action,
        actor.token().nameOrNull(),
        actor.clientIdOrNull(),
        actor.clientIdOrNull(),
        actor.address(),
        target,
        json(details),
        actor.accountId());
  }

  /** Adds events about what the service itself did; they have no account and no address. */
  public void recordByService(String action, List<ByService> events) {
    database.update(
        """
        insert into audit_event (org_id, id, at, action, actor, target, details)
        select e.org_id, e.id, ?, ?, ?, e.target, e.details
        from unnest(?, ?, ?, ?) as e (org_id, id, target, details)
        """,
        Instant.now(),
        action,
        SERVICE,
        Columns.uuids(events, ByService::orgId),
        Columns.uuids(events, _ -> Ids.next()),
        Columns.strings(events, ByService::target),
        Columns.strings(events, event -> json(event.details())));
  }

  /**
   * Adds an event about something in a repository, which the details name.
   *
   * @param target what it was done to; never a secret
   * @param details particulars by name besides the repository
   */
  public void record(
      RepositoryAccess access, String action, String target, Map<String, String> details) {
    var all = new LinkedHashMap<String, String>();
    all.put("repository", access.repo());
    all.putAll(details);
    record(access.account(), access.orgId(), action, target, all);
  }

  /**
   * Adds an event about a token to the logs of the organizations of its owner that its scopes name.
   * A token that covers an organization without naming it is recorded only if its owner has been a
   * member from the beginning, because an account can be made a member without its consent.
   *
   * @param name the token's name, or the name of the client that gets it
   */
  public void recordToken(SignedIn owner, Scopes scopes, String action, String name) {
    database
        .list(
            """
            select m.org_id from member m join organization o on o.id = m.org_id
            where m.account_id = ?
              and (m.org_id = any (?) or (? and m.created_at = o.created_at))
            """,
            row -> row.getObject(1, UUID.class),
            owner.accountId(),
            scopes.named().toArray(UUID[]::new),
            scopes.reachEverywhere())
        .forEach(orgId -> record(owner, orgId, action, name, Map.of()));
  }

  /** The events of an organization, newest first. */
  public Page<AuditEvent> list(OrganizationAccess access, int limit, Optional<String> cursor) {
    var list = "audit " + access.orgId();
    return bounds.within(
        access.caller(),
        () ->
            new Pager(cursors, list, limit)
                .read(
                    database,
                    PAGE,
                    AuditLog::event,
                    event -> List.of(event.id()),
                    PageBytes.max(),
                    PageBytes.max(),
                    access.orgId(),
                    Page.before(cursors, list, cursor),
                    limit + 1));
  }

  private static AuditEvent event(ResultSet row) throws SQLException {
    return new AuditEvent(
        row.getObject("id", UUID.class),
        Rows.instant(row, "at"),
        row.getString("action"),
        row.getString("actor"),
        row.getString("token_name"),
        row.getString("address"),
        row.getString("target"),
        row.getString("details"));
  }

  static String json(Map<String, String> details) {
    var out = new JsonOut().object();
    details.forEach((name, value) -> out.name(name).value(value));
    return new String(out.end().toBytes(), StandardCharsets.UTF_8);
  }
}
