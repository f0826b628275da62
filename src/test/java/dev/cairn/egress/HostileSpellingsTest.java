package dev.cairn.egress;

import static dev.cairn.egress.EgressPolicyTest.policy;
import static dev.cairn.egress.EgressPolicyTest.refused;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Problem;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Addresses that are not public, in every spelling and embedding that somebody may try. */
class HostileSpellingsTest {
  /** First address and length of the ranges, written down apart from the code under test. */
  private static final List<long[]> SPECIAL =
      List.of(
          new long[] {0x00000000L, 8},
          new long[] {0x0a000000L, 8},
          new long[] {0x64400000L, 10},
          new long[] {0x7f000000L, 8},
          new long[] {0xa9fe0000L, 16},
          new long[] {0xa9fea9feL, 32},
          new long[] {0xac100000L, 12},
          new long[] {0xc0000200L, 24},
          new long[] {0xc0a80000L, 16},
          new long[] {0xc6120000L, 15},
          new long[] {0xe0000000L, 4},
          new long[] {0xf0000000L, 4});

  @Provide
  Arbitrary<Long> special() {
    return Arbitraries.of(SPECIAL)
        .flatMap(
            range ->
                Arbitraries.longs()
                    .between(0, (1L << (32 - range[1])) - 1)
                    .map(rest -> range[0] | rest));
  }

  @Property(tries = 300)
  void a_special_ipv4_address_is_refused_in_every_spelling(@ForAll("special") long ip) {
    spellings(ip).forEach(host -> refused(policy(), "https://" + host + "/hook"));
  }

  @Property(tries = 300)
  void a_special_ipv4_address_is_refused_in_every_embedding(@ForAll("special") long ip) {
    embeddings(ip).forEach(host -> refused(policy(), "https://[" + host + "]/hook"));
  }

  @Property(tries = 300)
  void a_public_entry_for_everything_opens_no_spelling_of_loopback(@ForAll("loopback") long ip) {
    var open = policy("0.0.0.0/0", "::/0");
    Stream.concat(spellings(ip), embeddings(ip).map(host -> "[" + host + "]"))
        .forEach(host -> refused(open, "https://" + host + ":8443/hook"));
  }

  @Provide
  Arbitrary<Long> loopback() {
    return Arbitraries.longs().between(0x7f000000L, 0x7fffffffL);
  }

  @Property
  void a_number_in_any_other_spelling_than_the_usual_one_is_no_host(
      @ForAll("parts") List<String> parts) {
    var host = String.join(".", parts);
    if (!host.matches("(0|[1-9]\\d{0,2})(\\.(0|[1-9]\\d{0,2})){3}")) {
      refused(policy("0.0.0.0/0"), "https://" + host + "/");
    }
  }

  @Provide
  Arbitrary<List<String>> parts() {
    return Arbitraries.longs()
        .between(0, 0xffffffffL)
        .flatMap(
            n -> Arbitraries.of("%d".formatted(n), "0%o".formatted(n), "0x%x".formatted(n), "0x"))
        .list()
        .ofMinSize(1)
        .ofMaxSize(5);
  }

  @Property
  void any_text_is_either_refused_as_a_target_or_names_an_ordinary_one(@ForAll String text) {
    for (var url : List.of(text, "https://" + text, "https://public.example" + text)) {
      try {
        policy().check(UUID.randomUUID(), "", url);
        assertTrue(url.regionMatches(true, 0, "https://", 0, 8), url);
      } catch (Problem refusal) {
        assertTrue(refusal.details().containsKey("reason"), url);
      }
    }
  }

  private static Stream<String> spellings(long ip) {
    long a = ip >>> 24;
    long b = ip >>> 16 & 0xff;
    long c = ip >>> 8 & 0xff;
    long d = ip & 0xff;
    var plain = "%d.%d.%d.%d".formatted(a, b, c, d);
    return Stream.of(
        plain,
        plain + ".",
        plain.replace('.', '。'),
        plain.replace('.', '．'),
        wide(plain),
        plain.replace(".", "%2e"),
        "%d".formatted(ip),
        "%d.%d".formatted(a, ip & 0xffffff),
        "%d.%d.%d".formatted(a, b, ip & 0xffff),
        "0%o".formatted(ip),
        "0x%x".formatted(ip),
        "0X%X".formatted(ip),
        "0%o.0%o.0%o.0%o".formatted(a, b, c, d),
        "0x%x.0x%x.0x%x.0x%x".formatted(a, b, c, d),
        "0x%x.%d.0%o.%d".formatted(a, b, c, d),
        "0x%x.0%o".formatted(a, ip & 0xffffff),
        "%03d.%03d.%03d.%03d".formatted(a, b, c, d),
        "%d.%d.%d.%d".formatted(a + 256, b, c, d),
        "%d".formatted(ip + (1L << 32)),
        wide("%d".formatted(ip)),
        plain + "%25eth0");
  }

  private static Stream<String> embeddings(long ip) {
    long high = ip >>> 16;
    long low = ip & 0xffff;
    var dotted = "%d.%d.%d.%d".formatted(ip >>> 24, ip >>> 16 & 0xff, ip >>> 8 & 0xff, ip & 0xff);
    return Stream.of(
        "::ffff:" + dotted,
        "::FFFF:" + dotted,
        "0:0:0:0:0:ffff:%x:%x".formatted(high, low),
        "::" + dotted,
        "::ffff:0:" + dotted,
        "64:ff9b::" + dotted,
        "64:ff9b::%x:%x".formatted(high, low),
        "64:ff9b:1::" + dotted,
        "64:ff9b:1:%x:%x:%x::".formatted(high, low >>> 8, (low & 0xff) << 8),
        "2002:%x:%x::1".formatted(high, low),
        "2001:0:%x:%x::1".formatted(high, low),
        "2001:0:4136:e378:8000:63bf:%x:%x".formatted(high ^ 0xffff, low ^ 0xffff),
        "2606:4700::5efe:" + dotted,
        "2606:4700::200:5efe:%x:%x".formatted(high, low),
        "::ffff:" + dotted + "%25lo");
  }

  private static String wide(String text) {
    return text.chars()
        .mapToObj(c -> Character.toString(c - '!' + '！'))
        .collect(Collectors.joining());
  }
}
