package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Registering: its end, and changes that wait for one another. */
@HttpTest
@QuarkusTest
class DeregistrationTest extends OneComponent {
  private final Database database = OwnConnections.database();

  private ValidatableResponse deregister() {
    return admin().delete(Registry.path(org, NAME)).then();
  }

  /** A token that is minted holds the component for a moment. */
  @Test
  void a_token_that_is_revoked_while_it_waits_for_the_component_changes_nothing() throws Exception {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    var owner = People.member(org, "owner");
    for (int i = 0; i < 2; i++) {
      var pat = People.pat(owner.token(), null);
      List<Supplier<Response>> requests =
          List.of(
              () -> Registry.put(as(pat), org, NAME, Registry.publicly(version("1.0.0"))),
              () -> as(pat).delete(Registry.path(org, NAME)));
      HeldLock.during(
              requests.get(i),
              () -> People.revokeTokens(owner.email()),
              """
              select from component
              where org_id = (select id from organization where name = ?) for update
              """,
              org)
          .then()
          .statusCode(401);
    }
    get().statusCode(200).body("visibility", is("private"));
  }

  @Test
  void nothing_is_deregistered_once_archiving_was_answered() throws Exception {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    HeldLock.afterChange(
            this::deregister, "update organization set archived_at = now() where name = ?", org)
        .statusCode(409)
        .body("code", is("ARCHIVED"));
    get().statusCode(200);
  }

  @Test
  void a_component_that_is_deregistered_is_gone_and_its_name_is_free() {
    put(Registry.body(version("2.0.0"))).statusCode(201);
    deregister().statusCode(200).body("ok", is(true));
    get().statusCode(404);
    deregister().statusCode(404);
    assertEquals(0, components());
    put(Registry.body(version("1.0.0"))).statusCode(201).body("versions", hasSize(1));
  }

  private long components() {
    return database
        .first(
            """
            select count(*) from component c join organization o on o.id = c.org_id
            where o.name = ?
            """,
            row -> row.getLong(1),
            org)
        .orElseThrow();
  }

  @Test
  void the_installed_version_of_a_component_that_is_deregistered_is_kept() {
    put(Registry.publicly(version("1.0.0"))).statusCode(201);
    put(Registry.body(version("1.1.0"))).statusCode(200);
    put(Registry.body(version("1.2.0"))).statusCode(200);
    var repository = Api.newRepository();
    var other = Api.newRepository();
    for (var each : List.of(repository, other)) {
      Registry.resolve(admin(), org, NAME, each).then().statusCode(200);
    }
    database.update(
        """
        update component_install set state = 'installing', number = 3, complete_number = 2
        where repo_id = ?
        """,
        Api.repoId(repository));
    put(Registry.body(version("1.3.0"))).statusCode(200);
    deregister().statusCode(200);
    get().statusCode(404);
    Registry.resolve(admin(), org, NAME, repository).then().statusCode(404);
    assertEquals(
        List.of("1.1.0", "1.2.0"),
        database.list(
            """
            select v.version from component_version v join component c on c.id = v.component_id
            join organization o on o.id = c.org_id where o.name = ? order by v.number
            """,
            row -> row.getString(1),
            org));
    put(Registry.body(version("1.0.0"))).statusCode(201);
    assertEquals(2, components());
  }
}
