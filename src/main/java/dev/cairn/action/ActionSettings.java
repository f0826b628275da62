package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.StartupCheck;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Checks the settings of actions at the start. */
@Singleton
class ActionSettings implements StartupCheck {
  private static final int MAX_ATTEMPTS = 100;
  private static final int MIN_TOKEN_LENGTH = 16;
  private static final Duration MAX_WEBHOOK_TIMEOUT = Duration.ofMinutes(5);

  private final CairnConfig config;

  ActionSettings(CairnConfig config) {
    this.config = config;
  }

  @Override
  public List<String> faults() {
    var faults = new ArrayList<String>();
    var retry = config.retry();
    if (retry.delays().stream().anyMatch(Duration::isNegative)) {
      faults.add("cairn.retry.delays (CAIRN_RETRY_DELAYS) must not be negative.");
    }
    if (retry.maxAttempts() < 1 || retry.maxAttempts() > MAX_ATTEMPTS) {
      faults.add("cairn.retry.max-attempts (CAIRN_RETRY_MAX_ATTEMPTS) must be 1 to 100.");
    }
    var timeout = config.webhook().timeout();
    if (!timeout.isPositive() || timeout.compareTo(MAX_WEBHOOK_TIMEOUT) > 0) {
      faults.add(
          "cairn.webhook.timeout (CAIRN_WEBHOOK_TIMEOUT) must be positive and at most" + " PT5M.");
    }
    if (!config.callback().deadline().isPositive()) {
      faults.add("cairn.callback.deadline (CAIRN_CALLBACK_DEADLINE) must be positive.");
    }
    if (!config.run().retention().isPositive()) {
      faults.add("cairn.run.retention (CAIRN_RUN_RETENTION) must be positive.");
    }
    if (config.tick().token().filter(token -> token.length() < MIN_TOKEN_LENGTH).isPresent()) {
      faults.add("cairn.tick.token (CAIRN_TICK_TOKEN) must have at least 16 characters.");
    }
    if (config.worker().webhooks() < 1) {
      faults.add("cairn.worker.webhooks (CAIRN_WORKER_WEBHOOKS) must be at least 1.");
    }
    if (config.worker().sprites() < 1) {
      faults.add("cairn.worker.sprites (CAIRN_WORKER_SPRITES) must be at least 1.");
    }
    return faults;
  }
}
