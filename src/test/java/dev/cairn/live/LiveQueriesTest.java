package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Metrics;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.platform.database.LockedTable;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/live.md, Live queries: messages, and which commits change what a client holds. */
@HttpTest
@QuarkusTest
class LiveQueriesTest {
  private static final String SHAPES =
      """
      {'operation':'add','name':'Shape/Sensor','data':{'fields':{'n?':'number','room?':'wref'}}},
      {'operation':'add','name':'Shape/Room','data':{'fields':{'text?':'string'}}},
      {'operation':'add','name':'Shape/Note','data':{'fields':{'text?':'string'}}},
      {'operation':'add','name':'Room/r','data':{'text':'x'}},
      {'operation':'add','name':'Sensor/a','data':{'n':1}},
      {'operation':'add','name':'Sensor/b','data':{'n':2,'room':'Room/r'}},
      {'operation':'add','name':'Note/old','about':'Sensor/a','data':{}}""";

  private static String repository() {
    var repository = newRepository();
    Prepared.commit(repository, SHAPES);
    return repository;
  }

  private static String add(String wref) {
    return "{'operation':'add','name':'%s','data':{}}".formatted(wref);
  }

  private static List<String> names(JsonNode items) {
    return items.valueStream().map(item -> item.get("wref").textValue()).toList();
  }

