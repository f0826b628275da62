package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.export.Exports.added;
import static dev.cairn.export.Exports.ask;
import static dev.cairn.export.Exports.built;
import static dev.cairn.export.Exports.builtFor;
import static dev.cairn.export.Exports.mint;
import static dev.cairn.export.Exports.progress;
import static dev.cairn.export.Exports.refused;
import static dev.cairn.export.Exports.viewers;
import static dev.cairn.export.JobRows.hash;
import static dev.cairn.export.JobRows.largeRepository;
import static dev.cairn.export.JobRows.repository;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Worker;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, Jobs: how many bytes exports take, and which of them give way. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker of exports.")
class ExportBytesTest {
  private static final long FIVE_GIB = 5L * 1024 * 1024 * 1024;
  private static final long TWENTY_GIB = 4 * FIVE_GIB;

  @Inject Database database;
  @Inject Worker<ExportAttempt, BuildResult> worker;

  private JobRows jobs;

  @BeforeEach
  void rows() {
    jobs = new JobRows(database);
  }

  /** Lets an export be that of another account. */
  private void askedBy(String token, String email) {
    jobs.set(token, "account_id = (select id from account where email = '" + email + "')");
  }

  /** A repository in a new organization of somebody; answers its path. */
  private static String repositoryOf(People.Person owner) {
    var org = Api.unique("owned");
    as(owner.token()).body(Map.of("name", org)).post("/api/orgs").then().statusCode(201);
    return added(owner.token(), org);
  }

  private static People.Person administrator() {
    return new People.Person("admin@example.org", Api.adminToken());
  }

  /** Lets all exports but those of one have this number of bytes together. */
  private void storedByOthers(String large, String own, long bytes) {
    jobs.set(
        large,
        "stored_bytes = %d - (select coalesce(sum(stored_bytes), 0) from export_job where"
                .formatted(bytes)
            + " token_hash not in ('\\x%s', '\\x%s'))".formatted(hex(large), hex(own)));
  }

  private static String hex(String token) {
    return HexFormat.of().formatHex(hash(token));
  }

  private long bytes(UUID id) {
    return database
        .first(
            "select coalesce(sum(octet_length(bytes)), 0) from export_chunk where job_id = ?",
            row -> row.getLong(1),
            id)
        .orElseThrow();
  }

  private void assertNoRoom(String repository, String token) {
    jobs.set(token, "due_at = now()");
    worker.wakeAll();
    built(repository, token).then().statusCode(409).body("details.reason", is("export_share_full"));
  }

