package dev.cairn.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.component.ServerAddress.Server;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Doctor: how the paths of a component's server are called. */
class HealthPathsTest {
  @Test
  void a_path_is_called_on_behalf_of_the_tenant_and_the_call_tells_nothing_of_it() {
    var tenantId = UUID.randomUUID();
    var server = new Server("https://frost.example/base", UUID.randomUUID());
    var request = HealthPaths.request(tenantId, server, "/health", Duration.ofSeconds(1));
    assertEquals(tenantId.toString(), request.requester());
    assertEquals("GET", request.method());
    assertEquals("https://frost.example/base/health", request.url());
    assertEquals(Map.of(), request.headers());
    assertNull(request.body());
  }
}
