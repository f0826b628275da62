package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.export.Exports.built;
import static dev.cairn.export.Exports.link;
import static dev.cairn.export.Exports.mint;
import static dev.cairn.export.Exports.progress;
import static dev.cairn.export.Exports.stream;
import static dev.cairn.export.Exports.text;
import static dev.cairn.export.JobRows.hash;
import static dev.cairn.export.JobRows.largeRepository;
import static dev.cairn.export.JobRows.repository;
import static dev.cairn.export.JobRows.thing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.lessThanOrEqualTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Worker;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md: exports that are built by a worker. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker of exports.")
class ExportJobTest {
  private static final int MIB = 1024 * 1024;

  @Inject Database database;
  @Inject Worker<ExportAttempt, BuildResult> worker;
  @Inject ExportExpiry expiry;

  private JobRows jobs;

  @BeforeEach
  void rows() {
    jobs = new JobRows(database);
  }

  @Test
  void an_export_is_asked_for_built_and_downloaded() {
    var repository = largeRepository();
    var minted = admin().get(repository + "/export?prefer=async");
    minted.then().statusCode(202).body("atRepoSeq", is(2)).body("exportToken", notNullValue());
    long before = System.currentTimeMillis();
    var complete = built(repository, minted.path("exportToken"));
    long quarter = Duration.ofMinutes(15).toMillis();
    complete
        .then()
        .statusCode(200)
        .contentType("application/json")
        .header("Cache-Control", "no-store")
        .body("size()", is(5))
        .body("atRepoSeq", is(2))
        .body("recordCount", is(10))
        .body("url", startsWith("http://localhost:" + RestAssured.port + "/api/exports/"))
        .body("expiresAt", greaterThanOrEqualTo(before + quarter))
        .body("expiresAt", lessThanOrEqualTo(System.currentTimeMillis() + quarter));
    var content = anonymous().get(link(repository, minted.path("exportToken"))).asByteArray();
    assertTrue(content.length > 2 * MIB, "less than three pieces: " + content.length);
    assertEquals(HexFormat.of().formatHex(Sha256.of(content)), complete.path("contentSha256"));
    assertEquals(10, Exports.lines(new String(content, UTF_8)).size());
    assertEquals(stream(repository), new String(content, UTF_8));
  }

  @Test
  void an_empty_repository_has_an_export_too() {
    var repository = newRepository();
    var token = mint(repository);
    built(repository, token)
        .then()
        .statusCode(200)
        .body("atRepoSeq", is(0))
        .body("recordCount", is(0))
        .body("contentSha256", is(HexFormat.of().formatHex(Sha256.of(""))));
    var download = anonymous().get(link(repository, token));
    download.then().statusCode(200).header("Content-Length", "0");
    assertEquals("", download.asString());
  }

  @Test
  void it_shows_the_moment_when_it_was_asked_for_whatever_is_committed_before_it_is_built() {
    var repository = repository();
    var before = stream(repository);
    var token = jobs.mintWaiting(repository);
    commit(repository, thing("b", "2")).statusCode(201);
    jobs.set(token, "due_at = now()");
    worker.wakeAll();
    built(repository, token).then().body("atRepoSeq", is(1)).body("recordCount", is(2));
    assertEquals(before, text(anonymous().get(link(repository, token))));
  }

  @Test
  void at_may_stand_beside_prefer() {
    var repository = repository();
    commit(repository, thing("b", "2")).statusCode(201);
    var minted = admin().get(repository + "/export?prefer=async&at=1");
    minted.then().statusCode(202).body("atRepoSeq", is(1));
    built(repository, minted.path("exportToken")).then().body("recordCount", is(2));
    admin().get(repository + "/export?prefer=async&at=9").then().statusCode(404);
  }

  @Test
  void the_token_is_not_stored() {
    var token = mint(repository());
    var rows = database.list("select j::text from export_job j", row -> row.getString(1));
    assertFalse(rows.isEmpty());
    assertTrue(rows.stream().noneMatch(row -> row.contains(token)), "the token is in a row");
  }

  @Test
  void while_it_is_built_the_answer_says_pending() {
    var repository = repository();
    var token = jobs.mintWaiting(repository);
    progress(repository, token)
        .then()
        .statusCode(202)
        .contentType("application/json")
        .body("size()", is(1))
        .body("state", is("pending"));
  }

