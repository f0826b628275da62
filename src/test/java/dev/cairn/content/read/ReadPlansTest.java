package dev.cairn.content.read;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.FilledPlans;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Plans;
import dev.cairn.access.Narrowing;
import dev.cairn.content.Moment;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads by name find their rows by key, whatever the planner believes to know. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database, and nothing of the service but its schema.")
class ReadPlansTest extends FilledPlans {
  private static final int MAX_ROWS = 20;

  /** About the first thing, and before all things in the order of names. */
  private static final String ASSERTIONS =
      """
      insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                          shape_version, data, data_hash, about_repo_id, about_id, about_version,
                          about_wref, author, created_seq, created_op, created_at, updated_at)
      select '%1$s'::uuid, 100000 + i, 'assertion', 100, 'A', 'claim-' || i, 1, true, 1, '{}', '',
             '%1$s'::uuid, 101, 1, 'S/thing-1@v1', '', 1, i, now(), now()
      from generate_series(1, %2$d) i
      """;

  private static final int LIMIT = 50;

  @Test
  void a_version_by_name_is_a_probe_of_each_index() throws SQLException, IOException {
    for (int version = 0; version < 2; version++) {
      plans.assertRows(
          MAX_ROWS,
          EntitiesByName.VERSIONS,
          PageBytes.max(),
          new String[] {"S"},
          new String[] {"thing-" + Plans.THINGS},
          new int[] {version},
          plans.repoId,
          plans.repoId);
    }
  }

