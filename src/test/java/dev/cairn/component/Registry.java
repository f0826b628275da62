package dev.cairn.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.platform.database.Database;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;

/** Requests to the registry of components, for the tests of it. */
final class Registry {
  private Registry() {}

  /** The path of a component. */
  static String path(String org, String name) {
    return "/api/component-registry/" + org + "/" + name;
  }

  /** A body that registers a manifest as a public component. */
  static ObjectNode publicly(JsonNode manifest) {
    return body(manifest).put("visibility", "public");
  }

  /** A body that registers a manifest. */
  static ObjectNode body(JsonNode manifest) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("manifest", manifest);
    return body;
  }

  /** Registers a component as a caller. */
  static Response put(RequestSpecification caller, String org, String name, JsonNode body) {
    return caller.body(body.toString()).put(path(org, name));
  }

  /** Registers a component as the administrator. */
  static ValidatableResponse put(String org, String name, JsonNode body) {
    return put(Api.admin(), org, name, body).then();
  }

  /** Resolves a component for a repository, whose path it is. */
  static Response resolve(RequestSpecification caller, String org, String name, String repository) {
    var repo = repository.substring("/api/repos/".length());
    return caller
        .body(JsonNodeFactory.instance.objectNode().put("installRepo", repo).toString())
        .post(path(org, name) + "/resolve");
  }

  /** Registers as many components as leave room for one more. */
  static void fill(Database database, String org) {
    database.update(
        """
        insert into component
          (id, org_id, name, visibility, mints_token, newest, created_at, updated_at)
        select gen_random_uuid(), o.id, 'filled-' || n, 'private', false, 1, now(), now()
        from organization o, generate_series(1, 199) n where o.name = ?
        """,
        org);
  }
}
