package dev.cairn.access.token;

import static dev.cairn.Api.anonymous;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TextFile;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Access: what signs in is told where it is given out, and nowhere else. */
@HttpTest
@QuarkusTest
@InProcess("It writes into the log of the service.")
@TestProfile(BehindProxy.class)
class SecretsTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  /** Gone through once for all tests, each of which looks elsewhere for what was told. */
  private static final SecretFlows FLOWS = new SecretFlows();

  @BeforeEach
  void takeAndGiveSecrets() {
    if (FLOWS.answers().isEmpty()) {
      FLOWS.run();
    }
    assertTrue(FLOWS.secrets().size() > 10 && FLOWS.answers().size() > 200);
  }

  /** A text in every form in which it can be kept and had again. */
  private static List<String> forms(String secret) {
    var bytes = secret.getBytes(UTF_8);
    return List.of(
        secret,
        HexFormat.of().formatHex(bytes),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The secrets that a text holds, each with what stands around it. */
  private List<String> found(String text) {
    return FLOWS.secrets().stream()
        .flatMap(secret -> forms(secret).stream())
        .distinct()
        .filter(text::contains)
        .map(form -> around(text, text.indexOf(form), form.length()))
        .toList();
  }

  private static String around(String text, int at, int length) {
    return text.substring(Math.max(0, at - 200), Math.min(text.length(), at + length + 50));
  }

  private String tables() throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      var names = new ArrayList<String>();
      try (var rows =
          statement.executeQuery("select tablename from pg_tables where schemaname = 'public'")) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      var all = new StringBuilder();
      for (var name : names) {
        // Bytes come as hex, in which forms() looks for them.
        try (var rows =
            statement.executeQuery("select to_jsonb(t)::text from \"" + name + "\" t")) {
          while (rows.next()) {
            all.append(name).append(' ').append(rows.getString(1)).append('\n');
          }
        }
      }
      return all.toString();
    }
  }

  @Test
  void only_the_answer_that_gives_a_secret_out_holds_it() {
    assertEquals(List.of(), FLOWS.answers().stream().flatMap(a -> found(a).stream()).toList());
  }

  @Test
  void the_log_holds_no_secret_at_level_debug_either() throws IOException {
    var mark = "mark " + System.nanoTime();
    Logger.getLogger(SecretsTest.class).debug(mark);
    var log = Files.readString(BehindProxy.LOG);
    assertTrue(log.contains(mark), "the log is not where this test looks for it");
    assertEquals(List.of(), found(log));
  }

  @Test
  void the_log_of_the_database_holds_no_secret() throws IOException {
    try (var directories = Files.list(Path.of("target"))) {
      var logs =
          directories
              .map(directory -> directory.resolve("postgres.log"))
              .filter(Files::exists)
              .map(TextFile::read)
              .collect(Collectors.joining());
      assertTrue(logs.contains("database system is ready"), "the log is somewhere else");
      assertEquals(List.of(), found(logs));
    }
  }

  @Test
  void no_column_of_any_table_holds_a_secret() throws SQLException {
    var tables = tables();
    assertTrue(
        Stream.of("account ", "refresh_token ", "personal_access_token ", "rate_limit ")
            .allMatch(tables::contains),
        "a table is missing, or empty");
    assertEquals(List.of(), found(tables));
  }

  @Test
  void the_metrics_hold_no_secret() {
    var metrics = anonymous().get("/q/metrics").then().statusCode(200).extract().asString();
    assertTrue(metrics.contains("uri=\"/api/auth/login\""), "no metrics of requests");
    assertTrue(metrics.contains("uri=\"/unmatched\""), "no metrics of what no endpoint takes");
    assertEquals(List.of(), found(metrics));
  }
}
