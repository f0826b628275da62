package dev.cairn.export;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;

/** Metrics of exports; the names are in {@code docs/monitoring.md}, Metrics. */
@ApplicationScoped
class ExportMetrics {
  private final Counter streamedBytes;
  private final Counter builtBytes;
  private final Counter built;
  private final Counter failed;

  ExportMetrics(MeterRegistry registry) {
    this.streamedBytes = bytes("stream", registry);
    this.builtBytes = bytes("async", registry);
    this.built =
        Counter.builder("cairn.exports.built")
            .description("Exports that a worker of this replica has built")
            .register(registry);
    this.failed =
        Counter.builder("cairn.exports.failed")
            .description("Attempts to build an export that failed in this replica")
            .register(registry);
  }

  private static Counter bytes(String mode, MeterRegistry registry) {
    return Counter.builder("cairn.exports.bytes")
        .tag("mode", mode)
        .baseUnit("bytes")
        .description("Bytes of finished exports")
        .register(registry);
  }

  void streamed(long bytes) {
    streamedBytes.increment((double) bytes);
  }

  void built(long bytes) {
    built.increment();
    builtBytes.increment((double) bytes);
  }

  void failed() {
    failed.increment();
  }
}
