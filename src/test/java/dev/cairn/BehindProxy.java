package dev.cairn;

import static java.util.Map.entry;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.nio.file.Path;
import java.util.Map;

/**
 * Sets the public URL, here one with a path, on a worker whose runs are not public. Nothing is
 * looked for without a scheduler: everything has to be heard of. One profile for all tests of these
 * starts once.
 */
public final class BehindProxy implements QuarkusTestProfile {
  public static final String BASE = "https://cairn.example/kb";

  /** What the service logs, at level DEBUG. */
  public static final Path LOG = Path.of("target/behind-proxy.log");

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.ofEntries(
        entry("cairn.public-url", BASE + "/"),
        entry("cairn.roles", "api,worker"),
        entry("cairn.actions.public-reads", "false"),
        // Nobody can follow a repository for long without commits.
        entry("cairn.live.idle-duration", "PT1S"),
        // For the test of secrets: all is logged that can be, and what can be limited is counted.
        entry("quarkus.log.file.enabled", "true"),
        entry("quarkus.log.file.path", LOG.toString()),
        entry("quarkus.log.file.rotation.rotate-on-boot", "false"),
        entry("quarkus.log.level", "DEBUG"),
        entry("quarkus.log.console.level", "WARN"),
        // The client of the tests, which runs in the same process.
        entry("quarkus.log.category.\"org.apache.http\".level", "INFO"),
        entry("cairn.limits.sign-ins-per-minute", "10000"),
        entry("cairn.limits.pats-per-hour", "10000"));
  }
}
