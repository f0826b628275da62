package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.newRepository;
import static dev.cairn.Api.repoId;
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
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  private final DataSource dataSource = OwnConnections.dataSource();

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
  void a_commit_is_never_before_the_one_before_it_whatever_the_clocks_say() throws SQLException {
    var repository = repositoryWith(S);
    // As if the clock of another replica were an hour ahead.
    long ahead = System.currentTimeMillis() + 3_600_000;
    try (var connection = dataSource.getConnection()) {
      OwnConnections.execute(
          connection,
          "update repository_head set committed_at = to_timestamp(?::bigint / 1000.0) where repo_id = ?",
          ahead,
          repoId(repository));
    }

    for (var name : List.of("S/a", "S/b")) {
      applied(repository, add(name, "{}")).body("createdAt", equalTo(ahead));
    }
    assertVerified(repository);
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

  /** Each row: what is changed in the database directly, and the first commit that shows it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update commit_log set author = 'Eve' where REPO and seq = 2                  | 2",
        "update commit_log set message = 'x' where REPO and seq = 3                   | 3",
        "update commit_log set created_at = created_at + interval '1 ms' where REPO and seq = 1 | 1",
        "update commit_log set hash = sha256('x') where REPO and seq = 2              | 2",
        "update commit_log set parent_hash = sha256('x') where REPO and seq = 4       | 4",
        "delete from commit_log where REPO and seq = 2                                | 2",
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
        "delete from entity_rename where REPO and seq = 6                             | 5",
        "update entity_rename set new_name = 'eve' where REPO and seq = 6             | 6",
        "delete from entity where REPO and name = 'meta'                              | 6",
        "delete from entity where REPO and name = 'note'                              | 2",
        "update entity_count set count = count + 1 where REPO and kind = 'thing'      | 6",
        "delete from entity_count where REPO and kind = 'assertion'                   | 6",
        "update entity set version = version + 1 where REPO and name = 'meta'         | 6",
        "update entity set active = false where REPO and name = 'meta'                | 6",
        "update entity set shape_version = 7 where REPO and name = 'meta'             | 6",
        "update entity set author = 'Eve' where REPO and name = 'meta'                | 6",
        "update entity set updated_at = now() where REPO and name = 'meta'            | 6",
        "update entity set about_wref = 'Q/q@v1' where REPO and name = 'meta'         | 6",
        "update entity set shape_name = 'Eve' where REPO and name = 'note'            | 2",
        "insert into entity select (jsonb_populate_record(e, '{\"id\":999,\"name\":\"ghost\",\"collection_key\":null}')).* from entity e where REPO and name = 'meta' | 6",
        "insert into entity_version select (jsonb_populate_record(v, '{\"entity_id\":999,\"valid_from\":99}')).* from entity_version v where REPO and valid_from = 6 | 99",
        "insert into entity_rename select (jsonb_populate_record(n, '{\"seq\":99,\"old_name\":\"z\",\"new_name\":\"z\"}')).* from entity_rename n where REPO and seq = 6 | 99"
      })
  void a_change_made_in_the_database_directly_is_found(String tampering, long brokenAt)
      throws SQLException {
    var repository = eventful();
    assertVerified(repository);

    tamper(repository, tampering);

    assertBroken(repository, brokenAt);
  }

  private void tamper(String repository, String tampering) throws SQLException {
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
  }

  private static void assertBroken(String repository, long brokenAt) {
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

  /** Payloads whose hashes saw other names than those of today, in every way there is. */
  private static String renamed() {
    var repository =
        repositoryWith(
            S,
            add("S/a", "{}"),
            add("S/x", "{'n':1,'to':'S/a'}"),
            shape("U", "{'s?':{'type':'wref','shape':'S'},'t?':{'type':'wref','shape':'T'}}"),
            shape("T"));
    applied(
        repository,
        add("S/y", "{'n':2,'to':'S/a'}"),
        rename("S/a", "b"),
        add("S/z", "{'n':3,'to':'S/b'}"),
        collection("pair", "S/x", "S/b"),
        rename("S", "R"),
        add("R/w", "{'n':4,'to':'R/b'}"));
    applied(repository, retract("R/x"), rename("T", "S"), rename("R/b", "a"));
    applied(repository, active("R/x", true), retract("R/y"), retract("U"), rename("S", "V"));
    return repository;
  }

  @Test
  void payloads_verify_by_the_names_of_their_time() {
    assertVerified(renamed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'n':1 | 'n':9 | 1",
        "'n':2 | 'n':9 | 2",
        "'n':3 | 'n':9 | 2",
        "'n':4 | 'n':9 | 2",
        "'n':4 | broken | 2",
        "R/a@v1 | R/y@v1 | 1",
        "'shape':'\u0001R\u0001' | 'shape':'\u0001V\u0001' | 1",
        "'s?' | 's' | 1"
      })
  void a_forged_payload_that_refers_to_something_renamed_is_found(
      String text, String forged, long brokenAt) throws SQLException {
    var repository = renamed();

    for (var table : List.of("entity", "entity_version")) {
      tamper(
          repository,
          "update %s set data = replace(data, '%s', '%s') where REPO and data like '%%' || '%s' || '%%'"
              .formatted(table, quoted(text), quoted(forged), quoted(text)));
    }

    assertBroken(repository, brokenAt);
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }

  @Test
  void a_name_of_a_shape_that_did_not_exist_yet_verifies_after_it_is_taken() {
    var constrained = "{'s?':{'type':'wref','shape':'Later'},'t?':{'type':'wref','shape':'S'}}";
    var repository = repositoryWith(S, shape("U", constrained), shape("X", constrained));
    applied(repository, rename("S", "Later"));
    applied(repository, rename("Later", "Last"), shape("S"), shape("Y", constrained));
    applied(repository, rename("S", "Later"));

    assertVerified(repository);
  }

  /**
   * Half of the names were those of the shape before its rename, the others already the new one.
   */
  @Test
  void two_names_of_a_definition_that_a_rename_makes_one_verify() throws SQLException {
    var fields =
        IntStream.range(0, 40)
            .mapToObj(
                i -> "'f%d':{'type':'wref','shape':'%s'}".formatted(i, i % 2 == 0 ? "A" : "B"))
            .collect(Collectors.joining(",", "{", "}"));
    var repository = repositoryWith(shape("D", fields));
    applied(repository, shape("A"));
    applied(repository, rename("A", "B"));
    applied(repository, shape("E", fields), rename("B", "C"), shape("F", fields));
    applied(repository, retract("D"));
    applied(repository, rename("C", "G"));
    // Of a shape that it adds, a commit stores only the last name.
    applied(repository, shape("A"), rename("A", "H"));
    applied(repository, shape("B"));
    applied(repository, rename("B", "I"));
    assertVerified(repository);

    var forge = " set data = replace(data, '\u0001G\u0001', '\u0001H\u0001') where REPO and ";
    tamper(
        repository,
        "update entity_version"
            + forge
            + "entity_id = (select id from entity where REPO and name = 'E')");
    tamper(repository, "update entity" + forge + "name = 'E'");
    assertBroken(repository, 4);
  }

  @Test
  void verification_sees_one_moment_while_commits_go_on() throws Exception {
    var repository = eventful();
    try (var executor = Executors.newSingleThreadExecutor()) {
      var stop = new AtomicBoolean();
      var written =
          executor.submit(
              () -> {
                int commits = 0;
                for (; !stop.get(); commits++) {
                  applied(repository, add("Q/c" + commits, "{'to':'Q/z'}"));
                }
                return commits;
              });
      try {
        for (int i = 0; i < 40; i++) {
          assertVerified(repository);
        }
      } finally {
        stop.set(true);
      }
      assertTrue(written.get(30, TimeUnit.SECONDS) > 10, "commits must have gone on");
    }
  }
}
