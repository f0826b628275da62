package dev.cairn.platform.http;

import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.vertx.http.runtime.filters.AbstractResponseWrapper;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A connection that is closed changes nothing of a request that is worked on. */
@HttpTest
@QuarkusTest
@InProcess("It looks into the responses of the service.")
class AbandonedRequestsTest {
  /** What the service does when the connection of a request is closed, by its query. */
  @Singleton
  static class Handlers {
    private static final Map<String, String> CLOSING = new ConcurrentHashMap<>();

    void register(@Observes Filters filters) {
      filters.register(
          context -> {
            var query = context.request().query();
            if (query != null && query.contains("abandoned")) {
              context.addHeadersEndHandler(
                  _ -> CLOSING.put(query, closing(context.response()) + ""));
            }
            context.next();
          },
          1);
    }
  }

  private static Object closing(HttpServerResponse response) {
    try {
      if (response instanceof AbstractResponseWrapper) {
        return closing(
            (HttpServerResponse) field(AbstractResponseWrapper.class, "delegate", response));
      }
      return field(response.getClass(), "closeHandler", response);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no close handler", e);
    }
  }

  private static Object field(Class<?> type, String name, Object of)
      throws ReflectiveOperationException {
    var field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  @Test
  void the_framework_does_nothing_when_the_connection_of_a_request_is_closed() {
    anonymous().get("/api/whoami?abandoned=1");
    anonymous().get("/api/repos/no/such/head?abandoned=2");
    anonymous().body("{}").post("/api/repos/no/such/commits?abandoned=3");
    assertEquals(Set.of("abandoned=1", "abandoned=2", "abandoned=3"), Handlers.CLOSING.keySet());
    Handlers.CLOSING.forEach(
        (query, closing) -> assertFalse(closing.contains("resteasy"), query + ": " + closing));
  }
}
