package dev.cairn.cli.account;

import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Output;
import dev.cairn.client.CairnException;
import dev.cairn.client.DeviceAnswer;
import dev.cairn.client.ServerNotReachedException;
import dev.cairn.client.SignInClient;
import dev.cairn.client.Tokens;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The device flow (RFC 8628): the person confirms a code in a browser, on this machine or any other
 * one, while this asks for the tokens.
 */
final class DeviceSignIn {
  private static final Duration SLOWER = Duration.ofSeconds(5);

  /** The longest wait if the server does not ask for a longer one. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** Waits, so that tests need not. */
  @FunctionalInterface
  interface Pause {
    void pause(Duration duration) throws InterruptedException;
  }

  private final SignInClient signIn;
  private final String clientId;
  private final Output output;
  private final Pause pause;

  DeviceSignIn(SignInClient signIn, String clientId, Output output, Pause pause) {
    this.signIn = signIn;
    this.clientId = clientId;
    this.output = output;
    this.pause = pause;
  }

  /**
   * Signs in.
   *
   * @param scope permissions, separated by spaces; null for all that the account has
   * @param browser opens the page, or not
   * @throws CommandFailure if the person refuses, or lets the code expire
   * @throws ServerNotReachedException if the server is still not reached when the code expires
   */
  Tokens run(String scope, Browser browser) throws InterruptedException {
    var device = start(scope);
    output.message("Your code: " + device.userCode());
    var page = page(device);
    if (page.isPresent() && browser != null && browser.open(page.get())) {
      output.message("Confirm it in the browser, at " + page.get());
    } else {
      output.message(
          "Confirm it in a browser, on any machine: " + device.verificationUriComplete());
    }
    return poll(device);
  }

  private DeviceAnswer start(String scope) {
    try {
      return signIn.authorizeDevice(clientId, scope);
    } catch (CairnException e) {
      if (e.status() == 404) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND,
            "This server has no sign-in of its own: its accounts are those of another issuer.",
            "cairn login --token-stdin");
      }
      throw e;
    }
  }

  /** The page to open, which must be one that a browser loads: a server could send anything. */
  private static Optional<URI> page(DeviceAnswer device) {
    try {
      var page = URI.create(device.verificationUriComplete());
      return "https".equals(page.getScheme()) || "http".equals(page.getScheme())
          ? Optional.of(page)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Asks for the tokens until the code expires. A lost connection or a busy server does not end
   * that: the code stays valid meanwhile.
   */
  private Tokens poll(DeviceAnswer device) throws InterruptedException {
    var interval = Duration.ofSeconds(Math.max(1, device.interval()));
    var wait = interval;
    var left = Duration.ofSeconds(device.expiresIn());
    RuntimeException outage = null;
    while (left.isPositive()) {
      wait = wait.compareTo(left) < 0 ? wait : left;
      pause.pause(wait);
      long begun = System.nanoTime();
      try {
        return signIn.getDeviceToken(clientId, device.deviceCode());
      } catch (CairnException | ServerNotReachedException e) {
        left = left.minus(wait).minusNanos(System.nanoTime() - begun);
        if (isOutage(e)) {
          note(outage);
          outage = e;
          wait = longer(wait, e);
        } else {
          outage = null;
          interval = next(interval, (CairnException) e);
          wait = interval;
        }
      }
    }
    throw outage == null ? expired() : outage;
  }

  private static boolean isOutage(RuntimeException failure) {
    return switch (failure) {
      case CairnException e -> e.status() == 429 || e.status() == 503;
      default -> {
        if (Thread.currentThread().isInterrupted()) {
          throw failure;
        }
        yield true;
      }
    };
  }

  private void note(RuntimeException outageBefore) {
    if (outageBefore == null) {
      output.note("The server does not answer now. It is asked again until the code expires.");
    }
  }

  /** Backoff: twice as long, and at least as long as the server asks for. */
  private static Duration longer(Duration wait, RuntimeException outage) {
    var doubled = wait.multipliedBy(2);
    var bounded = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    var next = bounded.compareTo(wait) > 0 ? bounded : wait;
    var asked =
        outage instanceof CairnException e ? e.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
    return asked.compareTo(next) > 0 ? asked : next;
  }

  /** The time between two polls after an answer without tokens. */
  private static Duration next(Duration interval, CairnException answer) {
    return switch (answer.code()) {
      case "authorization_pending" -> interval;
      case "slow_down" -> interval.plus(SLOWER);
      case "access_denied" ->
          throw new CommandFailure(
              ExitCode.FORBIDDEN, "The sign-in was refused in the browser.", "cairn login");
      case "expired_token" -> throw expired();
      default -> throw answer;
    };
  }

  private static CommandFailure expired() {
    return new CommandFailure(
        ExitCode.UNAUTHENTICATED,
        "Nobody confirmed the code in time: it has expired.",
        "cairn login");
  }
}
