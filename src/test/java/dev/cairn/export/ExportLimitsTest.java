package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/export.md: what a stream may take. The pool is small, so that there is one at a time. */
@HttpTest
@QuarkusTest
@TestProfile(ExportLimitsTest.Limited.class)
class ExportLimitsTest {
  private static final int ITEMS = 14;
  private static final int ITEM = 1_000_000;

  /** A second for a stream, and room for one. */
  public static class Limited implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "cairn.limits.export-stream-seconds", "1",
          "cairn.limits.unread-answer-seconds", "60",
          "cairn.database.pool-size", "7");
    }
  }

  private static String largeRepository() {
    var repository = newRepository();
    commit(
            repository,
            "{'operation':'add','name':'Shape/S','data':{'fields':{}}},"
                + IntStream.range(0, ITEMS)
                    .mapToObj(
                        i ->
                            "{'operation':'add','name':'S/%d','data':{'n':'%s'}}"
                                .formatted(i, "x".repeat(ITEM)))
                    .collect(Collectors.joining(",")))
        .statusCode(201);
    return repository;
  }

  /** Begins a stream and reads the first byte of it. */
  private static Socket begin(String repository) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4 * 1024);
    socket.setSoTimeout(30_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    var request =
        "GET %s/export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(repository, Api.adminToken());
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    assertEquals('H', socket.getInputStream().read());
    return socket;
  }

  private static byte[] rest(Socket socket) throws IOException {
    var all = new ByteArrayOutputStream();
    var buffer = new byte[64 * 1024];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        all.write(buffer, 0, n);
      }
    } catch (SocketException e) {
      // Reset: the other way to hang up.
    }
    return all.toByteArray();
  }

  @Test
  void a_stream_that_takes_too_long_is_broken_off_and_never_looks_complete() throws Exception {
    var repository = largeRepository();
    try (var slow = begin(repository)) {
      // Meanwhile there is no room for another one.
      admin()
          .get(repository + "/export")
          .then()
          .statusCode(503)
          .header("Retry-After", notNullValue())
          .body("code", is("UNAVAILABLE"));
      Thread.sleep(1_500);
      var text = new String(rest(slow), ISO_8859_1);
      assertTrue(text.length() < ITEMS * ITEM, "all of it was sent in spite of all");
      assertFalse(text.endsWith("0\r\n\r\n"), "the body has an end");
      assertFalse(text.contains("UNAVAILABLE"), "the problem was sent into the stream");
    }
    admin().get(newRepository() + "/export").then().statusCode(200);
  }
}
