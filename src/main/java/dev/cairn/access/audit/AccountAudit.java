package dev.cairn.access.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.EmailAddress;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.platform.Ids;
import dev.cairn.platform.LogIds;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * What happened to an account: sign-ins, sessions, passwords, tokens, and the keys that it set. An
 * event is written in the transaction of what it describes, and to the log once that is committed.
 * It is separate from the {@link AuditLog} of organizations, whose events are never deleted: these
 * are kept for {@code cairn.audit.retention}. See {@code docs/audit.md}, Audit log of an account.
 */
@ApplicationScoped
public class AccountAudit {
  private static final Logger LOG = Logger.getLogger(AccountAudit.class);

  /**
   * How many addresses have a row of their own among the failed sign-ins of an account in an hour;
   * all others share one row. So an account gets at most 21 rows an hour, however many addresses
   * guess its password.
   */
  public static final int MAX_FAILING_ADDRESSES = 20;

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final FailureLog failures = new FailureLog();

  /**
   * An event as the account sees it.
   *
   * @param address the network address; null if the service itself acted
   * @param target what it was done to
   * @param details a JSON object of particulars
   * @param count how many failed sign-ins there were in the hour; null for all other events
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record AccountEvent(
      UUID id,
      Instant at,
      String action,
      String address,
      String target,
      @JsonRawValue String details,
      Integer count) {}

  AccountAudit(Database database, ReadBounds bounds, Cursors cursors) {
    this.bounds = bounds;
    this.cursors = cursors;
    this.database = database;
  }

  /**
   * Adds an event to an account's log.
   *
   * @param target what it was done to; never a secret
   * @param address the network address; null if the service itself acts
   * @param details particulars by name; a null value is left out
   */
  public void record(
      UUID accountId, String action, String target, String address, Map<String, String> details) {
    var known = new HashMap<String, String>(details);
    known.values().removeIf(Objects::isNull);
    database.update(
        """
        insert into account_event (account_id, id, at, action, address, target, details)
        values (?, ?, ?, ?, ?, ?, ?)
        """,
        accountId,
        Ids.next(),
        Instant.now(),
        action,
        address,
        target,
        AuditLog.json(known));
    var ids = new HashMap<String, String>(known);
    ids.put("accountId", accountId.toString());
    database.afterCommit(
        () -> {
          try (var _ = LogIds.of(ids)) {
            LOG.infof("%s: %s, from %s", action, target, address);
          }
        });
  }

  /** Counts a failed sign-in to the account of an e-mail address, if there is one. */
  public void signInFailed(String email, String address) {
    var folded = EmailAddress.folded(email);
    var accountId =
        database.transaction(
            () -> {
              // One after another: those at the same time would not see each other's addresses.
              database.lockName("failed sign-ins " + folded);
              return countFailure(folded, address);
            });
    database.afterCommit(() -> failures.write(accountId, address));
  }

  private Optional<UUID> countFailure(String email, String address) {
    var hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
    return database.first(
        """
        insert into account_event
          (account_id, id, at, action, address, target, hour)
        select a.id, ?, now(), 'sign_in.failed',
               case when (select count(*) from account_event e
                          where e.account_id = a.id and e.hour = ?
                            and e.address is not null and e.address <> ?) < ?
                    then ?::text end,
               'password', ?
        from account a where a.email = ?
        on conflict (account_id, hour, address) where hour is not null
          do update set count = account_event.count + 1
        returning account_id
        """,
        row -> row.getObject(1, UUID.class),
        Ids.next(),
        hour,
        address,
        MAX_FAILING_ADDRESSES,
        address,
        hour,
        email);
  }

  /** The events of an account, newest first. */
  Page<AccountEvent> list(SignedIn account, int limit, Optional<String> cursor) {
    var accountId = account.accountId();
    return Page.newestFirst(
        cursors,
        "account audit " + accountId,
        limit,
        cursor,
        (before, count) ->
            bounds.within(
                account,
                () ->
                    database.list(
                        """
                        select id, at, action, address, target, details,
                               case when hour is not null then count end as failures
                        from account_event where account_id = ? and id < ? order by id desc limit ?
                        """,
                        AccountAudit::event,
                        accountId,
                        before,
                        count)),
        AccountEvent::id);
  }

  private static AccountEvent event(ResultSet row) throws SQLException {
    return new AccountEvent(
        row.getObject("id", UUID.class),
        Rows.instant(row, "at"),
        row.getString("action"),
        row.getString("address"),
        row.getString("target"),
        row.getString("details"),
        row.getObject("failures", Integer.class));
  }
}
