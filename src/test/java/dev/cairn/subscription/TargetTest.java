package dev.cairn.subscription;

import static dev.cairn.Api.admin;
import static dev.cairn.subscription.Subs.get;
import static dev.cairn.subscription.Subs.subscribe;
import static dev.cairn.subscription.Subs.webhook;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Targets that nobody may be made to call, refused wherever a URL is stored. The tests' operator
 * lets 127.0.0.1 be called, and nothing else of its kind; the policy itself is tested in egress.
 */
@HttpTest
@QuarkusTest
class TargetTest {
  private static final List<String> HOSTILE =
      List.of(
          // loopback in other spellings and embeddings
          "https://127.0.0.2/",
          "https://127.255.255.254:8443/",
          "https://127.1/",
          "https://127.0.1/",
          "https://2130706433/",
          "https://017700000001/",
          "https://0177.0.0.1/",
          "https://0x7f000001/",
          "https://0x7f.0.0.1/",
          "https://127.0.0.2./",
          "https://127%2e0.0.2/",
          "https://１２７．０．０．２/",
          "https://127。0。0。2/",
          "https://①②⑦.0.0.2/",
          "https://[::1]/",
          "https://[0:0:0:0:0:0:0:1]/",
          "https://[::ffff:127.0.0.2]/",
          "https://[::ffff:7f00:2]/",
          "https://[::127.0.0.2]/",
          "https://[64:ff9b::127.0.0.2]/",
          "https://[64:ff9b:1::7f00:2]/",
          "https://[2002:7f00:2::1]/",
          "https://[2001:0:7f00:2::1]/",
          "https://[::1%25lo]/",
          "https://0.0.0.0/",
          "https://0/",
          "https://[::]/",
          // private, shared, link-local and metadata
          "https://10.0.0.1/",
          "https://10.255.255.255/",
          "https://172.16.0.1/",
          "https://172.31.255.255/",
          "https://192.168.0.1/",
          "https://100.64.0.1/",
          "https://169.254.0.1/",
          "https://169.254.169.254/latest/meta-data/",
          "https://2852039166/",
          "https://[::ffff:169.254.169.254]/",
          "https://[64:ff9b::a9fe:a9fe]/",
          "https://[fd00:ec2::254]/",
          "https://[fc00::1]/",
          "https://[fe80::1]/",
          "https://[fe80::1%25eth0]/",
          "https://[fec0::1]/",
          // multicast, reserved, for documentation, benchmarks
          "https://224.0.0.1/",
          "https://239.255.255.255/",
          "https://[ff02::1]/",
          "https://240.0.0.1/",
          "https://255.255.255.255/",
          "https://192.0.2.1/",
          "https://198.18.0.1/",
          "https://[2001:db8::1]/",
          "https://[100::1]/",
          // other schemes and ports
          "http://hooks.example.org/",
          "https://hooks.example.org:80/",
          "https://hooks.example.org:22/",
          "https://hooks.example.org:8444/",
          "https://hooks.example.org:0/",
          "https://hooks.example.org:65979/",
          "ftp://hooks.example.org/",
          "file:///etc/passwd",
          "gopher://hooks.example.org/",
          "javascript:alert(1)",
          // tricks of the URL itself
          "https://user@hooks.example.org/",
          "https://hooks.example.org@127.0.0.2/",
          "https://hooks.example.org\\\\@127.0.0.2/",
          "https://hooks.example.org/#@127.0.0.2",
          "https://hooks.example.org/\\r\\nX-Injected: 1",
          "https://hooks.example.org/a b",
          " https://hooks.example.org/",
          "//hooks.example.org/",
          "hooks.example.org",
          "https://",
          "https:hooks.example.org",
          "");

  @Test
  void hostile_targets_are_refused_when_a_subscription_is_made_and_when_it_is_changed() {
    assertTrue(HOSTILE.size() >= 60, () -> "only " + HOSTILE.size());
    var repository = Subs.repository();
    subscribe(repository, webhook("w")).statusCode(201);
    for (var url : HOSTILE) {
      var body = webhook("x").replace(Subs.URL, url).replace('\'', '"');
      refused(admin().body(body).post(repository + "/subs"), url);
      var change = "{\"webhookUrl\":\"" + url + "\"}";
      refused(admin().body(change).patch(repository + "/subs/w"), url);
    }
    get(repository, "w").body("webhookUrl", equalTo(Subs.URL));
    get(repository, "x").statusCode(404);
  }

  private static void refused(Response answer, String url) {
    assertEquals(
        "400 VALIDATION_ERROR /webhookUrl WEBHOOK_TARGET_FORBIDDEN",
        "%d %s %s %s"
            .formatted(
                answer.statusCode(),
                answer.path("code"),
                answer.path("errors[0].pointer"),
                answer.path("details.reason")),
        url);
  }

  @Test
  void a_host_that_does_not_resolve_now_is_taken() {
    subscribe(Subs.repository(), webhook("w").replace(Subs.URL, "https://hooks.nowhere.example/x"))
        .statusCode(201);
  }
}
