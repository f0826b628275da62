package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;

import dev.cairn.BehindProxy;
import dev.cairn.HttpTest;
import dev.cairn.mcp.Subscribed;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** docs/live.md, The end: without commits. {@link LifetimeTest} has the times. */
@HttpTest
@QuarkusTest
@TestProfile(BehindProxy.class)
class LiveIdleTest {
  @Test
  void streams_subscriptions_and_sockets_without_commits_end() {
    var repository = newRepository();
    try (var stream = Events.of(adminToken(), repository);
        var subscription = Subscribed.to(adminToken(), Subscribed.uri(repository, "shapes"));
        var socket = LiveClient.of(adminToken(), repository)) {
      stream.endsFor("idle");
      subscription.ends();
      socket.endsWith(1000, "idle");
    }
  }
}
