package dev.cairn.platform;

import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Stops the start when the configuration cannot work, naming each property to mend. */
@Singleton
class StartupChecks {
  private static final Pattern EMAIL = Pattern.compile("[^@\\s]{1,64}@[^@\\s]{1,189}");

  private final CairnConfig config;
  private final List<StartupCheck> others;

  StartupChecks(CairnConfig config, @All List<StartupCheck> others) {
    this.config = config;
    this.others = others;
  }

  void check(@Observes @Priority(1) StartupEvent event) {
    var faults = new ArrayList<>(faults(config));
    others.forEach(other -> faults.addAll(other.faults()));
    if (!faults.isEmpty()) {
      throw new IllegalStateException(
          "The configuration cannot work:\n  - " + String.join("\n  - ", faults));
    }
  }

  /** What is wrong with {@code config}; empty when nothing is. */
  static List<String> faults(CairnConfig config) {
    var faults = new ArrayList<String>();
    if (config.secretKey().isEmpty()) {
      faults.add(
          "cairn.secret-key (CAIRN_SECRET_KEY) is required with an external database:"
              + " make one by `openssl rand -base64 32` and keep it.");
    } else if (!isKey(config.secretKey().get())) {
      faults.add("cairn.secret-key (CAIRN_SECRET_KEY) must be base64 of exactly 32 bytes.");
    }
    if (config.secretKeyPrevious().filter(key -> !isKey(key)).isPresent()) {
      faults.add(
          "cairn.secret-key-previous (CAIRN_SECRET_KEY_PREVIOUS) must be base64 of exactly 32"
              + " bytes.");
    }
    if (config.publicUrl().filter(url -> !isBase(url)).isPresent()) {
      faults.add(
          "cairn.public-url (CAIRN_PUBLIC_URL) must be an http or https URL without query or"
              + " fragment, such as https://cairn.example.org.");
    }
    if (config.admin().password().isPresent() && config.admin().email().isEmpty()) {
      faults.add("cairn.admin.email (CAIRN_ADMIN_EMAIL) is missing beside cairn.admin.password.");
    }
    if (config.admin().email().filter(email -> !EMAIL.matcher(email).matches()).isPresent()) {
      faults.add("cairn.admin.email (CAIRN_ADMIN_EMAIL) must be an e-mail address.");
    }
    if (config.admin().email().isPresent()
        && config.admin().password().isEmpty()
        && !config.database().embedded()) {
      faults.add(
          "cairn.admin.password (CAIRN_ADMIN_PASSWORD) is missing beside cairn.admin.email.");
    }
    if (config.admin().password().filter(p -> p.length() < 8 || p.length() > 128).isPresent()) {
      faults.add("cairn.admin.password (CAIRN_ADMIN_PASSWORD) must have 8 to 128 characters.");
    }
    if (config.database().poolSize() < 2) {
      faults.add("cairn.database.pool-size (CAIRN_DATABASE_POOL_SIZE) must be at least 2.");
    }
    Stream.concat(
            limits(config.limits()).entrySet().stream(),
            quotas(config.quotas()).entrySet().stream())
        .filter(limit -> limit.getValue() < 0)
        .map(Map.Entry::getKey)
        .forEach(
            name ->
                faults.add(
                    "%s (%s) must be 0 (off) or more."
                        .formatted(name, name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"))));
    if (config.limits().unreadAnswerSeconds() < 1) {
      faults.add(
          "cairn.limits.unread-answer-seconds (CAIRN_LIMITS_UNREAD_ANSWER_SECONDS) must be at"
              + " least 1.");
    }
    if (config.limits().exportStreamSeconds() < 1) {
      faults.add(
          "cairn.limits.export-stream-seconds (CAIRN_LIMITS_EXPORT_STREAM_SECONDS) must be at"
              + " least 1.");
    }
    if (config.signingKeyLifetime().compareTo(Duration.ofDays(1)) < 0) {
      faults.add(
          "cairn.signing-key-lifetime (CAIRN_SIGNING_KEY_LIFETIME) must be at least a day, P1D.");
    }
    if (config.audit().retention().compareTo(Duration.ofDays(1)) < 0) {
      faults.add("cairn.audit.retention (CAIRN_AUDIT_RETENTION) must be at least a day, P1D.");
    }
    if (config.stop().delay().isNegative()) {
      faults.add("cairn.stop.delay (CAIRN_STOP_DELAY) must be PT0S or more.");
    }
    return faults;
  }

  private static Map<String, Long> limits(LimitsConfig limits) {
    return Map.of(
        "cairn.limits.sign-ins-per-minute",
        (long) limits.signInsPerMinute(),
        "cairn.limits.pats-per-hour",
        (long) limits.patsPerHour(),
        "cairn.limits.subscriptions-per-minute",
        (long) limits.subscriptionsPerMinute(),
        "cairn.limits.organizations-per-hour",
        (long) limits.organizationsPerHour(),
        "cairn.limits.repositories-per-minute",
        (long) limits.repositoriesPerMinute(),
        "cairn.limits.members-per-minute",
        (long) limits.membersPerMinute(),
        "cairn.limits.commits-per-minute",
        (long) limits.commitsPerMinute(),
        "cairn.limits.anonymous-reads-per-hour",
        (long) limits.anonymousReadsPerHour(),
        "cairn.limits.registrations-per-hour",
        (long) limits.registrationsPerHour());
  }

  private static Map<String, Long> quotas(QuotasConfig quotas) {
    return Map.of(
        "cairn.quotas.organizations-per-account",
        (long) quotas.organizationsPerAccount(),
        "cairn.quotas.repositories-per-organization",
        (long) quotas.repositoriesPerOrganization(),
        "cairn.quotas.members-per-organization",
        (long) quotas.membersPerOrganization(),
        "cairn.quotas.subscriptions-per-repository",
        (long) quotas.subscriptionsPerRepository(),
        "cairn.quotas.bytes-per-organization",
        quotas.bytesPerOrganization(),
        "cairn.quotas.exports-building-per-account",
        (long) quotas.exportsBuildingPerAccount(),
        "cairn.quotas.exports-per-repository",
        (long) quotas.exportsPerRepository(),
        "cairn.quotas.export-bytes",
        quotas.exportBytes());
  }

  private static boolean isKey(String text) {
    try {
      return Base64.getDecoder().decode(text.trim()).length == 32;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether a URL is one of http or https that paths can be put behind. */
  static boolean isBase(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null
        && url.getQuery() == null
        && url.getFragment() == null;
  }
}