  @Test
  void an_unknown_token_one_of_another_repository_and_an_expired_one_are_404() {
    var repository = repository();
    var token = mint(repository);
    built(repository, token).then().statusCode(200);
    progress(repository, "nonsense").then().statusCode(404).body("code", is("NOT_FOUND"));
    progress(repository, "").then().statusCode(404);
    progress(repository(), token).then().statusCode(404).body("code", is("NOT_FOUND"));
    var link = link(repository, token);
    jobs.set(token, "expires_at = now()");
    progress(repository, token).then().statusCode(404).body("code", is("NOT_FOUND"));
    anonymous().get(link).then().statusCode(404);
  }

  @Test
  void an_expired_export_is_deleted_with_its_content() {
    var repository = repository();
    var token = mint(repository);
    built(repository, token).then().statusCode(200);
    var id = jobs.column(token, "id", UUID.class);
    assertEquals(1, jobs.chunks(id).size());
    jobs.set(token, "expires_at = now()");
    while (expiry.runBatch()) {
      // there may be those of other tests
    }
    assertEquals(List.of(), jobs.chunks(id));
    assertEquals(List.of(), database.list("select id from export_job where id = ?", r -> true, id));
  }

  @Test
  void a_link_lasts_no_longer_than_its_export() {
    var repository = repository();
    var token = mint(repository);
    built(repository, token).then().statusCode(200);
    jobs.set(token, "expires_at = date_trunc('milliseconds', now()) + interval '5 minutes'");
    long expires =
        database
            .first(
                "select (extract(epoch from expires_at) * 1000)::bigint from export_job where"
                    + " token_hash = ?",
                row -> row.getLong(1),
                hash(token))
            .orElseThrow();
    built(repository, token).then().body("expiresAt", is(expires));
  }

  @Test
  void exports_expire_with_their_repository_and_count_until_they_are_deleted() {
    var repository = repository();
    var token = mint(repository);
    var link = link(repository, token);
    var id = jobs.column(token, "id", UUID.class);
    admin().delete(repository).then().statusCode(200);
    anonymous().get(link).then().statusCode(404);
    assertTrue(jobs.column(token, "stored_bytes", Long.class) > 0);
    while (expiry.runBatch()) {
      // there may be those of other tests
    }
    assertEquals(List.of(), jobs.chunks(id));
    assertEquals(List.of(), database.list("select id from export_job where id = ?", r -> true, id));
  }

  @Test
  void an_export_that_waits_is_not_built_when_its_repository_is_deleted() {
    var repository = repository();
    var token = mint(repository);
    built(repository, token).then().statusCode(200);
    jobs.set(token, "state = 'pending', content_sha256 = null, due_at = now() + interval '1 h'");
    admin().delete(repository).then().statusCode(200);
    assertEquals("failed", jobs.column(token, "state", String.class));
  }

  @Test
  void the_chunks_of_a_large_export_are_deleted_some_at_a_time() {
    var repository = repository();
    var token = mint(repository);
    built(repository, token).then().statusCode(200);
    var id = jobs.column(token, "id", UUID.class);
    database.update(
        """
        insert into export_chunk (repo_id, job_id, attempt, start_at, bytes)
        select repo_id, id, 0, i, '' from export_job, generate_series(1, 40) i where id = ?
        """,
        id);
    jobs.set(token, "expires_at = '1970-01-01'");
    assertTrue(expiry.runBatch());
    assertEquals(25, jobs.chunks(id).size());
    assertTrue(expiry.runBatch());
    assertTrue(expiry.runBatch());
    assertEquals(List.of(), database.list("select id from export_job where id = ?", r -> true, id));
  }

  @Test
  void the_metrics_count_exports_and_their_bytes() {
    var repository = repository();
    built(repository, mint(repository)).then().statusCode(200);
    stream(repository);
    var metrics = anonymous().get("/q/metrics").asString();
    var lines =
        metrics
            .lines()
            .filter(line -> line.matches("cairn_exports_(built|bytes)_total.*"))
            .toList();
    assertEquals(3, lines.size(), metrics);
    assertThat(
        lines.stream().map(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ')))).toList(),
        everyItem(greaterThan(0.0)));
  }
}
