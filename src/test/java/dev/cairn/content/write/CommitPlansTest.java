package dev.cairn.content.write;

import static dev.cairn.Plans.THINGS;
import static dev.cairn.Plans.repeated;

import dev.cairn.FilledPlans;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.Recheck;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The statements of a commit find their rows by key, whatever the planner believes to know. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database, and nothing of the service but its schema.")
class CommitPlansTest extends FilledPlans {
  private static final long MAX_ROWS = 20;

  private static String[] last() {
    return new String[] {"thing-" + THINGS};
  }

  private static long[] ids(int count) {
    return LongStream.rangeClosed(101, 100 + count).toArray();
  }

  /** As a commit runs it, by the plan that a connection has kept for it. */
  private void assertRows(long most, String sql, Object... parameters)
      throws SQLException, IOException {
    plans.assertRows(most, plans.planned(sql, parameters));
  }

  @Test
  void a_name_is_one_probe_of_an_index() throws SQLException, IOException {
    assertRows(MAX_ROWS, StoredEntities.BY_NAME, new String[] {"S"}, last(), plans.repoId);
  }

  /** As if a large transaction had been rolled back: the smallest index seems to be the best. */
  @Test
  void a_name_is_one_probe_although_the_indexes_are_large_for_few_rows()
      throws SQLException, IOException {
    plans.execute(
        """
        select pg_restore_relation_stats(
          'schemaname', 'public', 'relname', 'entity', 'reltuples', 8::real,
          'relpages', (pg_relation_size('entity') / current_setting('block_size')::int)::int)
        """);
    plans.execute(Database.GENERIC_PLAN);
    assertRows(MAX_ROWS, StoredEntities.BY_NAME, new String[] {"S"}, last(), plans.repoId);
    assertRows(
        MAX_ROWS,
        StoredEntities.OF_REPOSITORIES,
        new UUID[] {plans.repoId},
        new String[] {"S"},
        last());
  }

  @Test
  void a_name_in_another_repository_is_one_probe_of_an_index() throws SQLException, IOException {
    assertRows(
        MAX_ROWS,
        StoredEntities.OF_REPOSITORIES,
        new UUID[] {plans.repoId},
        new String[] {"S"},
        last());
  }

  @Test
  void references_that_revisions_repeat_are_found_by_key() throws SQLException, IOException {
    int count = 100;
    var versions = repeated(1, count);
    var ids = ids(count);
    plans.execute(
        """
        insert into entity_rename (repo_id, entity_id, seq, op_index, old_name, new_name,
                                   in_definitions)
        select '%s', e, 1000000 + s, 0, 'former-' || s, 'x', false
        from generate_series(1, 10000) e, generate_series(1, 2) s
        """
            .formatted(plans.repoId));
    assertRows(
        MAX_ROWS * count,
        ReferenceReader.REFERENCES,
        ids,
        versions,
        plans.repoId,
        ReferenceReader.MAX_REFERENCES,
        plans.repoId,
        "{\"101 S/thing-1@v1\":0}");
    assertRows(
        3 * MAX_ROWS * count,
        ReferenceReader.FORMER_REFERENCES,
        "{\"v1 thing-1\":0,\"101 S/thing-1@v1\":0}",
        ids,
        versions,
        plans.repoId,
        ids,
        versions,
        plans.repoId,
        plans.repoId);
  }

  @Test
  void revisions_find_what_they_follow_by_key() throws SQLException, IOException {
    int count = 100;
    var versions = repeated(1, count);
    assertRows(
        MAX_ROWS * count,
        ReferenceWriter.END_REFERENCES,
        ids(count),
        versions,
        repeated(0, count),
        repeated(100, count),
        plans.repoId);
    assertRows(
        MAX_ROWS * count,
        ContentWriter.REVISE_HEAD,
        Collections.nCopies(count, 7L).stream().mapToLong(Long::longValue).toArray(),
        ids(count),
        versions,
        Collections.nCopies(count, true).toArray(Boolean[]::new),
        versions,
        Collections.nCopies(count, "{}").toArray(String[]::new),
        Collections.nCopies(count, new byte[] {1}).toArray(byte[][]::new),
        Collections.nCopies(count, false).toArray(Boolean[]::new),
        Collections.nCopies(count, "{1}").toArray(String[]::new),
        new long[] {7},
        new String[] {"author"},
        new OffsetDateTime[] {OffsetDateTime.now(ZoneOffset.UTC)},
        plans.repoId);
  }

