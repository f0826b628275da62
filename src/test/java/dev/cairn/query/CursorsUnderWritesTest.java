package dev.cairn.query;

import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.thing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads: what was there throughout is on exactly one page, whatever others commit meanwhile. */
@HttpTest
@QuarkusTest
class CursorsUnderWritesTest {
  private static final int COUNT = 40;
  private static final int WRITERS = 2;

  /** Things that stay, {@code s00} to {@code s39}, each with a note of the same name. */
  private static String filled() {
    var repository = repository();
    Sample.commit(
        repository,
        names().stream()
            .map("{'operation':'add','name':'Sensor/%s','data':{'n':1}}"::formatted)
            .collect(Collectors.joining(",")));
    Sample.commit(
        repository,
        names().stream().map(name -> note(name, "Sensor/s00")).collect(Collectors.joining(",")));
    return repository;
  }

  private static List<String> names() {
    return IntStream.range(0, COUNT).mapToObj("s%02d"::formatted).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/head?shape=Sensor,              items.name",
    "/query?shape=Sensor&where=n:gt:0, items.name",
    "/query?about=Sensor/s00,         items.name",
    "/query?kind=assertion,           items.name",
    "/about/Sensor/s00?shape=Note,    assertions.name",
    "/history?about=Sensor/s00,       items.wref",
  })
  void each_is_seen_exactly_once(String read, String values) throws Exception {
    var repository = filled();
    var stop = new AtomicBoolean();
    try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          IntStream.range(0, WRITERS)
              .mapToObj(w -> writers.submit(() -> write(repository, w, stop)))
              .toList();
      try {
        for (int limit : List.of(1, 3, 7)) {
          assertEquals(names(), stayed(walk(repository + read, values, limit)), read + " " + limit);
        }
      } finally {
        stop.set(true);
      }
      for (var writer : running) {
        assertTrue(writer.get() > 0, "nothing was written meanwhile");
      }
    }
  }

  /** Adds, revises and retracts between, before and after what stays; answers how often. */
  private static int write(String repository, int writer, AtomicBoolean stop) {
    var random = new Random(writer);
    int commits = 0;
    while (!stop.get()) {
      var name =
          "%c%02d-%d-%d"
              .formatted("as".charAt(random.nextInt(2)), random.nextInt(COUNT), writer, commits);
      Sample.commit(repository, thing("Sensor/" + name) + "," + note(name, "Sensor/s00"));
      // Above the numbers of the other writer, so that none is a noop.
      Sample.commit(
          repository,
          revise("Sensor/s%02d".formatted(random.nextInt(COUNT)), 2 + commits * WRITERS + writer)
              + ","
              + retract((commits % 2 == 0 ? "Sensor/" : "Note/") + name));
      commits++;
    }
    return commits;
  }

  private static List<String> walk(String url, String values, int limit) {
    var all = new ArrayList<String>();
    var page = url + "&limit=" + limit;
    String cursor = null;
    do {
      var answer =
          get(cursor == null ? page : page + "&cursor=" + cursor).statusCode(200).extract();
      all.addAll(answer.<List<String>>path(values));
      cursor = answer.path("nextCursor");
    } while (cursor != null);
    return all;
  }

  private static List<String> stayed(List<String> seen) {
    var stays = new HashSet<>(names());
    return seen.stream().map(n -> n.replace("Note/", "")).filter(stays::contains).sorted().toList();
  }

  @Test
  void a_page_may_be_short_and_not_the_last() {
    var repository = repository();
    var large = "x".repeat(1_000_000);
    for (int i = 0; i < 2; i++) {
      int from = i * 5;
      Sample.commit(
          repository,
          IntStream.range(from, from + 5)
              .mapToObj(
                  n ->
                      "{'operation':'add','name':'Note/%d','data':{'text':'%s'}}"
                          .formatted(n, large))
              .collect(Collectors.joining(",")));
    }
    var url = repository + "/query?shape=Note&limit=10";
    var first = get(url).statusCode(200).extract();
    List<String> names = first.path("items.name");
    assertEquals(8, names.size());
    var rest = get(url + "&cursor=" + first.<String>path("nextCursor")).statusCode(200).extract();
    assertEquals(List.of("8", "9"), rest.<List<String>>path("items.name"));
  }
}
