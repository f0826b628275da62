package dev.cairn;

/** How many clients follow repositories, as the metrics tell it. */
public final class LiveClients {
  private static final String METRIC = "cairn_live_clients ";

  private LiveClients() {}

  /** All of them at this moment, by whichever way. */
  public static double count() {
    return Api.anonymous()
        .get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(METRIC))
        .mapToDouble(line -> Double.parseDouble(line.substring(METRIC.length())))
        .sum();
  }
}
