package dev.cairn.access;

import static dev.cairn.Api.as;

import dev.cairn.Api;
import dev.cairn.Checked;
import dev.cairn.Eventually;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.SampleRuns;
import io.restassured.response.Response;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * An organization with a repository in it, for the requests of the caller matrix to be about: the
 * shape {@code Note} and the thing {@code Note/a}, another repository, and two who are invited.
 */
final class MatrixWorld {
  private final MatrixCast cast;
  private final String org = Api.unique("matrix");
  private String commitId;
  private String installId;
  private SampleRuns runs;
  private String exportToken;

  /** What is made before the first request whose path holds such a text: most worlds see few. */
  private final Map<Pattern, Runnable> parts = new LinkedHashMap<>();

  /** What the words in a request's template stand for; a value is made when it is used. */
  private final Map<String, Supplier<String>> words = new LinkedHashMap<>();

  private final Map<MatrixColumn, String> tokens = new HashMap<>();

  MatrixWorld(MatrixCast cast, String visibility) {
    this.cast = cast;
    words.put(":exportToken", this::exportToken);
    words.put(":download", this::download);
    words.put(":runId", this::acceptedRun);
    words.put(":failedRun", this::failedRun);
    words.put(":opposite", () -> visibility.equals("public") ? "private" : "public");
    words.put(":commitId", this::commitId);
    words.put(":refreshToken", cast::refreshToken);
    words.put(":installId", () -> resolved("tool", "installId"));
    words.put(":manifestHash", () -> resolved("tool", "manifestHash"));
    words.put(":installed", () -> installId);
    words.put(":unique", () -> Api.unique("new"));
    words.put(":login", cast::login);
    words.put(":password", () -> MatrixCast.PASSWORD);
    words.put(":email", () -> "guest%40example.org");
    words.put(":chief", () -> "chief%40example.org");
    words.put(":wref", () -> "Note%2Fa");
    words.put(":repo", () -> "repo");
    words.put(":org", () -> org);
    make("POST", "/api/orgs", "{'name':':org'}");
    make("POST", "/api/orgs/:org/repos", "{'name':'repo','visibility':'" + visibility + "'}");
    make("POST", "/api/orgs/:org/repos", "{'name':'other'}");
    cast.members()
        .forEach(
            (role, person) ->
                make(
                    "PUT",
                    "/api/orgs/:org/members/" + person.inPath(),
                    "{'role':'" + role.wire() + "'}"));
    part(":email", () -> invite(":email", "viewer"));
    part(":chief", () -> invite(":chief", "owner"));
    part(":repo|:runId|:download", this::commit);
    part("/subs", this::subscribe);
    part("/streams/", this::switchStreamsOn);
    part("/subs/runs|/actions/|:runId", this::runs);
    part("/component-registry/", () -> register("tool", "", visibility));
    part("/component-registry/.*/cli/", () -> installCalled(visibility));
    part("/repos/.*/components", () -> install(visibility));
    part("/api/orgs/.*/credential-sets", () -> credentials("/api/orgs/:org"));
    part("/api/repos/.*/(credential-sets|bind)", () -> credentials("/api/repos/:org/:repo"));
  }

  private void part(String requests, Runnable make) {
    parts.put(Pattern.compile(requests), make);
  }

  private void provideFor(String path) {
    for (var request : List.copyOf(parts.keySet())) {
      if (request.matcher(path).find()) {
        parts.remove(request).run();
      }
    }
  }

  private void invite(String email, String role) {
    make("PUT", "/api/orgs/:org/members/" + email, "{'role':'" + role + "'}");
  }

  private void commit() {
    commitId =
        make(
            "POST",
            "/api/repos/:org/:repo/commits",
            "{'operations':[{'operation':'add','name':'Note','data':{'fields':{}}},"
                + "{'operation':'add','name':'Note/a','data':{}}]}");
  }

  private void runs() {
    runs = new SampleRuns(filled("/api/repos/:org/:repo"), "Note");
  }

  private void subscribe() {
    make(
        "POST",
        "/api/repos/:org/:repo/subs",
        "{'name':'watch','kind':'webhook','shapeName':'Note','filterJson':{},"
            + "'webhookUrl':'http://127.0.0.1:9/'}");
  }

  private void switchStreamsOn() {
    make("PATCH", "/api/repos/:org/:repo", "{'settings':{'streams':{'enabled':true}}}");
  }

  /**
   * A component that is as visible as the repository.
   *
   * @param more further members of its manifest
   */
  private void register(String name, String more, String visibility) {
    Prepared.answer(
        201,
        cast.owner().token(),
        "PUT",
        filled("/api/component-registry/:org/" + name),
        """
        {"manifest": {"component": {"id": "%s", "name": "T", "version": "1.0.0"}%s},
         "setupUrl": "http://127.0.0.1:9/", "visibility": "%s"}\
        """
            .formatted(name, more.replace('\'', '"'), visibility));
  }

  /** A member of the answer to a request that resolves a component for the repository. */
  private String resolved(String name, String member) {
    return Prepared.answer(
            200,
            cast.owner().token(),
            "POST",
            filled("/api/component-registry/:org/" + name + "/resolve"),
            filled("{\"installRepo\": \":org/:repo\"}"))
        .path(member)
        .textValue();
  }

