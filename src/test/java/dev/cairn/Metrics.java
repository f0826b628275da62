package dev.cairn;

import static dev.cairn.Api.anonymous;

/** The metrics of the service. */
public final class Metrics {
  private Metrics() {}

  /** The sum of all values of a metric; 0 if there is none. */
  public static double sum(String name) {
    return anonymous()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
