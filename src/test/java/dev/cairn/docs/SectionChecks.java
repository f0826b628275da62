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
import dev.cairn.Prepared;
import dev.cairn.TextFile;
import dev.cairn.oauth.Flow;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is checked of blocks that the rules of {@link FencesTest} do not cover: examples that stand
 * alone, and commands that need what a test has not. In the order of the pages, since some go on
 * with what others made.
 */
final class SectionChecks {
  private static final String PROPERTIES = "properties";

  /** What the README has a reader make; the examples of other pages go on with it. */
  private static final String SENSORS = "/api/repos/greenhouse/sensors";

  private static final Pattern DATE = Pattern.compile("[0-9]{4}(-[0-9]{2}){2}");

  private final YAMLMapper yaml = new YAMLMapper();
  private final Terminal terminal;

  /** The message of the last example that subscribes to a query. */
  private String subscription;

  private final Path directory;

  /** The request of the page about commits. */
  private JsonNode request;

  /** The line of the page about exports. */
  private JsonNode line;

  /** Of the blocks of a section, in their order; a section has them for all of its blocks. */
  private final Map<String, List<Check>> checks;

  /** A check of a block, which throws if the block is wrong. */
  @FunctionalInterface
  interface Check {
    void on(Fence fence) throws Exception;
  }

  /**
   * All checks.
   *
   * @param directory the working directory of the terminal
   */
  SectionChecks(Terminal terminal, Path directory) {
    this.terminal = terminal;
    this.directory = directory;
    this.checks = all();
  }

