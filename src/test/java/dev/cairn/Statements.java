package dev.cairn;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.util.regex.Pattern;

/** How many statements the service has sent to its database, as its metrics tell it. */
public final class Statements {
  private static final String METRIC = "cairn.sql.statements";
  private static final Pattern SENT =
      Pattern.compile("^cairn_sql_statements_total(?:\\{[^}]*})? (\\S+)$", Pattern.MULTILINE);

  private static final int ATTEMPTS = 4;

  private static final int SILENCE_MILLIS = 150;
  private static final int MAX_LOOKS = 200;

  private Statements() {}

  /** All of them, since it started. */
  public static int sent() {
    var here = Metrics.globalRegistry.find(METRIC).counters();
    return here.isEmpty()
        ? ofPackagedService()
        : (int) here.stream().mapToDouble(Counter::count).sum();
  }

  /**
   * The same once none was sent for a moment: after a search the service brings the indexes of all
   * repositories up to date, one after another.
   */
  public static int sentInSilence() {
    int sent = sent();
    for (int i = 0; i < MAX_LOOKS; i++) {
      try {
        Thread.sleep(SILENCE_MILLIS);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      int now = sent();
      if (now == sent) {
        return now;
      }
      sent = now;
    }
    return sent;
  }

  /**
   * How many a request takes: the fewest of some attempts, since the service sends some by itself
   * too. The number that two attempts have as their fewest is taken for it.
   */
  public static int of(Runnable request) {
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < ATTEMPTS; i++) {
      int before = sentInSilence();
      request.run();
      int sent = sent() - before;
      if (sent == fewest) {
        return fewest;
      }
      fewest = Math.min(fewest, sent);
    }
    return fewest;
  }

  private static int ofPackagedService() {
    var metrics = Api.anonymous().get("/q/metrics").then().statusCode(200).extract().asString();
    var line = SENT.matcher(metrics);
    if (!line.find()) {
      throw new AssertionError("no statements in " + metrics);
    }
    return (int) Double.parseDouble(line.group(1));
  }
}
