package dev.cairn.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.DataValidator;
import dev.cairn.model.IJson;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.filter.FilterIndex;
import dev.cairn.model.filter.OperationFilter;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.page.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What requests and commits compute most, without a database: {@code src/bench/micro/run}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Micro {
  private static final int FILTERS = 1_000;

  private final String wref = "Package/libstdc++6/amd64/13.2.0-25";
  private final Glob glob = Glob.parse("Package/lib*/**/13.?.*");
  private final byte[] text =
      """
      {"name":"libstdc++6","version":"13.2.0-25","size":2734592,"essential":false,
       "section":"libs","depends":["gcc-13-base","libc6","libgcc-s1"],
       "maintainer":{"name":"Debian GCC Maintainers","email":"debian-gcc@lists.debian.org"}}
      """
          .getBytes(StandardCharsets.UTF_8);
  private final JsonNode data = IJson.read(text);
  private final ShapeDefinition shape =
      ShapeDefinition.parse(
          json(
              """
              {"fields":{"name":"string","version":"string","size":"number","essential":"boolean",
               "section":"string","depends":{"type":"array","items":"string"},
               "maintainer":{"name":"string","email":"string"}}}
              """));
  private final FilterIndex filters =
      new FilterIndex(
          IntStream.range(0, FILTERS)
              .mapToObj(
                  i ->
                      OperationFilter.parse(
                          json(
                              "{\"shape\":\"Package\",\"match\":\"Package/lib%d*/**\"}"
                                  .formatted(i))))
              .toList());
  private final List<byte[]> stored =
      IntStream.range(0, 50).mapToObj(_ -> CanonicalJson.of(data).getBytes(StandardCharsets.UTF_8)).toList();

  private static JsonNode json(String text) {
    return IJson.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A name against a pattern. */
  @Benchmark
  public boolean glob() {
    return glob.matches(wref);
  }

  /** The text of a pattern. */
  @Benchmark
  public Glob parseGlob() {
    return Glob.parse("Package/lib*/**/13.?.*");
  }

  /** The bytes of an entity's data. */
  @Benchmark
  public JsonNode readJson() {
    return IJson.read(text);
  }

  /** An entity's data against its shape. */
  @Benchmark
  public Object validate() {
    return DataValidator.validate(shape, data, ValidationBudget.ofCommit());
  }

  /** The canonical form of an entity's data, and its hash. */
  @Benchmark
  public byte[] canonicalJson() {
    return CanonicalJson.hash(CanonicalJson.of(data));
  }

  /** An operation against the filters of 1,000 subscriptions. */
  @Benchmark
  public BitSet filters() {
    return filters.candidates(wref, MatchingBudget.ofCommit());
  }

  /** A page of 50 entities out of their stored bytes. */
  @Benchmark
  public byte[] writePage() {
    var out = new JsonOut().object().name("items").array();
    for (var each : stored) {
      out.object().name("wref").value(wref).name("version").value(3).name("data").stored(each).end();
    }
    return out.endArray().end().toBytes();
  }
}
