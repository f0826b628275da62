package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** docs/live.md, Live queries: what a client holds after any commits equals a fresh read. */
@HttpTest
@QuarkusTest
class LiveEqualityTest {
  private static final int THINGS = 12;

  /** Parameters as they stand in messages and in the query of a request. */
  private record Query(Map<String, List<String>> parameters) {
    static Query of(String... namesAndValues) {
      var parameters = new LinkedHashMap<String, List<String>>();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        parameters
            .computeIfAbsent(namesAndValues[i], _ -> new ArrayList<>())
            .add(namesAndValues[i + 1]);
      }
      return new Query(parameters);
    }

    String json() {
      return parameters.entrySet().stream()
          .map(
              e ->
                  "'%s':[%s]"
                      .formatted(
                          e.getKey(),
                          e.getValue().stream()
                              .map("'%s'"::formatted)
                              .collect(Collectors.joining(","))))
          .collect(Collectors.joining(",", "{", "}"));
    }

    String inUrl() {
      return parameters.entrySet().stream()
          .flatMap(
              e ->
                  e.getValue().stream()
                      .map(v -> e.getKey() + "=" + URLEncoder.encode(v, StandardCharsets.UTF_8)))
          .collect(Collectors.joining("&"));
    }
  }

  private static final List<Query> QUERIES =
      List.of(
          Query.of(),
          Query.of("shape", "A"),
          Query.of("shape", "A", "limit", "3"),
          Query.of("shape", "B", "includeInactive", "true"),
          Query.of("kind", "assertion"),
          Query.of("match", "A/1*"),
          Query.of("match", "?/*5"),
          Query.of("shape", "A", "where", "n:gt:50"),
          Query.of("shape", "A", "where", "n:gt:20", "where", "n:lt:80", "fields", "n"),
          Query.of("shape", "A", "where", "to:eq:B/3"),
          Query.of("about", "A/1"),
          Query.of("about", "A/1", "about", "B/2", "shape", "Note"),
          Query.of("about", "A/*", "shape", "Note"),
          Query.of("about", "A/2", "resolveCollections", "true"),
          Query.of("shape", "A", "missing", "about:Note"),
          Query.of("shape", "Note", "fields", "text"));

  /** Commits of operations that may or may not be possible, at random. */
  private static final class Commits {
    private final String repository;
    private final Random random;
    private int names = 100;

    Commits(String repository, Random random) {
      this.repository = repository;
      this.random = random;
    }

    private String thing() {
      return (random.nextBoolean() ? "A/" : "B/") + random.nextInt(THINGS);
    }

    private String operation() {
      int n = random.nextInt(100);
      return switch (random.nextInt(9)) {
        case 0, 1 ->
            "{'operation':'revise','name':'A/%d','data':{'n':%d}}"
                .formatted(random.nextInt(THINGS), n);
        case 2 ->
            "{'operation':'revise','name':'A/%d','data':{'n':%d,'to':'B/%d'}}"
                .formatted(random.nextInt(THINGS), n, random.nextInt(THINGS));
        case 3 -> "{'operation':'retract','name':'%s'}".formatted(thing());
        case 4 -> "{'operation':'revise','name':'%s','active':true}".formatted(thing());
        case 5 ->
            "{'operation':'add','name':'Note/%d','about':'%s','data':{'text':'t%d'}}"
                .formatted(names++, thing(), n);
        case 6 ->
            "{'operation':'add','name':'Note/%d','about':{'set':['%s','A/2']},'data':{}}"
                .formatted(names++, thing());
        case 7 -> {
          var from = thing();
          yield "{'operation':'rename','name':'%s','newName':'%s'}"
              .formatted(from, from.substring(0, 2) + random.nextInt(THINGS));
        }
        default -> "{'operation':'add','name':'%s','data':{}}".formatted(thing());
      };
    }

    /** Sends the next one, of which nothing may be possible. */
    void next() {
      var operations =
          IntStream.rangeClosed(0, random.nextInt(3))
              .mapToObj(_ -> operation())
              .collect(Collectors.joining(","));
      var _ =
          Prepared.status(
              adminToken(),
              "POST",
              repository + "/commits",
              ("{'atomic':false,'operations':[" + operations + "]}").replace('\'', '"'));
    }
  }

  private static String repository() {
    var repository = newRepository();
    Prepared.commit(
        repository,
        "{'operation':'add','name':'Shape/A','data':{'fields':{'n?':'number','to?':'wref'}}},"
            + "{'operation':'add','name':'Shape/B','data':{'fields':{'n?':'any'}}},"
            + "{'operation':'add','name':'Shape/Note','data':{'fields':{'text?':'string'}}},"
            + IntStream.range(0, THINGS)
                .mapToObj(
                    i ->
                        "{'operation':'add','name':'A/%1$d','data':{'n':%1$d}},{'operation':'add','name':'B/%1$d','data':{}}"
                            .formatted(i))
                .collect(Collectors.joining(",")));
    return repository;
  }

  /** After the last commit. */
  private static void holdsWhatIsRead(
      LiveClient client, String id, String repository, Query query) {
    var read = LiveClient.read(adminToken(), repository, query.inUrl());
    Eventually.await(
        Duration.ofMinutes(2),
        () -> "%s: held %s, read %s".formatted(query.json(), client.held(id), read),
        () -> read.equals(client.held(id)));
  }

  @RepeatedTest(3)
  void after_random_commits_each_query_holds_what_a_read_gives(RepetitionInfo repetition) {
    var repository = repository();
    var commits = new Commits(repository, new Random(repetition.getCurrentRepetition()));
    try (var client = LiveClient.of(adminToken(), repository)) {
      for (int i = 0; i < QUERIES.size(); i++) {
        client.subscribe("q" + i, QUERIES.get(i).json());
        commits.next();
      }
      for (int i = 0; i < 60; i++) {
        commits.next();
      }
      for (int i = 0; i < QUERIES.size(); i++) {
        holdsWhatIsRead(client, "q" + i, repository, QUERIES.get(i));
      }
    }
  }

  @Test
  void two_hundred_queries_hold_what_reads_give_after_ten_commits_a_second() throws Exception {
    int seconds = Integer.getInteger("live.seconds", 5);
    var repository = repository();
    var commits = new Commits(repository, new Random(0));
    var clients = new ArrayList<LiveClient>();
    try {
      for (int i = 0; i < 4; i++) {
        clients.add(LiveClient.of(adminToken(), repository));
      }
      for (int i = 0; i < 200; i++) {
        clients.get(i % 4).subscribe("q" + i, query(i).json());
      }
      for (int i = 0; i < 200; i++) {
        var id = "q" + i;
        var client = clients.get(i % 4);
        Eventually.await("the snapshot of " + id, () -> client.held(id) != null);
      }
      long begin = System.nanoTime();
      for (int i = 0; i < 10 * seconds; i++) {
        long at = begin + TimeUnit.MILLISECONDS.toNanos(100L * i);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, at - System.nanoTime()));
        commits.next();
      }
      for (int i = 0; i < 200; i++) {
        holdsWhatIsRead(clients.get(i % 4), "q" + i, repository, query(i));
      }
      long messages = clients.stream().mapToLong(LiveClient::received).sum();
      System.out.printf(
          "live: %d commits in %.1f s, %d messages%n",
          10 * seconds, (System.nanoTime() - begin) / 1e9, messages);
    } finally {
      clients.forEach(LiveClient::close);
    }
  }

  private static Query query(int i) {
    var query = QUERIES.get(i % QUERIES.size());
    var parameters = new LinkedHashMap<>(query.parameters());
    parameters.put("limit", List.of(String.valueOf(1 + i)));
    return new Query(parameters);
  }
}