  private Map<String, List<Check>> all() {
    return Map.ofEntries(
        entry("README.md, Run it", List.of(calls("run "))),
        entry(
            "docs/access.md, Sign-in: passwords, access tokens, refresh tokens",
            List.of(valid("Tokens"))),
        entry(
            "docs/actions.md, What is sent: the envelope",
            List.of(comparedBy("action.OutboxTest"))),
        entry("docs/actions.md, Callbacks", List.of(valid("Report"))),
        entry("docs/actions.md, Notifications", List.of(comparedBy("action.NotificationTest"))),
        entry("docs/components.md, Manifest", List.of(valid("ComponentManifest"))),
        entry("docs/components.md, Methods", List.of(comparedBy("component.MethodCallTest"))),
        entry("docs/components.md, Setup call", List.of(comparedBy("component.SetupCallTest"))),
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
                    "pg_dump --format=custom --file=cairn.dump --host=db.example.org"
                        + " --username=cairn cairn",
                    "createdb --owner=cairn cairn_restored",
                    "pg_restore --no-owner --exit-on-error --dbname=cairn_restored cairn.dump"))),
        entry(
            "docs/backup.md, The embedded database",
            List.of(
                calls(
                    "pg_dump --format=custom --file=cairn.dump --host=127.0.0.1"
                        + " --port=postgres.port --username=cairn cairn"))),
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
            "docs/performance.md, How it is measured",
            List.of(
                calls(
                    "src/bench/run ",
                    "src/bench/run -Dthings=1000,100000 -Dturns=3 -Dwarm=2 -Donly=page,commits"))),
        entry("docs/cli.md, Install", List.of(calls("mvnw package -Dnative", "install "))),
        entry("docs/cli.md, First steps", List.of(this::isScreen, terminal::run, this::isScreen)),
        entry("docs/cli.md, Errors and exit codes", List.of(this::isScreen)),
        entry(
            "docs/client.md, Dependency",
            List.of(calls("mvnw install -DskipTests"), this::isTheClient)),
        entry("docs/client.md, Example", List.of(this::isTheExample)),
        entry("docs/commits.md, The request", List.of(fence -> request = Terminal.value(fence))),
        entry("docs/commits.md, Operations", List.of(this::isAccepted)),
        entry("docs/commits.md, Inline collections", List.of(this::isAccepted)),
        entry(
            "docs/commits.md, The answer",
            List.of(
                fence -> terminal.assertShows(fence, committed("")),
                fence -> terminal.assertShows(fence, committed("?return=summary")))),
        entry("docs/commits.md, Verification", List.of(valid("Verification"))),
        entry(
            "docs/credentials.md, Changing the secret key",
            List.of(calls("java -jar target/quarkus-app/quarkus-run.jar reseal"))),
        entry(
            "docs/deploy.md, Base images by digest",
            List.of(
                calls(
                    "docker buildx imagetools inspect docker.io/library/eclipse-temurin:25-jre"
                        + " --format {{.Manifest.Digest}}"),
                calls(
                    "docker build -f src/main/docker/Dockerfile.jvm --build-arg"
                        + " JDK_IMAGE=registry.example/eclipse-temurin:25-jdk@sha256:… --build-arg"
                        + " JRE_IMAGE=registry.example/eclipse-temurin:25-jre@sha256:… -t cairn:jvm"
                        + " ."))),
        entry(
            "docs/deploy.md, The AOT cache",
            List.of(
                calls(
                    "mvnw package -DskipTests",
                    "src/main/docker/aot-cache.sh target/quarkus-app target/quarkus-app",
                    "java -XX:AOTCache=cairn.aot @jvm.options -jar quarkus-run.jar"))),
        entry(
            "docs/deploy.md, Start and memory",
            List.of(
                calls(
                    "openssl rand -base64 32",
                    "src/bench/start.sh target/cairn-*-runner",
                    "src/bench/start.sh java -XX:MaxRAM=1280m -XX:AOTCache=cairn.aot @jvm.options"
                        + " -jar quarkus-run.jar",
                    "src/bench/start.sh java -XX:MaxRAM=1280m -jar quarkus-run.jar"))),
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
                    "kubectl wait -n cairn --for=condition=complete --timeout=30m"
                        + " job/cairn-migrate"))),
        entry("docs/errors.md, Errors", List.of(valid("Problem"))),
        entry("docs/live.md, Event stream", List.of(this::parses, this::isStreamed)),
        entry("docs/live.md, Live queries", List.of(this::subscribes, this::isTold)),
        entry("docs/live.md, Waiting reads", List.of(this::runWithJq)),
        entry(
            "docs/mcp.md, Subscriptions to resources", List.of(this::runUntilEvent, this::printed)),
        entry("docs/export.md, Lines", List.of(this::isExported)),
        // Signed in: CliImportIT.
        entry(
            "docs/export.md, `cairn export`",
            List.of(
                calls(
                    "cairn export",
                    "cairn export --output world.ndjson",
                    "cairn export --at 42 --output before.ndjson"))),
        entry(
            "docs/import.md, Import",
            List.of(
                calls(
                    "cairn import operations.ndjson.gz",
                    "cairn import export.ndjson --dry-run",
                    "cairn import cities.csv --shape City --key {country}/{id} --infer"))),
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
        entry("docs/monitoring.md, Logs", List.of(comparedBy("LogsIT"))),
        entry("docs/oauth.md, Clients", List.of(this::registers)),
        entry(
            "docs/oauth.md, The authorization code",
            List.of(
                this::agrees,
                terminal::run,
                fence -> terminal.answersWith(fence, "refresh_token", "TOKEN"))),
        entry("docs/oauth.md, Refresh", List.of(this::refreshes)),
        entry(
            "docs/oauth.md, Devices",
            List.of(
                terminal::run,
                fence -> terminal.answersWith(fence, "device_code", "CODE"),
                terminal::run)),
        entry("docs/operation.md, An external database", List.of(calls("openssl rand -base64 32"))),
        entry("docs/operation.md, Behind a proxy", List.of(calls())),
        entry("docs/sprites.md, The http backend", List.of(this::hasItsReferences)),
        entry("docs/sprites.md, The kubernetes backend", List.of(this::isRole)),
        entry("docs/subscriptions.md, Optimistic locking: `If-Match`", List.of(this::binds)));
  }

  /** The sections whose blocks it checks. */
  Set<String> places() {
    return checks.keySet();
  }

  /** The checks of the blocks of a section, in their order; null if there are none. */
  List<Check> of(String place) {
    return checks.get(place);
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

  /** The coordinates are those of the pom that the build puts into the jar of the client. */
  private void isTheClient(Fence fence) throws IOException {
    var pom = Files.readString(Path.of("pom.xml"));
    var client =
        Files.readString(
            Path.of("src/main/filtered/META-INF/maven/dev.cairn/cairn-client/pom.xml"));
    var version = Pattern.compile("<version>([^<]+)</version>").matcher(pom);
    assertTrue(version.find());
    for (var line : fence.text().strip().lines().map(String::strip).toList()) {
      var generic = line.replace(version.group(1), "${project.version}");
      assertTrue(client.contains(generic) || line.endsWith("dependency>"), line);
    }
  }

  /** The program is the file that {@code dev.cairn.ClientIT} compiles and runs. */
  private void isTheExample(Fence fence) throws IOException {
    assertEquals(
        Files.readString(Path.of("examples/client/Example.java")).strip(), fence.text().strip());
  }

  /** Another test compares the example with what the service sends. */
  private static Check comparedBy(String test) {
    return fence -> {
      var file = Path.of("src/test/java/dev/cairn", test.replace('.', '/') + ".java");
      assertTrue(
          TextFile.read(file).replaceAll("\\s+", "").contains(call(fence).replaceAll("\\s+", "")),
          () -> "not in " + file + ": " + call(fence));
    };
  }

  private static String call(Fence fence) {
    return "PageExample.assertShows(\"" + fence.place() + "\",";
  }

  /**
   * A screen of the CLI, 80 columns wide: each command in it shows the lines that follow it. What
   * asks a person is left to {@code CliSignInIT}.
   */
  private void isScreen(Fence fence) throws IOException {
    assertEquals("text", fence.language());
    for (var part : fence.text().strip().split("(?m)^\\$ ", -1)) {
      var command = part.lines().findFirst().orElse("");
      if (!command.isEmpty() && !command.startsWith("cairn login")) {
        terminal.run(
            "COLUMNS=80 NO_COLOR=1 script --quiet --command \"%s\" /dev/null < /dev/null"
                .formatted(command));
        assertEquals(
            withoutTimes(part.substring(command.length())), withoutTimes(terminal.output()));
      }
    }
  }

  private static String withoutTimes(String screen) {
    return screen
        .replace("\r", "")
        .replaceAll("[0-9-]{10} [0-9:]{8} [+-][0-9:]{5}", "TIME")
        .replaceAll("(just now|[0-9]+ (s|min|h|days?) ago)", "AGO")
        .strip();
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

  private void paginates(Fence fence) throws IOException {
    terminal.run(fence);
    var pages =
        terminal.values().stream()
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
        {'operation':'add','name':'Shape/Reading','data':{'fields':{'celsius':'number'}}}\
        """);
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
        {'operation':'add','name':'Sensor/north','data':{'room':'x','neighbour':'Sensor/west'}}\
        """);
    dryRun(repository, Terminal.value(fence));
  }

  private void isDefinition(Fence fence) throws IOException {
    var operation = JsonNodeFactory.instance.objectNode();
    operation
        .put("operation", "add")
        .put("name", "Shape/Example")
        .set("data", Terminal.value(fence));
    dryRun(sensors(), operation);
  }

  private static void dryRun(String repository, JsonNode operation) {
    posted(200, repository + "/commits", Map.of("dryRun", true, "operations", List.of(operation)));
  }

  private static JsonNode posted(int status, String path, Object body) {
    return Prepared.answer(status, Api.adminToken(), "POST", path, body);
  }

  private void isExported(Fence fence) throws IOException {
    line = Terminal.value(fence);
    for (var answer : Shown.values(Prepared.read(SENSORS + "/export"))) {
      if (answer.path("wref").equals(line.path("wref"))) {
        terminal.assertShows(fence, answer);
        return;
      }
    }
    throw new AssertionError("not in the export of " + SENSORS);
  }

  /** The lines have the form of those that tell of a commit. */
  private void isStreamed(Fence fence) throws IOException {
    var repository = Api.newRepository();
    var ticket =
        Prepared.answer(201, Api.adminToken(), "POST", repository + "/live/tickets", null)
            .path("ticket")
            .textValue();
    var url = URI.create("http://localhost:" + RestAssured.port + "/sse?ticket=" + ticket).toURL();
    try (var lines = new BufferedReader(new InputStreamReader(url.openStream(), UTF_8))) {
      var expected = new ArrayList<String>();
      for (var each : fence.text().strip().lines().toList()) {
        expected.add(form(each));
      }
      var told = new ArrayList<String>();
      while (told.size() < expected.size()) {
        told.add(form(lines.readLine()));
        if (told.getLast().startsWith("data") && !told.contains("event: invalidate")) {
          Prepared.commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
        }
      }
      assertEquals(expected, told);
    }
  }

  /** Runs a command that prints a stream of events until it has printed the first one. */
  private void runUntilEvent(Fence fence) throws IOException {
    // Not the function of that name, which counts the end of the stream as a failure.
    var command = fence.text().strip().replace("curl ", "command curl --max-time 10 ");
    terminal.run(command + " 2> /dev/null | head -n 2");
  }

  private void printed(Fence fence) {
    assertEquals(fence.text().strip(), terminal.output().strip());
  }

  private void subscribes(Fence fence) {
    subscription = fence.text().strip();
  }

  private void isTold(Fence fence) throws InterruptedException {
    var repository = Api.newRepository();
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Shape/City','data':{'fields':{'people':'number'}}}");
    var ticket =
        Prepared.answer(201, Api.adminToken(), "POST", repository + "/live/tickets", null)
            .path("ticket")
            .textValue();
    var messages = new LinkedBlockingQueue<String>();
    var socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(
                URI.create("ws://localhost:" + RestAssured.port + "/live?ticket=" + ticket),
                new WebSocket.Listener() {
                  @Override
                  public CompletionStage<?> onText(
                      WebSocket from, CharSequence message, boolean isLast) {
                    messages.add(message.toString());
                    from.request(1);
                    return null;
                  }
                })
            .join();
    try {
      socket.sendText(subscription, true).join();
      for (var expected : fence.text().strip().lines().toList()) {
        assertEquals(expected, messages.poll(10, TimeUnit.SECONDS));
        var _ =
            Prepared.status(
                Api.adminToken(),
                "POST",
                repository + "/commits",
                "{\"operations\":[{\"operation\":\"add\",\"name\":\"City/oslo\",\"data\":{\"people\":717710}}]}");
      }
    } finally {
      socket.abort();
    }
  }

  /** A line of an event stream without its values. */
  private static String form(String line) throws IOException {
    return line.startsWith("data: ")
        ? "data "
            + Shown.values(line.substring("data: ".length())).getFirst().properties().stream()
                .map(Map.Entry::getKey)
                .toList()
        : line.replaceFirst("\\d+$", "…");
  }

  private void runWithJq(Fence fence) throws IOException, InterruptedException {
    if (hasJq()) {
      terminal.run(fence);
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
      terminal.run(fence.text() + " line.json");
      for (var operation : terminal.values()) {
        assertEquals(List.of(), Shown.violations("Operation", operation), terminal.output());
      }
    }
  }

  private void copies(Fence fence) throws Exception {
    var copy = Api.newRepository("private");
    terminal.run("FROM=$B/api/repos/demo/world R=$B%s; export TOKEN R".formatted(copy));
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
          {'operation':'retract','name':'Node/gone'}\
          """);
      Files.writeString(directory.resolve("export.ndjson"), Prepared.read(repository + "/export"));
      terminal.run(fence);
      assertEquals("Node/gone", terminal.output().strip());
    }
  }

  private void registers(Fence fence) throws IOException {
    terminal.run(fence);
    terminal.set("CLIENT", terminal.values().getFirst().path("client_id").asText());
    terminal.set("STATE", "a-state");
  }

  private void agrees(Fence fence) throws IOException {
    terminal.run(fence);
    terminal.set("CODE", Flow.codeOf(terminal.output().strip()));
  }

  private void refreshes(Fence fence) throws IOException {
    terminal.run(fence);
    terminal.set("TOKEN", terminal.values().getFirst().path("refresh_token").asText());
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
    terminal.run(fence);
  }
}
