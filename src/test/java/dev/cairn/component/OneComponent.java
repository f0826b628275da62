package dev.cairn.component;

import static dev.cairn.Api.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.BeforeEach;

/** A new organization for each test, and requests for one component of it by the administrator. */
abstract class OneComponent {
  static final String NAME = "cycle-finder";

  String org;

  @BeforeEach
  final void makeOrganization() {
    org = Api.newOrg();
  }

  static ObjectNode version(String version) {
    return Manifests.least(NAME, version);
  }

  final ValidatableResponse put(JsonNode body) {
    return Registry.put(org, NAME, body);
  }

  final ValidatableResponse get() {
    return admin().get(Registry.path(org, NAME)).then();
  }
}
