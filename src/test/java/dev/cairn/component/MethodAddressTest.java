package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.action.Receiver;
import dev.cairn.oauth.Flow;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/components.md}, Methods: the address, {@code ComponentConfig}. */
@HttpTest
@QuarkusTest
class MethodAddressTest {
  private final Receiver receiver = new Receiver();
  private CalledComponent component;

  @BeforeEach
  void install() {
    component = new CalledComponent().installed().configured(receiver.url("/base/"));
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void assertRefused(String reason) {
    component.call("find", "{}").statusCode(409).body("details.reason", is(reason));
    assertEquals(0, receiver.calls().size());
  }

  private void config(String token, String data, int status) {
    revise(token, "data", data, status);
  }

  private void revise(String token, String member, String value, int status) {
    as(token)
        .body(
            "{'operations':[{'operation':'revise','name':'ComponentConfig/caller','%s':%s}]}"
                .formatted(member, value)
                .replace('\'', '"'))
        .post(component.repository + "/commits")
        .then()
        .statusCode(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'cliBaseUrl':1}",
        "{'cliBaseUrl':''}",
        "{'cliBaseUrl':'/find'}",
        "{'cliBaseUrl':'https://a.example/?a=b'}",
        "{'cliBaseUrl':'https://a.example/#a'}",
        "{'cliBaseUrl':'HTTPS://a.example/'}",
        "{'cliBaseUrl':'https://A.example/'}",
        "{'cliBaseUrl':'https://a.example/\u00e9'}",
        "{'cliBaseUrl':'https://a b/'}",
        "{'cliBaseUrl':'//a.example/x'}",
        "{'cliBaseUrl':'https://a.example//'}",
        "{'cliBaseUrl':'https://a.example/..'}",
        "{'cliBaseUrl':'https://a.example/a/./b'}",
        "{'cliBaseUrl':'https://a.example/a//b'}",
        "{'cliBaseUrl':'https://a.example/a/%2E%2e/b'}",
        "{'cliBaseUrl':'mailto:a@b.example'}"
      })
  void the_address_must_be_a_url(String data) {
    config(Api.adminToken(), data, 201);
    assertRefused("not_configured");
  }

  @Test
  void the_address_is_bounded() {
    int room = ServerAddress.MAX_URL - receiver.url("/").length();
    config(
        Api.adminToken(),
        "{'cliBaseUrl':'%s'}".formatted(receiver.url("/" + "x".repeat(room + 1))),
        201);
    assertRefused("not_configured");
    config(
        Api.adminToken(),
        "{'cliBaseUrl':'%s'}".formatted(receiver.url("/" + "x".repeat(room))),
        201);
    component.call("find", "{}").statusCode(200).body("status", is(200));
  }

  @Test
  void a_configuration_that_is_too_long_is_reported_as_that() {
    var data = "{'cliBaseUrl':'%s','more':'%s'}";
    int room = 64 * 1024 - data.formatted(receiver.url("/base/"), "").length();
    config(Api.adminToken(), data.formatted(receiver.url("/base/"), "x".repeat(room)), 201);
    component.call("find", "{}").statusCode(200);
    config(Api.adminToken(), data.formatted(receiver.url("/base/"), "x".repeat(room + 1)), 201);
    component
        .call("find", "{}")
        .statusCode(409)
        .body("details.reason", is("not_configured"))
        .body(
            "detail",
            is("`ComponentConfig/caller` has more than 65,536 bytes, so it is not read."));
  }

  @Test
  void the_address_must_be_there() {
    Api.commit(component.repository, "{'operation':'retract','name':'ComponentConfig/caller'}")
        .statusCode(201);
    assertRefused("not_configured");
  }

