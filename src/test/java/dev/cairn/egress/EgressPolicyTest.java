package dev.cairn.egress;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Deadline;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be called; nothing is called here. */
class EgressPolicyTest {
  private static final UUID CALLER = UUID.randomUUID();

  private static final Map<String, List<InetAddress>> NAMES =
      Map.of(
          "public.example", addresses("93.184.216.34", "2606:4700::1111"),
          "inside.example", addresses("10.1.2.3"),
          "half.example", addresses("93.184.216.34", "10.1.2.3"),
          "loop.example", addresses("127.0.0.1", "::1"),
          "localhost", addresses("127.0.0.1", "::1"),
          "below.localhost", addresses("127.0.0.1"),
          "meta.example", addresses("169.254.169.254"),
          "nat64meta.example", addresses("64:ff9b::a9fe:a9fe"),
          "xn--bcher-kva.example", addresses("93.184.216.34"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://public.example",
        "https://public.example/",
        "https://public.example:443/hook?token=a%20b",
        "https://public.example:8443/hook",
        "HTTPS://Public.Example./hook",
        "https://bücher.example/",
        "https://bücher。example/ä?ö",
        "https://8.8.8.8/",
        "https://８.８.８.８/",
        "https://[2606:4700::1111]/",
        "https://unknown.example/hook"
      })
  void https_to_public_addresses_and_to_unknown_names_may_be_stored(String url) {
    assertDoesNotThrow(() -> policy().check(CALLER, "/url", url));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "public.example",
        "//public.example/",
        "/hook",
        "https:",
        "https:public.example",
        "https://",
        "https:///hook",
        "ftp://public.example/",
        "file:///etc/passwd",
        "gopher://public.example/",
        "http://public.example/",
        "http://public.example:443/",
        "https://public.example:80/",
        "https://public.example:444/",
        "https://public.example:8442/",
        "https://public.example:8444/",
        "https://public.example:0/",
        "https://public.example:65979/",
        "https://public.example:/",
        "https://public.example:44３/",
        "https://user@public.example/",
        "https://user:secret@public.example/",
        "https://@public.example/",
        "https://public.example@loop.example/",
        "https://public.example\\@loop.example/",
        "https://public.example/#fragment",
        "https://public.example/#",
        "https://public.example/a b",
        " https://public.example/",
        "https://public.example/\n",
        "https://public%2eexample/",
        "https://127%2e0.0.1/",
        "https://-public.example/",
        "https://public..example/",
        "https://public.example../",
        "https://[2606:4700::1111/",
        "https://[2606:4700::1111%25eth0]/",
        "https://[fe80::1%25lo]/",
        "https://[v1.a]/",
        "https://[]/",
        "https://[::1]x/",
        "https://1.2.3.4.5/",
        "https://public.123/",
        "https://public.0x1f/"
      })
  void what_is_no_https_url_of_the_usual_form_is_refused(String url) {
    refused(policy(), url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://localhost/",
        "https://LOCALHOST./",
        "https://below.localhost/",
        "https://127.0.0.1/",
        "https://127.0.0.1./",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[0:0:0:0:0:ffff:7f00:1]/",
        "https://0.0.0.0/",
        "https://１２７．０．０．１/",
        "https://127。0。0。1/",
        "https://127․0․0․1/",
        "https://①②⑦.0.0.1/",
        "https://[fd00:ec2::254]/"
      })
  void a_host_that_says_itself_that_it_is_not_public_is_refused(String url) {
    refused(policy(), url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://inside.example/",
        "https://half.example/",
        "https://loop.example/",
        "https://loop.example./",
        "https://meta.example/"
      })
  void a_name_of_an_inside_address_is_like_one_that_does_not_resolve(String url) {
    assertDoesNotThrow(() -> policy().check(CALLER, "/url", url));
    assertEquals(fault("https://unknown.example/"), fault(url));
    var ofName = assertThrows(Problem.class, () -> check(url.replace("https", "http")));
    var ofNothing = assertThrows(Problem.class, () -> check("http://unknown.example/"));
    assertEquals(ofNothing.detail(), ofName.detail());
    assertEquals(ofNothing.details(), ofName.details());
    assertEquals(fault("http://unknown.example/"), fault(url.replace("https", "http")));
  }

  private static void check(String url) {
    policy().check(CALLER, "/url", url);
  }

  private static NetworkFault fault(String url) {
    return assertThrows(NetworkException.class, () -> policy().vet("test", url, soon()), url)
        .fault();
  }

  @Test
  void a_refusal_is_a_validation_error_with_its_reason_and_place() {
    var problem = refused(policy(), "https://127.0.0.1/");
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
    assertEquals(Map.of("reason", "WEBHOOK_TARGET_FORBIDDEN"), problem.details());
    assertEquals("/url", problem.errors().getFirst().pointer());
  }

  @ParameterizedTest
  @CsvSource({
    "inside.example,   http://inside.example:8080/, true",
    "INSIDE.example.,  http://inside.example/, true",
    "loop.example,     http://loop.example:8080/, true",
    "meta.example,     https://meta.example/, false",
    "nat64meta.example, https://nat64meta.example/, false",
    "half.example,     http://half.example/, true",
    "inside.example,   http://half.example/, false",
    "public.example,   http://public.example:81/, true",
    "public.example,   http://public.example:81/#x, false",
    "public.example,   http://a@public.example:81/, false",
    "unknown.example,  http://unknown.example:81/, true",
    "10.0.0.0/8,       https://inside.example/, true",
    "10.0.0.0/8,       http://inside.example:8080/, true",
    "10.0.0.0/8,       https://half.example/, true",
    "10.0.0.0/8,       http://half.example/, false",
    "10.0.0.0/8,       http://10.9.9.9:8080/, true",
    "10.0.0.0/8,       https://loop.example/, false",
    "93.184.216.34,    http://public.example/, false",
    "0.0.0.0/0,        http://8.8.8.8:81/, true",
    "0.0.0.0/0,        https://127.0.0.1/, false",
    "127.0.0.1/32,     http://127.0.0.1:9/, true",
    "127.0.0.1/32,     http://127.1:9/, false",
    "127.0.0.1/32,     http://127.0.0.2:9/, false",
    "127.0.0.1/32,     http://[::ffff:127.0.0.1]:9/, true",
    "127.0.0.1/32,     http://loop.example/, false",
    "169.254.169.254,  http://meta.example/, true"
  })
  void the_allow_list_opens_names_addresses_and_ranges_by_http_and_on_any_port_too(
      String entry, String url, boolean allowed) {
    var policy = policy(entry);
    if (allowed) {
      assertDoesNotThrow(() -> policy.check(CALLER, "/url", url));
    } else {
      assertThrows(Exception.class, () -> policy.vet("test", url, soon()), url);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://unknown.example/", "https://unknown.example:444/"})
  void other_urls_of_unknown_names_may_be_stored_only_where_the_name_is_listed(String url) {
    var problem = assertThrows(Problem.class, () -> policy("0.0.0.0/0").check(CALLER, "/url", url));
    assertEquals("WEBHOOK_TARGET_FORBIDDEN", problem.details().get("reason"));
    assertDoesNotThrow(() -> policy("unknown.example").check(CALLER, "/url", url));
  }

  @ParameterizedTest
  @CsvSource({
    "https://public.example, /",
    "https://public.example?a=b, /?a=b",
    "https://public.example/a/../b%20c?d=e/f, /a/../b%20c?d=e/f",
    "https://public.example/ä/€?ö, /%C3%A4/%E2%82%AC?%C3%B6",
    "https://public.example/\u1fef, /%E1%BF%AF"
  })
  void what_is_asked_for_is_the_urls_path_and_query_in_ascii(String url, String path)
      throws Exception {
    assertEquals(path, policy().vet("test", url, soon()).url().path());
  }

  @Test
  void a_name_is_resolved_once_for_a_call_and_only_vetted_addresses_are_given_out()
      throws Exception {
    var target = policy().vet("test", "https://Public.Example.:8443/a?b", soon());
    assertEquals(NAMES.get("public.example"), target.addresses());
    assertEquals("public.example", target.url().host());
    assertEquals(8443, target.url().port());
    assertEquals("/a?b", target.url().path());
  }

  @Test
  void a_call_to_a_name_that_does_not_resolve_is_a_network_fault_and_no_refusal() {
    var fault =
        assertThrows(
            NetworkException.class, () -> policy().vet("test", "https://unknown.example/", soon()));
    assertEquals(NetworkFault.RESOLUTION, fault.fault());
  }

  @Test
  void a_name_server_that_does_not_answer_costs_no_more_than_the_time_limit() {
    var never = new CountDownLatch(1);
    var policy =
        new EgressPolicy(
            List.of(),
            resolving(
                host -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return List.of();
                }));
    try {
      var fault =
          assertThrows(
              NetworkException.class,
              () ->
                  policy.vet("test", "https://slow.example/", Deadline.in(Duration.ofMillis(100))));
      assertEquals(NetworkFault.TIMEOUT, fault.fault());
    } finally {
      never.countDown();
    }
  }

  static Problem refused(EgressPolicy policy, String url) {
    var problem = assertThrows(Problem.class, () -> policy.check(CALLER, "/url", url), url);
    assertEquals("WEBHOOK_TARGET_FORBIDDEN", problem.details().get("reason"), url);
    assertThrows(ForbiddenTargetException.class, () -> policy.vet("test", url, soon()), url);
    return problem;
  }

  static EgressPolicy policy(String... allow) {
    return new EgressPolicy(
        List.of(allow),
        resolving(
            host -> {
              if (!NAMES.containsKey(host)) {
                throw new UnknownHostException(host);
              }
              return NAMES.get(host);
            }));
  }

  /** Anew at each look-up. */
  static BoundedResolver resolving(NameResolver names) {
    return new BoundedResolver(names, Duration.ZERO);
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(10));
  }

  private static List<InetAddress> addresses(String... texts) {
    return Arrays.stream(texts).map(AddressRange::address).toList();
  }
}
