package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import io.quarkus.arc.All;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The keys of what belongs to a repository begin with it, so that it can be partitioned and spread
 * by it: {@code docs/architecture.md}, Storage. What a distributed engine would do about the
 * exceptions is in {@code docs/deploy.md}, Citus.
 */
@QuarkusTest
@HttpTest
@InProcess("It asks the database, and nothing of the service but its schema.")
class KeysTest {
  private static final String OF_THE_ORGANIZATION_TOO =
      "sets of organizations have no repository; both tables are small and the same everywhere";

  private static final String TO_WHAT_IS_SMALL =
      "points to a table that is small and the same everywhere";

  private static final String OF_A_PERSON =
      "an entry of somebody's token, which may name a repository; it is no part of it";

  /** By the name of the constraint or of the index, with the reason. */
  private static final Map<String, String> EXCEPTIONS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "commit_log_commit_id_repo_id_key",
                  "otherwise the planner finds commits by it that the primary key would find"),
              Map.entry(
                  "action_run_id_key",
                  "callbacks know the run alone; the index is large, and its uniqueness may be"
                      + " dropped"),
              Map.entry("credential_set_pkey", OF_THE_ORGANIZATION_TOO),
              Map.entry("credential_set_org_id_repo_id_name_key", OF_THE_ORGANIZATION_TOO),
              Map.entry("credential_set_org_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("subscription_source_repo_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("subscription_principal_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("component_install_component_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("component_install_component_id_number_fkey", TO_WHAT_IS_SMALL),
              Map.entry("component_install_component_id_complete_number_fkey", TO_WHAT_IS_SMALL),
              Map.entry("component_install_installed_by_fkey", TO_WHAT_IS_SMALL),
              Map.entry("service_token_account_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("live_ticket_account_id_fkey", TO_WHAT_IS_SMALL),
              Map.entry("token_scope_pkey", OF_A_PERSON),
              Map.entry("token_scope_token_id_fkey", OF_A_PERSON)));

  @Inject Database database;
  @Inject @All List<RowsOfRepositories> rows;

  @Test
  void keys_of_what_belongs_to_a_repository_begin_with_it() {
    var others = new TreeMap<String, String>();
    database
        .list(
            """
            with owned as (
              select c.oid, a.attnum from pg_class c
              join pg_attribute a on a.attrelid = c.oid and a.attname = 'repo_id'
              where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace)
            select i.indexrelid::regclass::text from owned o
            join pg_index i on i.indrelid = o.oid
            where i.indisunique and i.indkey[0] <> o.attnum
            union all
            select k.conname from owned o
            join pg_constraint k on k.conrelid = o.oid
            where k.contype = 'f' and k.conkey[1] <> o.attnum
            """,
            row -> row.getString(1))
        .forEach(name -> others.put(name, EXCEPTIONS.getOrDefault(name, "begins with another")));
    assertEquals(EXCEPTIONS, others);
  }

  /** Rows that nothing deletes with their repository, with the reason. */
  private static final Map<String, String> KEPT =
      Map.of(
          "deleted_repository", "it says what is left",
          "export_chunk", "the exports expire with the repository, and a chore deletes them",
          "export_job", "as the chunks",
          "stored_bytes_change", "a chore drops those of repositories that are gone",
          "stream_result", "the transaction that writes them deletes them",
          "token_scope", OF_A_PERSON);

  @Test
  void rows_of_a_repository_are_deleted_with_it_or_afterwards() {
    var afterwards =
        rows.stream()
            .flatMap(each -> each.rowsOfRepositories().stream())
            .map(RowsOfRepositories.Rows::table)
            .toArray(String[]::new);
    var left =
        database.list(
            """
            with recursive gone as (
              select oid from pg_class
              where relnamespace = 'public'::regnamespace
                and (relname = 'repository' or relname = any (?))
              union
              select k.conrelid from gone g
              join pg_constraint k on k.confrelid = g.oid
              where k.contype = 'f' and k.confdeltype = 'c')
            select c.relname from pg_class c
            join pg_attribute a on a.attrelid = c.oid and a.attname = 'repo_id'
            where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
              and c.oid not in (select oid from gone)
            """,
            row -> row.getString(1),
            (Object) afterwards);
    assertEquals(KEPT.keySet(), Set.copyOf(left));
  }

  /** Of indexes that cost the same the planner takes the newest, and on an empty table many do. */
  @Test
  void a_name_is_looked_up_by_the_index_of_names_from_the_first_commit_on() {
    var newest =
        database.first(
            """
            select indexrelid::regclass::text from pg_index
            where indrelid = 'entity'::regclass and indpred is null
            order by indexrelid desc limit 1
            """,
            row -> row.getString(1));
    assertEquals("entity_repo_id_shape_name_name_key", newest.orElseThrow());
  }
}
