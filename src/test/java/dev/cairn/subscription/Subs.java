package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.cairn.Api;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.mcp.Mcp;
import io.restassured.response.ValidatableResponse;
import java.util.HashMap;
import java.util.Map;

/** What the tests of subscriptions say again and again; JSON stands with ' for ". */
final class Subs {
  /** A receiver that the tests' egress policy lets be called; nothing listens. */
  static final String URL = "http://127.0.0.1:9/hook";

  /** What gives a subscription more rights than an editor has. */
  static final String ADMIN_SCOPES = ",'tokenScopes':[{'permissions':['repo:read','repo:admin']}]";

  private Subs() {}

  /** A new public repository with the shape {@code Sensor}; answers its path. */
  static String repository() {
    return withSensor(Api.newRepository());
  }

  /** The same as a private one. */
  static String privateRepository() {
    return withSensor(Api.newRepository("private"));
  }

  static String withSensor(String repository) {
    Prepared.commit(
        repository, "{'operation':'add','kind':'shape','name':'Sensor','data':{'fields':{}}}");
    return repository;
  }

  /** Another repository in the same organization, with the shape {@code Sensor}. */
  static String sibling(String repository, String visibility) {
    var org = repository.split("/", -1)[3];
    var name = Api.unique("source");
    Prepared.answer(
        201,
        Api.adminToken(),
        "POST",
        "/api/orgs/" + org + "/repos",
        Map.of("name", name, "visibility", visibility));
    return withSensor("/api/repos/" + org + "/" + name);
  }

  /** {@code org/repo} of a path. */
  static String named(String repository) {
    return repository.substring("/api/repos/".length());
  }

  static String webhook(String name, String more) {
    return "{'name':'%s','kind':'webhook','shapeName':'Sensor','filterJson':{},'webhookUrl':'%s'%s}"
        .formatted(name, URL, more);
  }

  static String webhook(String name) {
    return webhook(name, "");
  }

  static String sprite(String name, String more) {
    return ("{'name':'%s','kind':'sprite','shapeName':'Sensor','filterJson':{},"
            + "'spriteConfig':{'command':'cat','inputMode':'stdin'}%s}")
        .formatted(name, more);
  }

  static String cron(String name, String cronspec, String more) {
    return ("{'name':'%s','kind':'cron','executorKind':'webhook','webhookUrl':'%s',"
            + "'cronConfig':{'cronspec':'%s'}%s}")
        .formatted(name, URL, cronspec, more);
  }

  static ValidatableResponse subscribe(String repository, String body) {
    return admin().body(body.replace('\'', '"')).post(repository + "/subs").then();
  }

  static ValidatableResponse patch(String repository, String name, String body) {
    return admin().body(body.replace('\'', '"')).patch(repository + "/subs/" + name).then();
  }

  static ValidatableResponse get(String repository, String name) {
    return admin().get(repository + "/subs/" + name).then();
  }

  static ValidatableResponse post(String repository, String name, String action) {
    return admin().post(repository + "/subs/" + name + "/" + action).then();
  }

  /** A personal access token of the administrator with these permissions on the repository. */
  static String pat(String repository, String permissions) {
    return People.pat(
        Api.adminToken(),
        "{'resource':'%s','permissions':[%s]}".formatted(named(repository), permissions));
  }

  /** Binds the credential set {@code set}. */
  static ValidatableResponse bind(String repository, String token, String name) {
    return as(token)
        .body(Map.of("credentialSetName", "set"))
        .post(repository + "/subs/" + name + "/bind")
        .then();
  }

  /** Sets keys of the repository's credential set {@code set}. */
  static ValidatableResponse put(String repository, String token, Map<String, String> keys) {
    return as(token).body(Map.of("keys", keys)).put(repository + "/credential-sets/set").then();
  }

  /** Calls a tool of agents on a repository. */
  static ValidatableResponse callTool(
      Mcp client, String repository, String tool, Map<String, Object> given) {
    var names = named(repository).split("/", -1);
    var arguments = new HashMap<>(given);
    arguments.put("org", names[0]);
    arguments.put("repo", names[1]);
    return client.call(tool, arguments).statusCode(200);
  }

  static void forbidden(ValidatableResponse answer, String missing) {
    answer
        .statusCode(403)
        .body("code", equalTo("FORBIDDEN"))
        .body("detail", containsString(missing));
  }
}
