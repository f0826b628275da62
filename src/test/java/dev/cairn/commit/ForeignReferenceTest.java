package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.canonical;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.history;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.state;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.NOT_FOUND;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.access.authentication.AccountRows;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

@HttpTest
@QuarkusTest
class ForeignReferenceTest {
  private static final String S = shape("S");

  @Test
  void references_into_another_repository_are_pinned_and_shown_in_canonical_form() {
    var there = repositoryWith(S, add("S/a", "{}"));
    applied(there, revise("S/a", "{'n':2}"));
    var a = canonical(there) + "S/a";
    var here = repositoryWith(S);

    applied(
        here,
        add("S/x", "{'to':'" + a + "'}"),
        add("S/y", "{'to':'" + a + "@v1'}"),
        assertion("S/note", "'" + a + "'", "{}"),
        collection("set", a, "S/x"));

    thing(here, "S/x").body("data.to", equalTo(a + "@v2"));
    thing(here, "S/y").body("data.to", equalTo(a + "@v1"));
    thing(here, "S/note").body("aboutWref", equalTo(a + "@v2"));
    admin()
        .get(here + "/head?kind=collection")
        .then()
        .body("items[0].data.members", contains("S/x@v1", a + "@v2"));
    admin()
        .get(here + "/about/" + a)
        .then()
        .body("target.wref", equalTo(a))
        .body("assertions.wref", contains("S/note"));
    assertVerified(here);
  }

  @Test
  void a_canonical_wref_of_the_own_repository_is_a_local_one() {
    var here = repositoryWith(S, add("S/a", "{}"));

    applied(
        here,
        add("S/b", "{}"),
        add("S/x", "{'to':'" + canonical(here) + "S/a'}"),
        assertion("S/note", "'" + canonical(here) + "S/b'", "{}"));

    thing(here, "S/x").body("data.to", equalTo("S/a@v1"));
    thing(here, "S/note").body("aboutWref", equalTo("S/b@v1"));
  }

  @Test
  void a_reference_stays_as_written_when_its_target_is_renamed_over_there() {
    var there = repositoryWith(S, add("S/a", "{}"), add("S/b", "{}"));
    var prefix = canonical(there);
    var here =
        repositoryWith(
            S,
            add("S/a", "{}"),
            add("S/x", "{'to':'" + prefix + "S/a'}"),
            add("S/local", "{'to':'S/a'}"),
            assertion("S/note", "'" + prefix + "S/a'", "{}"),
            assertion("S/own", "'S/a'", "{}"));
    applied(here, revise("S/x", "{'n':1,'to':'" + prefix + "S/a'}"));
    var before = state(here);

    applied(there, rename("S/a", "z"));
    applied(there, rename("S", "T"));

    assertEquals(before, state(here), "a rename over there must not show here");
    thing(here, "S/x").body("data.to", equalTo(prefix + "S/a@v1"));
    history(here, "S/x").body("items.data.to", contains(prefix + "S/a@v1", prefix + "S/a@v1"));
    thing(here, "S/note").body("aboutWref", equalTo(prefix + "S/a@v1"));
    applied(here, rename("S/x", "w"), rename("S/a", "q"), rename("S", "R"));
    thing(here, "R/w").body("data.to", equalTo(prefix + "S/a@v1"));
    thing(here, "R/note").body("aboutWref", equalTo(prefix + "S/a@v1"));
    thing(here, "R/local").body("data.to", equalTo("R/q@v1"));
    thing(here, "R/own").body("aboutWref", equalTo("R/q@v1"));
    assertVerified(here);
    assertVerified(there);
  }

  @Test
  void a_foreign_reference_means_the_entity_whatever_it_is_called_now() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var prefix = canonical(there);
    var here = repositoryWith(S, assertion("S/note", "'" + prefix + "S/a'", "{}"), shape("Other"));
    String set =
        applied(here, collection("set", prefix + "S/a")).extract().path("operations[0].wref");

    applied(there, rename("S/a", "z"), add("S/a", "{}"));

    admin()
        .get(here + "/about/" + prefix + "S/z")
        .then()
        .body("assertions.wref", contains("S/note"));
    admin().get(here + "/about/" + prefix + "S/a").then().body("assertions", hasSize(0));
    Api.commit(here, collection("set", prefix + "S/z"))
        .statusCode(200)
        .body("operations[0].wref", equalTo(set));
    applied(here, assertion("S/later", "'" + prefix + "S/z'", "{'to':'" + prefix + "S/z'}"));
    thing(here, "S/later")
        .body("aboutWref", equalTo(prefix + "S/z@v1"))
        .body("data.to", equalTo(prefix + "S/z@v1"));
    assertVerified(here);
  }

  @Test
  void what_is_missing_over_there_leads_nowhere() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var prefix = canonical(there);
    var here = repositoryWith(S);

    for (var wref :
        List.of(
            prefix + "S/none",
            prefix + "None/a",
            prefix + "S/a@v2",
            "cairn:no-such-org/repo/S/a",
            prefix.replace("/repo/", "/none/") + "S/a")) {
      refused(
          here, add("S/x", "{'to':'" + wref + "'}"), UNRESOLVED_REFERENCE, "/operations/0/data/to");
      refused(here, assertion("S/n", "'" + wref + "'", "{}"), NOT_FOUND, "/operations/0/about");
      refused(here, collection("set", wref), UNRESOLVED_REFERENCE, "/operations/0/members/0");
    }
  }

  @Test
  void what_the_caller_may_not_read_is_to_it_not_there() {
    var secret = newRepository("private");
    applied(secret, S, add("S/a", "{}"));
    var open = repositoryWith(S, add("S/a", "{}"));
    var here = repositoryWith(S);
    var email = Api.unique("editor") + "@example.org";
    AccountRows.insert(email, "Editor", "a good password");
    admin()
        .body("{\"role\":\"editor\"}")
        .put("/api/orgs/" + Commits.org(here) + "/members/" + email)
        .then()
        .statusCode(200);
    var token = Api.token(email, "a good password");

    var unreadable = written(token, here, canonical(secret) + "S/a");
    assertEquals(400, unreadable.statusCode());
    assertEquals("UNRESOLVED_REFERENCE", unreadable.path("code"));
    var none = written(token, here, canonical(secret) + "S/none");
    assertEquals(
        none.asString().replace("S/none", "S/a"), unreadable.asString(), "existence must not show");
    assertEquals(201, written(token, here, canonical(open) + "S/a").statusCode());
    applied(here, add("S/mine", "{'to':'" + canonical(secret) + "S/a'}"));
  }

  private static io.restassured.response.ExtractableResponse<?> written(
      String token, String repository, String wref) {
    return as(token)
        .body(
            "{'operations':[%s]}".formatted(add("S/x", "{'to':'" + wref + "'}")).replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .extract();
  }

  @Test
  void operations_change_nothing_in_another_repository() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var here = repositoryWith(S);

    refused(
        here,
        revise(canonical(there) + "S/a", "{'n':1}"),
        dev.cairn.model.ErrorCode.VALIDATION_ERROR,
        "/operations/0/name");
  }

  @Test
  void the_data_hash_sees_canonical_references_as_written() {
    var there = repositoryWith(S, add("S/a", "{}"));
    var a = canonical(there) + "S/a";
    var here = repositoryWith(S);

    applied(here, add("S/x", "{'to':'" + a + "'}"))
        .body("operations[0].dataHash", equalTo(Commits.sha256("{\"to\":\"" + a + "\"}")));
  }
}
