package dev.cairn;

import static java.util.Map.entry;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * The limits on who asks too often, which the other tests do without. One profile for all tests of
 * them starts once; each test of them empties the buckets first.
 */
public final class Limited implements QuarkusTestProfile {
  /** Of sign-ins a minute, and of registrations an hour. */
  public static final int SIGN_INS = 4;

  public static final int PATS = 3;
  public static final int COMMITS = 4;
  public static final int SUBSCRIPTIONS = 3;
  public static final int ANONYMOUS_READS = 5;

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.ofEntries(
        entry("cairn.limits.sign-ins-per-minute", String.valueOf(SIGN_INS)),
        entry("cairn.limits.registrations-per-hour", String.valueOf(SIGN_INS)),
        entry("cairn.limits.pats-per-hour", String.valueOf(PATS)),
        entry("cairn.limits.commits-per-minute", String.valueOf(COMMITS)),
        entry("cairn.limits.subscriptions-per-minute", String.valueOf(SUBSCRIPTIONS)),
        entry("cairn.limits.anonymous-reads-per-hour", String.valueOf(ANONYMOUS_READS)));
  }
}
