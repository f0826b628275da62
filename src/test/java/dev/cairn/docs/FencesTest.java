package dev.cairn.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.TestDatabase;
import dev.cairn.TextFile;
import dev.cairn.access.token.Sprites;
import dev.cairn.oauth.Flow;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every block of commands and every example of the README and of these docs works. The commands of
 * {@code sh} blocks are run in the order of the pages, and JSON right below them must be an answer
 * that they got. What cannot be run here, or stands alone, is in {@link #checks} with what is
 * checked instead; a block that neither rule covers fails.
 */
@HttpTest
@QuarkusTest
@InProcess("It runs the examples of these docs.")
class FencesTest {
  private static final String PROPERTIES = "properties";

  /** What the README has a reader make; the examples of other pages go on with it. */
  private static final String SENSORS = "/api/repos/greenhouse/sensors";

  /** The pages whose commands go on with what those before them made. */
  private static final List<Path> FIRST =
      Stream.of(
              "README.md",
              "docs/api.md",
              "docs/reads.md",
              "docs/commits.md",
              "docs/subscriptions.md",
              "docs/export.md")
          .map(Path::of)
          .toList();

  /** The statuses that the commands of a page get, in their order, besides those of success. */
  private static final Map<String, List<String>> OTHER_STATUSES =
      Map.of(
          "README.md", List.of("400", "403"),
          "docs/api.md", List.of("304"),
          "docs/oauth.md", List.of("400"));

  private static final Pattern ERROR_OF_MCP = Pattern.compile("\"isError\":true|\"error\":\\{");
  private static final Pattern FILE =
      Pattern.compile("(?:src|deploy)/[\\w./-]+|\\./(?:mvnw|run)\\b");
  private static final Pattern SETTING = Pattern.compile("\\bCAIRN_[A-Z0-9_]+");
  private static final Pattern DRAWING = Pattern.compile("[\u2500-\u257f▲▶▼◀]");

  private static final Pattern DATE = Pattern.compile("[0-9]{4}(-[0-9]{2}){2}");

  private final YAMLMapper yaml = new YAMLMapper();

  /** Of the blocks of a section, in their order; a section has them for all of its blocks. */
  private final Map<String, List<Check>> checks =
      Map.ofEntries(
          entry("README.md, Run it", List.of(calls("run "))),
          entry(
              "docs/access.md, Sign-in: passwords, access tokens, refresh tokens",
              List.of(valid("Tokens"))),
          entry(
              "docs/actions.md, What is sent: the envelope",
              List.of(proved("action.OutboxTest#the_body_says_what_was_committed"))),
          entry("docs/actions.md, Callbacks", List.of(valid("Report"))),
          entry(
              "docs/actions.md, Notifications",
              List.of(
                  proved("action.NotificationTest#a_failure_is_told_in_the_inbox_and_by_a_call"))),
          entry("docs/api.md, Pagination: cursors and page size", List.of(this::paginates)),
          entry(
              "docs/attacks.md, How to run them",
              List.of(
                  calls(
                      "mvnw -q package -DskipTests",
                      "java src/test/operation/attack/Attack.java",
                      "java -Daddresses=100 src/test/operation/attack/Attack.java A2",
                      "java -Dquick=true src/test/operation/attack/Attack.java",
                      "java src/test/operation/attack/Attack.java A2-drip B15"))),
          entry(
              "docs/backup.md, Dump with pg_dump",
              List.of(
                  calls(
                      "pg_dump --format=custom --file=cairn.dump --host=db.example.org --username=cairn cairn",
                      "createdb --owner=cairn cairn_restored",
                      "pg_restore --no-owner --exit-on-error --dbname=cairn_restored cairn.dump"))),
          entry(
              "docs/backup.md, The embedded database",
              List.of(
                  calls(
                      "pg_dump --format=custom --file=cairn.dump --host=127.0.0.1 --port=postgres.port --username=cairn cairn"))),
          entry(
              "docs/backup.md, Point-in-time recovery",
              List.of(
                  this::setsPostgres,
                  calls(
                      "pg_basebackup --pgdata=/backup/base-DATE --checkpoint=fast --wal-method=none"),
                  this::setsPostgres,
                  calls("psql --tuples-only --command=select pg_is_in_recovery() postgres"))),
          entry("docs/backup.md, Loss of the secret key", List.of(this::isPlanned)),
          entry(
              "docs/capacity.md, How it is measured",
              List.of(
                  calls(
                      "src/bench/run ",
                      "src/bench/run -Dthings=1000,100000 -Dturns=3 -Dwarm=2 -Donly=page,commits"))),
          entry("docs/commits.md, The request", List.of(fence -> request = value(fence))),
          entry("docs/commits.md, Operations", List.of(this::isAccepted)),
          entry("docs/commits.md, Inline collections", List.of(this::isAccepted)),
          entry(
              "docs/commits.md, The answer",
              List.of(
                  fence -> assertShows(fence, committed("")),
                  fence -> assertShows(fence, committed("?return=summary")))),
          entry("docs/commits.md, Verification", List.of(valid("Verification"))),
          entry(
              "docs/credentials.md, Changing the secret key",
              List.of(calls("java -jar target/quarkus-app/quarkus-run.jar reseal"))),
          entry(
              "docs/deploy.md, Base images by digest",
              List.of(
                  calls(
                      "docker buildx imagetools inspect docker.io/library/eclipse-temurin:25-jre --format {{.Manifest.Digest}}"),
                  calls(
                      "docker build -f src/main/docker/Dockerfile.jvm --build-arg JDK_IMAGE=registry.example/eclipse-temurin:25-jdk@sha256:… --build-arg JRE_IMAGE=registry.example/eclipse-temurin:25-jre@sha256:… -t cairn:jvm ."))),
          entry(
              "docs/deploy.md, The AOT cache",
              List.of(
                  calls(
                      "mvnw package -Daot -DskipTests",
                      "java -XX:AOTCache=cairn.aot @jvm.options -jar quarkus-run.jar"))),
          entry(
              "docs/deploy.md, Start and memory",
              List.of(
                  calls(
                      "src/bench/start.sh target/cairn-*-runner",
                      "src/bench/start.sh java -XX:MaxRAM=768m -XX:AOTCache=cairn.aot @jvm.options -jar quarkus-run.jar",
                      "src/bench/start.sh java -XX:MaxRAM=768m -jar quarkus-run.jar"))),
          entry(
              "docs/deploy.md, Kubernetes",
              List.of(
                  calls(
                      "kubectl create namespace cairn",
                      "kubectl label namespace cairn pod-security.kubernetes.io/enforce=restricted",
                      "kubectl label namespace ingress-nginx cairn.dev/client=true",
                      "kubectl apply -n cairn -f HOME/cairn-secret.yaml",
                      "kubectl apply -n cairn -k deploy/k8s/base"),
                  this::replacesSettings)),
          entry(
              "docs/deploy.md, Upgrades",
              List.of(
                  calls(
                      "kubectl apply -n cairn -k deploy/k8s/migrate",
                      "kubectl wait -n cairn --for=condition=complete --timeout=30m job/cairn-migrate"))),
          entry("docs/errors.md, Errors", List.of(valid("Problem"))),
          entry("docs/export.md, Lines", List.of(this::isExported)),
          entry(
              "docs/export.md, Import: adding an export again",
              List.of(this::makesAnOperation, this::copies, this::runWithJq)),
          entry(
              "docs/export.md, A copy of any HEAD",
              List.of(
                  valid("Operation"),
                  this::namesPlaceholders,
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"),
                  valid("Operation"))),
          entry("docs/export.md, Jobs", List.of(valid("Export"))),
          entry("docs/model.md, Shapes", List.of(this::isDefinition)),
          entry("docs/model.md, What a shape is about", List.of(this::isDefinition)),
          entry(
              "docs/monitoring.md, Logs",
              List.of(proved("LogsIT#what_an_attempt_writes_has_its_ids"))),
          entry("docs/oauth.md, Clients", List.of(this::registers)),
          entry(
              "docs/oauth.md, The authorization code",
              List.of(
                  this::agrees, this::run, fence -> answersWith(fence, "refresh_token", "TOKEN"))),
          entry("docs/oauth.md, Refresh", List.of(this::refreshes)),
          entry(
              "docs/oauth.md, Devices",
              List.of(this::run, fence -> answersWith(fence, "device_code", "CODE"), this::run)),
          entry("docs/operation.md, An external database", List.of(calls())),
          entry("docs/operation.md, Behind a proxy", List.of(calls())),
          entry("docs/sprites.md, The http backend", List.of(this::hasItsReferences)),
          entry("docs/sprites.md, The kubernetes backend", List.of(this::isRole)),
          entry("docs/subscriptions.md, Optimistic locking: `If-Match`", List.of(this::binds)));

  @TempDir Path directory;
  private String here;
  private Shell shell;

  /** What the last commands printed. */
  private String output;

  /** The statuses of the page so far that are not of success. */
  private final List<String> otherStatuses = new ArrayList<>();

  /** The request of the page about commits. */
  private JsonNode request;

  /** The line of the page about exports. */
  private JsonNode line;

  @FunctionalInterface
  private interface Check {
    void on(Fence fence) throws Exception;
  }

  @BeforeEach
  void here() {
    here = "http://localhost:" + RestAssured.port;
  }

  @Test
  void every_block_of_the_pages_is_run_or_checked() throws Exception {
    var failures = new ArrayList<String>();
    var unused = new TreeSet<>(checks.keySet());
    try (var opened = new Shell(directory)) {
      shell = opened;
      shell.run("claude() { test \"$*\" = 'mcp add --transport http cairn " + here + "/mcp'; }");
      for (var page : pages()) {
        otherStatuses.clear();
        var fences = Fence.of(page);
        for (int i = 0; i < fences.size(); i++) {
          var fence = fences.get(i);
          unused.remove(fence.place());
          var before = i == 0 ? null : fences.get(i - 1);
          try {
            namesWhatThereIs(fence);
            check(fence, before, indexInSection(fences, i)).on(fence);
          } catch (Exception | AssertionError e) {
            failures.add(fence + " in " + fence.section() + ": " + e.getMessage());
          }
        }
        var expected = OTHER_STATUSES.getOrDefault(page.toString(), List.of());
        if (!expected.equals(otherStatuses)) {
          failures.add("%s: the commands got %s".formatted(page, otherStatuses));
        }
      }
    }
    unused.forEach(place -> failures.add(place + ": there is no such block"));
    assertEquals("", String.join("\n\n", failures));
  }

  private static Set<Path> pages() throws IOException {
    var pages = new LinkedHashSet<>(FIRST);
    try (var files = Files.walk(Path.of("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private static int indexInSection(List<Fence> fences, int index) {
    var section = fences.get(index).place();
    return (int)
        fences.subList(0, index).stream().filter(one -> one.place().equals(section)).count();
  }

  private Check check(Fence fence, Fence before, int indexInSection) {
    var ofSection = checks.get(fence.place());
    if (ofSection != null) {
      assertTrue(indexInSection < ofSection.size(), "nothing checks this block");
      return ofSection.get(indexInSection);
    }
    return switch (fence.language()) {
      case "sh" -> this::run;
      case "json" -> {
        assertTrue(
            fence.followsFence() && before.language().equals("sh"), "nothing checks this example");
        yield this::answers;
      }
      case "" -> this::isDrawing;
      default -> throw new AssertionError("nothing checks this block");
    };
  }

  /** Files of the project and settings of the service. */
  private static void namesWhatThereIs(Fence fence) {
    FILE.matcher(fence.text())
        .results()
        .forEach(file -> assertTrue(Files.exists(Path.of(file.group())), file.group()));
    var settings = TextFile.read(Path.of("docs/configuration.md"));
    SETTING
        .matcher(fence.text())
        .results()
        .forEach(
            setting -> assertTrue(settings.contains("`" + setting.group() + "`"), setting.group()));
  }

  private void run(Fence fence) throws IOException {
    run(fence.text());
  }

  private void run(String commands) throws IOException {
    output = shell.run(here(commands));
    assertFalse(ERROR_OF_MCP.matcher(output).find(), output);
    shell.answers().stream()
        .map(answer -> answer.substring(0, 3))
        .filter(status -> !status.startsWith("2"))
        .forEach(otherStatuses::add);
  }

  /** Commands of a page as a reader would adapt them to this service. */
  private String here(String commands) {
    var text =
        commands
            .replace("https://cairn.example.org", here)
            .replace("localhost:8080", "localhost:" + RestAssured.port)
            .replace("admin@localhost", TestDatabase.ADMIN_EMAIL)
            .replace("PASSWORD=…", "PASSWORD='" + TestDatabase.ADMIN_PASSWORD + "'");
    // Other tests read the demo repository as it was made.
    return text.contains("W=$B/api/repos/demo/world")
        ? text.replace("/api/repos/demo/world", countries())
        : text;
  }

  /** A repository like the demo's, with a country, whose commands may run. */
  private static String countries() {
    var repository = Api.newRepository();
    Sprites.trust(repository);
    Prepared.commit(
        repository,
        """
        {'operation':'add','name':'Shape/Country',
         'data':{'fields':{'name':'string','alpha3':'string','numeric':'string'}}},
        {'operation':'add','name':'Country/DE',
         'data':{'name':'Germany','alpha3':'DEU','numeric':'276'}}""");
    return repository;
  }

  /** The example is one of the answers that the commands before it got. */
  private void answers(Fence fence) throws IOException {
    var shown = value(fence);
    var found = new ArrayList<List<String>>();
    for (var answer : Shown.values(output)) {
      found.add(Shown.differences(here, shown, answer));
    }
    assertTrue(found.contains(List.of()), () -> found + "\n" + output);
  }

  private void assertShows(Fence fence, JsonNode answer) throws IOException {
    assertEquals(List.of(), Shown.differences(here, value(fence), answer), answer::toString);
  }

  private static JsonNode value(Fence fence) throws IOException {
    var values = Shown.values(fence.text());
    assertEquals(1, values.size());
    return values.getFirst();
  }

  /** Each value is as a schema of the OpenAPI document says. */
  private static Check valid(String schema) {
    return fence -> {
      var values = Shown.values(fence.text());
      assertFalse(values.isEmpty());
      for (var value : values) {
        assertEquals(List.of(), Shown.violations(schema, value), value::toString);
      }
    };
  }

  /** Another test asserts what the example shows. */
  private static Check proved(String test) {
    return fence -> {
      assertEquals(1, Shown.values(fence.text()).size());
      assertEquals(List.of(), DocsPage.missingTests("`" + test + "`").toList());
    };
  }

  /** The commands, which need what is not here, call programs in this way, and do the rest. */
  private Check calls(String... expected) {
    return fence -> {
      assertEquals("sh", fence.language());
      var scratch = Files.createTempDirectory(directory, "rehearsal").toRealPath();
      var calls =
          new Rehearsal(scratch)
              .run(fence.text()).stream()
                  .map(call -> call.replace(scratch.toString(), "HOME"))
                  .map(call -> DATE.matcher(call).replaceAll("DATE"))
                  .toList();
      assertEquals(List.of(expected), calls);
    };
  }

  /** A shell understands the commands, which need a program that is not here. */
  private void parses(Fence fence) throws IOException, InterruptedException {
    assertEquals("sh", fence.language());
    var process = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
    try (var input = process.getOutputStream()) {
      input.write(fence.text().getBytes(UTF_8));
    }
    var complaint = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), complaint);
  }

  private void isDrawing(Fence fence) {
    assertTrue(DRAWING.matcher(fence.text()).find(), "the block has no language");
  }

  private void paginates(Fence fence) throws IOException {
    run(fence);
    var pages =
        Shown.values(output).stream()
            .map(page -> page.path("items").valueStream().map(item -> item.path("wref").asText()))
            .map(Stream::toList)
            .toList();
    assertEquals(
        List.of(List.of("Country/AD", "Country/AE"), List.of("Country/AF", "Country/AG")), pages);
  }

  /** PostgreSQL has these settings. */
  private void setsPostgres(Fence fence) throws Exception {
    assertEquals(PROPERTIES, fence.language());
    var settings = new Properties();
    settings.load(new StringReader(fence.text()));
    var known = new HashSet<String>();
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select name from pg_settings")) {
      while (rows.next()) {
        known.add(rows.getString(1));
      }
    }
    for (var name : settings.stringPropertyNames()) {
      assertTrue(known.contains(name), name);
    }
  }

  /** The database knows the tables and columns of the statements. */
  private void isPlanned(Fence fence) throws Exception {
    assertEquals("sql", fence.language());
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement()) {
      for (var sql : fence.text().replaceAll("--.*", "").strip().split(";\\s*", -1)) {
        if (!sql.isEmpty()) {
          statement.execute("explain " + sql);
        }
      }
    }
  }

  /** The base of the overlay has what the overlay replaces. */
  private void replacesSettings(Fence fence) throws IOException {
    var base = yaml.readTree(Path.of("deploy/k8s/base/configmap.yaml").toFile());
    for (var patch : yaml.readTree(fence.text()).path("patches")) {
      for (var operation : yaml.readTree(patch.path("patch").asText())) {
        var path = operation.path("path").asText();
        assertFalse(base.at(path).isMissingNode(), path);
      }
    }
  }

  private void hasItsReferences(Fence fence) throws IOException {
    var document = yaml.readTree(fence.text());
    var references = document.findValuesAsText("$ref");
    assertFalse(references.isEmpty());
    for (var reference : references) {
      assertTrue(document.at(reference.substring(1)).isObject(), reference);
    }
  }

  private void isRole(Fence fence) throws IOException {
    var role = yaml.readTree(fence.text());
    assertEquals("Role", role.path("kind").asText());
    for (var rule : role.path("rules")) {
      var members = new TreeSet<String>();
      rule.fieldNames().forEachRemaining(members::add);
      assertEquals(Set.of("apiGroups", "resources", "verbs"), members);
    }
  }

  /** A repository with the shapes that the examples of commits are of. */
  private static String sensors() {
    var repository = Api.newRepository("private");
    Prepared.commit(
        repository,
        """
        {'operation':'add','name':'Shape/Sensor',
         'data':{'fields':{'room':'string','model?':'string','neighbour?':'wref'}}},
        {'operation':'add','name':'Shape/Reading','data':{'fields':{'celsius':'number'}}}""");
    return repository;
  }

  private JsonNode committed(String query) {
    return posted(201, sensors() + "/commits" + query, request);
  }

  private void isAccepted(Fence fence) throws IOException {
    var repository = sensors();
    Prepared.commit(
        repository,
        """
        {'operation':'add','name':'Sensor/west','data':{'room':'x'}},
        {'operation':'add','name':'Sensor/north','data':{'room':'x','neighbour':'Sensor/west'}}""");
    dryRun(repository, value(fence));
  }

  private void isDefinition(Fence fence) throws IOException {
    var operation = JsonNodeFactory.instance.objectNode();
    operation.put("operation", "add").put("name", "Shape/Example").set("data", value(fence));
    dryRun(sensors(), operation);
  }

  private static void dryRun(String repository, JsonNode operation) {
    posted(200, repository + "/commits", Map.of("dryRun", true, "operations", List.of(operation)));
  }

  private static JsonNode posted(int status, String path, Object body) {
    return Prepared.answer(status, Api.adminToken(), "POST", path, body);
  }

  private void isExported(Fence fence) throws IOException {
    line = value(fence);
    for (var answer : Shown.values(Prepared.read(SENSORS + "/export"))) {
      if (answer.path("wref").equals(line.path("wref"))) {
        assertShows(fence, answer);
        return;
      }
    }
    throw new AssertionError("not in the export of " + SENSORS);
  }

  private void runWithJq(Fence fence) throws IOException, InterruptedException {
    if (hasJq()) {
      run(fence);
    } else {
      parses(fence);
    }
  }

  private static boolean hasJq() throws InterruptedException {
    try {
      return new ProcessBuilder("jq", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void makesAnOperation(Fence fence) throws Exception {
    parses(fence);
    if (hasJq()) {
      Files.writeString(directory.resolve("line.json"), line.toString());
      run(fence.text() + " line.json");
      for (var operation : Shown.values(output)) {
        assertEquals(List.of(), Shown.violations("Operation", operation), output);
      }
    }
  }

  private void copies(Fence fence) throws Exception {
    var copy = Api.newRepository("private");
    shell.run("FROM=$B/api/repos/demo/world R=$B%s; export TOKEN R".formatted(copy));
    runWithJq(fence);
  }

  private void namesPlaceholders(Fence fence) throws Exception {
    parses(fence);
    if (hasJq()) {
      var repository = Api.newRepository("private");
      Prepared.commit(
          repository,
          """
          {'operation':'add','name':'Shape/Node','data':{'fields':{'to?':'wref'}}},
          {'operation':'add','name':'Node/gone','data':{}},
          {'operation':'add','name':'Node/left','data':{'to':'Node/gone'}},
          {'operation':'retract','name':'Node/gone'}""");
      Files.writeString(directory.resolve("export.ndjson"), Prepared.read(repository + "/export"));
      run(fence);
      assertEquals("Node/gone", output.strip());
    }
  }

  private void registers(Fence fence) throws IOException {
    run(fence);
    set("CLIENT", Shown.values(output).getFirst().path("client_id").asText());
    set("STATE", "a-state");
  }

  private void agrees(Fence fence) throws IOException {
    run(fence);
    set("CODE", Flow.codeOf(output.strip()));
  }

  private void refreshes(Fence fence) throws IOException {
    run(fence);
    set("TOKEN", Shown.values(output).getFirst().path("refresh_token").asText());
  }

  /** The example is the answer, of which a member is used by the commands that follow. */
  private void answersWith(Fence fence, String member, String variable) throws IOException {
    answers(fence);
    set(variable, Shown.values(output).getFirst().path(member).asText());
  }

  private void set(String variable, String value) {
    assertFalse(value.isEmpty(), variable);
    shell.run("%s='%s'".formatted(variable, value));
  }

  private void binds(Fence fence) throws IOException {
    posted(
        201,
        SENSORS + "/subs",
        Map.of(
            "name",
            "sensors",
            "kind",
            "webhook",
            "shapeName",
            "Sensor",
            "filterJson",
            Map.of(),
            "webhookUrl",
            "https://hooks.example.com/x"));
    Prepared.answer(
        200,
        Api.adminToken(),
        "PUT",
        SENSORS + "/credential-sets/hooks",
        Map.of("keys", Map.of("WEBHOOK_BEARER_TOKEN", "a-secret-of-theirs")));
    run(fence);
  }
}
