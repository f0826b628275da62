package dev.cairn.access.limit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumMap;
import java.util.Map;

/**
 * Limits how much may be stored; {@code docs/limits.md}, Quotas. Callers count the usage under the
 * lock of the row that owns it, so that two requests at the limit cannot both pass.
 */
@ApplicationScoped
public class Quotas {
  private final Map<Quota, Long> limits = new EnumMap<>(Quota.class);
  private final Map<Quota, Counter> refused = new EnumMap<>(Quota.class);

  /** A quota, with the name of its setting below {@code cairn.quotas} and its rule. */
  public enum Quota {
    ORGANIZATIONS("organizations-per-account", "An account may create at most %,d organizations."),
    TOKENS("tokens-per-account", "An account has at most %,d personal access tokens; revoke some."),
    REPOSITORIES("repositories-per-organization", "An organization has at most %,d repositories."),
    MEMBERS(
        "members-per-organization",
        "An organization has at most %,d members, invited ones included."),
    SUBSCRIPTIONS("subscriptions-per-repository", "A repository has at most %,d subscriptions."),
    COMPONENTS("components-per-organization", "An organization has at most %,d components."),
    BYTES("bytes-per-organization", "An organization stores at most %,d bytes."),
    EXPORTS_BUILDING(
        "exports-building-per-account",
        "At most %,d exports of a repository are built for an account at the same time."),
    EXPORTS("exports-per-repository", "At most %,d exports of a repository are kept."),
    EXPORT_BYTES("export-bytes", "All exports that are kept have at most %,d bytes."),
    EXPORT_SHARE(
        "export-bytes-share",
        "The kept exports of an organization, and those that an account requested, have at most %,d"
            + " bytes now: export-bytes-share, or half of what the exports of others leave of"
            + " export-bytes, whichever is less."),
    UNUSED_CLIENTS(
        "unused-clients",
        "At most %,d OAuth clients may be registered here that got no token yet; try again later."),
    PENDING_DEVICES(
        "pending-devices", "At most %,d devices may wait here to be connected; try again later.");

    private final String setting;
    private final String rule;

    Quota(String setting, String rule) {
      this.setting = setting;
      this.rule = rule;
    }

    /** The name in {@code details.limit}, and of the setting below {@code cairn.quotas}. */
    public String setting() {
      return setting;
    }
  }

  /**
   * How much of a quota is used.
   *
   * @param limit null if the quota is off
   */
  @RegisterForReflection
  public record Usage(long used, Long limit) {}

  Quotas(CairnConfig config, MeterRegistry metrics) {
    var quotas = config.quotas();
    limits.put(Quota.ORGANIZATIONS, (long) quotas.organizationsPerAccount());
    limits.put(Quota.TOKENS, (long) quotas.tokensPerAccount());
    limits.put(Quota.REPOSITORIES, (long) quotas.repositoriesPerOrganization());
    limits.put(Quota.MEMBERS, (long) quotas.membersPerOrganization());
    limits.put(Quota.SUBSCRIPTIONS, (long) quotas.subscriptionsPerRepository());
    limits.put(Quota.COMPONENTS, (long) quotas.componentsPerOrganization());
    limits.put(Quota.BYTES, quotas.bytesPerOrganization());
    limits.put(Quota.EXPORTS_BUILDING, (long) quotas.exportsBuildingPerAccount());
    limits.put(Quota.EXPORTS, (long) quotas.exportsPerRepository());
    limits.put(Quota.EXPORT_BYTES, quotas.exportBytes());
    limits.put(Quota.EXPORT_SHARE, quotas.exportBytesShare());
    limits.put(Quota.UNUSED_CLIENTS, (long) quotas.unusedClients());
    limits.put(Quota.PENDING_DEVICES, (long) quotas.pendingDevices());
    for (var quota : Quota.values()) {
      refused.put(
          quota,
          Counter.builder("cairn.quotas.refused")
              .tag("quota", quota.setting())
              .description("Requests that were refused because a quota was full")
              .register(metrics));
    }
  }

  /** Whether a quota is switched on. */
  public boolean isOn(Quota quota) {
    return limits.get(quota) > 0;
  }

  /** Whether a quota leaves no room for more. */
  public boolean isFull(Quota quota, long used) {
    return isOn(quota) && used >= limits.get(quota);
  }

  /** The limit of a quota; 0 if it is off. */
  public long limit(Quota quota) {
    return limits.get(quota);
  }

  /** The usage of a quota, for callers that may see it. */
  public Usage usage(Quota quota, long used) {
    return new Usage(used, isOn(quota) ? limits.get(quota) : null);
  }

  /**
   * Refuses one more item if the quota is used up.
   *
   * @param used the present number of items
   * @throws Problem {@code RATE_LIMITED} if the quota is used up
   */
  public void refuseOneMore(Quota quota, long used) {
    if (isFull(quota, used)) {
      throw refusal(quota, ErrorCode.RATE_LIMITED, used);
    }
  }

  /** The problem of a request for which a quota leaves no room, with what is used. */
  public Problem refusal(Quota quota, ErrorCode code, long used) {
    return refusal(quota, code, used, limits.get(quota));
  }

  /** The same if less than the quota may be used at this moment. */
  public Problem refusal(Quota quota, ErrorCode code, long used, long max) {
    return problem(quota, code, max).with("used", used);
  }

  /** The same for callers that may not know what is used. */
  Problem refusal(Quota quota, ErrorCode code) {
    return problem(quota, code, limits.get(quota));
  }

  private Problem problem(Quota quota, ErrorCode code, long max) {
    refused.get(quota).increment();
    return Problem.of(code, quota.rule.formatted(max))
        .with("limit", quota.setting())
        .with("max", max);
  }
}