  @Test
  void a_query_has_a_snapshot_and_an_update_for_each_change() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.subscribe("s", "{'shape':'Sensor'}");
      var snapshot = client.next("snapshot", "s");
      assertEquals(
          LiveClient.read(adminToken(), repository, "shape=Sensor"), snapshot.get("items"));
      assertEquals(1, snapshot.get("repoSeq").intValue());
      Prepared.commit(repository, add("Sensor/c"));
      var update = client.next("update", "s");
      assertEquals(List.of("Sensor/a", "Sensor/b", "Sensor/c"), names(update.get("items")));
      assertEquals(2, update.get("repoSeq").intValue());
      Prepared.commit(repository, "{'operation':'retract','name':'Sensor/a'}");
      assertEquals(List.of("Sensor/b", "Sensor/c"), names(client.update("s")));
    }
  }

  @Test
  void items_that_stay_the_same_are_not_sent_again() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.snapshot("first", "{'shape':'Sensor','limit':1}");
      Prepared.commit(repository, add("Sensor/z"));
      Prepared.commit(repository, add("Room/z"));
      client.hearsNothing();
      Prepared.commit(repository, "{'operation':'revise','name':'Sensor/a','data':{'n':7}}");
      assertEquals(7, client.update("first").get(0).get("data").get("n").intValue());
    }
  }

  @Test
  void of_a_longer_list_the_cursor_shows_the_rest() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.subscribe("q", "{'shape':'Sensor','limit':1}");
      var cursor = client.next("snapshot", "q").get("nextCursor").textValue();
      assertEquals(
          List.of("Sensor/b"),
          names(
              LiveClient.read(adminToken(), repository, "shape=Sensor&limit=1&cursor=" + cursor)));
    }
  }

  @Test
  void a_query_ends_when_the_client_unsubscribes() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.snapshot("s", "{'shape':'Sensor'}");
      client.snapshot("r", "{'shape':'Room'}");
      client.send("{'type':'unsubscribe','id':'s'}");
      Prepared.commit(repository, add("Sensor/c") + "," + add("Room/c"));
      client.update("r");
      client.hearsNothing();
      assertEquals(3, client.snapshot("s", "{'shape':'Sensor'}").size());
    }
  }

  /** A query, and a commit that changes its result in a way that no other case does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                       | {'operation':'add','name':'Room/n','data':{}}
          {'kind':'shape'}                         | {'operation':'add','name':'Shape/N','data':{'fields':{}}}
          {'match':'Sensor/x*'}                    | {'operation':'add','name':'Sensor/x1','data':{}}
          {'match':'Sensor/x*'}                    | {'operation':'rename','name':'Sensor/a','newName':'Sensor/x2'}
          {'match':'Sensor/a'}                     | {'operation':'rename','name':'Sensor/a','newName':'Sensor/y'}
          {'shape':'Sensor'}                       | {'operation':'rename','name':'Room/r','newName':'Room/s'}
          {'shape':'Sensor'}                       | {'operation':'rename','name':'Shape/Sensor','newName':'Shape/S'}
          {'shape':'Sensor','fields':'room'}       | {'operation':'revise','name':'Sensor/a','data':{'room':'Room/r'}}
          {'shape':'Sensor','where':'n:gt:1'}      | {'operation':'revise','name':'Sensor/a','data':{'n':3}}
          {'shape':'Sensor','where':['n:gt:0','n:lt:5']} | {'operation':'revise','name':'Sensor/a','data':{'n':9}}
          {'shape':'Sensor','where':'room:eq:Room/r'} | {'operation':'revise','name':'Sensor/b','data':{}}
          {'about':'Sensor/a'}                     | {'operation':'add','name':'Note/n','about':'Sensor/a','data':{}}
          {'about':['Sensor/a','Sensor/b']}        | {'operation':'add','name':'Note/n','about':'Sensor/b','data':{}}
          {'about':'Sensor/*','shape':'Note'}      | {'operation':'retract','name':'Note/old'}
          {'about':'Sensor/b*','shape':'Note'}     | {'operation':'rename','name':'Sensor/a','newName':'Sensor/b2'}
          {'about':'Sensor/a','shape':'Note','resolveCollections':true} | {'operation':'add','name':'Note/n','about':{'set':['Sensor/a','Sensor/b']},'data':{}}
          {'shape':'Sensor','missing':'about:Note'} | {'operation':'add','name':'Note/n','about':'Sensor/b','data':{}}
          {'shape':'Sensor','missing':'about:Note'} | {'operation':'retract','name':'Note/old'}
          {'shape':'Sensor','includeInactive':true} | {'operation':'retract','name':'Sensor/a'}
          {'shape':'Sensor','limit':1}             | {'operation':'retract','name':'Sensor/a'}
          """)
  void each_change_of_a_result_is_told(String query, String operation) {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      var before = client.snapshot("q", query);
      Prepared.commit(repository, operation);
      var after = client.update("q");
      assertFalse(before.equals(after));
      client.send("{'type':'unsubscribe','id':'q'}");
      assertEquals(client.snapshot("fresh", query), after);
    }
  }

  @Test
  void a_retracted_collection_no_longer_leads_to_its_assertions() {
    var repository = repository();
    Prepared.commit(
        repository,
        """
        {'operation':'add','name':'Set/both','type':'set','members':['Sensor/a','Sensor/b']},
        {'operation':'add','name':'Note/n','about':'Set/both','data':{}}""");
    try (var client = LiveClient.of(adminToken(), repository)) {
      var query = "{'about':'Sensor/a','shape':'Note','resolveCollections':true}";
      assertEquals(2, client.snapshot("q", query).size());
      Prepared.commit(repository, "{'operation':'retract','name':'Set/both'}");
      assertEquals(1, client.update("q").size());
    }
  }

  @Test
  void a_commit_of_more_names_than_are_told_changes_results_too() {
    var repository = repository();
    var rooms = new StringBuilder();
    for (int i = 0; i < 250; i++) {
      rooms.append(add("Room/" + i)).append(',');
    }
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.snapshot("q", "{'match':'Sensor/zz'}");
      Prepared.commit(repository, rooms + add("Sensor/zz"));
      assertEquals(List.of("Sensor/zz"), names(client.update("q")));
    }
  }

  @Test
  void renames_in_another_repository_of_a_query_about_it_are_told_within_seconds() {
    var other = repository();
    var repository = repository();
    var target = "cairn:" + other.substring("/api/repos/".length()) + "/Sensor/a";
    Prepared.commit(
        repository, "{'operation':'add','name':'Note/n','about':'%s','data':{}}".formatted(target));
    try (var client = LiveClient.of(adminToken(), repository)) {
      assertEquals(1, client.snapshot("q", "{'about':'%s'}".formatted(target)).size());
      Prepared.commit(other, "{'operation':'rename','name':'Sensor/a','newName':'Sensor/gone'}");
      assertEquals(0, client.update("q").size());
    }
  }

  @Test
  void a_narrowed_token_is_told_what_it_may_read() {
    var repository = repository();
    var pat = People.narrowedPat(repository, "repo:read", "Sensor/a*");
    try (var client = LiveClient.of(pat, repository)) {
      var query = "{'shape':'Sensor'}";
      assertEquals(List.of("Sensor/a"), names(client.snapshot("q", query)));
      Prepared.commit(repository, add("Sensor/c"));
      client.hearsNothing();
      Prepared.commit(repository, add("Sensor/a2"));
      assertEquals(List.of("Sensor/a", "Sensor/a2"), names(client.update("q")));
    }
  }

  @Test
  void what_is_public_is_followed_without_credentials_until_it_is_private() {
    var repository = repository();
    try (var client = LiveClient.of(null, repository)) {
      client.snapshot("q", "{'shape':'Sensor'}");
      Prepared.commit(repository, add("Sensor/c"));
      client.update("q");
      admin().body("{\"visibility\":\"private\"}").patch(repository).then().statusCode(200);
      client.endsWith(1008, "access_ended");
    }
  }

  @Test
  void a_query_whose_field_goes_ends_with_an_error() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.snapshot("q", "{'shape':'Sensor','where':'n:gt:1'}");
      client.snapshot("other", "{'shape':'Room'}");
      Prepared.commit(
          repository,
          "{'operation':'revise','name':'Shape/Sensor','data':{'fields':{'m?':'number'}}}");
      var error = client.error("q", "VALIDATION_ERROR");
      assertTrue(error.get("ended").booleanValue());
      assertEquals("/query/where", error.get("errors").get(0).get("pointer").textValue());
      Prepared.commit(repository, add("Room/c"));
      client.update("other");
      client.send("{'type':'unsubscribe','id':'q'}");
      client.error("q", "NOT_FOUND");
    }
  }

  @Test
  void a_query_that_takes_too_long_is_run_again() throws SQLException {
    var repository = repository();
    try (var client = LiveClient.of(null, repository)) {
      try (var _ = LockedTable.of("entity")) {
        double before = Metrics.sum("cairn_live_delayed_total");
        client.subscribe("q", "{'shape':'Sensor'}");
        Eventually.await(
            "a run has failed", () -> Metrics.sum("cairn_live_delayed_total") > before);
      }
      assertEquals(2, client.next("snapshot", "q").get("items").size());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          no JSON                                              |      | VALIDATION_ERROR |
          ['subscribe']                                        |      | VALIDATION_ERROR | ''
          {'id':'x','query':{}}                                | x    | VALIDATION_ERROR | /type
          {'type':'ask','id':'x','query':{}}                   | x    | VALIDATION_ERROR | /type
          {'type':'subscribe','query':{}}                      |      | VALIDATION_ERROR | /id
          {'type':'subscribe','id':'','query':{}}              |      | VALIDATION_ERROR | /id
          {'type':'subscribe','id':7,'query':{}}               |      | VALIDATION_ERROR | /id
          {'type':'subscribe','id':'x'}                        | x    | VALIDATION_ERROR | /query
          {'type':'subscribe','id':'x','query':'shape=Sensor'} | x    | VALIDATION_ERROR | /query
          {'type':'subscribe','id':'x','query':{},'more':1}    | x    | VALIDATION_ERROR | /more
          {'type':'unsubscribe','id':'x','query':{}}           | x    | VALIDATION_ERROR | /query
          {'type':'unsubscribe','id':'x'}                      | x    | NOT_FOUND        | /id
          {'type':'subscribe','id':'q','query':{}}             | q    | ALREADY_EXISTS   | /id
          {'type':'subscribe','id':'x','query':{'cursor':'c'}} | x    | VALIDATION_ERROR | /query/cursor
          {'type':'subscribe','id':'x','query':{'at':'1'}}     | x    | VALIDATION_ERROR | /query/at
          {'type':'subscribe','id':'x','query':{'limit':501}}  | x    | VALIDATION_ERROR | /query/limit
          {'type':'subscribe','id':'x','query':{'limit':0}}    | x    | VALIDATION_ERROR | /query/limit
          {'type':'subscribe','id':'x','query':{'shape':null}} | x    | VALIDATION_ERROR | /query/shape
          {'type':'subscribe','id':'x','query':{'shape':{}}}   | x    | VALIDATION_ERROR | /query/shape
          {'type':'subscribe','id':'x','query':{'shape':['A','B']}} | x | VALIDATION_ERROR | /query/shape
          {'type':'subscribe','id':'x','query':{'match':'a b'}} | x   | VALIDATION_ERROR | /query/match
          {'type':'subscribe','id':'x','query':{'where':'n:eq:1'}} | x | VALIDATION_ERROR | /query/where
          """)
  void a_bad_message_has_an_error_and_changes_nothing(
      String message, String id, String code, String pointer) {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.snapshot("q", "{'shape':'Sensor'}");
      client.send(message);
      var error = client.error(id, code);
      assertNotNull(error.get("detail"));
      assertFalse(error.has("ended"));
      if (pointer != null) {
        assertEquals(pointer, error.get("errors").get(0).get("pointer").textValue());
      }
      Prepared.commit(repository, add("Sensor/c"));
      client.update("q");
    }
  }

  @Test
  void an_unknown_field_is_an_error_of_the_first_run() {
    var repository = repository();
    try (var client = LiveClient.of(adminToken(), repository)) {
      client.subscribe("q", "{'shape':'Sensor','where':'unknown:eq:1'}");
      var error = client.error("q", "VALIDATION_ERROR");
      assertEquals("/query/where", error.get("errors").get(0).get("pointer").textValue());
      assertTrue(error.get("ended").booleanValue());
      client.snapshot("q", "{'shape':'Sensor'}");
    }
  }
}
