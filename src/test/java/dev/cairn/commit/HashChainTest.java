package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.active;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.collection;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@HttpTest
@QuarkusTest
class HashChainTest {
  private static final String S = shape("S");

  @Inject DataSource dataSource;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"b\":1,\"a\":{\"z\":[],\"y\":{}},\"\":null}",
        "{\"v\":[0,-0,-0.0,1.0,1e21,1e20,123456789.25,0.000001,1e-7,5e-324,0.1,1E3]}",
        "{\"v\":[1.7976931348623157e308,9007199254740991,-9007199254740991,333333333.33333329]}",
        "{\"\\u20ac\":1,\"\\r\":2,\"\\ud83d\\ude00\":3,\"\\ufb33\":4,\"1\":5,\"\\u0080\":6}",
        "{\"s\":\"\\u0001\\b\\f\\n\\r\\t\\\"\\\\\\/\\u007f\\u2028\\u00e9\\ud83d\\ude00</script>\"}",
        "{\"b\":[true,false,null],\"deep\":[[[{\"c\":[{}]}]]]}"
      })
  void the_data_hash_is_sha_256_over_canonical_json(String data) throws IOException {
    var repository = repositoryWith(S);
    var hash = Commits.sha256(new JsonCanonicalizer(data).getEncodedUTF8());

    admin()
        .body("{\"operations\":[{\"operation\":\"add\",\"name\":\"S/a\",\"data\":" + data + "}]}")
        .post(repository + "/commits")
        .then()
        .statusCode(201)
        .body("operations[0].dataHash", equalTo(hash));

    thing(repository, "S/a").body("dataHash", equalTo(hash));
  }

  @Test
  void the_data_hash_sees_references_without_versions() throws IOException {
    var repository = repositoryWith(S, add("S/b", "{}"), add("S/a", "{}"));

    applied(
            repository,
            add("S/x", "{'to':'S/a@v1'}"),
            add("S/y", "{'to':'$0'}"),
            collection("set", "S/b", "S/a"),
            collection("pair", "S/b", "S/a"))
        .body(
            "operations.dataHash",
            contains(
                hash("{'to':'S/a'}"),
                hash("{'to':'S/x'}"),
                hash("{'members':['S/a','S/b']}"),
                hash("{'first':'S/b','second':'S/a'}")));
  }

  private static String hash(String json) throws IOException {
    return Commits.sha256(new JsonCanonicalizer(json.replace('\'', '"')).getEncodedUTF8());
  }

  @Test
  void the_data_hash_of_a_shape_is_that_of_its_definition() throws IOException {
    applied(newRepository(), S)
        .body("operations[0].dataHash", equalTo(hash("{'fields':{'n?':'number','to?':'wref'}}")));
  }

  @Test
  void each_commit_is_chained_to_the_one_before_it() {
    var repository = eventful();

    var list = admin().get(repository + "/commits").then().extract();
    List<String> hashes = list.path("items.hash");
    List<String> parents = list.path("items.parentHash");
    List<String> ids = list.path("items.commitId");
    assertEquals(hashes.subList(1, hashes.size()), parents.subList(0, parents.size() - 1));
    assertEquals("0".repeat(64), parents.getLast());
    for (int i = 0; i < ids.size(); i++) {
      assertEquals(ids.get(i), hashes.get(i).substring(0, 16));
    }
    admin()
        .get(repository + "/verification")
        .then()
        .body("verified", equalTo(true))
        .body("commits", equalTo(hashes.size()))
        .body("hash", equalTo(hashes.getFirst()))
        .body("brokenAt", nullValue());
  }

  /** A history with everything in it that can be in one; six commits. */
  private static String eventful() {
    var repository =
        repositoryWith(S, add("S/a", "{'n':1}"), add("S/b", "{'to':'S/a'}"), shape("T"));
    applied(
        repository,
        revise("S/a", "{'n':2}"),
        assertion("S/note", "{'set':['S/a','S/b']}", "{}"),
        collection("pair", "S/a", "S/b"),
        retract("S/b"));
    applied(
        repository, rename("S/a", "z"), rename("S", "R"), add("S/none".replace("S/", "R/"), "{}"));
    applied(
        repository,
        add("R/a", "{'to':'R/z'}"),
        rename("R/a", "q"),
        rename("T", "S"),
        add("S/a", "{'to':'R/q'}"),
        revise("R/q", "{'n':4}"));
    applied(repository, rename("R/z", "a"), active("R/b", true), rename("R", "Q"));
    applied(repository, assertion("Q/meta", "'Q/note'", "{}"), rename("Q/a", "z"));
    return repository;
  }

  @Test
  void a_history_with_renames_retracts_and_collections_verifies() {
    assertVerified(eventful());
  }

  @Test
  void an_empty_repository_verifies() {
    var repository = newRepository();

    admin()
        .get(repository + "/verification")
        .then()
        .body("verified", equalTo(true))
        .body("commits", equalTo(0));
  }

  /** Each row: what is done behind the service's back, and the first commit that shows it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update commit_log set author = 'Eve' where REPO and seq = 2                  | 2",
        "update commit_log set message = 'x' where REPO and seq = 3                   | 3",
        "update commit_log set created_at = created_at + interval '1 ms' where REPO and seq = 1 | 1",
        "update commit_log set hash = sha256('x') where REPO and seq = 2              | 2",
        "update commit_log set parent_hash = sha256('x') where REPO and seq = 4       | 4",
        "delete from commit_log where REPO and seq = 2                                | 3",
        "delete from commit_log where REPO and seq = 6                                | 6",
        "update repository_head set hash = sha256('x') where REPO                     | 7",
        "update entity_version set data_hash = sha256('x') where REPO and valid_from = 2 and op_index = 0 | 2",
        "update entity_version set active = not active where REPO and valid_from = 5  | 5",
        "update entity_version set operation = 'add' where REPO and valid_from = 2    | 2",
        "delete from entity_version where REPO and valid_from = 4 and op_index = 4    | 4",
        "update entity set name = 'eve' where REPO and name = 'note'                  | 2",
        "update entity set about_version = about_version + 1 where REPO and name = 'meta' | 6",
        "update entity_version set data = '{}' where REPO and valid_from = 2 and op_index = 0 | 2",
        "update entity set data = '{\"x\":1}' where REPO and name = 'meta'            | 6",
        "update entity_rename set old_name = 'eve' where REPO and seq = 6             | 5",
        "delete from entity_rename where REPO and seq = 6                             | 5"
      })
  void a_change_behind_the_services_back_is_found(String tampering, long brokenAt)
      throws SQLException {
    var repository = eventful();
    assertVerified(repository);

    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement()) {
      int touched =
          statement.executeUpdate(
              tampering.replace(
                  "REPO",
                  "repo_id = (select r.id from repository r join organization o on o.id = r.org_id"
                      + " where o.name = '"
                      + Commits.org(repository)
                      + "')"));
      assertEquals(true, touched > 0, "the tampering must touch something");
    }

    admin()
        .get(repository + "/verification")
        .then()
        .statusCode(200)
        .body("verified", equalTo(false))
        .body("brokenAt", equalTo((int) brokenAt));
  }

  @Test
  void the_commit_id_is_the_beginning_of_the_full_hash() {
    var repository = newRepository();
    String id = applied(repository, S).extract().path("commitId");

    admin().get(repository + "/commits/" + id).then().body("hash", startsWith(id));
  }
}
