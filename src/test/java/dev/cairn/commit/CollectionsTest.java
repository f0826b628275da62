package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.submit;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.named;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.commit.Commits.with;
import static dev.cairn.model.ErrorCode.ALREADY_EXISTS;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.UNRESOLVED_REFERENCE;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@HttpTest
@QuarkusTest
class CollectionsTest {
  private static String repository() {
    return repositoryWith(
        shape("S"), add("S/a", "{}"), add("S/b", "{}"), add("S/c", "{}"), add("S/d", "{}"));
  }

  private static int collections(String repository) {
    return admin()
        .get(repository + "/count?kind=collection&includeInactive=true")
        .then()
        .extract()
        .path("count");
  }

  private static String wref(String repository, String operation) {
    var answer = commit(repository, operation).extract();
    assertEquals(1, answer.<List<?>>path("operations").size(), answer.asString());
    return answer.path("operations[0].wref");
  }

  @Test
  void all_members_that_are_missing_are_named() {
    refused(
        repository(),
        named("Set/s", "set", "S/none", "S/a", "S/other"),
        UNRESOLVED_REFERENCE,
        "/operations/0/members/0",
        "/operations/0/members/2");
    var many = IntStream.range(0, 150).mapToObj(i -> "S/none" + i).toArray(String[]::new);
    refused(
        repository(),
        named("List/l", "list", many),
        UNRESOLVED_REFERENCE,
        IntStream.range(0, 100).mapToObj(i -> "/operations/0/members/" + i).toArray(String[]::new));
  }

  @Test
  void a_collection_has_at_most_174762_members() {
    var members = Collections.nCopies(174_763, "S/a").toArray(String[]::new);
    var repository = repository();
    refused(
        repository, named("List/l", "list", members), VALIDATION_ERROR, "/operations/0/members");
    // Sorted and without duplicates, so that they fit into the data of one entity.
    applied(repository, named("Set/s", "set", Arrays.copyOf(members, 174_762)));
  }

  @Test
  void each_type_has_its_own_payload_of_pinned_members() {
    var repository = repository();

    applied(
        repository,
        named("Pair/p", "pair", "S/b", "S/a"),
        named("Triple/t", "triple", "S/b", "S/a", "S/b"),
        named("Set/s", "set", "S/c", "S/a", "S/b", "S/a"),
        named("List/l", "list", "S/b", "S/a", "S/b"));

    thing(repository, "Pair/p")
        .body("data", equalTo(Map.of("first", "S/b@v1", "second", "S/a@v1")));
    thing(repository, "Triple/t").body("data.third", equalTo("S/b@v1"));
    thing(repository, "Set/s").body("data.members", contains("S/a@v1", "S/b@v1", "S/c@v1"));
    thing(repository, "List/l").body("data.items", contains("S/b@v1", "S/a@v1", "S/b@v1"));
  }

  @Test
  void a_collection_is_a_thing_under_its_shape_and_a_set_by_default() {
    var repository = repository();

    applied(repository, "{'operation':'add','members':['S/a']}")
        .body("operations[0].kind", equalTo("thing"))
        .body("operations[0].operation", equalTo("add"))
        .body("operations[0].version", equalTo(1))
        .body("operations[0].wref", startsWith("Set/"));
  }

  @ParameterizedTest
  @CsvSource({"pair,2,2", "triple,3,3", "set,1,4", "list,1,4"})
  void each_type_takes_its_number_of_members(String type, int least, int most) {
    var repository = repository();

    for (int size = 0; size <= 4; size++) {
      var members = List.of("S/a", "S/b", "S/c", "S/d").subList(0, size).toArray(String[]::new);
      if (size < least || size > most) {
        refused(repository, collection(type, members), VALIDATION_ERROR, "/operations/0/members");
        refused(
            repository,
            assertion("S/x", "{'" + type + "':" + Commits.array(members) + "}", "{}"),
            VALIDATION_ERROR,
            "/operations/0/about/" + type);
      } else {
        applied(repository, collection(type, members));
      }
    }
  }

  @Test
  void the_same_members_are_the_same_collection_in_later_commits() {
    var repository = repository();
    var first = wref(repository, collection("pair", "S/a", "S/b"));

    commit(repository, collection("pair", "S/a", "S/b"))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"))
        .body("operations[0].wref", equalTo(first));
    assertNotEquals(first, wref(repository, collection("pair", "S/b", "S/a")));
    assertNotEquals(first, wref(repository, collection("list", "S/a", "S/b")));
    assertEquals(3, collections(repository));
  }

