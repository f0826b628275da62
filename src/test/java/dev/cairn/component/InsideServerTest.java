package dev.cairn.component;

import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.egress.InsideNames;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls to servers of components tell nobody which names exist around the service. */
@HttpTest
@QuarkusTest
@InProcess("It gives the service a name of an inside address.")
class InsideServerTest {
  /** What is told of a server by a setup call, by the call of a method, and by the doctor. */
  private static List<String> told(String url) {
    var component = new CalledComponent();
    var manifest = CalledComponent.manifest();
    Manifests.set(manifest, "/component/version", Manifests.json("'1.1.0'"));
    Manifests.set(manifest, "/health", Manifests.json("{'requires':[{'path':'/health'}]}"));
    component.register(manifest, "{'setupUrl':'%s'}".formatted(url));
    component.installed().configured(url);
    var setUp = component.setUp().statusCode(200).body("reason", is("network_error"));
    var called = component.call("find", "{}").statusCode(200).body("reason", is("network_error"));
    String health =
        Api.admin()
            .post(component.repository + "/components/" + component.installId + "/doctor")
            .then()
            .statusCode(200)
            .extract()
            .path("checks.find { it.name == '/health' }.detail");
    return List.of(setUp.extract().asString(), called.extract().asString(), health);
  }

  @Test
  void a_server_with_a_name_of_an_inside_address_fails_like_one_that_does_not_exist() {
    var told = InsideNames.urls("https").map(InsideServerTest::told).toList();
    assertEquals(told.getLast(), told.getFirst());
  }
}
