package dev.cairn.platform;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operation: the memory of large answers. */
@HttpTest
@QuarkusTest
@InProcess("It takes room of the service itself.")
class PageMemoryTest {
  private static final int ITEM = 700_000;
  private static final int ITEMS = 10;

  @Inject PageMemory memory;

  /** All room of one kind of callers, until it is closed. */
  private final class AllRoom implements AutoCloseable {
    private final List<Runnable> releases = new ArrayList<>();

    AllRoom(boolean isAnonymous) {
      for (var held = memory.tryHold(isAnonymous);
          held.isPresent();
          held = memory.tryHold(isAnonymous)) {
        releases.add(held.get());
      }
    }

    @Override
    public void close() {
      releases.forEach(Runnable::run);
    }
  }

  private int free(boolean isAnonymous) {
    try (var all = new AllRoom(isAnonymous)) {
      return all.releases.size();
    }
  }

  private static ValidatableResponse page(String repository, String more) {
    return anonymous().get(repository + "/head?shape=S" + more).then().statusCode(200);
  }

  private static Response batch(String repository) {
    var wrefs = IntStream.range(0, ITEMS).mapToObj(i -> "S/" + i).toList();
    return anonymous().body(Map.of("wrefs", wrefs)).post(repository + "/things/batch");
  }

  @Test
  void without_room_pages_are_short_and_all_of_them_hold_everything() {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    page(repository, "").body("items", hasSize(ITEMS)).body("nextCursor", nullValue());
    try (var _ = new AllRoom(true)) {
      int found = 0;
      String cursor = "";
      while (cursor != null) {
        var page = page(repository, cursor).body("items", hasSize(1)).extract();
        cursor = page.path("nextCursor");
        cursor = cursor == null ? null : "&cursor=" + cursor;
        found++;
      }
      assertEquals(ITEMS, found);
      anonymous().get(repository + "/things/S/1").then().statusCode(200);
      admin()
          .get(repository + "/head?shape=S")
          .then()
          .statusCode(200)
          .body("items", hasSize(ITEMS));
    }
    try (var _ = new AllRoom(false)) {
      admin()
          .get(repository + "/head?shape=S")
          .then()
          .statusCode(200)
          .body("items", hasSize(1))
          .body("nextCursor", notNullValue());
      page(repository, "").body("items", hasSize(ITEMS));
    }
  }

  @Test
  void a_batch_waits_for_room_and_is_refused_if_none_comes() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    try (var all = new AllRoom(true)) {
      batch(repository)
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", is("UNAVAILABLE"));
      anonymous()
          .body(Map.of("wrefs", List.of("S/1")))
          .post(repository + "/things/batch")
          .then()
          .statusCode(200);

      var waiting = CompletableFuture.supplyAsync(() -> batch(repository));
      while (memory.waiting() == 0) {
        assertTrue(!waiting.isDone(), "it has to wait");
        Thread.sleep(5);
      }
      all.releases.removeLast().run();
      waiting.get(30, TimeUnit.SECONDS).then().statusCode(200).body("items", hasSize(ITEMS));
    }
  }

  @Test
  void the_room_of_a_page_is_given_back_with_its_bytes_or_its_connection() throws Exception {
    var repository = Api.repositoryOf(ITEMS, ITEM);
    int free = free(true);
    assertTrue(free > 0);
    var head = "GET " + repository + "/head?shape=S HTTP/1.1\r\nHost: localhost\r\n\r\n";
    var unread = new ArrayList<Socket>();
    try {
      for (int i = 0; i < free + 2; i++) {
        unread.add(asked(head));
        unread.getLast().getInputStream().read();
        asked(head).close();
      }
      for (int i = 0; i < 500 && free(true) < free; i++) {
        Thread.sleep(20);
      }
      assertEquals(free, free(true));
    } finally {
      for (var socket : unread) {
        socket.close();
      }
    }
  }

  private static Socket asked(String head) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port);
    socket.setSoTimeout(20_000);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }
}
