package dev.cairn.component;

import static dev.cairn.Api.as;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A component, and the repository that a test installs it in. */
final class Installs {
  static final String NAME = "cycle-finder";

  private static final Database DATABASE = OwnConnections.database();

  private final String owner;
  private final String repository;

  private Installs(String owner, String repository) {
    this.owner = owner;
    this.repository = repository;
  }

  /** Registers a public component of an organization of its own that mints a token. */
  static Installs registered() {
    var installs = new Installs(Api.newOrg(), Api.newRepository());
    installs.register(manifest()).statusCode(201);
    return installs;
  }

  /** The same component for another repository. */
  Installs in(String other) {
    return new Installs(owner, other);
  }

  /** A manifest that can be installed in an empty repository. */
  static ObjectNode manifest() {
    var manifest = Manifests.full();
    ((ArrayNode) manifest.get("seeds")).remove(2);
    return manifest;
  }

  /** The manifest as a further version. */
  static ObjectNode version(String version) {
    return Manifests.set(
        manifest(), "/component/version", JsonNodeFactory.instance.textNode(version));
  }

  ValidatableResponse register(JsonNode manifest) {
    return Registry.put(owner, NAME, Registry.publicly(manifest).put("mintsToken", true));
  }

  String owner() {
    return owner;
  }

  String component() {
    return owner + "/" + NAME;
  }

  String repository() {
    return repository;
  }

  String org() {
    return repository.split("/", -1)[3];
  }

  /** The path of an install, or of what is below it. */
  String path(String installId, String below) {
    return repository + "/components/" + installId + below;
  }

  /**
   * Installs it.
   *
   * @param members more members of the body, as {@code ,'version':'1.0.0'}
   */
  ValidatableResponse install(String token, String members) {
    return as(token)
        .body("{'component':'%s'%s}".formatted(component(), members).replace('\'', '"'))
        .post(repository + "/components")
        .then();
  }

  /** Installs the newest version as the administrator. */
  ValidatableResponse install() {
    return install(Api.adminToken(), "");
  }

  /** Plans an installation of the newest version. */
  ValidatableResponse plan() {
    return install(Api.adminToken(), ",'dryRun':true");
  }

  /** The id under which the administrator installs it. */
  String installed() {
    return install().statusCode(201).extract().path("installId");
  }

  ValidatableResponse teardown(String installId, String body) {
    return Api.admin().body(body.replace('\'', '"')).post(path(installId, "/teardown")).then();
  }

  ValidatableResponse doctor(String installId) {
    return Api.admin().post(path(installId, "/doctor")).then();
  }

  ValidatableResponse rotate(String installId) {
    return Api.admin().post(path(installId, "/token")).then();
  }

  ValidatableResponse list(String token) {
    return as(token).get(repository + "/components").then();
  }

  /**
   * Everything that belongs to the repository's components: what is stored, but for ids, times and
   * secrets.
   */
  List<String> state() {
    return state(repository);
  }

  /** The same of another repository. */
  static List<String> state(String repository) {
    var rows = new ArrayList<String>();
    var repoId = Api.repoId(repository);
    for (var query :
        List.of(
            "select state, number, complete_number from component_install where repo_id = ?",
            """
            select shape_name, case shape_name when 'ComponentInstall' then 'record' else name end,
                   active, version,
                   -- The record names the component, which is another one in each test.
                   case shape_name when 'ComponentInstall'
                     then (replace(data, chr(1), '')::jsonb - 'component')::text
                     else encode(data_hash, 'hex') end as content
            from entity where repo_id = ? and id >= 100 order by 1, 2
            """,
            """
            select name, description, install_id is not null, revoked_at is null,
                   (select count(*) from credential_key k where k.set_id = c.id)
            from credential_set c where repo_id = ? order by name
            """,
            """
            select s.name, s.kind, executor_kind, s.active, filter, webhook_url, credential_set,
                   e.name as shape, install_id is not null, callback_generation
            from subscription s left join entity e on e.repo_id = s.repo_id and e.id = s.shape_id
            where s.repo_id = ? order by s.name
            """,
            """
            select scopes, is_setup from service_token where repo_id = ? and install_id is not null
            """,
            "select count(*) from commit_log where repo_id = ?")) {
      rows.addAll(
          DATABASE.list(
              "select row_to_json(q)::text from (%s) q".formatted(query),
              row -> row.getString(1),
              repoId));
    }
    return rows;
  }

  /** What a plan does, as {@code kind name action}. */
  static List<String> actions(ValidatableResponse answer) {
    List<Map<String, String>> plan = answer.extract().path("plan");
    return plan.stream()
        .map(item -> item.get("kind") + " " + item.get("name") + " " + item.get("action"))
        .toList();
  }
}