  @Test
  void a_set_is_the_same_in_any_order_and_with_duplicates() {
    var repository = repository();
    var first = wref(repository, collection("set", "S/a", "S/b", "S/c"));

    assertEquals(first, wref(repository, collection("set", "S/c", "S/a", "S/b", "S/a")));
    assertEquals(first, wref(repository, collection("set", "S/b@v1", "S/c@HEAD", "S/a")));
    assertEquals(1, collections(repository));
  }

  @Test
  void other_pinned_versions_are_another_collection() {
    var repository = repository();
    var first = wref(repository, collection("set", "S/a"));
    applied(repository, revise("S/a", "{'n':2}"));

    assertNotEquals(first, wref(repository, collection("set", "S/a")));
    assertEquals(first, wref(repository, collection("set", "S/a@v1")));
    assertEquals(2, collections(repository));
  }

  @Test
  void the_same_members_under_another_name_are_a_noop_that_answers_with_the_first() {
    var repository = repository();
    applied(repository, named("Set/first", "set", "S/a", "S/b"));

    commit(repository, named("Set/second", "set", "S/b", "S/a"))
        .statusCode(200)
        .body("operations[0].status", equalTo("noop"))
        .body("operations[0].wref", equalTo("Set/first"));
    applied(repository, named("Pair/x", "pair", "S/a", "S/b"), collection("pair", "S/a", "S/b"))
        .body("operations.status", contains("applied", "noop"))
        .body("operations.wref", contains("Pair/x", "Pair/x"));
    Commits.missing(repository, "Set/second");
  }

  @Test
  void a_name_that_another_collection_has_is_taken() {
    var repository = repository();
    applied(repository, named("Set/x", "set", "S/a"));

    refused(repository, named("Set/x", "set", "S/b"), ALREADY_EXISTS, "/operations/0");
  }

  @Test
  void the_default_name_of_a_collection_may_be_taken_by_another() {
    var repository = repository();
    String name =
        submit(repository, "{'dryRun':true,'operations':[" + collection("set", "S/a") + "]}")
            .extract()
            .path("operations[0].wref");
    applied(repository, named(name, "set", "S/b"));

    refused(repository, collection("set", "S/a"), ALREADY_EXISTS, "/operations/0")
        .body("hint", containsString("a `name`"));
    refused(repository, assertion("S/x", "{'set':['S/a']}", "{}"), ALREADY_EXISTS, "/operations/0");
    applied(repository, named("Set/mine", "set", "S/a"));
  }

  @Test
  void an_inline_collection_is_made_on_first_use_and_has_no_result_of_its_own() {
    var repository = repository();

    applied(
            repository,
            assertion("S/x", "{'set':['S/b','S/a']}", "{}"),
            assertion("S/y", "{'set':['S/a','S/b','S/b']}", "{}"))
        .body("operations", hasSize(2))
        .body("operationCount", equalTo(2));
    assertEquals(1, collections(repository));
    String about = thing(repository, "S/x").extract().path("aboutWref");
    thing(repository, "S/y").body("aboutWref", equalTo(about));
    thing(repository, about).body("data.members", contains("S/a@v1", "S/b@v1"));

    applied(repository, assertion("S/z", "{'set':['S/a','S/b']}", "{}"))
        .body("operations", hasSize(1));
    thing(repository, "S/z").body("aboutWref", equalTo(about));
    assertEquals(1, collections(repository));
    assertEquals(about, wref(repository, collection("set", "S/a", "S/b")) + "@v1");
    assertVerified(repository);
  }

  @Test
  void an_assertion_that_is_skipped_makes_no_inline_collection() {
    var repository = repository();
    applied(repository, assertion("S/x", "'S/a'", "{}"));

    commit(repository, with(assertion("S/x", "{'set':['S/a','S/b']}", "{}"), "'skipExisting':true"))
        .statusCode(200);

    assertEquals(0, collections(repository));
  }

  @Test
  void a_thing_under_a_collection_shape_is_the_collection_of_its_members() {
    var repository = repository();
    applied(repository, named("Set/s", "set", "S/a", "S/b"));

    applied(
            repository,
            add("Pair/p", "{'first':'S/a','second':'S/b'}"),
            add("List/l", "{'items':['S/a@v1']}"))
        .body("operations.kind", contains("thing", "thing"));
    commit(repository, add("Set/other", "{'members':['S/b','S/a']}"))
        .statusCode(200)
        .body("operations[0].wref", equalTo("Set/s"));
    commit(repository, collection("pair", "S/a", "S/b"))
        .statusCode(200)
        .body("operations[0].wref", equalTo("Pair/p"));
    refused(
        repository,
        add("Pair/q", "{'first':'S/a','second':'S/b','third':'S/c'}"),
        SHAPE_MISMATCH,
        "/operations/0/data/third");
    refused(
        repository, add("Pair/q", "{'first':'S/a'}"), SHAPE_MISMATCH, "/operations/0/data/second");
  }

