package dev.cairn.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URIs that are none, before the packaged service lets some of them in: {@link OddQueriesIT}. */
@HttpTest
@QuarkusTest
@InProcess("The packaged service leaves it to itself to judge a URI.")
class InvalidUriTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"%zz", "%", "%f", "%u0041", "{x}", "|", "[", "^", "`", "\"", "<script>", "\\"})
  void a_uri_that_is_none_is_400_before_anything_looks_at_it(String segment) {
    for (var target :
        List.of(
            "/" + segment, "/api/repos/demo/world/things/" + segment, "/api/whoami?x=" + segment)) {
      var answer = RawHttp.get(target);
      assertEquals(400, answer.status(), target + " -> " + answer);
      ErrorsTest.assertNothingLeaks(answer.body());
    }
  }
}