  @Test
  void an_address_that_an_editor_wrote_does_not_count() {
    var editor = component.member("editor");
    var elsewhere = "{'cliBaseUrl':'%s'}".formatted(receiver.url("/elsewhere"));
    config(editor, elsewhere, 201);
    assertRefused("config_not_trusted");
    config(Api.adminToken(), elsewhere.replace("elsewhere", "again"), 201);
    component.call("find", "{}").statusCode(200);
    assertEquals("/again/find", receiver.only().path());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'resource':'%s','permissions':['repo:write']}",
        "{'resource':'%s','permissions':['repo:write','repo:configure']}",
        "{'resource':'%s','permissions':['repo:write'],'allowedMatches':['ComponentConfig/**']}",
        "{'resource':'%1$s','permissions':['repo:write']},"
            + "{'resource':'%1$s','permissions':['repo:configure'],'allowedMatches':['Note/**']}"
      })
  void an_address_that_was_written_with_a_token_that_may_not_configure_does_not_count(
      String scopes) {
    var path = component.repository.substring("/api/repos/".length());
    config(
        People.pat(Api.adminToken(), scopes.formatted(path)),
        "{'cliBaseUrl':'%s'}".formatted(receiver.url("/elsewhere")),
        201);
    assertRefused("config_not_trusted");
  }

  @Test
  void an_address_that_was_written_with_a_delegated_token_does_not_count() {
    var owner = People.member(component.org(), "owner");
    config(
        Flow.programToken(owner.email()),
        "{'cliBaseUrl':'%s'}".formatted(receiver.url("/elsewhere")),
        201);
    assertRefused("config_not_trusted");
  }

  @Test
  void an_address_that_was_written_with_a_personal_access_token_that_may_configure_counts() {
    var path = component.repository.substring("/api/repos/".length());
    var scopes =
        "{'resource':'%s','permissions':['repo:read','repo:write','repo:configure']}"
            .formatted(path);
    config(
        People.pat(Api.adminToken(), scopes),
        "{'cliBaseUrl':'%s'}".formatted(receiver.url("/new")),
        201);
    component.call("find", "{}").statusCode(200);
    assertEquals("/new/find", receiver.only().path());
  }

  @Test
  void it_is_that_of_the_account_that_wrote_it_whoever_has_changed_other_members_since() {
    var editor = component.member("editor");
    config(editor, "{'cliBaseUrl':'%s'}".formatted(receiver.url("/elsewhere")), 201);
    revise(Api.adminToken(), "patch", "{'note':'x'}", 201);
    assertRefused("config_not_trusted");
    config(Api.adminToken(), "{'cliBaseUrl':'%s'}".formatted(receiver.url("/again")), 201);
    revise(editor, "patch", "{'note':'y'}", 201);
    component.call("find", "{}").statusCode(200);
    assertEquals("/again/find", receiver.only().path());
  }

  @Test
  void an_address_counts_again_once_an_account_that_may_configure_has_written_it_itself() {
    var data = "{'cliBaseUrl':'%s'}".formatted(receiver.url("/moved"));
    config(component.member("editor"), data, 201);
    config(Api.adminToken(), data, 200);
    assertRefused("config_not_trusted");
    Api.commit(
            component.repository,
            "{'operation':'revise','name':'ComponentConfig/caller','patch':{'cliBaseUrl':null}},"
                + "{'operation':'revise','name':'ComponentConfig/caller','patch':%s}"
                    .formatted(data))
        .statusCode(201);
    component.call("find", "{}").statusCode(200);
    assertEquals("/moved/find", receiver.only().path());
  }

  @Test
  void an_address_that_was_written_more_than_1000_versions_ago_does_not_count() {
    revisions(998);
    component.call("find", "{}").statusCode(200);
    revisions(1);
    component.call("find", "{}").statusCode(200);
    revisions(1);
    component.call("find", "{}").statusCode(409).body("details.reason", is("config_not_trusted"));
  }

  private void revisions(int count) {
    int from = admin().get(component.repository + "/things/ComponentConfig/caller").path("version");
    Prepared.commit(
        component.repository,
        IntStream.range(from, from + count)
            .mapToObj(
                i ->
                    "{'operation':'revise','name':'ComponentConfig/caller','patch':{'n':%d}}"
                        .formatted(i))
            .collect(Collectors.joining(",")));
  }

  @Test
  void restoring_an_address_does_not_make_it_count() {
    var editor = component.member("editor");
    var elsewhere = "{'cliBaseUrl':'%s'}".formatted(receiver.url("/elsewhere"));
    config(editor, elsewhere, 201);
    operation("'retract'");
    operation("'revise','active':true");
    assertRefused("config_not_trusted");
    operation("'retract'");
    config(editor, elsewhere.replace("elsewhere", "again"), 201);
    operation("'revise','active':true");
    assertRefused("config_not_trusted");
  }

  private void operation(String operation) {
    Api.commit(
            component.repository,
            "{'operation':%s,'name':'ComponentConfig/caller'}".formatted(operation))
        .statusCode(201);
  }

  @Test
  void an_address_does_not_count_if_its_account_lost_the_right_while_the_commit_waited()
      throws Exception {
    var configurer = People.member(component.org(), "admin");
    HeldLock.during(
        () -> {
          config(configurer.token(), "{'cliBaseUrl':'%s'}".formatted(receiver.url("/late")), 201);
          return true;
        },
        () -> role(configurer, "editor"),
        HeldLock.HEAD,
        Api.repoId(component.repository));
    role(configurer, "admin");
    assertRefused("config_not_trusted");
  }

  private void role(People.Person person, String role) {
    admin()
        .body(Map.of("role", role))
        .put("/api/orgs/" + component.org() + "/members/" + person.inPath())
        .then()
        .statusCode(200);
  }

  @Test
  void an_address_does_not_count_once_its_account_may_not_configure_the_repository() {
    var configurer = People.member(component.org(), "admin");
    config(configurer.token(), "{'cliBaseUrl':'%s'}".formatted(receiver.url("/new")), 201);
    component.call("find", "{}").statusCode(200);
    role(configurer, "editor");
    component.call("find", "{}").statusCode(409).body("details.reason", is("config_not_trusted"));
  }

  @Test
  void an_address_that_came_under_the_name_by_a_rename_does_not_count() {
    Api.commit(
            component.repository,
            "{'operation':'add','name':'ComponentConfig/other','data':{'cliBaseUrl':'%s'}}"
                .formatted(receiver.url("/other")))
        .statusCode(201);
    var renames =
        "{'operations':[{'operation':'rename','name':'ComponentConfig/caller','newName':'ComponentConfig/former'},"
            + "{'operation':'rename','name':'ComponentConfig/other','newName':'ComponentConfig/caller'}]}";
    as(component.member("editor"))
        .body(renames.replace('\'', '"'))
        .post(component.repository + "/commits")
        .then()
        .statusCode(201);
    assertRefused("config_not_trusted");
  }

  @Test
  void a_target_that_may_not_be_called_is_told() {
    config(Api.adminToken(), "{'cliBaseUrl':'https://169.254.169.254/latest'}", 201);
    component
        .call("find", "{}")
        .statusCode(200)
        .body("status", nullValue())
        .body("body", nullValue())
        .body("reason", is("target_forbidden"))
        .body("detail", containsString("may not be called"));
    config(Api.adminToken(), "{'cliBaseUrl':'http://8.8.8.8'}", 201);
    component.call("find", "{}").statusCode(200).body("reason", is("target_forbidden"));
  }
}
