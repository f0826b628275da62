package dev.cairn.access.token;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.access.Caller;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/live.md, Tickets: what they take in memory and in the database. */
@HttpTest
@QuarkusTest
@InProcess("It looks at the objects of tokens.")
class LiveTicketsTest {
  private static final int PATTERNS = 100;
  private static final int MAX_ROW_BYTES = 300;

  @Inject LiveTickets tickets;

  private static String ticket(String token, String repository) {
    return Prepared.answer(201, token, "POST", repository + "/live/tickets", null)
        .path("ticket")
        .textValue();
  }

  private static String narrowed(String repository) {
    return People.narrowedPat(
        repository,
        "repo:read",
        IntStream.range(0, PATTERNS)
            .mapToObj(i -> "S/" + "\u754c".repeat(150) + i)
            .toArray(String[]::new));
  }

  private List<Glob> patterns(String ticket) {
    var account = (Caller.SignedIn) tickets.redeem(ticket, "127.0.0.1").caller();
    return account.token().scopes().entries().getFirst().allowedMatches().orElseThrow();
  }

  private static long count(String sql, UUID repoId) {
    return OwnConnections.database().first(sql, row -> row.getLong(1), repoId).orElseThrow();
  }

  @Test
  void all_tickets_of_a_token_share_its_patterns() {
    var repository = newRepository("private");
    var token = narrowed(repository);
    var first = patterns(ticket(token, repository));
    var second = patterns(ticket(token, repository));
    assertEquals(PATTERNS, first.size());
    for (int i = 0; i < PATTERNS; i++) {
      assertSame(first.get(i), second.get(i));
    }
  }

  @Test
  void a_ticket_of_a_narrowed_token_is_stored_without_its_patterns() {
    var repository = newRepository("private");
    ticket(narrowed(repository), repository);
    long bytes =
        count(
            "select sum(pg_column_size(t)) from live_ticket t where repo_id = ?",
            Api.repoId(repository));
    assertTrue(bytes < MAX_ROW_BYTES, bytes + " bytes");
  }

  @Test
  void a_new_ticket_deletes_two_that_have_expired() {
    var repository = newRepository("private");
    var id = Api.repoId(repository);
    for (int i = 0; i < 3; i++) {
      ticket(adminToken(), repository);
    }
    OwnConnections.database()
        .update("update live_ticket set expires_at = '2000-01-01' where repo_id = ?", id);
    ticket(adminToken(), newRepository("private"));
    assertEquals(1, count("select count(*) from live_ticket where repo_id = ?", id));
  }
}