  @Test
  void collections_within_collections_are_found_by_identity_too() {
    var repository = repository();

    applied(
            repository,
            collection("pair", "S/a", "S/b"),
            collection("set", "$0", "S/c"),
            collection("list", "$1", "$0"))
        .body("operations.status", contains("applied", "applied", "applied"));
    assertEquals(3, collections(repository));

    commit(
            repository,
            Commits.ops(
                collection("pair", "S/a", "S/b"),
                collection("set", "S/c", "$0"),
                collection("list", "$1", "$0")))
        .statusCode(200)
        .body("operations.status", contains("noop", "noop", "noop"));
    assertEquals(3, collections(repository));
    assertVerified(repository);
  }

  @Test
  void a_member_that_leads_nowhere_is_an_unresolved_reference() {
    var repository = repository();

    refused(
        repository,
        collection("set", "S/a", "S/none"),
        UNRESOLVED_REFERENCE,
        "/operations/0/members/1");
    refused(
        repository, collection("set", "S/a@v2"), UNRESOLVED_REFERENCE, "/operations/0/members/0");
    refused(repository, collection("set", "$0"), UNRESOLVED_REFERENCE, "/operations/0/members/0");
    refused(
        repository,
        assertion("S/x", "{'pair':['S/a','S/none']}", "{}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/about/pair/1");
    refused(
        repository,
        add("Pair/p", "{'first':'S/a','second':'S/none'}"),
        UNRESOLVED_REFERENCE,
        "/operations/0/data/second");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                | /about",
        "{'set':['S/a'],'list':['S/a']}    | /about",
        "{'bag':['S/a']}                   | /about/bag",
        "{'set':'S/a'}                     | /about/set",
        "{'set':[1]}                       | /about/set/0",
        "{'set':['nowref']}                | /about/set/0",
        "null                              | /about",
        "['S/a']                           | /about"
      })
  void an_inline_collection_is_an_object_with_one_key(String about, String pointer) {
    refused(
        repository(), assertion("S/x", about, "{}"), VALIDATION_ERROR, "/operations/0" + pointer);
  }

  @Test
  void a_collection_cannot_be_revised() {
    var repository = repository();
    applied(repository, named("Set/s", "set", "S/a"));

    refused(
        repository, revise("Set/s", "{'members':['S/b']}"), VALIDATION_ERROR, "/operations/0/data");
  }

  @Test
  void a_collection_can_be_renamed_and_retracted_and_stays_the_same_collection() {
    var repository = repository();
    applied(repository, named("Set/s", "set", "S/a"));

    applied(repository, rename("Set/s", "t"));
    commit(repository, collection("set", "S/a"))
        .statusCode(200)
        .body("operations[0].wref", equalTo("Set/t"));
    applied(repository, retract("Set/t")).body("operations[0].version", equalTo(2));
    thing(repository, "Set/t")
        .body("active", equalTo(false))
        .body("data.members", contains("S/a@v1"));
    applied(repository, active("Set/t", true));
    assertEquals(1, collections(repository));
    assertVerified(repository);
  }

  @Test
  void a_rename_of_members_keeps_the_collection() {
    var repository = repository();
    var set = wref(repository, collection("set", "S/a", "S/b"));

    applied(repository, rename("S/a", "z"));

    thing(repository, set).body("data.members", contains("S/z@v1", "S/b@v1"));
    assertEquals(set, wref(repository, collection("set", "S/b", "S/z")));
  }

  @Test
  void members_and_data_together_and_names_of_another_type_are_refused() {
    var repository = repository();

    refused(
        repository,
        "{'operation':'add','name':'Set/s','members':['S/a'],'data':{}}",
        VALIDATION_ERROR,
        "/operations/0/data");
    refused(repository, named("List/s", "set", "S/a"), VALIDATION_ERROR, "/operations/0/name");
    refused(repository, named("S/s", "set", "S/a"), VALIDATION_ERROR, "/operations/0/name");
    refused(repository, collection("bag", "S/a"), VALIDATION_ERROR, "/operations/0/type");
  }
}
