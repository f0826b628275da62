package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.live.LiveLimitTest.Few;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** docs/live.md: The end, Limits, of WebSockets. */
@HttpTest
@QuarkusTest
@InProcess("It has settings of its own.")
@TestProfile(Few.class)
class SocketLimitTest {
  private static String repository() {
    var repository = newRepository();
    Prepared.commit(
        repository, "{'operation':'add','name':'Shape/S','data':{'fields':{'n?':'any'}}}");
    return repository;
  }

  @Test
  void an_account_has_so_many_sockets_and_one_without_commits_ends() {
    var repository = repository();
    try (var first = LiveClient.of(adminToken(), repository);
        var second = LiveClient.of(adminToken(), repository);
        var third = LiveClient.of(adminToken(), repository)) {
      var refused =
          assertThrows(CompletionException.class, () -> LiveClient.of(adminToken(), repository));
      assertTrue(
          refused.getCause() instanceof java.net.http.WebSocketHandshakeException handshake
              && handshake.getResponse().statusCode() == 429,
          refused::toString);
      first.endsWith(1000, "idle");
      second.endsWith(1000, "idle");
      third.endsWith(1000, "idle");
    }
    Eventually.await(
        "there is room again",
        () -> {
          try (var client = LiveClient.of(adminToken(), repository)) {
            client.snapshot("q", "{}");
            return true;
          } catch (CompletionException _) {
            return false;
          }
        });
  }

  @Test
  void a_socket_ends_after_its_longest_time_although_there_are_commits()
      throws InterruptedException {
    var repository = repository();
    try (var client = LiveClient.of(null, repository)) {
      client.snapshot("q", "{}");
      for (int i = 0; !client.hasEnded() && i < 30; i++) {
        Prepared.commit(repository, "{'operation':'add','name':'S/%d','data':{}}".formatted(i));
        Thread.sleep(Duration.ofMillis(500));
      }
      client.endsWith(1000, "max_duration");
    }
  }
}