  /** A component with methods, which is installed; nobody answers at its server. */
  private void installCalled(String visibility) {
    register(
        "called",
        ", 'credentials': [{'name': 'called', 'keys': ['CLI_SIGNING_SECRET']}],"
            + " 'cli': {'methods': ["
            + "{'name': 'find', 'method': 'POST', 'path': '/', 'credentialSet': 'called'},"
            + " {'name': 'change', 'method': 'POST', 'path': '/', 'credentialSet': 'called',"
            + " 'requiresPermission': 'repo:write'}]}",
        visibility);
    make("POST", "/api/repos/:org/:repo/components", "{'component':':org/called'}");
    make(
        "PUT",
        "/api/repos/:org/:repo/credential-sets/called",
        "{'keys':{'CLI_SIGNING_SECRET':'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}}");
    make(
        "POST",
        "/api/repos/:org/:repo/commits",
        "{'operations':[{'operation':'add','name':'ComponentConfig/called',"
            + "'data':{'cliBaseUrl':'http://127.0.0.1:9'}}]}");
  }

  /** A component that mints a token, which is installed. */
  private void install(String visibility) {
    Prepared.answer(
        201,
        cast.owner().token(),
        "PUT",
        filled("/api/component-registry/:org/minting"),
        """
        {"manifest": {"component": {"id": "minting", "name": "T", "version": "1.0.0"},
                      "runtimeAccess": {"reads": ["**"]}},
         "visibility": "%s", "mintsToken": true}\
        """
            .formatted(visibility));
    installId =
        Prepared.answer(
                201,
                cast.owner().token(),
                "POST",
                filled("/api/repos/:org/:repo/components"),
                filled("{\"component\": \":org/minting\"}"))
            .path("installId")
            .textValue();
  }

  private void credentials(String owner) {
    make("PUT", owner + "/credential-sets/keys", "{'keys':{'A':'b'}}");
    make("PUT", owner + "/credential-sets/old", "{'keys':{'A':'b'}}");
  }

  /** Makes a part of this world; answers the commit's id where it is one. */
  private String make(String method, String path, String body) {
    return Prepared.answer(
            method.equals("POST") ? 201 : 200,
            cast.owner().token(),
            method,
            filled(path),
            filled(body.replace('\'', '"')))
        .path("commitId")
        .textValue();
  }

  /** The status of a row's request when the caller of a column sends it. */
  int status(MatrixRow row, MatrixColumn column) {
    provideFor(row.path());
    var token = tokens.computeIfAbsent(column, c -> c.token().apply(this));
    var path = filled(row.path());
    var body = row.body().isEmpty() ? null : filled(row.body().replace('\'', '"'));
    return Checked.send(row.method(), path, token, type(row), body).statusCode();
  }

  private static String type(MatrixRow row) {
    boolean isForm = row.path().startsWith("/oauth") || row.path().startsWith("/device");
    if (isForm && !row.body().startsWith("{")) {
      return "application/x-www-form-urlencoded";
    }
    return row.path().contains("/streams/") ? "application/x-ndjson" : "application/json";
  }

  private String filled(String template) {
    var text = template;
    for (var word : words.entrySet()) {
      if (text.contains(word.getKey())) {
        text = text.replace(word.getKey(), word.getValue().get());
      }
    }
    return text;
  }

  private String commitId() {
    return commitId;
  }

  private String acceptedRun() {
    return runs.accepted(commitId);
  }

  private String failedRun() {
    return runs.failed();
  }

  /** The token of an export that is built. */
  private String exportToken() {
    if (exportToken == null) {
      exportToken =
          as(cast.owner().token())
              .get(filled("/api/repos/:org/:repo/export?prefer=async"))
              .then()
              .statusCode(202)
              .extract()
              .path("exportToken");
      Eventually.await("the export is built", () -> export().statusCode() != 202);
    }
    return exportToken;
  }

  private Response export() {
    return as(cast.owner().token())
        .get(filled("/api/repos/:org/:repo/export?token=") + exportToken);
  }

  /** The link to the export. */
  private String download() {
    exportToken();
    var url = URI.create(export().then().statusCode(200).extract().path("url"));
    return url.getRawPath() + "?" + url.getRawQuery();
  }

  String stranger() {
    return cast.stranger().token();
  }

  String member(Role role) {
    return role == Role.OWNER ? cast.owner().token() : cast.members().get(role).token();
  }

  String expired() {
    return cast.expired();
  }

  String revoked() {
    return cast.revoked();
  }

  String ended() {
    return cast.ended();
  }

  /** A service token of the owner, for the repository. */
  String serviceToken() {
    return cast.sprites().apply(cast.owner(), filled("/api/repos/:org/:repo"));
  }

  /** The token of a component that the owner installed in the repository. */
  String componentToken() {
    return cast.components().apply(cast.owner(), filled("/api/repos/:org/:repo"));
  }

  /**
   * A token of the owner.
   *
   * @param scopes the entries; null for none
   */
  String pat(String scopes) {
    return People.pat(cast.owner().token(), scopes == null ? null : filled(scopes));
  }
}
