package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.cairn.cli.component.ComponentCommand;
import dev.cairn.cli.credential.CredentialCommand;
import dev.cairn.cli.credential.TokenCommand;
import dev.cairn.cli.organization.MemberCommand;
import dev.cairn.cli.organization.OrgCommand;
import dev.cairn.cli.repository.RepoCommand;
import dev.cairn.cli.subscription.RunCommand;
import dev.cairn.cli.subscription.SubCommand;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/**
 * Every command that manages, with the packaged CLI and the packaged service: what {@code --json}
 * has is valid by the OpenAPI document. The receiver of webhooks is this test.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CliManagementIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SECRET =
      "whsec_" + Base64.getEncoder().encodeToString("a secret of twenty-four!".getBytes(UTF_8));

  private static final List<Class<?>> GROUPS =
      List.of(
          OrgCommand.class,
          MemberCommand.class,
          RepoCommand.class,
          TokenCommand.class,
          CredentialCommand.class,
          ComponentCommand.class,
          SubCommand.class,
          RunCommand.class);

  @TempDir static Path directory;
  private static final Set<String> RUN = new TreeSet<>();
  private static EmbeddedDatabase.Running database;
  private static Replica replica;
  private static HttpServer receiver;
  private static Cli cairn;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica =
        Replica.start(
            database,
            directory.resolve("log"),
            Map.of(
                "CAIRN_EGRESS_ALLOW", "127.0.0.1",
                "CAIRN_LIMITS_SUBSCRIPTIONS_PER_MINUTE", "1000"));
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var answer = "{\"here\":true}".getBytes(UTF_8);
            boolean isHook = exchange.getRequestURI().getPath().equals("/gone");
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(isHook ? 404 : 200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    receiver.start();
    var home = Files.createDirectory(directory.resolve("home"));
    cairn =
        new Cli(home, replica.url(""))
            .with("CAIRN_TOKEN", replica.signIn())
            .with("CAIRN_REPO", "garden/greenhouse");
    ok("Organization", "org", "create", "garden", "--display-name", "The garden");
    ok("Repository", "repo", "create", "garden/greenhouse", "--description", "Sensors");
  }

  @AfterAll
  static void end() throws Exception {
    if (receiver != null) {
      receiver.stop(0);
    }
    if (replica != null) {
      replica.kill();
    }
    database.close();
  }

  private static String url(String path) {
    return "http://127.0.0.1:" + receiver.getAddress().getPort() + path;
  }

  private static JsonNode ok(String schema, String... args) throws Exception {
    return okWith("", schema, args);
  }

  /**
   * Runs a command with {@code --json}; its answer is valid.
   *
   * @param input what is on the standard input
   * @param schema the name of a schema, with {@code []} for an array of these
   */
  private static JsonNode okWith(String input, String schema, String... args) throws Exception {
    var line = new ArrayList<>(List.of(args));
    line.add("--json");
    RUN.add(args[0] + " " + args[1]);
    var result = cairn.run(input, line);
    assertEquals(0, result.code(), result.err());
    var answer = JSON.readTree(result.out());
    if (schema.endsWith("[]")) {
      assertTrue(answer.isArray(), result.out());
      for (var item : answer) {
        assertEquals(List.of(), Shown.violations(schema.replace("[]", ""), item), line.toString());
      }
    } else {
      assertEquals(List.of(), Shown.violations(schema, answer), line.toString());
    }
    return answer;
  }

  private static void refused(int code, String sentence, Cli.Result result) {
    assertEquals(code, result.code(), result.err());
    assertTrue(result.err().startsWith("cairn: " + sentence), result.err());
    assertEquals("", result.out());
  }

  @Test
  @Order(1)
  void organizations_are_created_changed_and_audited() throws Exception {
    ok("Organization", "org", "create", "field");
    var listed = ok("OrganizationPage", "org", "list").path("items");
    assertTrue(listed.findValuesAsText("name").containsAll(List.of("field", "garden")));
    ok("Organization", "org", "edit", "field", "--description", "Wheat");
    ok("Organization", "org", "rename", "field", "fields");
    ok("Organization", "org", "archive", "fields");
    var archived = ok("Organization", "org", "get", "fields");
    assertTrue(archived.has("archivedAt"));
    assertTrue(archived.has("usage"));
    assertFalse(ok("Organization", "org", "unarchive", "fields").has("archivedAt"));
    var events = ok("AuditPage", "org", "audit", "fields", "--limit", "2").path("items");
    assertEquals(2, events.size());
    refused(5, "", cairn.run("org", "get", "field"));
    refused(6, "", cairn.run("org", "create", "garden"));
  }

  @Test
  @Order(2)
  void members_are_added_changed_and_removed() throws Exception {
    ok("Member", "member", "add", "b+1@example.org", "--role", "viewer");
    assertEquals(
        "editor",
        ok("Member", "member", "set-role", "b+1@example.org", "editor").path("role").asText());
    assertEquals(2, ok("MemberPage", "member", "list").path("items").size());
    ok("Ok", "member", "remove", "b+1@example.org", "--yes");
    refused(2, "Remove b+1", cairn.run("member", "remove", "b+1@example.org"));
    RUN.add("member leave");
    refused(6, "The last owner", cairn.run("member", "leave", "--org", "garden", "--yes"));
    refused(
        7,
        "",
        cairn.run("member", "add", "b@example.org", "--role", "gardener", "--org", "garden"));
  }

  @Test
  @Order(3)
  void repositories_are_created_changed_and_deleted() throws Exception {
    ok("Repository", "repo", "create", "garden/shed");
    ok("Repository", "repo", "edit", "garden/shed", "--description", "Tools");
    ok("Repository", "repo", "rename", "garden/shed", "hut");
    ok("Repository", "repo", "visibility", "garden/hut", "public", "--yes");
    assertEquals(
        "public", ok("Repository", "repo", "get", "garden/hut").path("visibility").asText());
    assertEquals(2, ok("RepositoryPage", "repo", "list").path("items").size());
    var settings = ok("Repository", "repo", "settings", "garden/hut", "--streams", "on");
    assertTrue(settings.at("/settings/streams/enabled").booleanValue());
    ok("Repository", "repo", "archive", "garden/hut");
    refused(6, "", cairn.run("repo", "delete", "garden/hut", "--yes"));
    ok("Repository", "repo", "unarchive", "garden/hut");
    refused(
        2,
        "Delete garden/hut with its whole history? Without a terminal",
        cairn.run("repo", "delete", "garden/hut"));
    ok("Ok", "repo", "delete", "garden/hut", "--yes");
    refused(5, "", cairn.run("repo", "get", "garden/hut"));
  }

  @Test
  @Order(4)
  void a_token_is_created_shown_once_and_revoked() throws Exception {
    var created =
        ok(
            "CreatedPat",
            "token",
            "create",
            "reader",
            "--resource",
            "garden/greenhouse",
            "--permission",
            "repo:read",
            "--expires",
            "10d");
    var reader = cairn.with("CAIRN_TOKEN", created.path("token").asText());
    assertEquals(0, reader.run("repo", "get").code());
    refused(
        4,
        "This needs the permission repo:configure or repo:admin.",
        reader.run("repo", "archive", "garden/greenhouse"));
    refused(4, "", reader.run("token", "list"));
    var listed = cairn.run("token", "list");
    assertTrue(listed.out().startsWith("reader\tvalid\t"), listed.out());
    assertFalse(listed.out().contains(created.path("token").asText()));
    ok("Ok", "token", "revoke", "reader", "--yes");
    assertTrue(ok("Pat[]", "token", "list").get(0).has("revokedAt"));
    assertEquals(3, reader.run("repo", "get").code());
  }

  @Test
  @Order(5)
  void a_subscription_runs_fails_and_is_recovered() throws Exception {
    commit(
        """
        {"operation":"add","name":"Shape/Sensor","data":{"fields":{"celsius?":"number"}}}\
        """);
    var name = "sensors/changed";
    ok(
        "Subscription",
        "sub",
        "create",
        name,
        "--on",
        "Sensor",
        "--operation",
        "add",
        "--match",
        "Sensor/**",
        "--url",
        url("/gone"));
    var nightly =
        """
        {"kind":"cron","executor":"webhook","url":"%s","cronConfig":{"cronspec":"30 2 * * *"}}\
        """
            .formatted(url("/"));
    okWith(nightly, "Subscription", "sub", "create", "nightly", "--file", "-");
    assertEquals(2, ok("Subscription[]", "sub", "list").size());
    ok("Ok", "sub", "pause", "nightly");
    ok("Subscription", "sub", "edit", "nightly", "--cron", "0 4 * * *", "--zone", "Europe/Berlin");
    var etag = ok("Subscription", "sub", "get", "nightly").path("etag").asText();
    ok("Ok", "sub", "resume", "nightly", "--if-match", etag);
    refused(6, "", cairn.run("sub", "delete", "nightly", "--yes", "--if-match", etag));
    ok("Ok", "sub", "delete", "nightly", "--yes");
    commit("{\"operation\":\"add\",\"name\":\"Sensor/north\",\"data\":{}}");
    Eventually.await("the run has failed", () -> failed() == 1);
    var run = ok("Run[]", "run", "list", "--status", "failed_terminal", "--since", "1h").get(0);
    var id = run.path("runId").asText();
    var attempts = ok("Attempt[]", "run", "attempts", id);
    assertEquals(404, attempts.get(0).path("httpStatus").asInt());
    assertEquals(
        attempts,
        ok(
            "Attempt[]",
            "run",
            "attempts",
            "--sub",
            name,
            "--commit",
            run.path("commitId").asText()));
    assertEquals(id, ok("Notification[]", "run", "notifications").get(0).path("runId").asText());
    ok("RunState", "run", "retry", id);
    Eventually.await("it has failed again", () -> attempts(id) == 2 && failed() == 1);
    var recovered = cairn.run("sub", "recover", name, "--since", "1h");
    RUN.add("sub recover");
    assertEquals("1 run waits for another attempt.\n", recovered.err());
    refused(
        2, "--since: 'noon' is not a time", cairn.run("sub", "recover", name, "--since", "noon"));
    refused(5, "", cairn.run("sub", "get", "none"));
  }

  private static void commit(String operation) {
    replica
        .as(replica.signIn())
        .body("{\"operations\":[" + operation + "]}")
        .post("/api/repos/garden/greenhouse/commits")
        .then()
        .statusCode(201);
  }

  private static int failed() {
    return replica
        .as(replica.signIn())
        .get("/api/repos/garden/greenhouse/actions/runs?status=failed_terminal")
        .jsonPath()
        .getList("$")
        .size();
  }

  private static int attempts(String run) {
    return replica
        .as(replica.signIn())
        .get("/api/repos/garden/greenhouse/actions/runs/" + run + "/attempts")
        .jsonPath()
        .getList("$")
        .size();
  }

  @Test
  @Order(6)
  void credentials_are_set_bound_and_revoked_and_never_shown() throws Exception {
    var set =
        okWith(
            SECRET,
            "CredentialSet",
            "credential",
            "set",
            "hooks",
            "--value",
            "WEBHOOK_BEARER_TOKEN");
    assertFalse(set.toString().contains(SECRET));
    var file = Files.writeString(directory.resolve("secret"), SECRET + "\n");
    ok(
        "CredentialSet",
        "credential",
        "set",
        "hooks",
        "--value-file",
        "WEBHOOK_SIGNING_SECRET=" + file);
    assertEquals(2, ok("CredentialSet", "credential", "get", "hooks").path("keyNames").size());
    assertEquals(1, ok("CredentialSet[]", "credential", "list").size());
    ok("Bound", "credential", "bind", "hooks", "sensors/changed");
    ok("Unbound", "credential", "unbind", "sensors/changed");
    ok("CredentialSet", "credential", "revoke", "hooks", "--yes");
    refused(2, "Delete the credential set hooks?", cairn.run("credential", "delete", "hooks"));
    ok("Ok", "credential", "delete", "hooks", "--yes");
    var wrong =
        cairn.run(
            "no-secret", List.of("credential", "set", "x", "--value", "WEBHOOK_SIGNING_SECRET"));
    refused(7, "`WEBHOOK_SIGNING_SECRET` must be", wrong);
    assertFalse(wrong.err().contains("no-secret"));
  }

  @Test
  @Order(7)
  void a_component_is_registered_installed_called_and_torn_down() throws Exception {
    var probe = "garden/probe";
    okWith(
        "{\"keys\":{\"WEBHOOK_SIGNING_SECRET\":\"" + SECRET + "\"}}",
        "CredentialSet",
        "credential",
        "set",
        "probe",
        "--org",
        "garden",
        "--file",
        "-");
    var manifest = Files.writeString(directory.resolve("manifest.json"), manifest());
    ok(
        "Component",
        "component",
        "register",
        probe,
        "--manifest",
        manifest.toString(),
        "--setup-url",
        url("/setup"),
        "--credential",
        "probe",
        "--mints-token",
        "on");
    ok("ComponentPage", "component", "list");
    ok("Component", "component", "get", probe, "--at", "1.0.0");
    var resolved = ok("ResolvedComponent", "component", "resolve", probe);
    ok("Installed", "component", "install", probe, "--dry-run");
    refused(
        2, "Install garden/probe in garden/greenhouse?", cairn.run("component", "install", probe));
    var installed = ok("Installed", "component", "install", probe, "--yes");
    assertEquals(resolved.path("installId"), installed.path("installId"));
    assertEquals(1, ok("Install[]", "component", "installed").size());
    ok("ComponentSetupResult", "component", "setup", probe);
    var sick = cairn.run("component", "doctor", probe, "--json");
    assertEquals(1, sick.code());
    assertFalse(JSON.readTree(sick.out()).path("healthy").booleanValue());
    okWith(SECRET, "CredentialSet", "credential", "set", "probe", "--value", "CLI_SIGNING_SECRET");
    ok("DoctorReport", "component", "doctor", probe);
    var called = cairn.run("component", "call", probe, "look", "--arg", "at=north");
    RUN.add("component call");
    assertEquals("{\n  \"here\" : true\n}\n", called.out());
    ok("ComponentToken", "component", "rotate", probe, "--yes");
    ok("TornDown", "component", "teardown", probe, "--dry-run");
    ok("TornDown", "component", "teardown", probe, "--yes");
    refused(2, "Deregister garden/probe", cairn.run("component", "deregister", probe));
    ok("Ok", "component", "deregister", probe, "--yes");
  }

  private static String manifest() {
    return """
    {
      "component": { "id": "probe", "name": "Probe", "version": "1.0.0" },
      "shapes": [{ "name": "Probe", "data": { "fields": { "celsius": "number" } } }],
      "credentials": [{ "name": "probe", "keys": ["CLI_SIGNING_SECRET"] }],
      "seeds": [{ "name": "ComponentConfig/probe", "data": { "cliBaseUrl": "%s" } }],
      "runtimeAccess": { "reads": ["Probe/**"], "writes": ["Probe/**"] },
      "cli": { "methods": [
        { "name": "look", "method": "GET", "path": "/look", "credentialSet": "probe",
          "args": [{ "name": "at", "type": "string", "description": "Where." }] } ] }
    }
    """
        .formatted(url(""));
  }

  @Test
  @Order(8)
  void a_history_is_verified_with_a_hash_that_was_kept() throws Exception {
    var hash = ok("Verification", "verify", "--quiet").path("hash").asText();
    ok("Verification", "verify", "--expect", hash);
    var other = cairn.run("verify", "--quiet", "--expect", "0".repeat(64));
    assertEquals(1, other.code());
    assertTrue(other.err().startsWith("cairn: The newest commit has another hash"), other.err());
  }

  @Test
  @Order(9)
  void every_command_was_run() {
    var missing = new ArrayList<String>();
    for (var group : GROUPS) {
      var annotation = group.getAnnotation(Command.class);
      for (var type : annotation.subcommands()) {
        var name = annotation.name() + " " + type.getAnnotation(Command.class).name();
        if (!RUN.contains(name)) {
          missing.add(name);
        }
      }
    }
    assertEquals(List.of(), missing);
  }
}
