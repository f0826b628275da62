package dev.cairn.component;

import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code docs/components.md}, Installing: an installation or a teardown that was interrupted is
 * repeated, and ends in the state of one that was not. Each step is a transaction, so one that the
 * database refuses to write leaves what a process leaves that is killed before it.
 */
@HttpTest
@QuarkusTest
class InstallRecoveryTest {
  private static final String FAULT = "component_fault_of_the_test";

  /** Those that have a trigger. */
  private final List<String> tables = new ArrayList<>();

  private final Database database = OwnConnections.database();

  private Installs installs;
  private List<String> complete;

  @BeforeEach
  void installElsewhere() {
    var uninterrupted = installs();
    uninterrupted.installed();
    complete = uninterrupted.state();
    installs = installs();
  }

  /** One with two subscriptions, so that there is a step between them. */
  private static Installs installs() {
    var installs = Installs.registered();
    var manifest = Installs.version("2.0.0");
    Manifests.set(
        manifest,
        "/subscriptions/1",
        Manifests.json(
            "{'name':'second','kind':'webhook','shapeName':'Cycle','filterJson':{},"
                + "'webhookUrl':'https://finder.example/second'}"));
    installs.register(manifest).statusCode(200);
    return installs;
  }

  @AfterEach
  void mend() {
    tables.forEach(table -> database.update("drop trigger %s on %s".formatted(FAULT, table)));
    tables.clear();
  }

  /**
   * Has the database refuse to write a row of the repository.
   *
   * @param event {@code table event [condition]}
   */
  private void breakAt(String event) {
    var parts = event.split(" ", 3);
    database.update(
        """
        create or replace function %s() returns trigger language plpgsql
        as $$ begin raise exception 'a fault of the test'; end $$
        """
            .formatted(FAULT));
    database.update(
        "create trigger %s before %s on %s for each row when (new.repo_id = '%s' %s) execute function %s()"
            .formatted(
                FAULT,
                parts[1],
                parts[0],
                Api.repoId(installs.repository()),
                parts.length > 2 ? "and " + parts[2] : "",
                FAULT));
    tables.add(parts[0]);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "component_install insert",
        "component_install update new.state = 'installing'",
        "commit_log insert",
        "credential_set insert new.name = 'finder'",
        "credential_set insert new.name = 'other'",
        "subscription insert new.name = 'cycles'",
        "subscription insert new.name = 'second'",
        "service_token insert",
        "component_install update new.state = 'installed'"
      })
  void an_interrupted_installation_is_completed_by_repeating_it(String step) {
    breakAt(step);
    installs.install().statusCode(greaterThanOrEqualTo(500));
    assertNotEquals(complete, installs.state());
    mend();
    installs.install().statusCode(greaterThanOrEqualTo(200)).body("version", is("2.0.0"));
    assertEquals(complete, installs.state());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "component_install update new.state = 'installing'",
        "commit_log insert",
        "credential_set insert new.name = 'other'",
        "subscription update new.name = 'cycles'",
        "subscription insert new.name = 'second'",
        "component_install update new.state = 'installed'"
      })
  void an_interrupted_upgrade_is_completed_by_repeating_it(String step) {
    installs = installsWith("1.2.0");
    var before = installs.state();
    breakAt(step);
    installs.install().statusCode(greaterThanOrEqualTo(500));
    mend();
    installs.install().statusCode(200);
    var other = installsWith("1.2.0");
    other.install().statusCode(200);
    assertNotEquals(before, installs.state());
    assertEquals(other.state(), installs.state());
  }

  /** One of which an older version is installed, and something is missing. */
  private static Installs installsWith(String version) {
    var installs = installs();
    installs.install(Api.adminToken(), ",'version':'%s'".formatted(version)).statusCode(201);
    Api.admin().delete(installs.repository() + "/credential-sets/other").then().statusCode(200);
    Api.admin()
        .body("{\"notifyOnSuccess\":true}")
        .patch(installs.repository() + "/subs/cycles")
        .then()
        .statusCode(200);
    return installs;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "component_install update new.state = 'torn_down'",
        "subscription update new.name = 'cycles'",
        "commit_log insert"
      })
  void an_interrupted_teardown_is_completed_by_repeating_it(String step) {
    var id = installs.installed();
    breakAt(step);
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(greaterThanOrEqualTo(500));
    mend();
    installs.teardown(id, "{'subscriptions':'pause'}").statusCode(200);
    var other = installs();
    other.teardown(other.installed(), "{'subscriptions':'pause'}").statusCode(200);
    assertEquals(other.state(), installs.state());
  }
}
