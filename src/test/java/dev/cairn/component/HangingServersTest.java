package dev.cairn.component;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Metrics;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Uncommon;
import dev.cairn.action.Receiver;
import dev.cairn.egress.ScriptedServer;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/components.md}, Limits: servers that hang hold up neither the calls of others nor
 * reads. The profile lets a call take a minute.
 */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class HangingServersTest {
  private final Semaphore hung = new Semaphore(0);
  private final CountDownLatch released = new CountDownLatch(1);

  private void hang(ScriptedServer server, Socket socket) throws IOException, InterruptedException {
    server.readRequest(socket);
    hung.release();
    released.await();
    ScriptedServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  }

  /** Calls of new members of the repository's organization, as many of each as it may have. */
  private List<Future<Integer>> hanging(
      ExecutorService threads, CalledComponent component, int accounts) {
    var calls = new ArrayList<Future<Integer>>();
    for (int i = 0; i < accounts; i++) {
      var account = component.member("viewer");
      for (int j = 0; j < ServerCalls.MAX_OF_ACCOUNT; j++) {
        calls.add(threads.submit(() -> status(component, account)));
      }
    }
    return calls;
  }

  private static int status(CalledComponent component, String token) {
    return component.call(token, "find", "{}").extract().statusCode();
  }

  private void awaitHung(int count) throws InterruptedException {
    assertTrue(hung.tryAcquire(count, 50, TimeUnit.SECONDS), hung.availablePermits() + " hang");
  }

  @Test
  void they_hold_up_neither_the_calls_of_other_tenants_nor_reads() throws Exception {
    int accounts = ServerCalls.MAX_OF_TENANT / ServerCalls.MAX_OF_ACCOUNT;
    try (var server = ScriptedServer.on("127.0.0.1", this::hang);
        var receiver = new Receiver();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var calls = new ArrayList<Future<Integer>>();
      var refused = new ArrayList<Future<Integer>>();
      try {
        var url = "http://127.0.0.1:%d".formatted(server.port());
        for (int tenant = 0; tenant < 3; tenant++) {
          var component = CalledComponent.ofStranger().installed().configured(url);
          calls.addAll(hanging(threads, component, accounts));
          awaitHung(ServerCalls.MAX_OF_TENANT);
          // The tenant has as many as it may have, whoever calls.
          var member = component.member("viewer");
          refused.add(threads.submit(() -> status(component, member)));
        }
        var reader = People.stranger().token();
        as(reader).get("/api/repos/demo/world/head").then().statusCode(200);
        var other = CalledComponent.ofStranger().installed().configured(receiver.url(""));
        other.call(other.ownerToken(), "find", "{}").statusCode(200).body("status", is(200));
        for (var call : refused) {
          assertEquals(503, call.get());
        }
      } finally {
        released.countDown();
      }
      for (var call : calls) {
        assertEquals(200, call.get());
      }
    }
  }

  @Test
  void an_account_has_few_at_a_time() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> calls = List.of();
      try {
        var component =
            new CalledComponent(Api.newRepository())
                .installed()
                .configured("http://127.0.0.1:%d".formatted(server.port()));
        var account = component.member("viewer");
        calls =
            IntStream.range(0, ServerCalls.MAX_OF_ACCOUNT)
                .mapToObj(_ -> threads.submit(() -> status(component, account)))
                .toList();
        awaitHung(ServerCalls.MAX_OF_ACCOUNT);
        component.call(account, "find", "{}").statusCode(503).body("code", is("UNAVAILABLE"));
        calls = Stream.concat(calls.stream(), hanging(threads, component, 1).stream()).toList();
        awaitHung(ServerCalls.MAX_OF_ACCOUNT);
      } finally {
        released.countDown();
      }
      for (var call : calls) {
        assertEquals(200, call.get());
      }
    }
  }

  /** The answer to a request that waits while an account's calls hang, with what is done then. */
  private ValidatableResponse waited(
      CalledComponent component,
      String account,
      Supplier<ValidatableResponse> request,
      Runnable meanwhile)
      throws Exception {
    var calls = new ArrayList<Future<Integer>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        for (int i = 0; i < ServerCalls.MAX_OF_ACCOUNT; i++) {
          calls.add(threads.submit(() -> status(component, account)));
        }
        awaitHung(ServerCalls.MAX_OF_ACCOUNT);
        var waiting = threads.submit(request::get);
        Eventually.await("it waits", () -> Metrics.sum("cairn_components_waiting") > 0);
        meanwhile.run();
        released.countDown();
        return waiting.get();
      } finally {
        released.countDown();
        for (var call : calls) {
          assertEquals(200, call.get());
        }
        assertEquals(0, hung.availablePermits(), "calls that were made after the wait");
      }
    }
  }

  private CalledComponent installed(ScriptedServer server) {
    return new CalledComponent()
        .installed()
        .configured("http://127.0.0.1:%d".formatted(server.port()));
  }

  @Test
  void a_method_is_called_with_the_secrets_of_when_it_is_its_turn() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang)) {
      var component = installed(server);
      var account = component.member("viewer");
      var revoke = component.repository + "/credential-sets/caller/revoke";
      waited(
              component,
              account,
              () -> component.call(account, "find", "{}"),
              () -> admin().body("{}").post(revoke).then().statusCode(200))
          .statusCode(409)
          .body("details.reason", is("credentials_unavailable"));
    }
  }

  @Test
  void a_method_is_called_at_the_address_of_when_it_is_its_turn() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang);
        var receiver = new Receiver()) {
      var component = installed(server);
      var account = component.member("viewer");
      var moved =
          "{'operation':'revise','name':'ComponentConfig/caller','data':{'cliBaseUrl':'%s'}}"
              .formatted(receiver.url("/moved"));
      waited(
              component,
              account,
              () -> component.call(account, "find", "{}"),
              () -> Prepared.commit(component.repository, moved))
          .statusCode(200)
          .body("status", is(200));
      assertEquals("/moved/find", receiver.only().path());
    }
  }

  @Test
  void a_method_is_not_called_for_a_caller_whose_session_ended_while_it_waited() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang)) {
      var component = installed(server);
      var person = People.member(component.org(), "viewer");
      var other = Api.token(person.email(), People.PASSWORD);
      waited(
              component,
              person.token(),
              () -> component.call(person.token(), "find", "{}"),
              () -> as(other).delete("/api/sessions").then().statusCode(200))
          .statusCode(401);
    }
  }

  @Test
  void a_method_is_not_called_for_a_caller_whose_role_was_lowered_while_it_waited()
      throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang)) {
      var component = installed(server);
      var person = People.member(component.org(), "editor");
      var member = "/api/orgs/" + component.org() + "/members/" + person.inPath();
      waited(
              component,
              person.token(),
              () -> component.call(person.token(), "change", "{}"),
              () -> admin().body(Map.of("role", "viewer")).put(member).then().statusCode(200))
          .statusCode(403);
      admin()
          .get("/api/orgs/" + component.org() + "/audit")
          .then()
          .body("items.action", not(hasItem("component.called")));
    }
  }

  @Test
  void a_setup_call_goes_only_where_an_account_that_is_trusted_has_said_when_it_is_its_turn()
      throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", this::hang)) {
      var component = installed(server);
      var registrant = People.member(component.owner, "admin");
      var body =
          Registry.publicly(CalledComponent.manifest())
              .put("setupUrl", "http://127.0.0.1:%d".formatted(server.port()));
      Registry.put(as(registrant.token()), component.owner, CalledComponent.NAME, body)
          .then()
          .statusCode(200);
      var hash = component.hash();
      var editor = component.member("editor");
      var member = "/api/orgs/" + component.owner + "/members/" + registrant.inPath();
      waited(
              component,
              editor,
              () -> component.setUp(editor, component.installId, hash),
              () -> admin().delete(member).then().statusCode(200))
          .statusCode(409)
          .body("details.reason", is("setup_not_trusted"));
    }
  }
}
