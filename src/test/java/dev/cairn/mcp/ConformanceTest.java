package dev.cairn.mcp;

import static java.util.Map.entry;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * The protocol's own conformance suites pass: each check of each scenario, warnings included, but
 * for the scenarios of {@link #NOT_OURS}. The tools that they call are {@link FixtureTools} and its
 * neighbours.
 */
@HttpTest
@QuarkusTest
@InProcess("It adds tools, resources and prompts to the service.")
@TestProfile(Uncommon.class)
@EnabledIfEnvironmentVariable(
    named = NodeProgram.NODE,
    matches = ".+",
    disabledReason = NodeProgram.WITHOUT)
class ConformanceTest {
  private static final String STABLE = "node_modules/conformance/dist/index.js";
  private static final String ALPHA = "node_modules/conformance-alpha/dist/index.js";
  private static final Set<String> BAD = Set.of("FAILURE", "WARNING");
  private static final String TASKS =
      "The tasks extension (SEP-2663) is optional and not offered: nothing runs longer than its"
          + " request.";

  /**
   * Scenarios of the revisions with a handshake about capabilities that are not offered there: no
   * log message is sent, and no resource can be subscribed to.
   */
  private static final Set<String> NOT_OFFERED =
      Set.of(
          "logging-set-level",
          "tools-call-with-logging",
          "resources-subscribe",
          "resources-unsubscribe");

  /** The scenarios that a server like this one does not pass, and why. */
  private static final Map<String, String> NOT_OURS =
      Map.ofEntries(
          entry("tasks-lifecycle", TASKS),
          entry("tasks-capability-negotiation", TASKS),
          entry("tasks-wire-fields", TASKS),
          entry("tasks-request-state-removal", TASKS),
          entry("tasks-mrtr-input", TASKS),
          entry("tasks-request-headers", TASKS),
          entry("tasks-dispatch-and-envelope", TASKS),
          entry("tasks-required-task-error", TASKS),
          entry("tasks-mrtr-composition", TASKS),
          entry(
              "http-custom-header-server-validation",
              "To mark arguments with x-mcp-header is up to a server, and no tool has one: a client"
                  + " that forgets the header would be turned away."));

  @TempDir Path scratch;

  @Test
  void every_scenario_of_the_stable_suite_passes_that_is_about_what_is_offered() throws Exception {
    var checks = run(STABLE, "--suite", "all");

    assertEquals(32, checks.size(), () -> "scenarios: " + checks.keySet());
    var complaints = complaints(checks);
    assertEquals(NOT_OFFERED, complaints.keySet(), complaints::toString);
  }

  @Test
  void every_scenario_of_the_alpha_passes_that_is_about_the_handshake_and_what_is_offered()
      throws Exception {
    var checks = run(ALPHA, "--requirements", "2025-11-25");

    assertEquals(33, checks.size(), () -> "scenarios: " + checks.keySet());
    var complaints = complaints(checks);
    assertEquals(NOT_OFFERED, complaints.keySet(), complaints::toString);
  }

  @Test
  void every_scenario_of_the_alpha_passes_that_is_about_2026_07_28_and_not_about_tasks()
      throws Exception {
    var checks = run(ALPHA, "--requirements", "2026-07-28");

    assertEquals(50, checks.size(), () -> "scenarios: " + checks.keySet());
    var complaints = complaints(checks);
    assertEquals(
        NOT_OURS.keySet(), complaints.keySet(), () -> "unlike " + NOT_OURS + ":\n" + complaints);
  }

  /** The checks of all scenarios of a run, by scenario. */
  private Map<String, List<JsonNode>> run(String suite, String... selection) throws Exception {
    var arguments =
        Stream.concat(
            Stream.of("server", "--url", "http://localhost:" + RestAssured.port + "/mcp"),
            Stream.concat(Stream.of(selection), Stream.of("-o", "results")));
    var finished = NodeProgram.run(scratch, suite, arguments.toArray(String[]::new));
    var results = scratch.resolve("results");
    assertTrue(Files.isDirectory(results), () -> finished.output() + finished.complaints());
    var checks = new TreeMap<String, List<JsonNode>>();
    try (var directories = Files.list(results)) {
      for (var directory : directories.toList()) {
        checks.put(scenario(directory), read(directory.resolve("checks.json")));
      }
    }
    return checks;
  }

  /** A directory is named {@code server-SCENARIO-TIME}. */
  private static String scenario(Path directory) {
    return directory
        .getFileName()
        .toString()
        .replaceFirst("^server-(.*?)-\\d{4}-\\d\\d-\\d\\dT.*", "$1");
  }

  private static List<JsonNode> read(Path file) throws IOException {
    return new ObjectMapper().readTree(file.toFile()).valueStream().toList();
  }

  /** What the suite has against the service, by scenario. */
  private static Map<String, List<String>> complaints(Map<String, List<JsonNode>> checks) {
    return checks.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().stream()
                    .filter(check -> BAD.contains(check.path("status").asText()))
                    .map(check -> Map.entry(entry.getKey(), said(check))))
        .collect(
            groupingBy(Map.Entry::getKey, TreeMap::new, mapping(Map.Entry::getValue, toList())));
  }

  private static String said(JsonNode check) {
    return "%s %s: %s"
        .formatted(
            check.path("status").asText(),
            check.path("id").asText(),
            check.path("errorMessage").asText());
  }
}
