package dev.cairn.component;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Registering: what is left of a component that was deregistered. */
@HttpTest
@QuarkusTest
@InProcess("It has what no install needs deleted.")
class DeregisteredComponentsTest {
  @Inject DeregisteredComponents chore;

  private Installs installs;
  private String id;

  @BeforeEach
  void install() {
    installs = Installs.registered();
    id = installs.installed();
  }

  private void deregister() {
    admin().delete(Registry.path(installs.owner(), Installs.NAME)).then().statusCode(200);
  }

  private void tearDown(Installs torn, String installId) {
    torn.teardown(installId, "{'subscriptions':'pause'}").statusCode(200);
  }

  /** Has the chore run when the last change of the repository's installs is that old. */
  private void runAfter(Installs changed, String age) {
    OwnConnections.database()
        .update(
            "update component_install set updated_at = now() - ?::interval where repo_id = ?",
            age,
            Api.repoId(changed.repository()));
    run();
  }

  private void run() {
    while (chore.runBatch()) {
      // There may be more.
    }
  }

  private List<String> versions() {
    return OwnConnections.database()
        .list(
            """
            select v.version from component_version v join component c on c.id = v.component_id
            join organization o on o.id = c.org_id where o.name = ? order by v.number
            """,
            row -> row.getString(1),
            installs.owner());
  }

  @Test
  void nothing_is_deleted_as_long_as_it_is_installed_or_registered() {
    tearDown(installs, id);
    runAfter(installs, "1 year");
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
    installs.install().statusCode(201);
    deregister();
    runAfter(installs, "1 year");
    installs.list(Api.adminToken()).body("state", contains("installed"));
    assertEquals(List.of("1.2.0"), versions());
  }

  @Test
  void an_install_is_deleted_30_days_after_its_teardown_and_with_the_last_one_the_component() {
    deregister();
    tearDown(installs, id);
    runAfter(installs, "29 days 23 hours");
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
    assertEquals(List.of("1.2.0"), versions());
    runAfter(installs, "30 days 1 hour");
    installs.list(Api.adminToken()).body("", empty());
    assertEquals(List.of(), versions());
    installs.doctor(id).statusCode(404);
    // What it has made is of the repository alone now.
    for (var made : List.of("/subs/cycles", "/credential-sets/finder", "/things/Shape/Cycle")) {
      admin().get(installs.repository() + made).then().statusCode(200);
    }
  }

  @Test
  void an_install_whose_subscription_is_still_active_is_kept() {
    deregister();
    tearDown(installs, id);
    OwnConnections.database()
        .update(
            "update subscription set active = true where repo_id = ?",
            Api.repoId(installs.repository()));
    runAfter(installs, "31 days");
    installs.list(Api.adminToken()).body("state", contains("torn_down"));
  }

  @Test
  void versions_that_other_installs_need_stay() {
    var newer = installs.in(Api.newRepository());
    installs.register(Installs.version("2.0.0")).statusCode(200);
    var newerId = newer.installed();
    deregister();
    assertEquals(List.of("1.2.0", "2.0.0"), versions());
    tearDown(newer, newerId);
    runAfter(newer, "31 days");
    assertEquals(List.of("1.2.0"), versions());
    installs.list(Api.adminToken()).body("version", contains("1.2.0"));
    installs.doctor(id).statusCode(200);
  }

  @Test
  void a_component_goes_with_the_last_repository_that_had_it_installed() {
    deregister();
    admin().delete(installs.repository()).then().statusCode(200);
    run();
    assertEquals(List.of(), versions());
  }
}
