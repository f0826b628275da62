package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.Receiver;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.restassured.response.ValidatableResponse;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.UUID;

/**
 * A public component that is installed in a repository of the same administrator, for the tests of
 * the calls to its server. Its organization is another one than the repository's.
 */
final class CalledComponent {
  static final String NAME = "caller";
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final String OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  /** A method for each way to call one; JSON with ' for ". */
  private static final String MANIFEST =
      """
      {'component': {'id': 'caller', 'name': 'A caller', 'version': '1.0.0'},
       'shapes': [{'name': 'Note', 'data': {'fields': {}}}],
       'credentials': [{'name': 'caller', 'keys': ['CLI_SIGNING_SECRET']}],
       'runtimeAccess': {'reads': ['Note/**'], 'writes': ['Note/mine/**']},
       'cli': {'methods': [
         {'name': 'find', 'method': 'POST', 'path': '/find', 'credentialSet': 'caller',
          'args': [{'name': 'text', 'type': 'string?'}, {'name': 'number', 'type': 'number?'},
                   {'name': 'flag', 'type': 'boolean?'}, {'name': 'wref', 'type': 'wref?'},
                   {'name': 'list', 'type': 'array?'}, {'name': 'any', 'type': 'any?'}]},
         {'name': 'needs', 'method': 'POST', 'path': '/', 'credentialSet': 'caller',
          'args': [{'name': 'text', 'type': 'string'}]},
         {'name': 'change', 'method': 'POST', 'path': '/change', 'credentialSet': 'caller',
          'requiresPermission': 'repo:write'},
         {'name': 'show', 'method': 'GET', 'path': '/show', 'credentialSet': 'caller',
          'args': [{'name': 'text', 'type': 'string?'}, {'name': 'number', 'type': 'number?'},
                   {'name': 'flag', 'type': 'boolean?'}, {'name': 'wref', 'type': 'wref?'}]}]}}
      """;

  private final Database database = OwnConnections.database();
  final String owner = Api.newOrg();
  final String repository;
  final String installId;
  private final String ownerToken;

  /** Registers it and reserves its install. */
  CalledComponent() {
    this(Api.newRepository("private"));
  }

  /** The same in a repository of the administrator. */
  CalledComponent(String repository) {
    this(repository, Api.adminToken());
  }

  private CalledComponent(String repository, String ownerToken) {
    this.repository = repository;
    this.ownerToken = ownerToken;
    register(manifest(), "{}");
    this.installId =
        Registry.resolve(as(ownerToken), owner, NAME, repository)
            .then()
            .extract()
            .path("installId");
  }

  /** The same in a repository of a new account, which is a tenant of its own. */
  static CalledComponent ofStranger() {
    var owner = People.stranger().token();
    var org = Api.unique("owned");
    Prepared.answer(201, owner, "POST", "/api/orgs", Map.of("name", org));
    Prepared.answer(201, owner, "POST", "/api/orgs/" + org + "/repos", Map.of("name", "repo"));
    return new CalledComponent("/api/repos/" + org + "/repo", owner);
  }

  /** The token of the owner of the repository. */
  String ownerToken() {
    return ownerToken;
  }

  static ObjectNode manifest() {
    return (ObjectNode) Manifests.json(MANIFEST);
  }

  /**
   * Registers it, or a version of it.
   *
   * @param others the members besides the manifest, with ' for "
   */
  void register(ObjectNode manifest, String others) {
    var body = Registry.publicly(manifest);
    body.setAll((ObjectNode) Manifests.json(others));
    Registry.put(owner, NAME, body);
  }

  /** Installs its newest version. */
  CalledComponent installed() {
    Prepared.answer(
        201,
        ownerToken,
        "POST",
        repository + "/components",
        Map.of("component", owner + "/" + NAME));
    return this;
  }

  /**
   * Has an installation begin that does not end.
   *
   * @param number of its version
   */
  void interrupted(int number) {
    database.update(
        "update component_install set state = 'installing', number = ? where id = ?",
        number,
        UUID.fromString(installId));
  }

  /** Tears it down. */
  ValidatableResponse tearDown() {
    return as(ownerToken)
        .body("{}")
        .post(repository + "/components/" + installId + "/teardown")
        .then()
        .statusCode(200);
  }

  /** Sets what the calls of methods need: the secret, and where the server is. */
  CalledComponent configured(String cliBaseUrl) {
    set(repository, Map.of("CLI_SIGNING_SECRET", SECRET));
    Prepared.answer(
        201,
        ownerToken,
        "POST",
        repository + "/commits",
        "{'operations':[{'operation':'add','name':'ComponentConfig/caller','data':{'cliBaseUrl':'%s'}}]}"
            .formatted(cliBaseUrl)
            .replace('\'', '"'));
    return this;
  }

  /** Puts values into the set {@code caller} of a repository or an organization. */
  void set(String of, Map<String, String> keys) {
    Prepared.answer(200, ownerToken, "PUT", of + "/credential-sets/caller", Map.of("keys", keys));
  }

  /** The organization of the repository. */
  String org() {
    return repository.split("/", -1)[3];
  }

  /** A member of the organization of the repository. */
  String member(String role) {
    var person = People.stranger();
    Prepared.answer(
        200,
        ownerToken,
        "PUT",
        "/api/orgs/" + org() + "/members/" + person.inPath(),
        Map.of("role", role));
    return person.token();
  }

  private String installRepo() {
    return repository.substring("/api/repos/".length());
  }

  /** The hash of the newest manifest. */
  String hash() {
    return admin().get(Registry.path(owner, NAME)).path("manifestHash");
  }

  /** Makes the setup call as the administrator. */
  ValidatableResponse setUp() {
    return setUp(Api.adminToken(), installId, hash());
  }

  /** Makes the setup call. */
  ValidatableResponse setUp(String token, String install, String hash) {
    return as(token)
        .body(
            Map.of(
                "installRepo", installRepo(), "installId", install, "expectedManifestHash", hash))
        .post(Registry.path(owner, NAME) + "/setup-call")
        .then();
  }

  /** Calls a method as the administrator, with arguments with ' for ". */
  ValidatableResponse call(String method, String args) {
    return call(Api.adminToken(), method, args);
  }

  /** Calls a method, with arguments with ' for ". */
  ValidatableResponse call(String token, String method, String args) {
    return as(token)
        .body("{'installRepo':'%s','args':%s}".formatted(installRepo(), args).replace('\'', '"'))
        .post(Registry.path(owner, NAME) + "/cli/" + method)
        .then();
  }

  /** The headers of a call, as a library of others wants them. */
  static HttpHeaders headers(Receiver.Call call) {
    return HttpHeaders.of(call.headers(), (_, _) -> true);
  }
}