  @Test
  void all_exports_have_twenty_gibibytes_and_one_that_outgrows_them_is_given_up() {
    var other = repository();
    var large = mint(other);
    built(other, large).then().statusCode(200);
    // Somebody else's, so that it is not in the share of the administrator.
    var somebody = People.stranger().email();
    askedBy(large, somebody);
    var repository = largeRepository();
    var token = jobs.mintWaiting(repository);
    var id = jobs.column(token, "id", UUID.class);
    assertEquals(jobs.column(token, "stored_bytes", Long.class), bytes(id));
    jobs.set(large, "stored_bytes = " + TWENTY_GIB);
    try {
      jobs.set(token, "due_at = now()");
      worker.wakeAll();
      built(repository, token).then().statusCode(409).body("details.reason", is("exports_full"));
      assertEquals(List.of(), jobs.chunks(id));
      assertEquals(0L, jobs.column(token, "stored_bytes", Long.class));
      refused(ask(Api.adminToken(), repository), "export-bytes", TWENTY_GIB)
          .header("Retry-After", notNullValue());
      askedBy(large, "admin@example.org");
      assertEquals(large, mint(other), "what was built is given all the same");
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
    var again = mint(repository);
    assertNotEquals(token, again);
    built(repository, again).then().statusCode(200).body("details", nullValue());
    progress(repository, token).then().statusCode(409);
  }

  @Test
  void an_organization_has_a_quarter_of_the_bytes_and_others_still_export() {
    var first = repository();
    var org = first.split("/", -1)[3];
    var viewer = People.member(org, "viewer");
    var large = builtFor(People.member(org, "owner"), first);
    var second = added(Api.adminToken(), org);
    jobs.set(large, "stored_bytes = " + FIVE_GIB);
    try {
      var answer = ask(viewer.token(), second);
      refused(answer, "export-bytes-share", FIVE_GIB).body("details.used", is(FIVE_GIB));
      int seconds = Integer.parseInt(answer.getHeader("Retry-After"));
      assertTrue(seconds > 86_000 && seconds <= 86_401, "" + seconds);
      ask(Api.adminToken(), repository()).then().statusCode(202);
      as(viewer.token()).get(second + "/export").then().statusCode(200);
      jobs.set(large, "stored_bytes = " + (FIVE_GIB - 1));
      ask(viewer.token(), second).then().statusCode(202);
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
  }

  @Test
  void the_oldest_export_of_the_account_with_the_most_bytes_gives_way_to_others_of_no_lower_role() {
    var first = repository();
    var org = first.split("/", -1)[3];
    var second = added(Api.adminToken(), org);
    var viewer = People.member(org, "viewer");
    var other = People.member(org, "viewer");
    var oldest = builtFor(viewer, first);
    var newest = builtFor(viewer, second);
    jobs.set(oldest, "stored_bytes = " + (FIVE_GIB - 2));
    jobs.set(newest, "stored_bytes = 2");
    try {
      refused(ask(viewer.token(), added(Api.adminToken(), org)), "export-bytes-share", FIVE_GIB);
      ask(Api.adminToken(), first).then().statusCode(202);
      progress(first, oldest).then().statusCode(404);
      progress(second, newest).then().statusCode(200);
      jobs.set(newest, "stored_bytes = " + FIVE_GIB);
      ask(other.token(), second).then().statusCode(202);
      progress(second, newest).then().statusCode(404);
    } finally {
      jobs.set(oldest, "stored_bytes = 0");
      jobs.set(newest, "stored_bytes = 0");
    }
  }

  @Test
  void an_account_with_a_lower_role_gives_way_however_little_it_keeps() {
    var first = repository();
    var org = first.split("/", -1)[3];
    var viewer = People.member(org, "viewer");
    var viewers = builtFor(viewer, first);
    var editor = People.member(org, "editor");
    var editors = builtFor(editor, first);
    jobs.set(viewers, "stored_bytes = 1");
    jobs.set(editors, "stored_bytes = " + (FIVE_GIB - 1));
    try {
      ask(editor.token(), added(Api.adminToken(), org)).then().statusCode(202);
      progress(first, viewers).then().statusCode(404);
      progress(first, editors).then().statusCode(200);
    } finally {
      jobs.set(viewers, "stored_bytes = 0");
      jobs.set(editors, "stored_bytes = 0");
    }
  }

  @Test
  void an_export_that_is_built_for_an_account_without_a_role_gives_way_to_one_with_a_role() {
    var first = repository();
    var org = first.split("/", -1)[3];
    var left = People.member(org, "viewer");
    var built = builtFor(left, first);
    jobs.set(
        built,
        "state = 'pending', content_sha256 = null, due_at = 'infinity', stored_bytes = "
            + FIVE_GIB);
    try {
      admin().delete("/api/orgs/" + org + "/members/" + left.inPath()).then().statusCode(200);
      ask(Api.adminToken(), added(Api.adminToken(), org)).then().statusCode(202);
      progress(first, built).then().statusCode(404);
    } finally {
      jobs.set(built, "stored_bytes = 0");
    }
  }

  @Test
  void an_account_with_as_many_bytes_as_the_requesting_one_does_not_give_way_unless_it_has_left() {
    var first = repository();
    var org = first.split("/", -1)[3];
    var second = added(Api.adminToken(), org);
    var viewer = People.member(org, "viewer");
    var own = builtFor(viewer, first);
    var other = People.member(org, "viewer");
    var others = builtFor(other, first);
    jobs.set(own, "stored_bytes = " + FIVE_GIB / 2);
    jobs.set(others, "stored_bytes = " + FIVE_GIB / 2);
    try {
      refused(ask(viewer.token(), second), "export-bytes-share", FIVE_GIB);
      admin().delete("/api/orgs/" + org + "/members/" + other.inPath()).then().statusCode(200);
      ask(viewer.token(), second).then().statusCode(202);
      progress(first, others).then().statusCode(404);
    } finally {
      jobs.set(own, "stored_bytes = 0");
      jobs.set(others, "stored_bytes = 0");
    }
  }

  @Test
  void an_export_that_is_being_built_gives_way_as_well() {
    var repository = repository();
    var org = repository.split("/", -1)[3];
    var viewer = People.member(org, "viewer");
    var building = jobs.mintWaiting(repository);
    askedBy(building, viewer.email());
    jobs.set(building, "stored_bytes = " + FIVE_GIB);
    try {
      ask(Api.adminToken(), repository).then().statusCode(202);
      assertEquals("failed", jobs.column(building, "state", String.class));
      progress(repository, building).then().statusCode(404);
    } finally {
      jobs.set(building, "stored_bytes = 0");
    }
  }

  @Test
  void an_account_has_a_quarter_of_the_bytes_over_all_organizations() {
    var stranger = People.stranger();
    var large = builtFor(stranger, repositoryOf(stranger));
    var other = repositoryOf(stranger);
    jobs.set(large, "stored_bytes = " + FIVE_GIB);
    try {
      refused(ask(stranger.token(), other), "export-bytes-share", FIVE_GIB);
      ask(Api.adminToken(), repository()).then().statusCode(202);
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
  }

  @Test
  void an_account_leaves_as_much_free_as_it_has() {
    long oneGib = FIVE_GIB / 5;
    var first = People.stranger();
    var large = builtFor(first, repositoryOf(first));
    var second = People.stranger();
    var own = builtFor(second, repositoryOf(second));
    var other = repositoryOf(second);
    storedByOthers(large, own, TWENTY_GIB - 2 * oneGib);
    try {
      jobs.set(own, "stored_bytes = " + oneGib);
      refused(ask(second.token(), other), "export-bytes-share", oneGib)
          .header("Retry-After", notNullValue())
          .body("details.used", is((int) oneGib));
      jobs.set(own, "stored_bytes = " + (oneGib - 1));
      ask(second.token(), other).then().statusCode(202);
    } finally {
      jobs.set(large, "stored_bytes = 0");
      jobs.set(own, "stored_bytes = 0");
    }
  }

  @Test
  void an_export_that_would_leave_less_free_than_its_account_has_is_given_up() {
    var somebody = People.stranger();
    var large = builtFor(somebody, repositoryOf(somebody));
    var repository = largeRepository();
    var token = jobs.mintWaiting(repository);
    // Room for one piece and a half.
    storedByOthers(large, token, TWENTY_GIB - 3_000_000);
    try {
      assertNoRoom(repository, token);
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
  }

  @Test
  void an_export_that_outgrows_the_share_is_given_up() {
    var repository = largeRepository();
    var token = jobs.mintWaiting(repository);
    var org = repository.split("/", -1)[3];
    askedBy(token, People.member(org, "viewer").email());
    var large = builtFor(administrator(), added(Api.adminToken(), org));
    jobs.set(large, "stored_bytes = " + (FIVE_GIB - 1_500_000));
    try {
      assertNoRoom(repository, token);
      assertEquals(List.of(), jobs.chunks(jobs.column(token, "id", UUID.class)));
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
    built(repository, mint(repository)).then().statusCode(200);
  }

  @Test
  void an_export_of_a_viewer_gives_way_to_one_of_an_owner_that_is_being_built() {
    var repository = largeRepository();
    var token = jobs.mintWaiting(repository);
    var org = repository.split("/", -1)[3];
    var other = added(Api.adminToken(), org);
    var large = builtFor(People.member(org, "viewer"), other);
    jobs.set(large, "stored_bytes = " + (FIVE_GIB - 1_500_000));
    try {
      jobs.set(token, "due_at = now()");
      worker.wakeAll();
      built(repository, token).then().statusCode(200);
      progress(other, large).then().statusCode(404);
    } finally {
      jobs.set(large, "stored_bytes = 0");
    }
  }
}
