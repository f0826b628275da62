package dev.cairn.sprite;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.tenant.OrganizationNamed;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code docs/sprites.md}, Trusted organizations. */
@HttpTest
@QuarkusTest
@InProcess("It is about the bean.")
class SpriteOrganizationsTest {
  @Inject Database database;

  /** An organization with one repository, which it keeps under every name. */
  private record Org(UUID repoId, String id) {}

  private SpriteOrganizations listing(String... entries) {
    var list = String.join(",", entries);
    return new SpriteOrganizations(
        database,
        Configs.of(entries.length == 0 ? Map.of() : Map.of("cairn.sprite.organizations", list)));
  }

  private Org organization(String name) {
    admin().body(Map.of("name", name)).post("/api/orgs").then().statusCode(201);
    admin().body(Map.of("name", "r")).post("/api/orgs/" + name + "/repos").then().statusCode(201);
    return found(name);
  }

  private Org found(String name) {
    return database
        .first(
            """
            select r.id, o.id from repository r join organization o on o.id = r.org_id
            where o.name = ?
            """,
            row -> new Org(row.getObject(1, UUID.class), row.getString(2)),
            name)
        .orElseThrow();
  }

  private static void rename(String name, String wanted) {
    admin().body(Map.of("name", wanted)).patch("/api/orgs/" + name).then().statusCode(200);
  }

  @Test
  void without_a_list_all_are_trusted() {
    assertTrue(listing().trusts(organization(Api.unique("any")).repoId()));
  }

  @Test
  void a_listed_name_stands_for_the_organization_that_had_it_first() {
    var name = Api.unique("listed");
    var genuine = organization(name);
    var other = organization(Api.unique("other"));
    var organizations = listing(name);
    organizations.start(null);
    assertTrue(organizations.trusts(genuine.repoId()));
    assertFalse(organizations.trusts(other.repoId()));
    rename(name, Api.unique("renamed"));
    var taker = organization(name);
    assertTrue(organizations.trusts(genuine.repoId()), "it is called something else now");
    assertFalse(organizations.trusts(taker.repoId()), "it took the name");
    var restarted = listing(name);
    restarted.start(null);
    assertTrue(restarted.trusts(genuine.repoId()));
    assertFalse(restarted.trusts(taker.repoId()));
    assertTrue(listing(taker.id()).trusts(taker.repoId()), "its id is listed");
    assertFalse(listing(taker.id()).trusts(genuine.repoId()));
  }

  @Test
  void a_name_that_is_taken_later_is_bound_when_it_is() {
    var name = Api.unique("later");
    var organizations = listing(name);
    organizations.start(null);
    var first = organization(name);
    organizations.named(new OrganizationNamed(UUID.fromString(first.id()), name));
    rename(name, Api.unique("renamed"));
    var second = organization(name);
    assertFalse(organizations.trusts(second.repoId()));
    assertTrue(organizations.trusts(first.repoId()));
  }

  @Test
  void an_organization_that_is_called_like_a_listed_id_is_not_trusted() {
    var id = UUID.randomUUID().toString();
    var organizations = listing(id);
    organizations.start(null);
    var named = organization(id);
    organizations.named(new OrganizationNamed(UUID.fromString(named.id()), id));
    assertFalse(organizations.trusts(named.repoId()));
  }

  @Test
  void a_replica_that_was_not_told_binds_at_the_first_run() {
    var name = Api.unique("unseen");
    var organization = organization(name);
    assertTrue(listing(name).trusts(organization.repoId()));
    rename(name, Api.unique("renamed"));
    assertFalse(listing(name).trusts(organization(name).repoId()));
  }

  @Test
  void demo_is_the_organization_that_the_service_made() {
    var organizations = listing("demo");
    organizations.start(null);
    var demo = found("demo");
    assertTrue(organizations.trusts(demo.repoId()));
    var renamed = Api.unique("was-demo");
    rename("demo", renamed);
    try {
      assertTrue(organizations.trusts(demo.repoId()), "whatever it is called");
      organizations.named(new OrganizationNamed(UUID.fromString(demo.id()), "demo"));
    } finally {
      rename(renamed, "demo");
    }
    // As one that a stranger made before the service did.
    database.update("update organization set is_demo = false where name = 'demo'");
    try {
      organizations.start(null);
      assertFalse(organizations.trusts(demo.repoId()));
    } finally {
      database.update("update organization set is_demo = true where name = 'demo'");
    }
  }
}
