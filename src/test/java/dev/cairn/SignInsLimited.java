package dev.cairn;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/** Limits sign-ins and registrations, which the other tests do without. */
public final class SignInsLimited implements QuarkusTestProfile {
  public static final int LIMIT = 4;

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "cairn.limits.sign-ins-per-minute",
        String.valueOf(LIMIT),
        "cairn.limits.registrations-per-hour",
        String.valueOf(LIMIT));
  }
}
