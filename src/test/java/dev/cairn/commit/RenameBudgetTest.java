package dev.cairn.commit;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.Limited.RENAMED_MIB;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.assertVerified;
import static dev.cairn.commit.Commits.assertion;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.rename;
import static dev.cairn.commit.Commits.shape;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Limited;
import dev.cairn.People;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Renames: the bytes that the renames of an organization rewrite in an hour. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
class RenameBudgetTest {
  private static final int BUDGET = RENAMED_MIB * 1_048_576;
  private static final String DRY = ",'dryRun':true";

  /** More than is refilled while a test runs: the budget of half a minute. */
  private static final int MARGIN = BUDGET / 120;

  private String repository;

  @BeforeEach
  void repository() {
    Limited.refill();
    repository = repositoryWithTarget();
  }

  private static String repositoryWithTarget() {
    var created = Api.newRepository();
    commit(
        created,
        ops(shape("D", "{'to?':'wref','all?':['wref'],'v?':'string'}"), add("D/t0", "{}")),
        "");
    return created;
  }

  private static ValidatableResponse submit(String repository, String operations, String members) {
    Limited.refill("commits");
    return Api.submit(repository, "{'operations':[" + operations + "]" + members + "}");
  }

  private static void commit(String repository, String operations, String members) {
    submit(repository, operations, members).statusCode(201);
  }

  private void commit(String operations) {
    commit(repository, operations, "");
  }

  private static String referring(String name, int length) {
    return add(name, "{'to':'D/t0','v':'" + "x".repeat(length) + "'}");
  }

  /** Refuses, and answers how many bytes the renames would rewrite. */
  private static int refused(ValidatableResponse answer) {
    return answer
        .statusCode(429)
        .header("Retry-After", matchesPattern("[1-9][0-9]*"))
        .body("code", is("RATE_LIMITED"))
        .body("details.limit", is("renamed-mib-per-hour"))
        .body("details.max", is(BUDGET))
        .body("hint", containsString("cairn.limits.renamed-mib-per-hour"))
        .extract()
        .path("details.needed");
  }

  /** How many bytes the only organization that renamed something has left. */
  private static long left() {
    return OwnConnections.database()
        .list("select tokens from rate_limit where bucket like 'renames:%'", r -> r.getLong(1))
        .getFirst();
  }

  private static void leave(long bytes) {
    OwnConnections.database()
        .update(
            "update rate_limit set tokens = ?, updated_at = clock_timestamp()"
                + " where bucket like 'renames:%'",
            bytes);
  }

  @Test
  void the_budget_counts_each_text_twice_and_a_refused_rename_changes_nothing() {
    commit(referring("D/x", 200_000));
    var headers = submit(repository, rename("D/t0", "t1"), "").statusCode(201).extract().headers();
    assertEquals(List.of(), toldOf(headers.getValues("RateLimit-Policy")));
    commit(rename("D/t1", "t0"));

    leave(0);
    int seq = admin().get(repository).path("repoSeq");
    int needed = refused(submit(repository, rename("D/t0", "t1"), ""));
    // The text of the version and that of HEAD, and the row of what is renamed itself.
    int least = 2 * 200_000 + 3 * StoredBytes.ROW;
    assertTrue(needed > least && needed < least + 500, needed + " bytes");
    admin().get(repository).then().body("repoSeq", is(seq));
    admin().get(repository + "/things/D/t0").then().statusCode(200);
    admin().get(repository + "/things/D/x").then().body("data.to", is("D/t0@v1"));

    leave(needed - MARGIN);
    submit(repository, rename("D/t0", "t1"), DRY).statusCode(200);
    refused(submit(repository, rename("D/t0", "t1"), ""));
    leave(needed);
    submit(repository, rename("D/t0", "t1"), DRY).statusCode(200);
    commit(rename("D/t0", "t1"));
    assertTrue(left() < MARGIN, left() + " left");
    assertVerified(repository);
  }

  @Test
  void a_token_that_does_not_read_everything_is_told_no_number() {
    commit(referring("D/x", 200_000));
    var token = People.narrowedPat(repository, "repo:write", "D/t*");
    commit(rename("D/t0", "t1"));
    commit(rename("D/t1", "t0"));
    leave(0);
    renameAs(token, DRY).statusCode(200);
    renameAs(token, "")
        .statusCode(429)
        .header("Retry-After", is("3600"))
        .body("details.limit", is("renamed-mib-per-hour"))
        .body("details.needed", nullValue())
        .body("detail", not(containsString("this commit")));
  }

