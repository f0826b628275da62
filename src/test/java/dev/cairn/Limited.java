package dev.cairn;

import static java.util.Map.entry;

import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * The rate limits, which other tests do not have. All tests of them share this profile, so that it
 * starts once; each refills the buckets first. Callers from 127.0.0.1 and from 192.0.2.0/24 are
 * trusted proxies.
 */
public final class Limited implements QuarkusTestProfile {
  /** Of sign-ins a minute, and of registrations an hour. */
  public static final int SIGN_INS = 4;

  public static final int PATS = 3;

  /** That an account begins in an hour, and renewals of each. */
  public static final int SESSIONS = 50;

  public static final int CHANGES = 60;

  public static final int MEMBERS = 3;
  public static final int COMMITS = 4;

  /** Rewritten by the renames of an organization in an hour, in MiB. */
  public static final int RENAMED_MIB = 1;

  public static final int SUBSCRIPTIONS = 3;

  /** Of methods of components. */
  public static final int CALLS = 3;

  public static final int ANONYMOUS_READS = 5;

  /** Of organizations an hour, and of repositories a minute. */
  public static final int CREATIONS = 12;

  /** Owned by an account: more than the administrator makes for the tests of this profile. */
  public static final int ORGANIZATIONS = 200;

  /** Of OAuth clients without a token, and of devices that wait, in the whole service. */
  public static final int UNCLAIMED = 20;

  /** Stored by an organization. */
  public static final int BYTES = 4_200_000;

  /** Clients that follow repositories: of an account, of an address, and of all accounts. */
  public static final int LIVE_OF_ACCOUNT = 3;

  public static final int LIVE_OF_ADDRESS = 2;
  public static final int LIVE = 2 * LIVE_OF_ACCOUNT;

  /** Of tickets for live updates a minute. */
  public static final int TICKETS = 20;

  /** Fills the buckets of all rate limits. */
  public static void refill() {
    OwnConnections.database().update("delete from rate_limit");
  }

  /** Fills the buckets of one rate limit. */
  public static void refill(String policy) {
    OwnConnections.database().update("delete from rate_limit where bucket like ?", policy + ":%");
  }

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.ofEntries(
        entry("cairn.cors.origins", "*"),
        entry("quarkus.http.proxy.proxy-address-forwarding", "true"),
        entry("quarkus.http.proxy.trusted-proxies", "127.0.0.1, 192.0.2.0/24"),
        entry("cairn.limits.sign-ins-per-minute", String.valueOf(SIGN_INS)),
        entry("cairn.limits.registrations-per-hour", String.valueOf(SIGN_INS)),
        entry("cairn.limits.pats-per-hour", String.valueOf(PATS)),
        entry("cairn.limits.sessions-per-hour", String.valueOf(SESSIONS)),
        entry("cairn.limits.changes-per-hour", String.valueOf(CHANGES)),
        entry("cairn.limits.members-per-minute", String.valueOf(MEMBERS)),
        entry("cairn.limits.renamed-mib-per-hour", String.valueOf(RENAMED_MIB)),
        entry("cairn.limits.commits-per-minute", String.valueOf(COMMITS)),
        entry("cairn.limits.subscriptions-per-minute", String.valueOf(SUBSCRIPTIONS)),
        entry("cairn.limits.component-calls-per-minute", String.valueOf(CALLS)),
        entry("cairn.limits.organizations-per-hour", String.valueOf(CREATIONS)),
        entry("cairn.limits.repositories-per-minute", String.valueOf(CREATIONS)),
        entry("cairn.limits.live-clients", String.valueOf(LIVE)),
        entry("cairn.limits.live-clients-per-account", String.valueOf(LIVE_OF_ACCOUNT)),
        entry("cairn.limits.live-clients-per-address", String.valueOf(LIVE_OF_ADDRESS)),
        entry("cairn.limits.live-tickets-per-minute", String.valueOf(TICKETS)),
        entry("cairn.quotas.organizations-per-account", String.valueOf(ORGANIZATIONS)),
        entry("cairn.quotas.unused-clients", String.valueOf(UNCLAIMED)),
        entry("cairn.quotas.pending-devices", String.valueOf(UNCLAIMED)),
        entry("cairn.quotas.bytes-per-organization", String.valueOf(BYTES)),
        entry("cairn.limits.anonymous-reads-per-hour", String.valueOf(ANONYMOUS_READS)));
  }
}
