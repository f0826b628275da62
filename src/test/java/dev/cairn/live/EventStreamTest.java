package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** docs/live.md, Event stream: what is told of commits, and where a stream continues. */
@HttpTest
@QuarkusTest
class EventStreamTest {
  private static final String SHAPE =
      "{'operation':'add','name':'Shape/%s','data':{'fields':{'n?':'any'}}}";

  private static String add(String wref) {
    return "{'operation':'add','name':'%s','data':{}}".formatted(wref);
  }

  private static String repository() {
    var repository = newRepository();
    commit(repository, SHAPE.formatted("Sensor") + "," + SHAPE.formatted("Room"));
    return repository;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::textValue).toList();
  }

  @Test
  void each_commit_is_an_event_with_its_number_shapes_and_names() {
    var repository = repository();
    try (var events = Events.open("ticket=" + ticket(adminToken(), repository))) {
      var ready = events.next("ready");
      assertEquals("1", ready.id());
      assertEquals(1, ready.data().get("repoSeq").intValue());
      String commitId =
          commit(repository, add("Sensor/a") + "," + add("Room/b")).extract().path("commitId");
      var event = events.nextIsCommit(2);
      assertEquals("2", event.id());
      assertEquals(
          "repo:" + repository.substring("/api/repos/".length()),
          event.data().get("topic").textValue());
      assertEquals(commitId, event.data().get("commitId").textValue());
      assertEquals(List.of("Room", "Sensor"), texts(event.data().get("shapes")));
      assertEquals(List.of("Sensor/a", "Room/b"), texts(event.data().get("wrefs")));
      assertNull(event.data().get("truncated"));
      commit(repository, add("Sensor/c"));
      events.nextIsCommit(3);
    }
  }

  @Test
  void a_rename_is_told_by_both_names() {
    var repository = repository();
    commit(repository, add("Sensor/a"));
    try (var events = Events.of(adminToken(), repository)) {
      commit(repository, "{'operation':'rename','name':'Sensor/a','newName':'Sensor/b'}");
      assertEquals(
          List.of("Sensor/b", "Sensor/a"), texts(events.nextIsCommit(3).data().get("wrefs")));
    }
  }

  @Test
  void of_more_than_200_names_the_first_are_told() {
    var repository = repository();
    try (var events = Events.of(adminToken(), repository)) {
      commit(repository, adds("Sensor", 200));
      var all = events.nextIsCommit(2).data();
      assertEquals(200, all.get("wrefs").size());
      assertNull(all.get("truncated"));
      commit(repository, add("Room/r") + "," + adds("Sensor/more", 200));
      var some = events.nextIsCommit(3).data();
      assertEquals(200, some.get("wrefs").size());
      assertTrue(some.get("truncated").booleanValue());
      assertEquals(List.of("Room", "Sensor"), texts(some.get("shapes")));
    }
  }

  @Test
  void an_entity_that_a_commit_changes_twice_is_told_once() {
    var repository = repository();
    try (var events = Events.of(adminToken(), repository)) {
      commit(
          repository,
          add("Room/r")
              + ","
              + add("Sensor/a")
              + ",{'operation':'revise','name':'Room/r','data':{'n':1}}");
      assertEquals(
          List.of("Room/r", "Sensor/a"), texts(events.nextIsCommit(2).data().get("wrefs")));
    }
  }

  @Test
  void a_former_name_is_selected_among_many_too() {
    var repository = repository();
    commit(repository, add("Room/old"));
    try (var rooms = Events.open("match=Room/o*&ticket=" + ticket(adminToken(), repository))) {
      rooms.next("ready");
      commit(
          repository,
          adds("Sensor", 250) + ",{'operation':'rename','name':'Room/old','newName':'Room/x'}");
      assertEquals(List.of("Room/old"), texts(rooms.nextIsCommit(3).data().get("wrefs")));
    }
  }

  private static String adds(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> add(prefix + (prefix.contains("/") ? "" : "/") + i))
        .collect(Collectors.joining(","));
  }

  @Test
  void a_stream_continues_after_the_last_event_that_the_client_got() {
    var repository = repository();
    commit(repository, add("Sensor/a"));
    commit(repository, add("Sensor/b"));
    try (var events =
        Events.open("ticket=" + ticket(adminToken(), repository), "Last-Event-ID", "1")) {
      assertEquals("1", events.next("ready").id());
      events.nextIsCommit(2);
      events.nextIsCommit(3);
      commit(repository, add("Sensor/c"));
      events.nextIsCommit(4);
    }
    try (var events = Events.open("lastEventId=2&ticket=" + ticket(adminToken(), repository))) {
      events.next("ready");
      events.nextIsCommit(3);
    }
  }

  @Test
  void more_commits_than_are_read_at_a_time_are_all_told() {
    var repository = repository();
    for (int i = 0; i < 150; i++) {
      Prepared.commit(repository, add("Sensor/" + i));
    }
    try (var events = Events.open("lastEventId=0&ticket=" + ticket(adminToken(), repository))) {
      events.next("ready");
      for (int seq = 1; seq <= 151; seq++) {
        events.nextIsCommit(seq);
      }
    }
  }

  @Test
  void a_client_that_cannot_continue_is_told_to_read_anew() {
    var repository = repository();
    for (var id : List.of("2", "99999999999999999999", "x", "1,1", "-1")) {
      try (var events =
          Events.open("ticket=" + ticket(adminToken(), repository), "Last-Event-ID", id)) {
        events.next("ready");
        var reset = events.next("reset");
        assertEquals("1", reset.id());
        assertEquals(1, reset.data().get("repoSeq").intValue());
      }
    }
  }

  @Test
  void a_shape_and_a_pattern_select_what_is_told() {
    var repository = repository();
    try (var rooms = Events.open("shape=Room&ticket=" + ticket(adminToken(), repository));
        var few = Events.open("match=*/a*&ticket=" + ticket(adminToken(), repository))) {
      rooms.next("ready");
      few.next("ready");
      commit(repository, add("Sensor/b"));
      commit(repository, add("Sensor/a1") + "," + add("Sensor/c") + "," + add("Room/a2"));
      var room = rooms.nextIsCommit(3).data();
      assertEquals(List.of("Room"), texts(room.get("shapes")));
      assertEquals(List.of("Room/a2"), texts(room.get("wrefs")));
      assertEquals(List.of("Sensor/a1", "Room/a2"), texts(few.nextIsCommit(3).data().get("wrefs")));
      // Of a commit with too many names, the selected ones are found.
      commit(repository, adds("Sensor/many", 250) + "," + add("Room/a3"));
      assertEquals(List.of("Room/a3"), texts(rooms.nextIsCommit(4).data().get("wrefs")));
      var found = few.nextIsCommit(4).data();
      assertEquals(List.of("Room/a3"), texts(found.get("wrefs")));
      assertNull(found.get("truncated"));
    }
  }

  @Test
  void a_narrowed_token_is_told_of_what_it_may_read() {
    var repository = newRepository("private");
    commit(repository, SHAPE.formatted("Sensor") + "," + SHAPE.formatted("Room"));
    var token = People.narrowedPat(repository, "repo:read", "Sensor/a*");
    try (var events = Events.of(token, repository)) {
      commit(repository, add("Sensor/b") + "," + add("Room/a"));
      commit(repository, add("Sensor/a1") + "," + add("Sensor/c") + "," + add("Room/a2"));
      var event = events.nextIsCommit(3).data();
      assertEquals(List.of("Sensor"), texts(event.get("shapes")));
      assertEquals(List.of("Sensor/a1"), texts(event.get("wrefs")));
      commit(repository, "{'operation':'rename','name':'Sensor/a1','newName':'Sensor/x'}");
      assertEquals(List.of("Sensor/a1"), texts(events.nextIsCommit(4).data().get("wrefs")));
      commit(repository, adds("Room/many", 250) + "," + add("Sensor/a2"));
      assertEquals(List.of("Sensor/a2"), texts(events.nextIsCommit(5).data().get("wrefs")));
    }
  }

  @Test
  void a_stream_follows_several_repositories() {
    var first = repository();
    var second = repository();
    commit(second, add("Sensor/a"));
    try (var events =
        Events.open(
            "ticket=" + ticket(adminToken(), first) + "&ticket=" + ticket(adminToken(), second))) {
      assertEquals("1,2", events.next("ready").id());
      assertEquals("1,2", events.next("ready").id());
      commit(second, add("Sensor/b"));
      var event = events.nextIsCommit(3);
      assertEquals("1,3", event.id());
      assertEquals(
          "repo:" + second.substring("/api/repos/".length()),
          event.data().get("topic").textValue());
      commit(first, add("Sensor/b"));
      assertEquals("2,3", events.nextIsCommit(2).id());
    }
    try (var events =
        Events.open(
            "ticket=" + ticket(adminToken(), first) + "&ticket=" + ticket(adminToken(), second),
            "Last-Event-ID",
            "1,2")) {
      events.next("ready");
      events.next("ready");
      events.nextIsCommit(2);
      events.nextIsCommit(3);
    }
  }

  @Test
  void what_is_public_is_followed_without_credentials() {
    var repository = repository();
    try (var events = Events.of(null, repository)) {
      commit(repository, add("Sensor/a"));
      events.nextIsCommit(2);
      admin().body("{\"visibility\":\"private\"}").patch(repository).then().statusCode(200);
      events.endsFor("access_ended");
    }
  }
}
