package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.response.Response;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing in and out with the packaged CLI and the packaged service: {@code docs/cli.md}. */
class CliSignInIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern CODE = Pattern.compile("Your code: (\\S+)\n");
  private static final Pattern HIDDEN =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");
  private static final String PASSWORD =
      TestDatabase.ADMIN_EMAIL + "\n" + TestDatabase.ADMIN_PASSWORD + "\n";

  @TempDir static Path directory;
  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  @TempDir Path home;
  private Cli cairn;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica = Replica.start(database, directory.resolve("log"), Map.of());
    var admin = replica.as(replica.signIn());
    admin.body(Map.of("name", "garden")).post("/api/orgs").then().statusCode(201);
    replica
        .as(replica.signIn())
        .body(Map.of("name", "open", "visibility", "public"))
        .post("/api/orgs/garden/repos")
        .then()
        .statusCode(201);
  }

  @AfterAll
  static void end() throws Exception {
    if (replica != null) {
      replica.kill();
    }
    database.close();
  }

  @BeforeEach
  void user() {
    cairn = new Cli(home, replica.url(""));
  }

  private Cli.Result byPassword() throws Exception {
    return cairn.run(PASSWORD, List.of("login", "--with-password"));
  }

  @Test
  void a_device_signs_in_once_the_person_has_confirmed_its_code() throws Exception {
    var login = cairn.start("login", "--no-browser");
    Eventually.await(
        Duration.ofSeconds(30),
        "the code is shown",
        () -> CODE.matcher(Files.readString(login.err())).find());
    confirm(code(Files.readString(login.err())));
    var result = login.await();
    assertEquals(0, result.code(), result.err());
    assertTrue(result.err().endsWith(" as " + TestDatabase.ADMIN_EMAIL + ".\n"), result.err());
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(cairn.profiles())));

    var whoami = JSON.readTree(cairn.run("whoami", "--json").out());
    assertEquals(List.of(), Shown.violations("Whoami", whoami));
    assertEquals(TestDatabase.ADMIN_EMAIL, whoami.path("account").path("email").asText());
    var doctor = cairn.with("CAIRN_REPO", "garden/open").run("doctor");
    assertEquals(0, doctor.code(), doctor.out());
    assertTrue(doctor.out().lines().allMatch(line -> line.startsWith("ok ")), doctor.out());

    var token = signIn().path("accessToken").asText();
    assertEquals(0, cairn.run("logout").code());
    replica.as(token).get("/api/whoami").then().statusCode(401);
    assertEquals(
        "anonymous", JSON.readTree(cairn.run("whoami", "--json").out()).path("kind").asText());
  }

  private ObjectNode signIn() throws Exception {
    var profiles = JSON.readTree(Files.readString(cairn.profiles())).path("profiles");
    return (ObjectNode) profiles.path("default").path("signIn");
  }

  private static String code(String shown) {
    var matcher = CODE.matcher(shown);
    assertTrue(matcher.find(), shown);
    return matcher.group(1);
  }

  /** What a person does in a browser. */
  private static void confirm(String code) {
    var cookies = new HashMap<String, String>();
    var page = get("/oauth/sign-in", cookies);
    page =
        submit(
            page,
            "/oauth/sign-in",
            cookies,
            Map.of("email", TestDatabase.ADMIN_EMAIL, "password", TestDatabase.ADMIN_PASSWORD));
    page.then().statusCode(303);
    page = submit(get("/device", cookies), "/device", cookies, Map.of("user_code", code));
    page = submit(page, "/device", cookies, Map.of("decision", "allow"));
    page.then().statusCode(200);
  }

  private static Response get(String path, Map<String, String> cookies) {
    return keep(replica.anonymous().cookies(cookies).get(path), cookies);
  }

  private static Response submit(
      Response page, String path, Map<String, String> cookies, Map<String, String> typed) {
    var form =
        HIDDEN
            .matcher(page.asString())
            .results()
            .collect(
                Collectors.toMap(
                    field -> field.group(1), field -> field.group(2), (one, same) -> one));
    form.putAll(typed);
    return keep(
        replica
            .anonymous()
            .urlEncodingEnabled(true)
            .contentType("application/x-www-form-urlencoded; charset=utf-8")
            .redirects()
            .follow(false)
            .cookies(cookies)
            .formParams(form)
            .post(path),
        cookies);
  }

  private static Response keep(Response response, Map<String, String> cookies) {
    cookies.putAll(response.cookies());
    return response;
  }

  @Test
  void two_processes_renew_an_expired_token_once() throws Exception {
    var login = byPassword();
    assertEquals(0, login.code(), login.err());
    var before = signIn();
    var root = (ObjectNode) JSON.readTree(Files.readString(cairn.profiles()));
    ((ObjectNode) root.path("profiles").path("default").path("signIn")).put("expiresAt", 1);
    Files.writeString(cairn.profiles(), root.toString());
    var one = cairn.start("whoami", "--json");
    var other = cairn.start("whoami", "--json");
    for (var running : List.of(one, other)) {
      var result = running.await();
      assertEquals(0, result.code(), result.err());
      assertTrue(JSON.readTree(result.out()).path("authenticated").booleanValue());
    }
    assertFalse(before.path("refreshToken").equals(signIn().path("refreshToken")));
    // A second use of the old refresh token would have ended the sign-in.
    assertEquals(0, cairn.run("whoami").code());
    assertEquals(0, cairn.run("logout").code());
  }

  @Test
  void a_personal_access_token_is_stored_and_a_variable_wins_over_it() throws Exception {
    String token =
        replica
            .as(replica.signIn())
            .body(Map.of("name", "cli"))
            .post("/api/pats")
            .then()
            .statusCode(201)
            .extract()
            .path("token");
    assertEquals(0, cairn.run(token + "\n", List.of("login", "--token-stdin")).code());
    assertEquals(
        "cli",
        JSON.readTree(cairn.run("whoami", "--json").out()).path("token").path("name").asText());
    assertEquals(3, cairn.with("CAIRN_TOKEN", "cairn_pat_x").run("whoami").code());
  }

  @Test
  void a_repository_is_chosen_and_used_by_the_commands_that_follow() throws Exception {
    assertEquals(5, cairn.run("use", "garden/none").code());
    var used = JSON.readTree(cairn.run("use", "garden/open", "--json").out());
    assertEquals(List.of(), Shown.violations("Repository", used));
    assertEquals(
        replica.url("/api/repos/garden/open/things/Country/BG") + "\n",
        cairn.run("open", "Country/BG", "--print").out());
    assertTrue(cairn.run("profile", "list").out().endsWith("\tgarden/open\n"));
    assertEquals(2, cairn.run("profile", "use", "none").code());
    assertEquals(0, cairn.run("profile", "use", "default").code());
    assertEquals(0, cairn.run("profile", "remove", "default").code());
    assertEquals("", cairn.run("profile", "list").out());
  }

  @Test
  void the_help_and_the_scripts_for_shells_know_every_command() throws Exception {
    var help = cairn.run("help");
    assertEquals(0, help.code());
    var script = cairn.run("completion", "bash");
    assertEquals(0, script.code(), script.err());
    help.out()
        .lines()
        .filter(line -> line.matches("  [a-z]+ +[A-Z].*"))
        .map(line -> line.strip().split(" ", 2)[0])
        .forEach(name -> assertTrue(script.out().contains("_picocli_cairn_" + name), name));
    assertTrue(cairn.run("--version").out().matches("cairn \\d+\\.\\d+\\.\\d+\\S*\n"));
  }
}
