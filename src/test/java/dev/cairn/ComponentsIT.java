package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.RestAssured;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/component-tutorial.md} with the packaged service and the examples of components:
 * their servers run as processes, and all calls go over HTTP.
 */
class ComponentsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ORG = "makers";
  private static final String OWNER = "/api/orgs/" + ORG;
  private static final String SECRET =
      "whsec_" + Base64.getEncoder().encodeToString("a secret of twenty-four!".getBytes(UTF_8));

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica service;
  private static String token;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    service = replica("service");
    token = service.signIn();
    send("POST", "/api/orgs", Map.of("name", ORG)).statusCode(201);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (service != null) {
      service.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  private static Replica replica(String name) throws Exception {
    return Replica.start(
        database,
        directory.resolve(name + ".log"),
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE", "8",
            "CAIRN_EGRESS_ALLOW", "127.0.0.1",
            "CAIRN_LIMITS_SUBSCRIPTIONS_PER_MINUTE", "1000",
            "CAIRN_RETRY_DELAYS", "PT0S,PT0.2S",
            "CAIRN_RETRY_MAX_ATTEMPTS", "60"));
  }

  private static ValidatableResponse send(String method, String path, Object body) {
    return service.as(token).body(body).request(method, path).then();
  }

  private static ValidatableResponse get(String path) {
    return service.as(token).get(path).then();
  }

  /** A new repository; answers its path. */
  private static String repository(String name) {
    send("POST", OWNER + "/repos", Map.of("name", name)).statusCode(201);
    return "/api/repos/" + ORG + "/" + name;
  }

  private static String registry(String component) {
    return "/api/component-registry/" + ORG + "/" + component;
  }

  private static ValidatableResponse commit(String repository, String... operations) {
    var body = "{\"operations\":[" + String.join(",", operations).replace('\'', '"') + "]}";
    return send("POST", repository + "/commits", body).statusCode(201);
  }

  private static String add(String name, String data) {
    return "{'operation':'add','name':'%s','data':%s}".formatted(name, data);
  }

  /** An example in a repository of its own, whose server has a port of its own. */
  private record Example(String name, String url, String repository) {
    static Example of(String name) throws IOException {
      return new Example(
          name, "http://127.0.0.1:" + FreePort.next(), ComponentsIT.repository(name));
    }

    String component() {
      return ORG + "/" + name;
    }

    /** Registers the version in a file. */
    ValidatableResponse register(String file) throws IOException {
      var text = Files.readString(ExampleServer.directory(name).resolve(file));
      return send(
          "PUT",
          registry(name),
          Map.of(
              "manifest",
              JSON.readTree(text.replaceAll("http://127.0.0.1:\\d+", url)),
              "setupUrl",
              url + "/setup",
              "credentialSetName",
              name,
              "mintsToken",
              true));
    }

    /** Sets keys of the set of the organization or of the repository. */
    void setSecrets(String owner, String... keys) {
      var values = JsonNodeFactory.instance.objectNode();
      for (var key : keys) {
        values.put(key, SECRET);
      }
      send("PUT", owner + "/credential-sets/" + name, Map.of("keys", values)).statusCode(200);
    }

    JsonNode resolve() throws IOException {
      return JSON.readTree(
          send("POST", registry(name) + "/resolve", Map.of("installRepo", ORG + "/" + name))
              .statusCode(200)
              .extract()
              .asString());
    }

    ValidatableResponse install() {
      return send("POST", repository + "/components", Map.of("component", component()));
    }

    ValidatableResponse setUp(JsonNode resolved) {
      return send(
              "POST",
              registry(name) + "/setup-call",
              Map.of(
                  "installRepo", ORG + "/" + name,
                  "installId", resolved.path("installId"),
                  "expectedManifestHash", resolved.path("manifestHash")))
          .statusCode(200);
    }

    ValidatableResponse call(String method, Object args) {
      return send(
          "POST",
          registry(name) + "/cli/" + method,
          Map.of("installRepo", ORG + "/" + name, "args", args));
    }

    ValidatableResponse doctor(String installId) {
      return send("POST", repository + "/components/" + installId + "/doctor", Map.of())
          .statusCode(200);
    }

    ValidatableResponse tearDown(String installId, boolean dryRun) {
      return send(
              "POST",
              repository + "/components/" + installId + "/teardown",
              Map.of("dryRun", dryRun))
          .statusCode(200);
    }

    ExampleServer serve(String componentToken) throws IOException {
      return ExampleServer.start(
          name,
          url,
          directory.resolve(name + ".log"),
          Map.of(
              "REPOSITORY", service.url(repository),
              "COMPONENT_TOKEN", componentToken,
              "SIGNING_SECRET", SECRET));
    }

    /** The names of all things of a shape. */
    List<String> names(String shape) {
      return get(repository + "/head?limit=500&shape=" + shape)
          .statusCode(200)
          .extract()
          .path("items.name");
    }
  }

  @Test
  void cycle_finder_is_registered_installed_called_upgraded_and_torn_down() throws Exception {
    var finder = Example.of("cycle-finder");
    finder.setSecrets(OWNER, "WEBHOOK_SIGNING_SECRET");
    finder.register("manifest.json").statusCode(201).body("hasSetup", is(true));
    var resolved = finder.resolve();
    assertEquals("[]", resolved.path("reasons").toString());
    var installed =
        finder
            .install()
            .statusCode(201)
            .body("installId", is(resolved.path("installId").textValue()))
            .body("plan.action", everyItem(is("create")))
            .extract();
    var id = installed.<String>path("installId");
    var componentToken = installed.<String>path("token");
    finder
        .doctor(id)
        .body("healthy", is(false))
        .body("checks.findAll { !it.ok }.kind", hasItems("credential-set", "requirement"));
    finder.setSecrets(finder.repository(), "WEBHOOK_SIGNING_SECRET", "CLI_SIGNING_SECRET");
    // Nobody listens yet: the delivery is retried, and the setup call finds these too.
    commit(
        finder.repository(),
        add("Dependency/api/core", "{}"),
        add("Dependency/core/api", "{}"),
        add("Dependency/api/log", "{}"));
    try (var _ = finder.serve(componentToken)) {
      finder
          .setUp(resolved)
          .body("ok", is(true))
          .body("status", is(200))
          .body("result.cycles", is(2));
      assertEquals(List.of("api/core", "core/api"), finder.names("Cycle"));
      commit(finder.repository(), add("Dependency/log/core", "{}"));
      var four = List.of("api/core", "api/log", "core/api", "log/core");
      Eventually.await("the delivery is carried out", () -> finder.names("Cycle").equals(four));
      get(finder.repository() + "/things/Cycle/log/core")
          .body("aboutWref", is("Dependency/log/core@v1"))
          .body("data.members", is(List.of("api", "core", "log")));
      finder
          .call("cycles", Map.of())
          .statusCode(200)
          .body("status", is(200))
          .body("body.'log/core'", is(List.of("api", "core", "log")));
      acceptsOnlyWhatIsSigned(finder);
      finder.doctor(id).body("checks.findAll { !it.ok }", is(List.of())).body("healthy", is(true));

      finder.register("manifest-1.1.0.json").statusCode(200);
      finder
          .doctor(id)
          .body("healthy", is(true))
          .body("checks.find { it.kind == 'version' }.detail", containsString("1.1.0"));
      finder
          .install()
          .statusCode(200)
          .body("installId", is(id))
          .body("version", is("1.1.0"))
          .body("token", nullValue())
          .body("plan.findAll { it.action == 'change' }.name", is(List.of("Dependency")))
          .body("plan.findAll { it.action == 'create' }", is(List.of()));
      commit(
          finder.repository(),
          add("Dependency/ui/api", "{}"),
          add("Dependency/api/ui", "{'optional':true}"),
          add("Dependency/x/x", "{}"));
      Eventually.await("the delivery is carried out", () -> finder.names("Cycle").contains("x/x"));
      assertEquals(5, finder.names("Cycle").size(), "an optional dependency is on no cycle");
      finder.doctor(id).body("healthy", is(true));
      tearDown(finder, id, componentToken);
    }
  }

  /** What is delivered twice makes nothing twice, and what nobody has signed makes nothing. */
  private static void acceptsOnlyWhatIsSigned(Example finder) throws Exception {
    int before = lastCommit(finder.repository());
    var body = "{\"type\":\"cairn.commit\"}";
    long now = Instant.now().getEpochSecond();
    assertEquals(200, deliver(finder.url(), now, body, signature(now, body)));
    assertEquals(200, deliver(finder.url(), now, body, signature(now, body)));
    assertEquals(401, deliver(finder.url(), now, body + " ", signature(now, body)));
    assertEquals(401, deliver(finder.url(), now - 400, body, signature(now - 400, body)));
    assertEquals(401, deliver(finder.url(), now, body, "v1,"));
    assertEquals(before, lastCommit(finder.repository()));
    assertEquals(404, post(finder.url() + "/none", now, body, signature(now, body)));
    // A setup call without a token: the server has one of its own.
    assertEquals(200, post(finder.url() + "/setup", now, body, signature(now, body)));
  }

  private static int lastCommit(String repository) {
    return get(repository + "/commits?limit=1").extract().path("items[0].repoSeq");
  }

  private static int deliver(String url, long time, String body, String signature) {
    return post(url + "/deliveries", time, body, signature);
  }

  private static int post(String url, long time, String body, String signature) {
    return RestAssured.given()
        .header("webhook-id", "delivery")
        .header("webhook-timestamp", time)
        .header("webhook-signature", signature)
        .body(body)
        .post(url)
        .statusCode();
  }

  private static String signature(long time, String body) throws Exception {
    var mac = Mac.getInstance("HmacSHA256");
    var key = Base64.getDecoder().decode(SECRET.substring("whsec_".length()));
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    var signed = mac.doFinal(("delivery." + time + "." + body).getBytes(UTF_8));
    return "v1," + Base64.getEncoder().encodeToString(signed);
  }

  @Test
  void summary_is_registered_installed_called_upgraded_and_torn_down() throws Exception {
    var summary = Example.of("summary");
    summary.setSecrets(OWNER, "WEBHOOK_SIGNING_SECRET");
    summary.register("manifest.json").statusCode(201);
    var resolved = summary.resolve();
    var installed = summary.install().statusCode(201).extract();
    var id = installed.<String>path("installId");
    var componentToken = installed.<String>path("token");
    summary.setSecrets(summary.repository(), "CLI_SIGNING_SECRET");
    commit(
        summary.repository(),
        add("Shape/Reading", "{'fields':{'celsius?':'number'}}"),
        add("Reading/1", "{'celsius':20}"),
        add("Reading/2", "{'celsius':-1.5}"),
        add("Reading/3", "{}"));
    summary
        .call("summarize", Map.of("shape", "Reading"))
        .statusCode(200)
        .body("reason", is("network_error"));
    try (var _ = summary.serve(componentToken)) {
      summary.setUp(resolved).body("ok", is(true)).body("result.entities", notNullValue());
      summary
          .call("summarize", Map.of("shape", "Reading"))
          .body("status", is(200))
          .body("body", is(Map.of("count", 3)));
      summary
          .call("summarize", Map.of("shape", "Nothing"))
          .statusCode(200)
          .body("status", is(404))
          .body("body.error", containsString("nothing"));
      summary
          .call("summarize", Map.of("shape", "Reading", "field", "celsius"))
          .statusCode(400)
          .body("errors.pointer", is(List.of("/args/field")));

      summary.register("manifest-1.1.0.json").statusCode(200);
      summary
          .install()
          .statusCode(200)
          .body("plan.findAll { it.action == 'change' }.name", hasItem("Summary"));
      summary
          .call("summarize", Map.of("shape", "Reading", "field", "celsius"))
          .body("body.count", is(3))
          .body("body.mean", is(9.25f));
      get(summary.repository() + "/things/Summary/Reading")
          .body("version", is(2))
          .body("data.min", is(-1.5f))
          .body("data.max", is(20));
      summary.doctor(id).body("checks.findAll { !it.ok }", is(List.of()));
      tearDown(summary, id, componentToken);
    }
  }

  /** Its token ends, and it is called no more; what it wrote stays. */
  private static void tearDown(Example example, String id, String componentToken) {
    var content = example.names(example.name().equals("summary") ? "Summary" : "Cycle");
    var plan = example.tearDown(id, true).extract().path("plan");
    service
        .as(componentToken)
        .get("/api/whoami")
        .then()
        .statusCode(200)
        .body("kind", is("component"));
    example.tearDown(id, false).body("plan", is(plan));
    service.as(componentToken).get("/api/whoami").then().statusCode(401);
    get(example.repository() + "/components").body("state", is(List.of("torn_down")));
    get(example.repository() + "/subs").body("active", everyItem(is(false)));
    example.call("cycles", Map.of()).statusCode(409).body("details.reason", is("not_installed"));
    assertEquals(content, example.names(example.name().equals("summary") ? "Summary" : "Cycle"));
  }
}
