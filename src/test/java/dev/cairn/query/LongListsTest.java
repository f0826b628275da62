package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.action.SampleRuns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.page.Pager;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.specification.RequestSpecification;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Lists of records: their pages end at 8 MiB, in the bytes that the answer has. */
@HttpTest
@QuarkusTest
class LongListsTest {
  private static final Pattern LINK = Pattern.compile("cursor=([^&>]+)");

  private final Database database = OwnConnections.database();

  /** Walks all pages, each of which must be within bounds; answers how many items each one had. */
  private static List<Integer> walk(
      Supplier<RequestSpecification> caller, String url, Pattern item) {
    var sizes = new ArrayList<Integer>();
    var page = url;
    while (page != null) {
      var response = caller.get().urlEncodingEnabled(false).get(page).then().statusCode(200);
      var bytes = response.extract().asByteArray();
      assertTrue(bytes.length <= Pager.MAX_BYTES, "a page of " + bytes.length);
      var text = new String(bytes, StandardCharsets.UTF_8);
      sizes.add((int) item.matcher(text).results().count());
      var link = response.extract().header("Link");
      var cursor = LINK.matcher(link == null ? "" : link);
      page = cursor.find() ? url + "&cursor=" + cursor.group(1) : null;
    }
    return sizes;
  }

  /** Messages that are four bytes a character in UTF-8, and six in an escape. */
  @Test
  void commits_with_long_messages_end_a_page_early() {
    var repository = repository();
    database.update(
        """
        insert into commit_log (repo_id, seq, commit_id, hash, parent_hash, author, message,
                                operation_count, created_at, next_entity_id)
        select c.repo_id, 1 + n, right('000000000000000' || n, 16), c.hash, c.parent_hash, 'A',
               case when n <= 200 then repeat(U&'\\+01F600', 10000)
                    else repeat(U&'\\0001', 10000) end, 1, c.created_at,
               c.next_entity_id
        from commit_log c, generate_series(1, 400) n where c.repo_id = ? and c.seq = 1
        """,
        Api.repoId(repository));
    // Of 60,517 bytes in escapes, and of 40,517 in UTF-8.
    int newest = Pager.MAX_BYTES / 60_517;
    int rest = (Pager.MAX_BYTES - (200 - newest) * 60_517) / 40_517;
    assertEquals(
        List.of(newest, 200 - newest + rest, 401 - 200 - rest),
        walk(Api::anonymous, repository + "/commits?limit=500", Pattern.compile("\"commitId\":")));
    admin()
        .get(repository + "/commits/" + "%016d".formatted(1))
        .then()
        .statusCode(200)
        .body("message", is("\ud83d\ude00".repeat(10_000)));
  }

  @Test
  void runs_with_many_operations_end_a_page_early() {
    var repository = repository();
    new SampleRuns(repository, "Sensor").failed();
    database.update(
        """
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                attempt_count, max_attempts, created_at, ended_at, updated_at)
        select r.repo_id, gen_random_uuid(), r.subscription_id, r.subscription_name,
               right('000000000000000' || n, 16), array(select generate_series(0, 9999)),
               r.envelope, r.executor_kind, r.target, r.trace_id, r.depth, r.status,
               r.attempt_count, r.max_attempts, date_trunc('milliseconds', r.created_at),
               r.ended_at, r.updated_at
        from action_run r, generate_series(1, 199) n where r.repo_id = ?
        """,
        Api.repoId(repository));
    var sizes =
        walk(Api::admin, repository + "/actions/runs?limit=200", Pattern.compile("\"runId\":"));
    assertEquals(2, sizes.size(), sizes::toString);
    assertEquals(200, sizes.getFirst() + sizes.getLast());
  }

  @Test
  void audit_events_with_long_details_end_a_page_early() {
    var org = Api.newOrg();
    database.update(
        """
        insert into audit_event (org_id, id, at, action, account_id, actor, target, details)
        select m.org_id, gen_random_uuid(), now(), 'credential_set.updated', m.account_id, 'A',
               'set', '{"removed":"' || repeat('K', 60000) || '"}'
        from member m join organization o on o.id = m.org_id, generate_series(1, 200) n
        where o.name = ?
        """,
        org);
    var sizes =
        walk(
            Api::admin,
            "/api/orgs/" + org + "/audit?limit=500",
            Pattern.compile("\"credential_set.updated\""));
    assertEquals(2, sizes.size(), sizes::toString);
    assertEquals(200, sizes.getFirst() + sizes.getLast());
  }

  @Test
  void tokens_with_long_scopes_end_a_page_early() {
    var person = People.stranger();
    database.update(
        """
        with t as (
          insert into personal_access_token (id, account_id, name, hash, expires_at, created_at)
          select gen_random_uuid(), a.id, 'ci-' || n, sha256(gen_random_uuid()::text::bytea),
                 now() + interval '1 day', now()
          from account a, generate_series(1, 300) n where a.email = ?
          returning id)
        insert into token_scope (token_id, ordinal, permissions, allowed_matches)
        select id, 0, array['repo:read'], array[repeat('x', 1000)] || array(
                 select repeat('y', 1000) from generate_series(1, 40))
        from t
        """,
        person.email());
    var sizes =
        walk(() -> as(person.token()), "/api/pats?limit=500", Pattern.compile("\"name\":\"ci-"));
    assertEquals(2, sizes.size(), sizes::toString);
    assertEquals(300, sizes.getFirst() + sizes.getLast());
    var first = as(person.token()).get("/api/pats").then().statusCode(200).extract();
    assertTrue(first.header("Link").contains("rel=\"next\""), "no next page");
    as(person.token()).get("/api/pats?limit=1").then().statusCode(200).body("size()", is(1));
    as(person.token())
        .get("/api/pats?limit=501")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("?limit"));
  }

  /** Attempts have no pages. */
  @Test
  void a_list_without_pages_is_refused_when_it_is_too_large() {
    var repository = repository();
    var run = new SampleRuns(repository, "Sensor").failed();
    var url = repository + "/actions/runs/" + run + "/attempts";
    attempts(repository, run, 1, 800);
    admin().get(url).then().statusCode(200).body("size()", is(800));
    attempts(repository, run, 801, 900);
    admin()
        .get(url)
        .then()
        .statusCode(413)
        .contentType("application/problem+json")
        .header("Cache-Control", "no-store")
        .body("code", is("PAYLOAD_TOO_LARGE"))
        .body("detail", containsString("16 MiB"));
  }

  /** Attempts of about 20,000 bytes. */
  private void attempts(String repository, String run, int from, int to) {
    database.update(
        """
        insert into action_attempt (repo_id, run_id, attempt, status, executor_kind, started_at,
                                    finished_at, error_code, error_message)
        select ?, ?, n, 'failed', 'webhook', now(), now(), 'FAILED', repeat('x', 20000)
        from generate_series(?, ?) n
        """,
        Api.repoId(repository),
        UUID.fromString(run),
        from,
        to);
  }
}
