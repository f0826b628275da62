package dev.cairn.subscription;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The schedule of a cron subscription, as in JSON.
 *
 * @param timezone an IANA name
 */
@RegisterForReflection
public record CronConfig(String cronspec, String timezone) {
  private static final String UTC = "UTC";
  private static final Pattern ANY = Pattern.compile("(?s).*");

  /**
   * A new schedule, or a changed one.
   *
   * @param present null for a new one
   * @param wanted the request's {@code cronConfig}
   * @param pointer of it in the request
   */
  static CronConfig of(CronConfig present, ObjectNode wanted, String pointer) {
    var former = JsonNodeFactory.instance.objectNode();
    if (present != null) {
      former.put("cronspec", present.cronspec()).put("timezone", present.timezone());
    }
    var members = new ConfigReader(former, wanted, pointer, Set.of("cronspec", "timezone"));
    var config =
        new CronConfig(
            members.required("cronspec", ANY, "`cronspec` must be a string."),
            Objects.requireNonNullElse(
                members.text("timezone", ANY, "`timezone` must be a string."), UTC));
    try {
      config.schedule();
    } catch (Problem e) {
      throw e.under(pointer);
    }
    return config;
  }

  /** The compiled schedule. */
  CronSchedule schedule() {
    return CronSchedule.of(cronspec, timezone);
  }
}
