package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.client.Add;
import dev.cairn.client.CairnClient;
import dev.cairn.client.CommitRequest;
import dev.cairn.client.Credentials;
import dev.cairn.client.LiveMessage;
import dev.cairn.client.NewRepository;
import dev.cairn.client.Query;
import dev.cairn.client.TokenStore;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client as the build packages it, against the packaged service: {@code docs/client.md}. */
class ClientIT {
  private static final Path EXAMPLE = Path.of("examples/client/Example.java");
  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");

  @TempDir static Path directory;
  private static EmbeddedDatabase.Running database;
  private static Replica replica;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica = Replica.start(database, directory.resolve("log"), Map.of());
  }

  @AfterAll
  static void end() throws Exception {
    if (replica != null) {
      replica.kill();
    }
    database.close();
  }

  private static Path jar() throws IOException {
    try (var files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("cairn-.*-client\\.jar"))
          .collect(Collectors.collectingAndThen(Collectors.toList(), ClientIT::onlyOne));
    }
  }

  private static Path onlyOne(List<Path> found) {
    assertEquals(1, found.size(), found::toString);
    return found.getFirst();
  }

  /** The jar of the client, and those of its only dependency. */
  private static String classPath() throws IOException {
    return Stream.concat(
            Stream.of(jar().toAbsolutePath().toString()),
            Stream.of(ObjectMapper.class, JsonParser.class, JsonProperty.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static CairnClient signedIn(URI server) {
    try (var anonymous = CairnClient.builder(server).build()) {
      var tokens = anonymous.signIn().signIn(TestDatabase.ADMIN_EMAIL, TestDatabase.ADMIN_PASSWORD);
      return CairnClient.builder(server)
          .credentials(Credentials.renewing(TokenStore.inMemory(tokens)))
          .build();
    }
  }

  /** A repository of the caller's own organization. */
  private static String newRepository(CairnClient client, String name) {
    var organization =
        client.account().whoami().orgs().stream()
            .map(membership -> membership.name())
            .filter(own -> !own.equals("demo"))
            .findFirst()
            .orElseThrow();
    client.organization(organization).createRepository(new NewRepository(name, null, null));
    return organization;
  }

  @Test
  void the_jar_has_the_client_and_what_maven_and_graalvm_need_to_know_of_it() throws Exception {
    try (var jar = new JarFile(jar().toFile())) {
      var others =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(entry -> entry.getName())
              .filter(name -> !name.matches("dev/cairn/client/\\w[\\w$-]*\\.class"))
              .sorted()
              .toList();
      var pom = "META-INF/maven/dev.cairn/cairn-client/pom.xml";
      assertEquals(
          List.of(
              "META-INF/MANIFEST.MF",
              pom,
              "META-INF/native-image/dev.cairn/client/reflect-config.json"),
          others);
      var text = new String(jar.getInputStream(jar.getEntry(pom)).readAllBytes(), UTF_8);
      var version = new ObjectMapper().version().toString();
      assertTrue(text.contains("<version>" + version + "</version>"), version);
      assertTrue(!text.contains("${"), text);
    }
  }

  @Test
  void the_example_compiles_and_runs_with_the_jar_and_jackson_alone() throws Exception {
    try (var client = signedIn(URI.create(replica.url("")))) {
      var organization = newRepository(client, "example");
      var compiled =
          new ProcessBuilder(
                  JDK.resolve("javac").toString(),
                  "-Xlint:all,-path",
                  "-Werror",
                  "-cp",
                  classPath(),
                  "-d",
                  directory.resolve("example").toString(),
                  EXAMPLE.toString())
              .inheritIO()
              .start();
      assertEquals(0, compiled.waitFor());
      var token =
          client
              .account()
              .createToken(new ObjectMapper().readTree("{\"name\":\"example\"}"))
              .token();
      var out = directory.resolve("example.out");
      var builder =
          new ProcessBuilder(
                  JDK.resolve("java").toString(),
                  "-XX:+UseSerialGC",
                  "-cp",
                  classPath() + File.pathSeparator + directory.resolve("example"),
                  "Example",
                  replica.url(""),
                  organization,
                  "example")
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().put("CAIRN_TOKEN", token);
      var example = builder.start();
      try {
        Eventually.await(
            () -> "it follows the repository: " + TextFile.read(out),
            () -> TextFile.read(out).contains("at commit 1"));
        var data = new ObjectMapper().readTree("{\"people\": 1}");
        client.repository(organization, "example").commit(CommitRequest.of(Add.of("City/x", data)));
        assertEquals(0, example.waitFor(), () -> TextFile.read(out));
      } finally {
        example.destroyForcibly();
      }
      assertEquals(
          """
          added Shape/City
          added City/oslo
          added City/lima
          lima: 10092000
          no Atlantis
          at commit 1
          changed [City/x]
          """,
          TextFile.read(out));
    }
  }

  @Test
  void a_live_query_tells_each_change_and_begins_again_after_a_lost_connection() throws Exception {
    var json = new ObjectMapper();
    try (var wire = Wires.to(replica.port());
        var client = signedIn(URI.create("http://localhost:" + wire.port()))) {
      var organization = newRepository(client, "live");
      var repository = client.repository(organization, "live");
      var shape = json.readTree("{\"fields\":{\"x\":\"number\"}}");
      repository.commit(CommitRequest.of(Add.of("S", shape)));
      try (var live = repository.liveQueries()) {
        live.subscribe("s", Query.of("S").limit(5));
        live.subscribe("wrong", Query.of("S").limit(501));
        var first = live.next();
        var second = live.next();
        var failed = first instanceof LiveMessage.Failed ? first : second;
        assertEquals("VALIDATION_ERROR", ((LiveMessage.Failed) failed).exception().code());
        assertEquals(1, ((LiveMessage.Result) (failed == first ? second : first)).repoSeq());
        live.unsubscribe("wrong");

        repository.commit(CommitRequest.of(Add.of("S/a", json.readTree("{\"x\":1}"))));
        var update = (LiveMessage.Update) live.next();
        assertEquals("S/a", update.items().getFirst().wref());

        wire.cut();
        assertEquals("S/a", ((LiveMessage.Snapshot) live.next()).items().getFirst().wref());
      }
    }
  }
}
