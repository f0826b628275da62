package dev.cairn.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.FreePort;
import dev.cairn.Prepared;
import dev.cairn.TestDatabase;
import dev.cairn.TextFile;
import dev.cairn.access.token.Sprites;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a reader has who tries the pages: a shell, in which commands talk to this service. */
final class Terminal implements AutoCloseable {
  private static final Pattern ERROR_OF_MCP = Pattern.compile("\"isError\":true|\"error\":\\{");

  /** Waits for the commit of a delivery. */
  private static final String AWAITED = "api \"$M/head?shape=Cycle&waitFor=3\"";

  private final String here = "http://localhost:" + RestAssured.port;
  private final Shell shell;

  /** Where the servers of components listen in the pages and the examples, and where here. */
  private final Map<String, String> servers =
      Map.of(
          "127.0.0.1:7001", "127.0.0.1:" + FreePort.next(),
          "127.0.0.1:7002", "127.0.0.1:" + FreePort.next());

  /** What the last commands printed. */
  private String output;

  /** The statuses of the page so far that are not of success. */
  private final List<String> otherStatuses = new ArrayList<>();

  /** Opens one in a directory. */
  Terminal(Path directory) throws IOException {
    shell = new Shell(directory);
    copyExamples(directory);
    shell.run(
        "tick() { curl -s -X POST -H \"Authorization: Bearer %s\" '%s/internal/tick?seconds=20'; }"
            .formatted(TestDatabase.TICK_TOKEN, here));
    installCli(directory);
    shell.run("claude() { test \"$*\" = 'mcp add --transport http cairn " + here + "/mcp'; }");
  }

  /** Puts the CLI of these classes on the path. */
  private void installCli(Path directory) throws IOException {
    var launcher = Files.createDirectories(directory.resolve("bin")).resolve("cairn");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        export CAIRN_SERVER='%s' HOME='%s' XDG_CONFIG_HOME=
        exec '%s' -Djava.util.logging.manager=org.jboss.logmanager.LogManager -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '%s' dev.cairn.Main "$@"
        """
            .formatted(
                here,
                directory,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path"))));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    shell.run("PATH='%s':$PATH".formatted(launcher.getParent()));
  }

  private void copyExamples(Path directory) throws IOException {
    try (var files = Files.walk(Path.of("examples"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, withServers(TextFile.read(file)));
      }
    }
  }

  /** Begins the next page. */
  void turnPage() {
    otherStatuses.clear();
  }

  /** The statuses that the commands of the page got so far, besides those of success. */
  List<String> otherStatuses() {
    return List.copyOf(otherStatuses);
  }

  /** What the last commands printed. */
  String output() {
    return output;
  }

  /** The values that the last commands printed. */
  List<JsonNode> values() throws IOException {
    return Shown.values(output);
  }

  void run(Fence fence) throws IOException {
    run(fence.text());
  }

  /** Runs commands, which must succeed. */
  void run(String commands) throws IOException {
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
        withServers(commands)
            .replace("https://cairn.example.org", here)
            .replace("localhost:8080", "localhost:" + RestAssured.port)
            .replace("admin@localhost", TestDatabase.ADMIN_EMAIL)
            .replace("PASSWORD=…", "PASSWORD='" + TestDatabase.ADMIN_PASSWORD + "'");
    if (text.contains(AWAITED)) {
      // No worker runs here; what other tests have left would keep a tick busy.
      OwnConnections.database()
          .update("delete from action_run where status in ('pending', 'retry_wait', 'running')");
      text = text.replace(AWAITED, "tick > tick.json\n" + AWAITED);
    }
    // Other tests read the demo repository as it was made.
    return text.contains("W=$B/api/repos/demo/world")
        ? text.replace("/api/repos/demo/world", countries())
        : text;
  }

  private String withServers(String text) {
    var replaced = text;
    for (var server : servers.entrySet()) {
      replaced = replaced.replace(server.getKey(), server.getValue());
    }
    return replaced;
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
         'data':{'name':'Germany','alpha3':'DEU','numeric':'276'}}\
        """);
    return repository;
  }

  /** The example is one of the answers that the commands before it got. */
  void answers(Fence fence) throws IOException {
    var shown = value(fence);
    var found = new ArrayList<List<String>>();
    for (var answer : Shown.values(output)) {
      found.add(Shown.differences(here, shown, answer));
    }
    assertTrue(found.contains(List.of()), () -> found + "\n" + output);
  }

  /** The example shows an answer. */
  void assertShows(Fence fence, JsonNode answer) throws IOException {
    assertEquals(List.of(), Shown.differences(here, value(fence), answer), answer::toString);
  }

  /** The one value of an example. */
  static JsonNode value(Fence fence) throws IOException {
    var values = Shown.values(fence.text());
    assertEquals(1, values.size());
    return values.getFirst();
  }

  /** The example is the answer, of which a member is used by the commands that follow. */
  void answersWith(Fence fence, String member, String variable) throws IOException {
    answers(fence);
    set(variable, values().getFirst().path(member).asText());
  }

  /** Gives a variable of the shell a value. */
  void set(String variable, String value) {
    assertFalse(value.isEmpty(), variable);
    shell.run("%s='%s'".formatted(variable, value));
  }

  @Override
  public void close() {
    shell.close();
  }
}
