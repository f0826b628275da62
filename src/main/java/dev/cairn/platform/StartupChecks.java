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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Stops the start if the configuration is not valid, and names each property to correct. */
@Singleton
class StartupChecks {
  /** Before the database is migrated. */
  private static final int BEFORE_ALL = -200;

  /** The minimum: one for a streamed export, one for a verification, and others for other work. */
  private static final int MIN_POOL = 4;

  private static final Pattern EMAIL = Pattern.compile("[^@\\s]{1,64}@[^@\\s]{1,189}");

  /** A numeric setting and its minimum; for most settings, 0 switches something off. */
  private record BoundedSetting(String property, long value, long least) {
    String fault() {
      var variable = property.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
      return "%s (%s) must be at least %d.".formatted(property, variable, least);
    }
  }

  private final CairnConfig config;
  private final List<StartupCheck> others;

  StartupChecks(CairnConfig config, @All List<StartupCheck> others) {
    this.config = config;
    this.others = others;
  }

  void check(@Observes @Priority(BEFORE_ALL) StartupEvent event) {
    var faults = new ArrayList<>(faults(config));
    others.forEach(other -> faults.addAll(other.faults()));
    if (!faults.isEmpty()) {
      throw new IllegalStateException(
          "The configuration cannot work:\n  - " + String.join("\n  - ", faults));
    }
  }

