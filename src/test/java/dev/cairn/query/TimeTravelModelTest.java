package dev.cairn.query;

import static dev.cairn.query.Sample.missing;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.Checked;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.query.RepositoryModel.Entity;
import dev.cairn.query.RepositoryModel.State;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: the past is what a plain replay of a random history says it is, at every point. */
@HttpTest
@QuarkusTest
class TimeTravelModelTest {
  private static final int COMMITS = 30;
  private static final int POINTS = 6;

  private RepositoryModel model;
  private Random random;
  private String token;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void reads_of_the_past_agree_with_a_replay(long seed) {
    model = new RepositoryModel(seed, COMMITS);
    random = new Random(seed);
    token = Api.adminToken();
    var points = IntStream.range(0, POINTS).map(_ -> random.nextInt(model.newest())).boxed();
    for (int at :
        points.collect(
            Collectors.toCollection(() -> new ArrayList<>(List.of(0, model.newest()))))) {
      lists(at);
      targets(at);
      things(at);
      differences(at);
    }
    histories();
    counts();
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void a_narrowed_token_sees_its_part_of_the_past(long seed) {
    model = new RepositoryModel(seed, COMMITS);
    random = new Random(seed);
    token = People.narrowedPat(model.repository, "repo:read", "Sensor/a*", "Note/{b,c}*", "Set/**");
    Predicate<State> visible =
        s -> s.entity().wref().matches("Sensor/a.*|Note/[bc].*|Set/.*|Shape/(Sensor|Note)");
    for (int i = 0; i < POINTS; i++) {
      int at = random.nextInt(model.newest() + 1);
      agree(at, "", visible.and(s -> s.version().active()));
      agree(
          at,
          "&includeInactive=true&kind=thing",
          visible.and(s -> s.entity().kind.equals("thing")));
      agree(
          at,
          "&shape=Sensor&where=n:gt:40",
          visible.and(active("Sensor")).and(s -> s.version().n() > 40));
      var noted =
          model
              .at(at)
              .filter(visible.and(active("Note")))
              .map(s -> s.entity().about)
              .collect(Collectors.toSet());
      agree(
          at,
          "&missing=about:Note",
          visible.and(s -> s.version().active() && !noted.contains(s.entity())));
      agree(
          at,
          "&about=**",
          visible.and(
              active("Note").and(s -> visible.test(new State(s.entity().about, s.version())))));
    }
  }

  private static Predicate<State> active(String shape) {
    return s -> s.version().active() && s.entity().shape.equals(shape);
  }

  private void lists(int at) {
    agree(at, "", s -> s.version().active());
    agree(at, "&includeInactive=true", _ -> true);
    agree(at, "&shape=Sensor", active("Sensor"));
    agree(at, "&kind=assertion", active("Note"));
    agree(at, "&kind=collection", active("Set"));
    agree(at, "&match=*/a*", s -> s.version().active() && s.entity().name.startsWith("a"));
    agree(at, "&match=Sensor/b*", active("Sensor").and(s -> s.entity().name.startsWith("b")));
    int n = random.nextInt(200);
    agree(at, "&shape=Sensor&where=n:gte:" + n, active("Sensor").and(s -> s.version().n() >= n));
    agree(at, "&shape=Note&where=n:lt:" + n, active("Note").and(s -> s.version().n() < n));
  }

  private void targets(int at) {
    var target = model.any(e -> !e.kind.equals("shape")).orElseThrow();
    Predicate<State> direct = active("Note").and(s -> s.entity().about == target);
    agree(at, "&about=" + target.wref(), direct);
    agree(at, "&about=" + target.wref() + "@v1", direct.and(s -> s.entity().aboutVersion == 1));
    var sets = sets(at, target::equals);
    agree(
        at,
        "&resolveCollections=true&about=" + target.wref(),
        direct.or(active("Note").and(s -> sets.contains(s.entity().about))));
    severalTargets(at, target, direct);
    var noted =
        model.at(at).filter(active("Note")).map(s -> s.entity().about).collect(Collectors.toSet());
    agree(at, "&missing=about:Note", s -> s.version().active() && !noted.contains(s.entity()));
    agree(
        at,
        "&missing=about:Note&shape=Sensor&includeInactive=true",
        s -> s.entity().shape.equals("Sensor") && !noted.contains(s.entity()));
  }

  private void severalTargets(int at, Entity target, Predicate<State> direct) {
    var other = model.any(e -> !e.kind.equals("shape")).orElseThrow();
    Predicate<Entity> matching = e -> e != null && e.wref().matches("Sensor/[ab].*");
    var sets = sets(at, e -> e == target || matching.test(e));
    agree(
        at,
        "&about=%s&about=%s@v1".formatted(target.wref(), other.wref()),
        direct.or(
            active("Note").and(s -> s.entity().about == other && s.entity().aboutVersion == 1)));
    var patterns = "&about=%s&about=Sensor/{a,b}*".formatted(target.wref());
    var about = direct.or(active("Note").and(s -> matching.test(s.entity().about)));
    agree(at, patterns, about);
    agree(
        at,
        patterns + "&resolveCollections=true",
        about.or(active("Note").and(s -> sets.contains(s.entity().about))));
  }

  private Set<Entity> sets(int at, Predicate<Entity> member) {
    return model
        .at(at)
        .filter(s -> s.version().active() && s.entity().members.stream().anyMatch(member))
        .map(State::entity)
        .collect(Collectors.toSet());
  }

  private void agree(int at, String filters, Predicate<State> expected) {
    var lines = model.at(at).filter(expected).map(State::line).toList();
    assertEquals(lines, walked(at, filters), "at " + at + filters);
    int count = read("/count?at=" + at + filters).get("count").intValue();
    assertEquals(lines.size(), count, "count at " + at + filters);
  }

  private List<String> walked(int at, String filters) {
    var url = "/query?at=%d%s&limit=%d".formatted(at, filters, 1 + random.nextInt(20));
    boolean withActive = filters.contains("includeInactive");
    var lines = new ArrayList<String>();
    String cursor = null;
    do {
      var page = read(cursor == null ? url : url + "&cursor=" + cursor);
      for (var item : page.get("items")) {
        lines.add(line(item, withActive ? value(item, "active") : "true"));
      }
      cursor = page.path("nextCursor").textValue();
    } while (cursor != null);
    return lines;
  }

  private static String line(JsonNode item, String active) {
    return String.join(
        " ",
        value(item, "wref"),
        value(item, "kind"),
        "v" + value(item, "version"),
        active,
        value(item.path("data"), "n"),
        value(item, "aboutWref"));
  }

  /** A member as text; {@code null} if there is none. */
  private static String value(JsonNode item, String member) {
    return item.path(member).asText("null");
  }

  private void differences(int at) {
    int other = random.nextInt(model.newest() + 1);
    int from = Math.min(at, other);
    int to = Math.max(at, other);
    var url = "/diff?from=%d&to=%d&limit=%d".formatted(from, to, 1 + random.nextInt(20));
    var found = new ArrayList<String>();
    String cursor = null;
    do {
      var page = read(cursor == null ? url : url + "&cursor=" + cursor);
      for (var item : page.get("items")) {
        found.add(
            Stream.of("wref", "change", "fromVersion", "toVersion", "fromWref")
                .map(member -> value(item, member))
                .collect(Collectors.joining(" ")));
      }
      cursor = page.path("nextCursor").textValue();
    } while (cursor != null);
    assertEquals(model.differences(from, to).toList(), found, url);
  }

  private void things(int at) {
    for (int i = 0; i < 10; i++) {
      var entity = model.any(_ -> true).orElseThrow();
      var url = "/things/" + entity.wref() + "?at=" + at;
      var then = entity.at(at);
      if (then.isEmpty()) {
        missing(model.repository + url);
      } else {
        var item = read(url);
        assertEquals(new State(entity, then.get()).line(), line(item, value(item, "active")), url);
      }
    }
  }

  /** Counts of the present are kept, unlike those of a moment. */
  private void counts() {
    kept("", s -> s.version().active());
    kept("?match=**", s -> s.version().active());
    kept("?includeInactive=true", _ -> true);
    for (var kind : List.of("thing", "assertion", "shape")) {
      Predicate<State> ofKind = s -> s.entity().kind.equals(kind);
      kept("?kind=" + kind, ofKind.and(s -> s.version().active()));
      kept("?includeInactive=true&kind=" + kind, ofKind);
    }
    kept("?kind=collection", active("Set"));
    for (var shape : List.of("Sensor", "Note", "Set", "Shape", "None")) {
      kept("?shape=" + shape, active(shape));
      kept("?match=" + shape + "/*/**", active(shape));
      kept("?match=" + shape + "/**&shape=" + shape, active(shape));
      kept("?kind=thing&shape=" + shape, active(shape).and(s -> s.entity().kind.equals("thing")));
    }
    kept("?shape=Note&match=Sensor/**", _ -> false);
  }

  private void kept(String filter, Predicate<State> expected) {
    long number = model.at(model.newest()).filter(expected).count();
    assertEquals(number, read("/count" + filter).get("count").longValue(), filter);
  }

  private void histories() {
    for (int i = 0; i < 10; i++) {
      var entity = model.any(_ -> true).orElseThrow();
      var items =
          read("/history?limit=500&wref=" + entity.wref())
              .get("items")
              .valueStream()
              .map(
                  item ->
                      "%s %s %s %s"
                          .formatted(
                              value(item, "version"),
                              value(item, "operation"),
                              value(item, "active"),
                              value(item.path("data"), "n")))
              .toList();
      var expected =
          entity.versions.stream()
              .map(
                  v ->
                      "%d %s %s %s"
                          .formatted(
                              v.number(), v.number() == 1 ? "add" : "revise", v.active(), v.n()))
              .collect(Collectors.toList());
      Collections.reverse(expected);
      assertEquals(expected, items, entity.wref());
    }
  }

  private JsonNode read(String url) {
    return Checked.read(token, model.repository + url.replace("{", "%7B").replace("}", "%7D"));
  }
}