  @Test
  void a_page_of_references_touches_no_more_of_them_than_it_shows()
      throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    assertRows(
        plans,
        10 * MAX_ROWS,
        EntityReferences.statement(
            plans.repoId, Narrowing.UNRESTRICTED, 101L, null, Optional.empty(), MAX_ROWS));
  }

  @Test
  void a_page_of_a_shape_touches_little_more_than_its_rows() throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    assertRows(plans, 6 * LIMIT, page(Source.HEAD, ofShape(plans), LIMIT));
    var wholeShape = all(plans).matches(Glob.parse("S/**"));
    assertRows(plans, 6 * LIMIT, page(Source.HEAD, wholeShape, LIMIT));
    assertFalse(wholeShape.sql().contains("~"), "a regular expression for each row");
  }

  @Test
  void a_page_for_a_narrowed_token_touches_little_more_than_its_rows()
      throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    var keys = List.of(Optional.<PageKey>empty(), Optional.of(new PageKey("S", "thing-2")));
    for (var pattern : List.of("S/**", "S/thing-*", "S/t*")) {
      var ranges = NameRanges.of(List.of(Glob.parse(pattern))).orElseThrow();
      for (var after : keys) {
        var where = new Predicates("e.repo_id = ? and e.id >= ? and e.active", plans.repoId, 100L);
        var page = EntityPages.ofRanges(ranges, Source.HEAD, where, after, LIMIT - 1);
        assertRows(plans, 8 * LIMIT, page);
      }
    }
  }

  @Test
  void what_a_narrowed_token_is_told_of_a_repository_comes_out_of_its_ranges_of_names()
      throws SQLException, IOException {
    // The second pattern has no beginning, so that the shape alone would be all of the
    // repository.
    var narrowing = narrowing("S/thing-29*", "T/*");
    var counts = EntityCounts.statement(plans.repoId, narrowing, new String[] {"S"}, false);
    assertRows(plans, 4 * 111 + MAX_ROWS, counts);
    plans.execute(Database.IN_INDEX_ORDER);
    var samples =
        ShapeSamples.statement(plans.repoId, narrowing, List.of("S", "T"), Set.of("S", "T"));
    assertRows(plans, 2 * MAX_ROWS, samples);
  }

  @Test
  void a_sample_of_a_shape_is_its_first_entities() throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    assertRows(
        plans,
        2 * MAX_ROWS,
        ShapeSamples.statement(plans.repoId, Narrowing.UNRESTRICTED, List.of("S"), Set.of("S")));
  }

  @Test
  void a_page_of_things_passes_over_no_assertions() throws SQLException, IOException {
    plans.execute(ASSERTIONS.formatted(plans.repoId, Plans.THINGS));
    // Otherwise the statistics may say that there are only things.
    plans.execute("analyze entity");
    plans.execute(Database.IN_INDEX_ORDER);
    var where = all(plans).kind("thing");
    assertRows(plans, 8 * LIMIT, page(Source.HEAD, where, LIMIT));
  }

  @Test
  void a_page_about_a_target_touches_little_more_than_its_rows() throws SQLException, IOException {
    plans.execute(ASSERTIONS.formatted(plans.repoId, Plans.THINGS));
    plans.execute(Database.IN_INDEX_ORDER);
    var about = new AssertionTargets();
    about.add(plans.repoId, 101L);
    var page = EntityPages.ofTargets(about, Source.HEAD, all(plans), LIMIT - 1);
    assertRows(plans, 10 * LIMIT, page);
  }

  @Test
  void a_late_page_of_a_shape_costs_no_more_than_an_early_one() throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    for (var name : List.of("a", "thing-998")) {
      var where = ofShape(plans).after("S", name);
      var page = page(Source.HEAD, where, 2);
      plans.assertBlocks(MAX_ROWS, page.sql(), page.parameters());
    }
  }

  @Test
  void a_page_of_the_past_does_not_touch_all_that_came_later() throws SQLException, IOException {
    revise(plans);
    plans.execute(Database.IN_INDEX_ORDER);
    for (int then : List.of(30, Plans.THINGS - 100)) {
      var moment = new Moment(plans.repoId, 1, 101 + then, 101 + Plans.THINGS);
      var from = then < LIMIT ? moment.byId() : moment.byName();
      assertRows(plans, 12 * LIMIT, page(from, ofShape(plans), LIMIT));
    }
  }

  @Test
  void a_page_of_the_past_passes_over_shapes_that_had_nothing_then()
      throws SQLException, IOException {
    laterAssertions(plans);
    plans.execute(Database.IN_INDEX_ORDER);
    var moment = new Moment(plans.repoId, 1, 101 + Plans.THINGS, 200_000);
    for (var after : List.of(Optional.<PageKey>empty(), Optional.of(new PageKey("S", "thing-2")))) {
      var page =
          EntityPages.ofShapes(
              plans.repoId, Optional.empty(), Optional.of(moment), all(plans), after, LIMIT - 1);
      assertRows(plans, 14 * LIMIT, page);
    }
  }

  @Test
  void a_name_under_any_shape_is_looked_up_under_each() throws SQLException, IOException {
    laterAssertions(plans);
    plans.execute(Database.IN_INDEX_ORDER);
    for (var pattern : List.of("*/thing-7", "?/claim-70", "{A,S}/claim-77?")) {
      var page =
          EntityPages.ofShapes(
              plans.repoId,
              Optional.empty(),
              Optional.empty(),
              all(plans).matches(Glob.parse(pattern)),
              Optional.empty(),
              LIMIT);
      assertRows(plans, 8 * MAX_ROWS, page);
    }
  }

  /** Assertions of a shape of their own, which is before that of the things. */
  private static void laterAssertions(Plans plans) throws SQLException {
    plans.execute(ASSERTIONS.formatted(plans.repoId, Plans.THINGS));
    plans.execute(
        """
        insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                            shape_version, data, data_hash, author, created_seq, created_op,
                            created_at, updated_at)
        values ('%s', 99999, 'shape', 1, 'Shape', 'A', 1, true, 1, '{}', '', '', 1, 0, now(), now())
        """
            .formatted(plans.repoId));
  }

  @Test
  void one_entity_of_the_past_is_a_probe_of_each_index() throws SQLException, IOException {
    revise(plans);
    var from = new Moment(plans.repoId, 1, 101 + Plans.THINGS, 101 + Plans.THINGS).byName();
    plans.assertRows(
        MAX_ROWS,
        EntitiesByName.ONE.formatted(from.sql()),
        from.with(plans.repoId, "S", "thing-" + Plans.THINGS));
  }

  @Test
  void a_page_of_many_differences_walks_the_names() throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    assertRows(
        plans, 10 * LIMIT, Differences.ofAll(plans.repoId, 0L, 1L, new PageKey("", ""), LIMIT));
  }

  @Test
  void a_page_of_many_renames_walks_the_names() throws SQLException, IOException {
    plans.execute(
        """
          insert into entity_rename (repo_id, entity_id, seq, op_index, old_name, new_name,
                                     in_definitions)
          select repo_id, id, 2, created_op, 'old-' || name, name, false from entity
          where repo_id = '%s' and id > 100
          """
            .formatted(plans.repoId));
    plans.execute("analyze entity_rename");
    plans.execute(Database.IN_INDEX_ORDER);
    assertRows(
        plans, 20 * LIMIT, Differences.ofAll(plans.repoId, 1L, 2L, new PageKey("", ""), LIMIT));
  }

  @Test
  void a_page_of_the_history_of_a_shape_touches_little_more_than_its_rows()
      throws SQLException, IOException {
    plans.execute(Database.IN_INDEX_ORDER);
    var history = new History(plans.repoId, Narrowing.UNRESTRICTED);
    history.narrowToShape(100);
    assertRows(plans, 10 * LIMIT, history.page(LIMIT - 1));
  }

  @Test
  void a_page_of_the_history_about_a_target_touches_little_more_than_its_rows()
      throws SQLException, IOException {
    plans.execute(ASSERTIONS.formatted(plans.repoId, Plans.THINGS));
    plans.execute(
        """
          insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                      active, shape_id, shape_version, about_id, data, data_hash)
          select repo_id, id, 1, 1, created_op, 'add', true, shape_id, 1, about_id, data, data_hash
          from entity where repo_id = '%s' and kind = 'assertion'
          """
            .formatted(plans.repoId));
    plans.execute(Database.IN_INDEX_ORDER);
    var about = new AssertionTargets();
    about.add(plans.repoId, 101L);
    var history = new History(plans.repoId, Narrowing.UNRESTRICTED);
    history.narrowToAssertionsAbout(about);
    assertRows(plans, 16 * LIMIT, history.page(LIMIT - 1));
  }

  @Test
  void what_nothing_is_about_is_found_by_a_look_up_for_each_entity()
      throws SQLException, IOException {
    plans.execute(ASSERTIONS.formatted(plans.repoId, Plans.THINGS));
    var assertions = new Predicates("e.repo_id = ? and e.active", plans.repoId);
    var where = ofShape(plans).withoutAssertions(Source.HEAD, "A", assertions);
    plans.execute(Database.IN_INDEX_ORDER);
    // Of each target at most its own assertions: one has all.
    assertRows(plans, Plans.THINGS + 12 * LIMIT, page(Source.HEAD, where, LIMIT));
  }

  private static Narrowing narrowing(String... patterns) {
    return Narrowing.to(Optional.of(Stream.of(patterns).map(Glob::parse).toList()));
  }

  private static Statement page(Source from, Predicates where, int rows) {
    return EntityPages.page(from, where, rows - 1);
  }

  private static void assertRows(Plans plans, long most, Statement page)
      throws SQLException, IOException {
    plans.assertRows(most, page.sql(), page.parameters());
  }

  private static Predicates all(Plans plans) {
    return new Predicates("e.repo_id = ? and e.id >= ?", plans.repoId, 100L).and("e.active");
  }

  private static Predicates ofShape(Plans plans) {
    return new Predicates("e.repo_id = ? and e.id >= ?", plans.repoId, 100L)
        .shape("S")
        .and("e.active");
  }

  /** A second version of every tenth thing, in a second commit. */
  private static void revise(Plans plans) throws SQLException {
    plans.execute(
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                    active, shape_id, shape_version, data, data_hash)
        select repo_id, id, 2, 2, created_op, 'revise', true, shape_id, 1, data, data_hash
        from entity where repo_id = '%1$s' and id %% 10 = 0;
        update entity set version = 2 where repo_id = '%1$s' and id %% 10 = 0
        """
            .formatted(plans.repoId));
  }
}
