package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.egress.InsideNames;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever a URL is stored: nobody learns which names exist in the networks around the service. */
@HttpTest
@QuarkusTest
@InProcess("It gives the service a name of an inside address.")
class InsideNameTest {
  private String repository;

  @BeforeEach
  void make() {
    repository = Subs.repository();
  }

  /** With https, both are stored; otherwise both are refused in the same words. */
  private static void assertAlike(String scheme, int stored, Function<String, Response> store) {
    var answers = InsideNames.urls(scheme).map(store).toList();
    if (scheme.equals("https")) {
      assertEquals(List.of(stored, stored), answers.stream().map(Response::statusCode).toList());
    } else {
      var refused = InsideNames.masked(answers.getLast().asString());
      assertEquals(400, answers.getLast().statusCode(), refused);
      assertEquals(400, answers.getFirst().statusCode(), refused);
      assertEquals(refused, InsideNames.masked(answers.getFirst().asString()));
    }
  }

  private Response subscribe(String body) {
    return admin().body(body.replace('\'', '"')).post(repository + "/subs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void making_a_subscription_tells_nothing_of_the_name_in_its_url(String scheme) {
    assertAlike(
        scheme, 201, url -> subscribe(Subs.webhook(Api.unique("w")).replace(Subs.URL, url)));
    assertAlike(
        scheme,
        201,
        url -> subscribe(Subs.cron(Api.unique("c"), "0 0 * * *", "").replace(Subs.URL, url)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void changing_a_subscription_tells_nothing_of_the_name_in_its_url(String scheme) {
    Subs.subscribe(repository, Subs.webhook("w")).statusCode(201);
    assertAlike(
        scheme,
        200,
        url -> admin().body("{\"webhookUrl\":\"" + url + "\"}").patch(repository + "/subs/w"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void the_settings_of_a_repository_tell_nothing_of_the_name_in_their_url(String scheme) {
    var settings = "{\"settings\":{\"notifications\":{\"webhookUrl\":\"%s\"}}}";
    assertAlike(scheme, 200, url -> admin().body(settings.formatted(url)).patch(repository));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https", "http"})
  void a_registration_tells_nothing_of_the_name_in_its_setup_url(String scheme) {
    var body =
        "{\"setupUrl\":\"%s\",\"manifest\":{\"component\":{\"id\":\"%s\",\"name\":\"C\",\"version\":\"1.0.0\"}}}";
    var path = "/api/component-registry/" + repository.split("/", -1)[3] + "/";
    assertAlike(
        scheme,
        201,
        url -> {
          var name = Api.unique("c");
          return admin().body(body.formatted(url, name)).put(path + name);
        });
  }
}
