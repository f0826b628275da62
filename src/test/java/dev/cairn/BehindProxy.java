package dev.cairn;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * Sets the public URL, here one with a path, on a worker whose runs are not public. Nothing is
 * looked for without a scheduler: everything has to be heard of. One profile for all tests of these
 * starts once.
 */
public final class BehindProxy implements QuarkusTestProfile {
  public static final String BASE = "https://cairn.example/kb";

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of(
        "cairn.public-url",
        BASE + "/",
        "cairn.roles",
        "api,worker",
        "cairn.actions.public-reads",
        "false");
  }
}
