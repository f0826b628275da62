package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.content.read.StoredChanges.StoredChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/live.md, Live queries: when a query is run again. */
class LiveQueryTest {
  private static LiveQuery query(String json) {
    try {
      return LiveQuery.of("q", JsonMapper.builder().build().readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static LiveQuery.Result result() {
    return LiveQuery.Result.of("{\"items\":[]}".getBytes(StandardCharsets.UTF_8), 1);
  }

  private static LiveQuery held(String json) {
    var query = query(json);
    query.begins();
    query.held(result());
    return query;
  }

  private static Change change(List<String> names) {
    return Change.of(new StoredChange(2, "c", Instant.now(), List.of("S"), names, false, true));
  }

  /** It is run no earlier than in this time, and not much later. */
  private static void runsAfter(int seconds, LiveQuery query) {
    var left = query.untilRun().orElseThrow();
    assertTrue(
        left.compareTo(Duration.ofSeconds(seconds)) <= 0
            && left.compareTo(Duration.ofSeconds(seconds).dividedBy(2)) > 0,
        left::toString);
  }

  @Test
  void runs_that_fail_or_cannot_be_told_are_repeated_after_longer_and_longer_times() {
    var query = query("{}");
    for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30}) {
      query.begins();
      query.failed();
      runsAfter(seconds, query);
    }
    query.begins();
    query.held(result());
    query.failed();
    runsAfter(1, query);
  }

  @Test
  void the_fifth_run_in_a_row_that_takes_too_long_is_the_last_one() {
    var query = query("{}");
    for (int round = 0; round < 2; round++) {
      for (int i = 1; i < LiveQuery.MAX_TOO_LONG; i++) {
        assertFalse(query.tookTooLongAgain());
      }
      query.held(result());
    }
    for (int i = 1; i < LiveQuery.MAX_TOO_LONG; i++) {
      assertFalse(query.tookTooLongAgain());
    }
    assertTrue(query.tookTooLongAgain());
  }

  @Test
  void a_commit_that_a_query_has_seen_or_waits_for_is_not_judged() {
    var query = held("{'match':'S/*'}");
    var change = change(List.of("S/a"));
    assertTrue(query.isJudged(change));
    query.judge(change, QueryConcern.budget());
    assertFalse(query.isJudged(change));
    query.begins();
    query.held(LiveQuery.Result.of("{\"items\":[]}".getBytes(StandardCharsets.UTF_8), 2));
    assertFalse(query.isJudged(change));
  }

  @Test
  void two_runs_begin_at_least_100_ms_apart_however_many_commits_come() {
    var query = query("{'match':'S/*'}");
    long before = System.nanoTime();
    query.begins();
    query.held(result());
    assertTrue(query.untilRun().isEmpty(), "nothing has come");
    for (int i = 0; i < 10; i++) {
      query.judge(change(List.of("S/a")), QueryConcern.budget());
    }
    var left = query.untilRun().orElseThrow();
    var sinceBefore = Duration.ofNanos(System.nanoTime() - before);
    assertTrue(left.compareTo(Duration.ofMillis(100)) <= 0, left::toString);
    assertTrue(left.plus(sinceBefore).compareTo(Duration.ofMillis(100)) >= 0, left::toString);
  }

  @Test
  void all_queries_of_a_client_share_the_steps_for_a_commit() {
    var pattern = "S/*a*b*c";
    var names = IntStream.range(0, 200).mapToObj(i -> "S/" + "a".repeat(100) + i + "c").toList();
    var change = change(names);
    var budget = QueryConcern.budget();
    var costly = held("{'match':'" + pattern + "'}");
    costly.judge(change, QueryConcern.budget());
    assertTrue(costly.isJudged(change), "it does not match");
    for (int i = 0; i < 50; i++) {
      held("{'match':'" + pattern + "'}").judge(change, budget);
    }
    costly.judge(change, budget);
    assertFalse(costly.isJudged(change), "no steps are left for it");
    var next = held("{'match':'S/c*'}");
    next.judge(change, budget);
    assertFalse(next.isJudged(change), "no steps are left for it");
    var withoutPatterns = held("{'shape':'Other'}");
    withoutPatterns.judge(change, budget);
    assertTrue(withoutPatterns.isJudged(change));
    var alone = held("{'match':'S/c*'}");
    alone.judge(change, QueryConcern.budget());
    assertTrue(alone.isJudged(change));
  }

  @Test
  void only_queries_with_patterns_are_judged_in_turns() {
    assertTrue(query("{'match':'S/*'}").hasPatterns());
    assertTrue(query("{'about':'S/*'}").hasPatterns());
    assertFalse(query("{'shape':'S','about':'S/a','missing':'about:N'}").hasPatterns());
  }
}
