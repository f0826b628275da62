package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Search: what it finds is what a plain scan of all entities finds, after random adds, revises,
 * retracts and renames, for any filter and whatever a token may read.
 */
@HttpTest
@QuarkusTest
class SearchModelTest {
  private static final int COMMITS = 12;
  private static final int QUERIES = 25;

  /** Few words with common beginnings, so that many entities match. */
  private static final String[] WORDS = {
    "red", "reddish", "green", "greenhouse", "blue", "bluebird", "a1", "b2c", "Käse", "x"
  };

  private static final String[] SHAPES = {"Plant", "Bird"};

  private static final Pattern TERM = Pattern.compile("-?\"[^\"]*\"|\\S+");

  private String repository;
  private Random random;
  private int newest;

  /** The entities by their ids in this test. */
  private final Map<Integer, Entity> entities = new LinkedHashMap<>();

  private static final class Entity {
    String shape;
    String name;
    String text;
    boolean active = true;

    /** What the data refers to; null for nothing. */
    Entity other;

    String wref() {
      return shape + "/" + name;
    }

    List<List<String>> texts() {
      var texts =
          Stream.of(name, shape, text, other == null ? "" : other.wref())
              .map(SearchModelTest::words);
      return texts.toList();
    }
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("[^\\p{L}\\p{N}]+"))
        .filter(word -> !word.isEmpty())
        .map(word -> word.toLowerCase(Locale.ROOT).replace("ä", "a"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void search_finds_what_a_scan_finds(long seed) {
    random = new Random(seed);
    entities.clear();
    newest = 0;
    repository = Api.newRepository();
    Prepared.commit(
        repository,
        Arrays.stream(SHAPES)
            .map(
                shape ->
                    "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{'text':'string','other?':{'type':'wref'}}}}"
                        .formatted(shape))
            .collect(Collectors.joining(",")));
    var narrowed =
        People.narrowedPat(repository, "repo:read", "Plant/red*", "Bird/**", "*/*-green");
    for (int i = 0; i < COMMITS; i++) {
      Prepared.commit(repository, operations());
      if (i % 3 == 2) {
        for (int j = 0; j < QUERIES; j++) {
          agree(Api.adminToken(), _ -> true);
          agree(narrowed, e -> e.wref().matches("Plant/red[^/]*|Bird/.*|[^/]+/[^/]*-green"));
        }
      }
    }
  }

  private String operations() {
    var touched = new ArrayList<Entity>();
    return IntStream.range(0, 6)
        .mapToObj(_ -> operation(touched))
        .filter(operation -> !operation.isEmpty())
        .collect(Collectors.joining(","));
  }

  private String operation(List<Entity> touched) {
    var entity = entities.isEmpty() ? null : any();
    if (entity == null || random.nextInt(3) == 0) {
      return add(touched);
    }
    if (touched.contains(entity)) {
      return add(touched);
    }
    touched.add(entity);
    var wref = entity.wref();
    switch (random.nextInt(3)) {
      case 0 -> {
        entity.text = text();
        entity.other = null;
        return "{'operation':'revise','name':'%s','data':{'text':'%s'}%s}"
            .formatted(wref, entity.text, entity.active ? "" : ",'active':false");
      }
      case 1 -> {
        entity.active = !entity.active;
        return entity.active
            ? "{'operation':'revise','name':'%s','active':true}".formatted(wref)
            : "{'operation':'retract','name':'%s'}".formatted(wref);
      }
      default -> {
        entity.name = name();
        return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(wref, entity.name);
      }
    }
  }

  private String add(List<Entity> touched) {
    var entity = new Entity();
    entity.shape = SHAPES[random.nextInt(SHAPES.length)];
    entity.name = name();
    entity.text = text();
    var other = entities.isEmpty() ? null : any();
    entity.other = other == null || touched.contains(other) ? null : other;
    touched.add(entity);
    if (entity.other != null) {
      touched.add(entity.other);
    }
    entities.put(newest, entity);
    return "{'operation':'add','name':'%s','data':{'text':'%s'%s}}"
        .formatted(
            entity.wref(),
            entity.text,
            entity.other == null ? "" : ",'other':'" + entity.other.wref() + "'");
  }

  private Entity any() {
    return entities.values().stream()
        .skip(random.nextInt(entities.size()))
        .findFirst()
        .orElseThrow();
  }

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  /** No two entities have the same. */
  private String name() {
    return word() + "-n" + newest++ + "-" + word();
  }

  private String text() {
    return IntStream.range(0, 1 + random.nextInt(4))
        .mapToObj(_ -> word())
        .collect(Collectors.joining(random.nextBoolean() ? " " : ", "));
  }

  private void agree(String token, Predicate<Entity> visible) {
    var first = word();
    var second = word();
    var query =
        switch (random.nextInt(6)) {
          case 0 -> first;
          case 1 -> first + " " + second;
          case 2 -> '"' + first + " " + second + '"';
          case 3 -> first + " or " + second;
          case 4 -> first + " -" + second;
          default -> '"' + first + "\" plant";
        };
    var filters =
        List.of(
            "",
            "&shape=Plant",
            "&match=*/red*",
            "&includeInactive=true",
            "&kind=thing&match=Bird/*");
    int filter = random.nextInt(filters.size());
    Predicate<Entity> selected =
        switch (filter) {
          case 1 -> e -> e.active && e.shape.equals("Plant");
          case 2 -> e -> e.active && e.name.startsWith("red");
          case 3 -> _ -> true;
          case 4 -> e -> e.active && e.shape.equals("Bird");
          default -> e -> e.active;
        };
    var expected =
        entities.values().stream()
            .filter(visible.and(selected).and(e -> matches(query, e)))
            .map(Entity::wref)
            .collect(Collectors.toCollection(TreeSet::new));
    var limit = random.nextBoolean() ? "&limit=3" : "";
    var found =
        Searches.wrefs(token, repository, query, filters.get(filter) + limit).stream()
            .filter(wref -> !wref.startsWith("Shape/"))
            .toList();
    assertEquals(found.size(), Set.copyOf(found).size(), "each hit once");
    assertEquals(expected, new TreeSet<>(found), query + filters.get(filter));
  }

  /** By the rules of the page on search, on plain lists of words. */
  private static boolean matches(String query, Entity entity) {
    return Arrays.stream(query.split(" or ")).anyMatch(part -> matchesAll(query, part, entity));
  }

  private static boolean matchesAll(String query, String part, Entity entity) {
    var terms = TERM.matcher(part).results().map(MatchResult::group).toList();
    for (int i = 0; i < terms.size(); i++) {
      var term = terms.get(i);
      boolean isExcluded = term.startsWith("-");
      var text = isExcluded ? term.substring(1) : term;
      boolean isLast = query.endsWith(term) && i == terms.size() - 1;
      boolean isPrefix = isLast && !isExcluded && !text.endsWith("\"");
      if (matchesTerm(words(text), isPrefix, entity) == isExcluded) {
        return false;
      }
    }
    return true;
  }

  private static boolean matchesTerm(List<String> words, boolean isPrefix, Entity entity) {
    if (isPrefix && words.getFirst().length() >= 2) {
      var word = words.getFirst();
      return entity.texts().stream().flatMap(List::stream).anyMatch(w -> w.startsWith(word))
          || parts(entity.name).anyMatch(w -> w.startsWith(word))
          || (word.length() >= 3 && words(entity.name).stream().anyMatch(w -> w.contains(word)));
    }
    return entity.texts().stream().anyMatch(text -> contains(text, words))
        || (words.size() == 1 && parts(entity.name).anyMatch(words.getFirst()::equals));
  }

  private static Stream<String> parts(String name) {
    return words(name).stream()
        .flatMap(word -> Arrays.stream(word.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")));
  }

  private static boolean contains(List<String> text, List<String> words) {
    return IntStream.rangeClosed(0, text.size() - words.size())
        .anyMatch(i -> text.subList(i, i + words.size()).equals(words));
  }
}
