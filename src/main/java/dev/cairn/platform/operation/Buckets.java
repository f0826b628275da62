package dev.cairn.platform.operation;

import dev.cairn.platform.http.RequestLimits;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Bounds the time series of the metrics. Histograms have few buckets, the same in every replica, so
 * that quantiles can be computed over all replicas. Methods and paths that clients make up do not
 * become labels. See {@code docs/monitoring.md}, Metrics.
 */
final class Buckets {
  private static final double[] REQUEST =
      nanos(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);
  private static final double[] RUN =
      nanos(10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000);

  private static final Map<String, double[]> BUCKETS =
      Map.of(
          "http.server.requests", REQUEST,
          "cairn.commits", REQUEST,
          "cairn.commits.lock", REQUEST,
          "cairn.decompressions", REQUEST,
          "cairn.mcp.calls", REQUEST,
          "cairn.egress.calls", REQUEST,
          "cairn.attempts", RUN,
          "cairn.runs.lag", RUN,
          "cairn.sprite.runs", RUN,
          "cairn.commits.operations", new double[] {1, 10, 100, 1_000, 10_000, 100_000});

  private static final String METHOD = "method";
  private static final String PATH = "uri";

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private Buckets() {}

  private static double[] nanos(long... millis) {
    return LongStream.of(millis).mapToDouble(m -> Duration.ofMillis(m).toNanos()).toArray();
  }

  /** Configures the buckets of each new meter. */
  @Produces
  @Singleton
  static MeterFilter filter() {
    return new MeterFilter() {
      @Override
      public Meter.Id map(Meter.Id id) {
        if (!id.getName().startsWith("http.server.")) {
          return id;
        }
        var method = id.getTag(METHOD);
        var known = method == null || METHODS.contains(method);
        var bounded = known ? id : id.withTag(Tag.of(METHOD, "OTHER"));
        // A path that cannot be decoded is counted before it is refused.
        var path = id.getTag(PATH);
        return path == null || path.indexOf('%') < 0
            ? bounded
            : bounded.withTag(Tag.of(PATH, RequestLimits.UNMATCHED));
      }

      @Override
      public DistributionStatisticConfig configure(
          Meter.Id id, DistributionStatisticConfig config) {
        var buckets = BUCKETS.get(id.getName());
        return buckets == null
            ? config
            : DistributionStatisticConfig.builder()
                .serviceLevelObjectives(buckets)
                .build()
                .merge(config);
      }
    };
  }
}