  @Test
  void a_commit_finds_the_role_of_its_account_by_key() throws SQLException, IOException {
    int members = 1_000;
    plans.execute(
        """
        insert into repository_head (repo_id, hash) values ('%1$s', '');
        insert into account (id, email, display_name, created_at)
        select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid,
               i || '@plans.invalid', '', now()
        from generate_series(1, %2$d) i;
        insert into member (org_id, account_id, role, created_at)
        select '%1$s', id, 'editor', now() from account where email like '%%@plans.invalid'
        """
            .formatted(plans.repoId, members));
    var account = UUID.fromString("00000000-0000-7000-8000-000000000001");
    var now = OffsetDateTime.now(ZoneOffset.UTC);
    assertRows(
        MAX_ROWS,
        ContentWriter.INSERT_COMMITS
            + Recheck.tokenConditionOfRows(
                List.of(new Recheck.Holder(account, "pat", null, null, null))),
        7,
        200,
        new byte[] {1},
        now,
        0,
        plans.repoId,
        7,
        plans.repoId,
        plans.repoId,
        new long[0],
        new String[0],
        new Boolean[0],
        new long[0],
        new String[] {"admin", "owner"},
        new long[] {THINGS + 1},
        new String[] {"ffffffffffffffff"},
        new byte[][] {{1}},
        new byte[][] {{1}},
        new String[] {"author"},
        new UUID[] {account},
        new Boolean[] {true},
        new String[] {"message"},
        new int[] {1},
        new OffsetDateTime[] {now},
        new long[] {200},
        new String[] {"pat"},
        new UUID[] {account},
        new UUID[] {account},
        new String[] {"hash"},
        plans.repoId,
        new String[] {"editor", "admin", "owner"});
  }

  @Test
  void a_rename_takes_time_by_the_number_of_references() throws SQLException, IOException {
    assertRenameRows(new long[] {101}, new String[] {"new"}, new String[0], new String[0]);
  }

  @Test
  void a_rename_of_a_shape_takes_time_by_what_it_holds() throws SQLException, IOException {
    assertRenameRows(new long[] {100}, new String[] {"T"}, new String[] {"S"}, new String[] {"T"});
  }

  @Test
  void many_renames_take_time_by_their_number() throws SQLException, IOException {
    var names = LongStream.of(ids(THINGS)).mapToObj(id -> "new-" + id).toArray(String[]::new);
    assertRenameRows(ids(THINGS), names, new String[0], new String[0]);
  }

  private void assertRenameRows(long[] ids, String[] names, String[] oldShapes, String[] newShapes)
      throws SQLException, IOException {
    var id = plans.repoId;
    assertRows(
        2 * MAX_ROWS * THINGS,
        Renaming.TEXTS,
        ids,
        names,
        oldShapes,
        newShapes,
        id,
        id,
        id,
        id,
        id);
    assertRows(
        2 * MAX_ROWS * THINGS,
        Renaming.REWRITTEN,
        ids,
        names,
        oldShapes,
        newShapes,
        id,
        id,
        id,
        id,
        id,
        id);
    assertRows(MAX_ROWS * THINGS, Renaming.ABOUTS, ids, names, oldShapes, newShapes, id, id, id);
    assertRows(MAX_ROWS * THINGS, Renaming.NAMES, ids, names, oldShapes, newShapes, id, id);
  }
}
