package dev.cairn.component;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.AtOnce;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.model.CanonicalJson;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Limits: how many components and versions, and how large. */
@HttpTest
@QuarkusTest
class RegistryLimitsTest extends OneComponent {
  private final Database database = OwnConnections.database();

  @Test
  void a_component_has_at_most_100_versions() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    database.update(
        """
        insert into component_version
          (component_id, number, version, manifest, manifest_hash, created_at)
        select c.id, n, '1.0.' || n, '{}', sha256('{}'), now()
        from component c join organization o on o.id = c.org_id, generate_series(2, 99) n
        where o.name = ?
        """,
        org);
    database.update(
        """
        update component set newest = 99
        where org_id = (select id from organization where name = ?)
        """,
        org);
    put(Registry.body(version("2.0.0"))).statusCode(200).body("versions", hasSize(100));
    put(Registry.body(version("3.0.0")))
        .statusCode(409)
        .body("details.reason", is("too_many_versions"));
    put(Registry.body(version("2.0.0")).put("visibility", "public")).statusCode(200);
  }

  @Test
  void deregistered_components_do_not_count_in_the_quota() {
    Registry.fill(database, org);
    database.update(
        """
        update component set deregistered_at = now() where name = 'filled-1'
          and org_id = (select id from organization where name = ?)
        """,
        org);
    put(Registry.body(version("1.0.0"))).statusCode(201);
    Registry.put(org, "one-more", Registry.body(Manifests.least("one-more", "1.0.0")))
        .statusCode(201);
    Registry.put(org, "too-many", Registry.body(Manifests.least("too-many", "1.0.0")))
        .statusCode(429);
  }

  @Test
  void an_organization_has_at_most_200_components() {
    Registry.fill(database, org);
    assertEquals(
        List.of(201, 429),
        AtOnce.statuses(
            2,
            i ->
                Prepared.status(
                    Api.adminToken(),
                    "PUT",
                    Registry.path(org, "last-" + i),
                    Registry.body(Manifests.least("last-" + i, "1.0.0")).toString())));
    put(Registry.body(version("1.0.0")))
        .statusCode(429)
        .body("code", is("RATE_LIMITED"))
        .header("Retry-After", nullValue())
        .body("details.limit", is("components-per-organization"))
        .body("details.max", is(200))
        .body("details.used", is(200));
    admin().delete(Registry.path(org, "filled-1")).then().statusCode(200);
    put(Registry.body(version("1.0.0"))).statusCode(201);
  }

  @Test
  void a_manifest_and_a_body_are_bounded() {
    var manifest = version("1.0.0");
    Manifests.set(
        manifest, "/component/description", Manifests.json("'" + "x".repeat(256 * 1024) + "'"));
    put(Registry.body(manifest))
        .statusCode(413)
        .body("errors.pointer", contains("/manifest"))
        .body("detail", containsString("262,144 bytes"));
    // Blanks do not count for the manifest, but for the body.
    var body = Registry.body(version("1.0.0")).toString();
    int rest = 1024 * 1024 - body.length();
    admin().body(body + " ".repeat(rest)).put(Registry.path(org, NAME)).then().statusCode(201);
    admin().body(body + " ".repeat(rest + 1)).put(Registry.path(org, NAME)).then().statusCode(413);
  }

  @Test
  void a_body_has_at_most_50_000_values() {
    var most = 50_000 - values(0);
    withSeed(most).statusCode(201);
    withSeed(most + 1).statusCode(413);
  }

  private ValidatableResponse withSeed(int items) {
    return put(Registry.body(seeded(items)));
  }

  private static ObjectNode seeded(int items) {
    var seed =
        (ObjectNode) Manifests.json("{'name':'ComponentConfig/%s','data':{}}".formatted(NAME));
    seed.withObject("/data").set("list", Manifests.array(items, _ -> "1"));
    var manifest = version("1.0.0");
    manifest.putArray("seeds").add(seed);
    return manifest;
  }

  /** The values and the names of members of a body. */
  private static int values(int items) {
    return values(Registry.body(seeded(items)));
  }

  private static int values(JsonNode node) {
    int names = node.isObject() ? node.size() : 0;
    return 1 + names + node.valueStream().mapToInt(RegistryLimitsTest::values).sum();
  }

  @Test
  void manifests_count_as_bytes_that_the_organization_stores() {
    put(Registry.body(version("1.0.0"))).statusCode(201);
    long one = used();
    var manifest = seeded(1_000);
    Manifests.set(manifest, "/component/version", Manifests.json("'1.1.0'"));
    put(Registry.body(manifest)).statusCode(200);
    assertEquals(
        512 + CanonicalJson.of(manifest).getBytes(StandardCharsets.UTF_8).length, used() - one);
  }

  private long used() {
    return admin().get("/api/orgs/" + org).then().extract().jsonPath().getLong("usage.bytes.used");
  }
}
