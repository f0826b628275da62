package dev.cairn.access;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.docs.GeneratedPart;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every endpoint against every kind of caller, compared with {@code docs/caller-matrix.md}. A new
 * endpoint takes a row in {@link MatrixRow}.
 */
@HttpTest
@QuarkusTest
@Tag("long")
class CallerMatrixTest {
  private static final Path PAGE = Path.of("docs/caller-matrix.md");
  private static final String ALONE = "Of no organization";
  private static final String PRIVATE = "A private repository and its organization";
  private static final String PUBLIC = "A public repository and its organization";

  @Test
  void every_caller_gets_the_answer_that_the_page_tells() throws Exception {
    var cast = MatrixCast.of();
    var observed =
        Stream.concat(Stream.of(MatrixPage.legend()), tables(cast).stream())
            .collect(joining("\n\n"));
    if (!GeneratedPart.isWritten()) {
      assertEquals("", MatrixPage.differences(Files.readString(PAGE), observed));
    }
    new GeneratedPart(PAGE, CallerMatrixTest.class).check(observed);
  }

  /** Each in worlds of its own, so that two can be made side by side. */
  private static List<String> tables(MatrixCast cast) throws Exception {
    try (var pool = Executors.newFixedThreadPool(2)) {
      var tables =
          List.of(
              pool.submit(() -> table(cast, ALONE, "private", MatrixRow.ALONE)),
              pool.submit(() -> table(cast, PRIVATE, "private", MatrixRow.WITHIN)),
              pool.submit(() -> table(cast, PUBLIC, "public", MatrixRow.WITHIN)));
      var made = new ArrayList<String>();
      for (var table : tables) {
        made.add(table.get());
      }
      return made;
    }
  }

  private static String table(
      MatrixCast cast, String heading, String visibility, List<MatrixRow> rows) {
    var statuses = new LinkedHashMap<MatrixRow, List<Integer>>();
    var world = new MatrixWorld(cast, visibility);
    for (var row : rows) {
      var answers = new ArrayList<Integer>();
      for (var column : MatrixColumn.ALL) {
        int status = world.status(row, column);
        answers.add(status);
        world = row.spends() && status < 300 ? new MatrixWorld(cast, visibility) : world;
      }
      statuses.put(row, answers);
    }
    return MatrixPage.table(heading, statuses);
  }

  @Test
  void every_endpoint_has_a_row_and_every_row_an_endpoint() {
    var rows =
        Stream.concat(MatrixRow.ALONE.stream(), MatrixRow.WITHIN.stream())
            .map(MatrixRow::endpoint)
            .collect(toCollection(TreeSet::new));
    var endpoints = endpoints();
    assertEquals(Set.of(), without(endpoints, rows), "endpoints without a row in MatrixRow");
    assertEquals(Set.of(), without(rows, endpoints), "rows without an endpoint");
  }

  /** Methods and paths as the docs write them. */
  private static Set<String> endpoints() {
    return Routes.all()
        .map(route -> route.replaceAll("/$", "").replaceAll("\\{(\\w+)[^}]*}", ":$1"))
        .collect(toCollection(TreeSet::new));
  }

  private static Set<String> without(Set<String> some, Set<String> others) {
    var left = new TreeSet<>(some);
    left.removeAll(others);
    return left;
  }

  @Test
  void a_row_names_the_permissions_that_open_it() throws IOException {
    var cells = MatrixPage.cells(Files.readString(PAGE));
    var wrong =
        MatrixRow.WITHIN.stream()
            .flatMap(row -> contradictions(row.label(), cells))
            .collect(joining("\n"));
    assertEquals("", wrong);
  }

  /** Where what a row needs and what it answers to roles and to single permissions differ. */
  private static Stream<String> contradictions(String label, Map<String, String> cells) {
    var named = cells.getOrDefault(MatrixPage.key(PRIVATE, label, MatrixPage.NEEDS), "");
    var byRole =
        Arrays.stream(Role.values())
            .filter(
                role -> isMet(named, role::grants) != opens(label, MatrixColumn.name(role), cells))
            .map(MatrixColumn::name);
    var byPermission =
        Arrays.stream(Permission.values())
            .filter(
                permission ->
                    (!permissions(named).isEmpty() && isMet(named, permission::equals))
                        != opens(label, MatrixColumn.name(permission), cells))
            .map(MatrixColumn::name);
    return Stream.concat(byRole, byPermission)
        .map(column -> "%s needs %s, but see %s".formatted(label, named, column));
  }

  /**
   * Whether what is held meets the needs: all parts of them, of a part with `or` one permission.
   */
  private static boolean isMet(String needs, Predicate<Permission> held) {
    return Arrays.stream(needs.split(", and ", -1))
        .allMatch(
            part ->
                part.contains("` or `")
                    ? permissions(part).stream().anyMatch(held)
                    : permissions(part).stream().allMatch(held));
  }

  private static List<Permission> permissions(String needs) {
    return Arrays.stream(Permission.values())
        .filter(permission -> needs.contains("`" + permission.scope() + "`"))
        .toList();
  }

  private static boolean opens(String label, String column, Map<String, String> cells) {
    return cells.getOrDefault(MatrixPage.key(PRIVATE, label, column), "").startsWith("2");
  }
}
