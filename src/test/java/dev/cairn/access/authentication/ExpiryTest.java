package dev.cairn.access.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Stored;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.session.RefreshTokens;
import dev.cairn.access.session.Session;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Operation: what time has made useless is deleted. */
@HttpTest
@QuarkusTest
@InProcess("It has what has expired removed.")
class ExpiryTest {
  @Inject Expiry expiry;
  @Inject RefreshTokens refreshTokens;
  @Inject SignInAddresses addresses;
  @Inject AccountAudit audit;
  @Inject Database database;

  private void all() {
    boolean more = true;
    while (more) {
      more = expiry.runBatch();
    }
  }

  private long count(String sql, Object... parameters) {
    return database.first(sql, row -> row.getLong(1), parameters).orElseThrow();
  }

  @Test
  void rate_limits_unused_for_an_hour_go_however_many_and_others_stay() {
    assertGoAfter(Duration.ofHours(1), Api.unique("expiry"));
  }

  /** Those may owe tokens for more than an hour. */
  @Test
  void rate_limits_of_renames_stay_for_a_day() {
    assertGoAfter(Duration.ofDays(1), "renames:" + Api.unique("expiry"));
  }

  private void assertGoAfter(Duration age, String prefix) {
    buckets(prefix + "-old", 2_500, age.plusSeconds(5));
    buckets(prefix + "-new", 3, age.minusMinutes(1));

    all();

    var counting = "select count(*) from rate_limit where bucket like ?";
    assertEquals(0, count(counting, prefix + "-old%"));
    assertEquals(3, count(counting, prefix + "-new%"));
  }

  private void buckets(String name, int count, Duration age) {
    database.update(
        "insert into rate_limit select ? || i, 1, ? from generate_series(1, ?) as i",
        name,
        Instant.now().minus(age),
        count);
  }

  @Test
  void answers_of_commits_go_after_a_day_and_give_their_bytes_back() {
    var repository = Api.newRepository();
    var body =
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"Shape/S\",\"data\":{\"fields\":{}}}]}";
    Api.admin()
        .header("Idempotency-Key", "key")
        .body(body)
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    long before = Stored.assertCounted(repository);
    database.update(
        "update idempotency_key set created_at = now() - interval '25 hours' where repo_id = ?",
        Api.repoId(repository));
    all();
    assertTrue(Stored.assertCounted(repository) < before, "nothing was given back");
  }

  @Test
  void expired_sessions_and_refresh_tokens_go_and_others_stay() {
    var account = AccountRows.insert(Api.unique("expiry") + "@example.org", "E", "a long password");
    var now = Instant.now();
    for (var age :
        List.of(Duration.ofDays(30).plusSeconds(1), Duration.ofDays(30).minusSeconds(60))) {
      refreshTokens.begin(Session.signIn(account), "192.0.2.1", now.minus(age));
    }
    assertEquals(List.of(2L, 2L), List.of(sessions(account), tokens(account)));

    all();

    assertEquals(List.of(1L, 1L), List.of(sessions(account), tokens(account)));
  }

  @Test
  void events_of_an_account_go_after_their_retention() {
    var account = AccountRows.insert(Api.unique("expiry") + "@example.org", "E", "a long password");
    for (int days : new int[] {364, 366}) {
      audit.record(account, "days." + days, "test", "192.0.2.1", Map.of());
      database.update(
          "update account_event set at = now() - make_interval(days => ?) where action = ?",
          days,
          "days." + days);
    }

    all();

    var left = "select count(*) from account_event where account_id = ? and action = ?";
    assertEquals(1, count(left, account, "days.364"));
    assertEquals(0, count(left, account, "days.366"));
  }

  @Test
  void addresses_of_sign_ins_go_after_30_days() {
    var account = AccountRows.insert(Api.unique("expiry") + "@example.org", "E", "a long password");
    var now = Instant.now();
    addresses.remember(account, "192.0.2.1", now.minus(Duration.ofDays(30)).minusSeconds(1));
    addresses.remember(account, "192.0.2.2", now.minus(Duration.ofDays(30)).plusSeconds(60));

    all();

    var counting = "select count(*) from sign_in_address where account_id = ? and address = ?";
    assertEquals(0, count(counting, account, "192.0.2.1"));
    assertEquals(1, count(counting, account, "192.0.2.2"));
  }

  private long tokens(UUID account) {
    return count(
        """
        select count(*) from refresh_token t join session s on s.id = t.session_id
        where s.account_id = ?
        """,
        account);
  }

  private long sessions(UUID account) {
    return count("select count(*) from session where account_id = ?", account);
  }
}
