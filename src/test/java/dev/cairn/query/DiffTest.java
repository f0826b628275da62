package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.missing;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.content.read.Differences;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: what changed between two moments. */
@HttpTest
@QuarkusTest
class DiffTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  private static String restore(String wref) {
    return "{'operation':'revise','name':'" + wref + "','active':true}";
  }

  /** {@code wref change fromVersion toVersion fromWref} of each difference. */
  private static List<String> diff(String repository, Object from, Object to) {
    List<Map<String, Object>> items =
        get(repository + "/diff?limit=500&from=" + from + (to == null ? "" : "&to=" + to))
            .statusCode(200)
            .extract()
            .path("items");
    return items.stream()
        .map(
            item ->
                "%s %s %s %s %s"
                    .formatted(
                        item.get("wref"),
                        item.get("change"),
                        item.getOrDefault("fromVersion", "-"),
                        item.getOrDefault("toVersion", "-"),
                        item.getOrDefault("fromWref", "-")))
        .toList();
  }

  @Test
  void each_kind_of_change_is_told_in_the_order_of_wrefs() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c", "Sensor/d", "Sensor/e");
    commit(repository, retract("Sensor/d"));
    commit(
        repository,
        String.join(
            ",",
            revise("Sensor/b", 1),
            retract("Sensor/c"),
            restore("Sensor/d"),
            rename("Sensor/e", "f"),
            note("n", "Sensor/a")));
    assertEquals(
        List.of(
            "Note/n added - 1 -",
            "Sensor/b revised 1 2 -",
            "Sensor/c retracted 1 2 -",
            "Sensor/d restored 2 3 -",
            "Sensor/f renamed 1 1 Sensor/e"),
        diff(repository, 3, 4));
    assertEquals(List.of(), diff(repository, 4, 4));
    assertEquals(diff(repository, 3, 4), diff(repository, 3, null));
  }

  @Test
  void more_renames_than_are_sorted_for_a_page_change_no_answer() throws SQLException {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, rename("Sensor/a", "z") + "," + revise("Sensor/b", 1));
    var before = diff(repository, 2, 3);
    assertEquals(List.of("Sensor/b revised 1 2 -", "Sensor/z renamed 1 1 Sensor/a"), before);
    inflate(repository);
    assertEquals(before, diff(repository, 2, 3));
  }

  /** Makes of each rename more of them than are sorted for a page, without another meaning. */
  private void inflate(String repository) throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement =
            connection.prepareStatement(
                """
                insert into entity_rename
                select r.repo_id, r.entity_id, r.seq, 1 + i, 'between', 'between',
                       r.in_definitions
                from entity_rename r join repository p on p.id = r.repo_id
                     join organization o on o.id = p.org_id, generate_series(1, ?) i
                where '/api/repos/' || o.name || '/' || p.name = ?
                """)) {
      statement.setInt(1, Differences.MAX_SORTED);
      statement.setString(2, repository);
      assertEquals(Differences.MAX_SORTED, statement.executeUpdate());
    }
  }

  /** Both ways to a page follow the names of the moment. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_walk_follows_the_names_of_its_pages_however_much_changed(boolean many)
      throws SQLException {
    var repository =
        repository(IntStream.range(0, 9).mapToObj("Sensor/%d"::formatted).toArray(String[]::new));
    commit(repository, note("n", "Sensor/0") + "," + revise("Sensor/4", 1));
    commit(repository, rename("Sensor/8", "08") + "," + retract("Sensor/3"));
    if (many) {
      inflate(repository);
    }
    var diff = repository + "/diff?limit=3&from=1";
    var first = get(diff).statusCode(200).extract();
    assertEquals(List.of("Note/n", "Sensor/0", "Sensor/08"), first.path("items.wref"));
    commit(
        repository,
        String.join(
            ",",
            rename("Sensor/0", "z"),
            rename("Sensor/7", "00"),
            thing("Sensor/6a"),
            revise("Sensor/5", 1)));
    var second = get(diff + "&cursor=" + first.path("nextCursor")).statusCode(200).extract();
    assertEquals(List.of("Sensor/1", "Sensor/2", "Sensor/4"), second.path("items.wref"));
    commit(repository, rename("Sensor/1", "9"));
    var third = get(diff + "&cursor=" + second.path("nextCursor")).statusCode(200).extract();
    assertEquals(List.of("Sensor/5", "Sensor/6", "Sensor/9"), third.path("items.wref"));
    assertEquals(List.of("added", "added", "added"), third.path("items.change"));
    assertEquals(List.of(1, 1, 1), third.path("items.toVersion"));
    var last = get(diff + "&cursor=" + third.path("nextCursor")).statusCode(200).extract();
    assertEquals(List.of("Sensor/z"), last.path("items.wref"));
    assertNull(last.path("nextCursor"));
  }

  @Test
  void several_changes_of_one_entity_are_one_difference() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, revise("Sensor/a", 1) + "," + rename("Sensor/a", "z"));
    commit(repository, revise("Sensor/z", 2) + "," + rename("Sensor/z", "y"));
    commit(repository, thing("Sensor/new") + "," + revise("Sensor/new", 1));
    commit(repository, rename("Sensor/b", "b2"));
    commit(repository, rename("Sensor/b2", "b"));
    commit(repository, retract("Sensor/c"));
    commit(repository, rename("Sensor/c", "c2"));
    assertEquals(
        List.of(
            "Sensor/c2 retracted 1 2 Sensor/c",
            "Sensor/new added - 2 -",
            "Sensor/y revised 1 3 Sensor/a"),
        diff(repository, 2, null));
    assertEquals(List.of("Sensor/y revised 1 2 Sensor/a"), diff(repository, 2, 3));
    assertEquals(List.of("Sensor/y revised 2 3 Sensor/z"), diff(repository, 3, 4));
    assertEquals(List.of("Sensor/b renamed 1 1 Sensor/b2"), diff(repository, 6, 7));
  }

  @Test
  void what_is_inactive_at_both_moments_is_no_difference() {
    var repository = repository("Sensor/a");
    commit(repository, retract("Sensor/a"));
    commit(repository, "{'operation':'revise','name':'Sensor/a','data':{'n':3}}");
    commit(repository, rename("Sensor/a", "b"));
    commit(repository, thing("Sensor/c") + "," + retract("Sensor/c"));
    assertEquals(List.of(), diff(repository, 3, null));
    assertEquals(List.of("Sensor/b retracted 1 3 Sensor/a"), diff(repository, 2, null));
  }

  @Test
  void from_the_empty_repository_everything_was_added() {
    var repository = repository("Sensor/a");
    commit(repository, "{'operation':'add','type':'set','name':'Set/s','members':['Sensor/a']}");
    assertEquals(
        List.of(
            "Sensor/a added - 1 -",
            "Set/s added - 1 -",
            "Shape/Note added - 1 -",
            "Shape/Sensor added - 1 -"),
        diff(repository, 0, null));
    assertEquals(List.of(), diff(repository, 0, 0));
  }

  @Test
  void a_moment_may_be_a_commit_id() {
    var repository = repository("Sensor/a");
    List<String> ids =
        get(repository + "/commits").statusCode(200).extract().path("items.commitId");
    assertEquals(List.of("Sensor/a added - 1 -"), diff(repository, ids.get(1), ids.get(0)));
  }

  @Test
  void pages_follow_each_other_and_keep_to_the_moment_of_the_first() {
    var repository =
        repository(
            IntStream.range(0, 12).mapToObj("Sensor/%02d"::formatted).toArray(String[]::new));
    assertEquals(12, Sample.walk(repository + "/diff?from=1", "items.wref", 5).size());
    String cursor =
        get(repository + "/diff?from=1&limit=10")
            .body("items.size()", is(10))
            .extract()
            .path("nextCursor");
    commit(repository, thing("Sensor/99") + "," + retract("Sensor/11"));
    get(repository + "/diff?from=1&limit=10&cursor=" + cursor)
        .statusCode(200)
        .body("items.wref", contains("Sensor/10", "Sensor/11"))
        .body("items.change", contains("added", "added"))
        .body("nextCursor", nullValue());
    refused(repository + "/diff?from=0&cursor=" + cursor, "?cursor");
    refused(repository + "/diff?from=1&to=2&cursor=" + cursor, "?cursor");
  }

  /** More than what is looked up and sorted: the other way to a page gives the same answer. */
  @Test
  void many_changes_are_told_as_few_are() {
    var repository = repository();
    var wrefs =
        IntStream.range(0, Differences.MAX_SORTED + 2).mapToObj("Sensor/%05d"::formatted).toList();
    for (int i = 0; i < wrefs.size(); i += 6_000) {
      var part = wrefs.subList(i, Math.min(wrefs.size(), i + 6_000));
      commit(repository, part.stream().map(Sample::thing).collect(Collectors.joining(",")));
    }
    commit(
        repository,
        String.join(
            ",",
            revise("Sensor/00001", 1),
            retract("Sensor/00002"),
            rename("Sensor/00003", "zzz"),
            thing("Sensor/new")));
    commit(repository, restore("Sensor/00002") + "," + retract("Sensor/00004"));
    // Between 1 and 3 all were added; what came later shows in the names only.
    var added = new TreeSet<>(wrefs);
    added.remove("Sensor/00003");
    added.add("Sensor/zzz");
    var found = new ArrayList<>(Sample.walk(repository + "/diff?from=1&to=3", "items.wref", 500));
    assertEquals(List.copyOf(added), found);
    assertEquals(
        List.of("added"),
        Sample.walk(repository + "/diff?from=1&to=3", "items.change", 500).stream()
            .distinct()
            .toList());
    // Up to now the retracted one is not among them.
    added.remove("Sensor/00004");
    added.add("Sensor/new");
    assertEquals(List.copyOf(added), Sample.walk(repository + "/diff?from=1", "items.wref", 500));
    assertEquals(
        List.of(
            "Sensor/00001 revised 1 2 -",
            "Sensor/00002 revised 1 3 -",
            "Sensor/00004 retracted 1 2 -",
            "Sensor/new added - 1 -",
            "Sensor/zzz renamed 1 1 Sensor/00003"),
        diff(repository, 3, null));
    // Changes of every kind after many: a revise of all.
    for (int i = 0; i < wrefs.size(); i += 6_000) {
      var part = wrefs.subList(i, Math.min(wrefs.size(), i + 6_000));
      commit(
          repository,
          part.stream()
              .map(wref -> revise(wref.equals("Sensor/00003") ? "Sensor/zzz" : wref, 7))
              .collect(Collectors.joining(",")));
    }
    commit(repository, rename("Sensor/new", "newer") + "," + retract("Sensor/00005"));
    var changes = Sample.walk(repository + "/diff?from=5", "items.change", 500);
    assertEquals(wrefs.size(), changes.size());
    assertEquals(1, changes.stream().filter("retracted"::equals).count());
    assertEquals(1, changes.stream().filter("renamed"::equals).count());
    // Sensor/00004 stayed retracted.
    assertEquals(wrefs.size() - 2, changes.stream().filter("revised"::equals).count());
  }

  @Test
  void what_is_wrong_is_said() {
    var repository = repository();
    refused(repository + "/diff", "?from");
    refused(repository + "/diff?from=x", "?from");
    refused(repository + "/diff?from=0&to=-1", "?to");
    refused(repository + "/diff?from=1&to=0", "?from");
    refused(repository + "/diff?from=0&shape=Sensor", "?shape");
    missing(repository + "/diff?from=2");
    missing(repository + "/diff?from=0&to=2");
    missing(repository + "/diff?from=0123456789abcdef");
  }

  @Test
  void a_narrowed_token_is_refused() {
    var repository = repository("Sensor/a");
    Api.as(People.narrowedPat(repository, "repo:read", "Sensor/**"))
        .get(repository + "/diff?from=0")
        .then()
        .statusCode(403);
  }
}