  /** The faults of {@code config}; empty if it is valid. */
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
    if (config.database().poolSize() < MIN_POOL) {
      faults.add(
          "cairn.database.pool-size (CAIRN_DATABASE_POOL_SIZE) must be at least %d."
              .formatted(MIN_POOL));
    }
    Stream.of(limits(config.limits()), quotas(config.quotas()))
        .flatMap(List::stream)
        .filter(setting -> setting.value() < setting.least())
        .map(BoundedSetting::fault)
        .forEach(faults::add);
    if (config.search().vectorIndexFrom() < 0) {
      faults.add(
          "cairn.search.vector-index-from (CAIRN_SEARCH_VECTOR_INDEX_FROM) must be at least 0.");
    }
    if (config.signingKeyLifetime().compareTo(Duration.ofDays(1)) < 0) {
      faults.add(
          "cairn.signing-key-lifetime (CAIRN_SIGNING_KEY_LIFETIME) must be at least a day, P1D.");
    }
    if (config.audit().retention().compareTo(Duration.ofDays(1)) < 0) {
      faults.add("cairn.audit.retention (CAIRN_AUDIT_RETENTION) must be at least a day, P1D.");
    }
    var live = config.live();
    if (live.maxDuration().compareTo(Duration.ofSeconds(1)) < 0
        || live.maxDuration().compareTo(Duration.ofDays(1)) > 0) {
      faults.add(
          "cairn.live.max-duration (CAIRN_LIVE_MAX_DURATION) must be from PT1S to P1D, a day.");
    }
    if (live.idleDuration().isNegative()) {
      faults.add("cairn.live.idle-duration (CAIRN_LIVE_IDLE_DURATION) must be PT0S or more.");
    }
    if (config.stop().delay().isNegative()) {
      faults.add("cairn.stop.delay (CAIRN_STOP_DELAY) must be PT0S or more.");
    }
    if (config.stop().timeout().compareTo(Duration.ofSeconds(1)) < 0) {
      faults.add("cairn.stop.timeout (CAIRN_STOP_TIMEOUT) must be PT1S or more.");
    }
    return faults;
  }

  private static List<BoundedSetting> limits(LimitsConfig limits) {
    return List.of(
        new BoundedSetting("cairn.limits.sign-ins-per-minute", limits.signInsPerMinute(), 0),
        new BoundedSetting("cairn.limits.pats-per-hour", limits.patsPerHour(), 0),
        new BoundedSetting("cairn.limits.sessions-per-hour", limits.sessionsPerHour(), 0),
        new BoundedSetting("cairn.limits.changes-per-hour", limits.changesPerHour(), 0),
        new BoundedSetting(
            "cairn.limits.subscriptions-per-minute", limits.subscriptionsPerMinute(), 0),
        new BoundedSetting(
            "cairn.limits.component-calls-per-minute", limits.componentCallsPerMinute(), 0),
        new BoundedSetting("cairn.limits.organizations-per-hour", limits.organizationsPerHour(), 0),
        new BoundedSetting(
            "cairn.limits.repositories-per-minute", limits.repositoriesPerMinute(), 0),
        new BoundedSetting("cairn.limits.members-per-minute", limits.membersPerMinute(), 0),
        new BoundedSetting("cairn.limits.commits-per-minute", limits.commitsPerMinute(), 0),
        new BoundedSetting("cairn.limits.live-queries", limits.liveQueries(), 1),
        new BoundedSetting("cairn.limits.renamed-mib-per-hour", limits.renamedMibPerHour(), 0),
        new BoundedSetting(
            "cairn.limits.anonymous-reads-per-hour", limits.anonymousReadsPerHour(), 0),
        new BoundedSetting(
            "cairn.limits.embedded-queries-per-hour", limits.embeddedQueriesPerHour(), 0),
        new BoundedSetting("cairn.limits.registrations-per-hour", limits.registrationsPerHour(), 0),
        new BoundedSetting("cairn.limits.body-bytes-per-second", limits.bodyBytesPerSecond(), 0),
        new BoundedSetting("cairn.limits.arriving-mib", limits.arrivingMib(), 0),
        new BoundedSetting("cairn.limits.connections", limits.connections(), 0),
        new BoundedSetting(
            "cairn.limits.connections-per-address", limits.connectionsPerAddress(), 0),
        new BoundedSetting("cairn.limits.commit-wait-seconds", limits.commitWaitSeconds(), 1),
        new BoundedSetting("cairn.limits.body-seconds", limits.bodySeconds(), 1),
        new BoundedSetting("cairn.limits.unread-answer-seconds", limits.unreadAnswerSeconds(), 1),
        new BoundedSetting("cairn.limits.export-stream-seconds", limits.exportStreamSeconds(), 1),
        new BoundedSetting("cairn.limits.stream-idle-seconds", limits.streamIdleSeconds(), 1),
        new BoundedSetting("cairn.limits.streams", limits.streams(), 0),
        new BoundedSetting("cairn.limits.downloads", limits.downloads(), 1),
        new BoundedSetting(
            "cairn.limits.live-tickets-per-minute", limits.liveTicketsPerMinute(), 0),
        new BoundedSetting("cairn.limits.live-clients", limits.liveClients(), 1),
        new BoundedSetting(
            "cairn.limits.live-clients-per-account", limits.liveClientsPerAccount(), 1),
        new BoundedSetting(
            "cairn.limits.live-clients-per-address", limits.liveClientsPerAddress(), 1));
  }

  private static List<BoundedSetting> quotas(QuotasConfig quotas) {
    return List.of(
        new BoundedSetting(
            "cairn.quotas.organizations-per-account", quotas.organizationsPerAccount(), 0),
        new BoundedSetting("cairn.quotas.tokens-per-account", quotas.tokensPerAccount(), 0),
        new BoundedSetting(
            "cairn.quotas.repositories-per-organization", quotas.repositoriesPerOrganization(), 0),
        new BoundedSetting(
            "cairn.quotas.members-per-organization", quotas.membersPerOrganization(), 0),
        new BoundedSetting(
            "cairn.quotas.subscriptions-per-repository", quotas.subscriptionsPerRepository(), 0),
        new BoundedSetting(
            "cairn.quotas.components-per-organization", quotas.componentsPerOrganization(), 0),
        new BoundedSetting("cairn.quotas.bytes-per-organization", quotas.bytesPerOrganization(), 0),
        new BoundedSetting(
            "cairn.quotas.exports-building-per-account", quotas.exportsBuildingPerAccount(), 0),
        new BoundedSetting("cairn.quotas.exports-per-repository", quotas.exportsPerRepository(), 0),
        new BoundedSetting("cairn.quotas.export-bytes", quotas.exportBytes(), 0),
        new BoundedSetting("cairn.quotas.export-bytes-share", quotas.exportBytesShare(), 0),
        new BoundedSetting("cairn.quotas.unused-clients", quotas.unusedClients(), 0),
        new BoundedSetting("cairn.quotas.pending-devices", quotas.pendingDevices(), 0));
  }

  private static boolean isKey(String text) {
    try {
      return Base64.getDecoder().decode(text.trim()).length == 32;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether it is an http or https URL to which paths can be appended. */
  static boolean isBase(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null
        && url.getQuery() == null
        && url.getFragment() == null;
  }
}
