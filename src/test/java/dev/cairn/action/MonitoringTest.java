package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.mcp.Mcp;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.Gzip;
import dev.cairn.work.QueueMetrics;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operation: what dashboard, alerts and the page name is there, and every alert has its advice. */
@HttpTest
@QuarkusTest
@InProcess("It has the queues counted.")
class MonitoringTest extends OneHook {
  private static final Path ALERTS = Path.of("deploy/monitoring/alerts.yaml");
  private static final Path DASHBOARD = Path.of("deploy/monitoring/dashboard.json");
  private static final Path PAGE = Path.of("docs/monitoring.md");

  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)(=~|!~|!=|=)\"([^\"]*)\"");
  private static final Pattern METRIC =
      Pattern.compile("\\b((?:cairn|http|agroal|jvm|process|system)_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern IN_PAGE = Pattern.compile("`(cairn_\\w+)`");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
  private static final Pattern ADVICE = Pattern.compile("(?m)^\\| `(Cairn\\w+)` \\|");

  /** Prometheus adds these. */
  private static final Set<String> ADDED = Set.of("job", "instance");

  /** Labels that have all of their values from the beginning. */
  private static final Set<String> FIXED = Set.of("queue", "state", "area");

  @Inject RateLimiter limiter;
  @Inject QueueMetrics queues;

  /** The labels of each metric, with their values. */
  private Map<String, Map<String, Set<String>>> exposed;

  /** A little of everything, since some metrics begin with the first event. */
  @BeforeEach
  void scrape() throws IOException {
    deliver(200);
    Api.adminToken();
    limiter.take("monitoring", repository, 1, Duration.ofDays(1));
    assertThrows(
        Problem.class, () -> limiter.take("monitoring", repository, 1, Duration.ofDays(1)));
    Mcp.of(Mcp.OLD, Api.adminToken()).call("whoami", Map.of()).statusCode(200);
    admin().get(repository + "/export").then().statusCode(200);
    admin().get(repository + "/export?prefer=async").then().statusCode(202);
    admin().get(repository + "/count").then().statusCode(200);
    anonymous().get("/oauth/authorize?client_id=unknown").then().statusCode(400);
    var compressed = Gzip.compress("{}".getBytes(StandardCharsets.UTF_8));
    var commit = admin().header("Content-Encoding", "gzip").body(compressed);
    commit.post(repository + "/commits").then().statusCode(400);
    admin()
        .body(Map.of("settings", Map.of("streams", Map.of("enabled", true))))
        .patch(repository)
        .then()
        .statusCode(200);
    var line = "{}".getBytes(StandardCharsets.UTF_8);
    var stream = admin().contentType("application/x-ndjson").body(line);
    stream.post(repository + "/streams/s/submissions").then().statusCode(200);
    queues.sample();
    exposed = new HashMap<>();
    var text = anonymous().get("/q/metrics").then().statusCode(200).extract().asString();
    SAMPLE.matcher(text).results().forEach(m -> expose(m.group(1), m.group(2)));
  }

  private void expose(String name, String labels) {
    var known = exposed.computeIfAbsent(name, _ -> new HashMap<>());
    if (labels != null) {
      LABEL
          .matcher(labels)
          .results()
          .forEach(l -> known.computeIfAbsent(l.group(1), _ -> new HashSet<>()).add(l.group(3)));
    }
  }

  private static Stream<String> alertRules() throws IOException {
    return Files.readString(ALERTS).lines().filter(line -> !line.strip().startsWith("#"));
  }

  private static List<String> panels() throws IOException {
    return new ObjectMapper()
        .readTree(DASHBOARD.toFile()).findValuesAsText("expr").stream().distinct().toList();
  }

  private Set<String> missing(Stream<String> expressions) {
    var missing = new TreeSet<String>();
    expressions
        .flatMap(text -> METRIC.matcher(text).results())
        .forEach(m -> missing.addAll(missing(m.group(1), m.group(2))));
    return missing;
  }

  private Set<String> missing(String metric, String selectors) {
    var labels = exposed.get(metric);
    if (labels == null) {
      return Set.of(metric);
    }
    return selectors == null
        ? Set.of()
        : LABEL
            .matcher(selectors)
            .results()
            .filter(l -> !ADDED.contains(l.group(1)))
            .filter(l -> !has(labels.get(l.group(1)), l.group(1), l.group(3)))
            .map(l -> metric + "{" + l.group() + "}")
            .collect(Collectors.toSet());
  }

  private static boolean has(Set<String> values, String label, String wanted) {
    return values != null
        && (!FIXED.contains(label) || values.containsAll(List.of(wanted.split("\\|", -1))));
  }

  @Test
  void the_alerts_name_metrics_and_labels_that_there_are() throws IOException {
    assertEquals(Set.of(), missing(alertRules()));
  }

  @Test
  void the_dashboard_names_metrics_and_labels_that_there_are() throws IOException {
    assertTrue(panels().size() > 30, "the expressions are found");
    assertEquals(Set.of(), missing(panels().stream()));
  }

  @Test
  void the_page_names_metrics_that_there_are() throws IOException {
    var named =
        IN_PAGE
            .matcher(Files.readString(PAGE))
            .results()
            .map(m -> m.group(1))
            .filter(name -> !exposed.containsKey(name) && !exposed.containsKey(name + "_count"))
            // Sprites may not run here.
            .filter(name -> !name.equals("cairn_sprite_runs_seconds"))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), named);
  }

  @Test
  void each_metric_of_the_service_is_on_the_page() throws IOException {
    var page = Files.readString(PAGE);
    var unknown =
        exposed.keySet().stream()
            .filter(name -> name.startsWith("cairn_"))
            .map(name -> name.replaceFirst("_(bucket|count|sum|max)$", ""))
            .filter(name -> !page.contains("`" + name + "`"))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), unknown);
  }

  @Test
  void each_alert_has_its_advice_on_the_page() throws IOException {
    var alerts = names(ALERT, ALERTS);
    assertTrue(alerts.size() > 10, alerts::toString);
    assertEquals(alerts, names(ADVICE, PAGE));
  }

  private static Set<String> names(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map(m -> m.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
