package dev.cairn.oauth;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** OAuth: clients that are known by the URL of a document about themselves. */
@HttpTest
@QuarkusTest
@InProcess("It puts documents where the service fetches them.")
class ClientDocumentsTest {
  private static final String CALLBACK = "https://app.example/callback";
  private static final String NAME = "App of the web";
  private static final String ADDRESS = "192.0.2.7";

  @Inject DocumentShelf shelf;
  @Inject ClientDocuments documents;
  @Inject MeterRegistry metrics;

  private final String id = "https://app.example/" + Api.unique("client") + ".json";

  private static String document(String id) {
    return """
    {"client_id":"%s","client_name":"%s","redirect_uris":["%s"],
     "token_endpoint_auth_method":"none","grant_types":["authorization_code"]}
    """
        .formatted(id, NAME, CALLBACK);
  }

  private static Map<String, String> ask(String id) {
    var ask = Flow.askWith("client_id", id);
    ask.put("redirect_uri", CALLBACK);
    return ask;
  }

  private static void assertUnknown(String id) {
    new Web().get(Flow.url(ask(id))).then().statusCode(400).body(containsString("no such client"));
  }

  private void assertRefused(String body) {
    shelf.put(id, body, Duration.ofHours(1));
    assertUnknown(id);
  }

  @Test
  void the_document_makes_a_client_whose_host_vouches_for_it() {
    shelf.put(id, document(id), Duration.ofHours(1));
    var web = Web.signedIn();
    var page = web.get(Flow.url(ask(id)));
    page.then()
        .statusCode(200)
        .body(containsString(NAME))
        .body(containsString("A program of app.example"));
    var code = Web.query(Web.location(web.submit(page, Map.of("decision", "allow")))).get("code");
    var form = Flow.exchange(code);
    form.put("client_id", id);
    form.put("redirect_uri", CALLBACK);
    Flow.token(form).statusCode(200);
    Api.anonymous()
        .get("/.well-known/oauth-authorization-server")
        .then()
        .body("client_id_metadata_document_supported", is(true));
  }

  @Test
  void a_document_is_fetched_once_while_it_is_fresh() {
    shelf.put(id, document(id), Duration.ofHours(1));
    for (int i = 0; i < 3; i++) {
      Web.location(new Web().get(Flow.url(ask(id))));
    }
    assertEquals(1, shelf.fetched(id));
  }

  @Test
  void a_document_that_must_not_be_kept_and_a_bad_one_are_fetched_again() {
    shelf.put(id, document(id), Duration.ZERO);
    for (int i = 0; i < 3; i++) {
      Web.location(new Web().get(Flow.url(ask(id))));
    }
    assertEquals(3, shelf.fetched(id));
    shelf.put(id, "{}", Duration.ofHours(1));
    assertUnknown(id);
    assertUnknown(id);
    assertEquals(5, shelf.fetched(id));
  }

  @Test
  void a_document_must_be_about_its_own_url_and_hold_no_secret() {
    assertRefused(document(id + "x"));
    assertRefused(document("https://other.example/client.json"));
    assertRefused(document(id).replace("\"token_", "\"client_secret\":\"x\",\"token_"));
    assertRefused(document(id).replace(CALLBACK, "http://app.example/callback"));
    assertRefused(document(id).replace(CALLBACK, "javascript:alert(1)"));
    assertRefused(document(id).replace("\"" + CALLBACK + "\"", ""));
    assertRefused(document(id).replace("authorization_code", "password"));
    assertRefused(document(id).replace(CALLBACK, "https://a\\u0000/"));
    assertRefused("not json");
    assertRefused("[]");
  }

