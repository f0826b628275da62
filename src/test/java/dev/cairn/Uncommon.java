package dev.cairn;

import static java.util.Map.entry;

import dev.cairn.action.Collector;
import dev.cairn.search.FakeEmbeddings;
import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Settings of which each is for one test class and nothing to the others. In one profile, since a
 * profile has the service built and started once more, on a database of its own.
 */
public final class Uncommon implements QuarkusTestProfile {
  /** The secret key from before the present one. */
  public static final String FORMER_KEY = key((byte) 7);

  /** The setting that adds to MCP what the conformance suites call. */
  public static final String MCP_FIXTURES = "test.mcp-fixtures";

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.ofEntries(
        entry("cairn.secret-key-previous", FORMER_KEY),
        entry(MCP_FIXTURES, "true"),
        entry("quarkus.swagger-ui.enabled", "true"),
        entry("cairn.cors.origins", "https://app.example.org,https://other.example.org"),
        // A second for a stream of export, and room for four, of which an account has two.
        entry("cairn.limits.export-stream-seconds", "1"),
        // Eight downloads, of which an account has two.
        entry("cairn.limits.downloads", "8"),
        // Eight streaming submissions, of which an account has two, with three seconds for a line.
        entry("cairn.limits.streams", "8"),
        entry("cairn.limits.stream-idle-seconds", "3"),
        entry("cairn.limits.unread-answer-seconds", "60"),
        // Commits wait longer than the database lets them wait for a lock.
        entry("cairn.limits.commit-wait-seconds", "6"),
        entry(
            "quarkus.datasource.jdbc.additional-jdbc-properties.options",
            "-c statement_timeout=30000 -c lock_timeout=2000 -c enable_seqscan=off"
                + " -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off"),
        entry("cairn.limits.arriving-mib", "4"),
        // Servers hang until the test ends.
        entry("cairn.webhook.timeout", "PT60S"),
        entry("cairn.limits.connections-per-address", "200"),
        entry("cairn.database.pool-size", "16"),
        // Traces are sent soon.
        entry("quarkus.otel.bsp.schedule.delay", "PT0.05S"));
  }

  @Override
  public List<TestResourceEntry> testResources() {
    return List.of(
        new TestResourceEntry(Collector.class), new TestResourceEntry(FakeEmbeddings.class));
  }

  /** A secret key of 32 bytes that are all the same. */
  public static String key(byte filling) {
    var key = new byte[32];
    Arrays.fill(key, filling);
    return Base64.getEncoder().encodeToString(key);
  }
}