  private static List<String> toldOf(List<String> limits) {
    return limits.stream().filter(limit -> limit.contains("renames")).toList();
  }

  private ValidatableResponse renameAs(String token, String members) {
    var body = "{'operations':[" + rename("D/t0", "t1") + "]" + members + "}";
    return as(token).body(body.replace('\'', '"')).post(repository + "/commits").then();
  }

  @Test
  void whatever_a_rename_rewrites_counts_and_other_organizations_have_a_budget_of_their_own() {
    commit(
        ops(
            shape("E", "{'to?':{'type':'wref','shape':'D'},'v?':'string'}"),
            add("E/e", "{'v':'" + "x".repeat(100_000) + "'}"),
            assertion("E/note", "'D/t0'", "{'v':'" + "x".repeat(1_000) + "'}"),
            add("D/u", "{'v':'" + "x".repeat(1_500) + "'}")));
    commit(rename("D/t0", "t1"));
    leave(-BUDGET);

    // Not the text of an assertion about it, which does not change, but its row with the text.
    int one = refused(submit(repository, rename("D/t1", "t2"), ""));
    assertTrue(one > 2 * StoredBytes.ROW + 1_000 && one < 2 * StoredBytes.ROW + 1_200, "" + one);
    // Names of one batch count together.
    int batch = refused(submit(repository, ops(rename("D/t1", "t2"), rename("D/u", "w")), ""));
    assertEquals(one + StoredBytes.ROW + "{\"v\":\"\"}".length() + 1_500, batch);
    // A shape's are the rows of all that is under it, of which a long text is not written again,
    // and the definitions that name it.
    int ofShape = refused(submit(repository, rename("E", "F"), ""));
    assertTrue(
        ofShape > 3 * StoredBytes.ROW + 2_048 + 1_000 && ofShape < 3 * StoredBytes.ROW + 3_500,
        "" + ofShape);
    int named = refused(submit(repository, rename("D", "F"), ""));
    assertTrue(named > batch + 2 * StoredBytes.ROW, named + " bytes");

    commit(ops(add("D/new", "{}"), rename("D/new", "newer")));
    var other = repositoryWithTarget();
    commit(other, rename("D/t0", "t1"), "");
  }

  @Test
  void one_rename_may_take_more_than_the_budget_if_it_is_full_and_the_next_ones_wait() {
    commit(ops(referring("D/x", 400_000), referring("D/y", 400_000)));
    long least = 2 * (2 * 400_000 + 2 * StoredBytes.ROW);
    commit(rename("D/t0", "t1"));
    assertTrue(left() < BUDGET - least, left() + " left");

    int seconds =
        Integer.parseInt(
            submit(repository, rename("D/x", "z"), "").extract().header("Retry-After"));
    assertTrue(seconds > (least - BUDGET) / (BUDGET / 3_600) - 60, seconds + " s");
    assertEquals(0, seconds % 600, "ten minutes");
    refused(submit(repository, rename("D/x", "z"), ""));
    leave(BUDGET - MARGIN);
    refused(submit(repository, rename("D/t1", "t0"), ""));
    leave(BUDGET);
    commit(rename("D/t1", "t0"));
  }

  /** Fills most of the organization, and the bucket. */
  private void fill() {
    for (int i = 0; i < 3; i++) {
      commit(add("D/filled-" + i, "{'v':'" + "x".repeat(550_000) + "'}"));
    }
    commit(rename("D/filled-0", "full"));
    leave(BUDGET);
  }

  @Test
  void a_commit_that_the_quota_of_stored_bytes_refuses_has_taken_nothing() {
    commit(referring("D/x", 200_000));
    fill();

    var more = add("D/more", "{'v':'" + "x".repeat(550_000) + "'}");
    submit(repository, ops(rename("D/t0", "t1"), more), "")
        .statusCode(413)
        .body("details.limit", is("bytes-per-organization"));
    assertEquals(BUDGET, left());
    commit(rename("D/t0", "t1"));
    assertTrue(left() < BUDGET - 2 * 200_000, left() + " left");
  }

  @Test
  void a_rename_that_fails_when_it_is_written_has_taken_its_bytes() {
    var names = String.join(",", Collections.nCopies(900, "'D/t0'"));
    commit(add("D/x", "{'all':[" + names + "]}"));
    fill();

    submit(repository, rename("D/t0", "x".repeat(500)), "")
        .statusCode(413)
        .body("details.limit", is("bytes-per-organization"));
    assertTrue(left() < BUDGET - 2 * 900 * "D/t0@v1".length(), left() + " left");
    admin().get(repository + "/things/D/t0").then().statusCode(200);
  }
}