  /** The client of a document that has something else in the place of a text. */
  private Optional<Client> withInstead(String text, String other) {
    shelf.put(id, document(id).replace(text, other), Duration.ofHours(1));
    return documents.find(id, ADDRESS);
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#ALLOWED_URIS")
  void a_document_may_have_the_redirect_uris_of_a_registration(String uri) {
    assertEquals(Optional.of(List.of(uri)), withInstead(CALLBACK, uri).map(Client::redirectUris));
  }

  @ParameterizedTest
  @FieldSource("dev.cairn.oauth.ClientClaims#REFUSED_URIS")
  void a_document_with_another_redirect_uri_makes_no_client(String uri) {
    assertEquals(Optional.empty(), withInstead(CALLBACK, uri));
    assertEquals(Optional.empty(), withInstead(CALLBACK, CALLBACK + "\",\"" + uri));
  }

  @ParameterizedTest
  @FieldSource({"dev.cairn.oauth.ClientClaims#OWN_NAMES", "dev.cairn.oauth.ClientClaims#DISGUISES"})
  void a_document_with_a_name_that_is_reserved_or_a_disguise_makes_no_client(String name) {
    assertEquals(Optional.empty(), withInstead(NAME, name));
  }

  @ParameterizedTest
  @CsvSource({
    "https://app.example/callback, app.example",
    "https://cairn.example/cb, A program without a name",
    "com.evil.app://Cairn-CLI/cb, A program without a name"
  })
  void a_document_without_a_name_has_that_of_a_host_but_not_cairns_own(String uri, String name) {
    var unnamed = document(id).replace("\"client_name\":\"" + NAME + "\",", "");
    shelf.put(id, unnamed.replace(CALLBACK, uri), Duration.ofHours(1));
    assertEquals(Optional.of(name), documents.find(id, ADDRESS).map(Client::name));
  }

  @Test
  void the_redirect_uri_must_be_in_the_document() {
    shelf.put(id, document(id), Duration.ofHours(1));
    var ask = ask(id);
    ask.put("redirect_uri", "https://app.example/other");
    new Web().get(Flow.url(ask)).then().statusCode(400).body(containsString("redirect_uri"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://app.example/client.json",
        "https://app.example",
        "https://app.example/",
        "https://user@app.example/client.json",
        "https://app.example/client.json#x",
        "https://app.example/a/../client.json",
        "https://app.example/./client.json",
        "https:///client.json",
        "ftp://app.example/client.json"
      })
  void other_urls_are_not_fetched(String url) {
    shelf.put(url, document(url), Duration.ofHours(1));
    assertUnknown(url);
    assertEquals(0, shelf.fetched(url));
  }

  @Test
  void a_document_that_may_exist_is_no_unknown_client() {
    var why = "Its server is slow; try again.";
    shelf.fail(id, Problem.of(ErrorCode.UNAVAILABLE, why));
    Flow.post("/oauth/device_authorization", Map.of("client_id", id))
        .statusCode(503)
        .header("Retry-After", matchesPattern("[1-9][0-9]*"))
        .body("error", is("temporarily_unavailable"))
        .body("error_description", is(why));
    new Web()
        .get(Flow.url(ask(id)))
        .then()
        .statusCode(503)
        .header("Retry-After", matchesPattern("[1-9][0-9]*"))
        .body(containsString(why));
  }

  @Test
  void few_documents_are_fetched_at_once_and_networks_take_turns() throws Exception {
    var found = new ArrayList<Future<Optional<Client>>>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ClientDocuments.MAX_FETCHES; i++) {
        found.add(findSlowly(executor, id + i, ofSite(i)));
      }
      Eventually.await(
          "a fetch of each document has begun",
          () -> IntStream.range(0, found.size()).allMatch(i -> shelf.fetched(id + i) == 1));
      Flow.post("/oauth/device_authorization", Map.of("client_id", id))
          .statusCode(503)
          .body("error", is("temporarily_unavailable"))
          .body("error_description", containsString("try again"));
      assertEquals(0, shelf.fetched(id));

      var ninth = id + found.size();
      found.add(findSlowly(executor, ninth, ofSite(found.size())));
      Eventually.await("the ninth waits", () -> waiting(1));
      found.add(findSlowly(executor, id, "198.51.100.7"));
      Eventually.await("both wait", () -> waiting(2));
      shelf.answer(id + 0);
      Eventually.await("the other network is served", () -> shelf.fetched(id) == 1);
      assertEquals(0, shelf.fetched(ninth));

      shelf.answer(id);
      IntStream.range(1, found.size() - 1).forEach(i -> shelf.answer(id + i));
      for (var client : found) {
        assertTrue(client.get(20, TimeUnit.SECONDS).isPresent());
      }
    }
  }

  private Future<Optional<Client>> findSlowly(
      ExecutorService executor, String url, String address) {
    shelf.putSlow(url, document(url));
    return executor.submit(() -> documents.find(url, address));
  }

  /** An address in another network of 64 bits, of the 256 that one customer may have. */
  private static String ofSite(int network) {
    return "2001:db8:0:%x::1".formatted(network);
  }

  private boolean waiting(int count) {
    return metrics.get("cairn.client.documents.waiting").gauge().value() == count;
  }
}
