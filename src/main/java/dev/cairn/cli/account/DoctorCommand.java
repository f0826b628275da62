package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.Errors;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Style;
import dev.cairn.client.Whoami;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** Checks what commands need: the file, the server, the clocks, the token, the repository. */
@Command(
    name = "doctor",
    description = "Check the connection, and say what to do about each fault.",
    footer = {"cairn doctor", "cairn doctor --json"})
public final class DoctorCommand extends CliCommand {
  private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(1);
  private static final Duration EXPIRES_SOON = Duration.ofDays(3);

  /** How a check ended. */
  enum Status {
    ok(null),
    warning(Style.YELLOW),
    failed(Style.RED);

    private final Style style;

    Status(Style style) {
      this.style = style;
    }
  }

  /**
   * A check.
   *
   * @param name what was checked
   * @param status how it ended
   * @param finding what was found
   * @param advice what to do; null if there is nothing to do
   */
  record Check(String name, Status status, String finding, String advice) {}

  private final List<Check> checks = new ArrayList<>();

  @Override
  protected void run() {
    boolean hasFile = check("profiles", this::profiles);
    if (hasFile && check("server", this::server)) {
      check("clock", this::clock);
      if (check("token", this::token)) {
        check("repository", this::repositoryCheck);
      }
    }
    show();
    if (checks.stream().anyMatch(check -> check.status() == Status.failed)) {
      throw new CommandFailure(ExitCode.FAILED, "Not everything is in order.");
    }
  }

  private void show() {
    if (output().isStructured()) {
      boolean ok = checks.stream().noneMatch(check -> check.status() == Status.failed);
      output().document(Map.of("ok", ok, "checks", checks));
      return;
    }
    for (var check : checks) {
      output()
          .line(
              "%-8s %s: %s".formatted(check.status(), check.name(), check.finding()),
              check.status().style);
      if (check.advice() != null) {
        output().line(" ".repeat(9) + "Try: " + check.advice());
      }
    }
  }

  /** Adds what a check finds, or why it failed. */
  private boolean check(String name, Supplier<Check> work) {
    Check done;
    try {
      done = work.get();
    } catch (RuntimeException e) {
      var report = Errors.report(e, context());
      var advice =
          report.exitCode() == ExitCode.UNREACHABLE
              ? "check that it runs, the URL (--server, $CAIRN_SERVER, the profile), the network"
              : report.tries().isEmpty() ? null : String.join(", ", report.tries());
      done = new Check(name, Status.failed, report.sentence(), advice);
    }
    checks.add(done);
    return done.status() != Status.failed;
  }

  private Check profiles() {
    var file = settings().file();
    int count = settings().profiles().byName().size();
    return count == 0
        ? new Check("profiles", Status.ok, "none yet, in " + file.path(), null)
        : new Check(
            "profiles",
            Status.ok,
            "'%s' of %d, in %s".formatted(settings().profileName(), count, file.path()),
            null);
  }

  private Check server() {
    var server = settings().server();
    try (var anonymous = anonymousClient(server)) {
      long start = System.nanoTime();
      var version = anonymous.server().apiVersion();
      long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
      return new Check(
          "server",
          Status.ok,
          "%s answers in %d ms; its API is %s".formatted(server, millis, version),
          null);
    }
  }

  /** The server's clock is only known from a token that it has issued to this machine. */
  private Check clock() {
    var profile = settings().signedInProfile();
    if (profile == null || profile.signIn() == null || !profile.signIn().isGrant()) {
      return new Check("clock", Status.ok, "not compared: that needs a sign-in by browser", null);
    }
    var signIn = profile.signIn();
    long expiry = AccessToken.expiresAt(signIn.accessToken());
    var difference = Duration.ofMillis(signIn.expiresAt() - expiry).abs();
    return difference.compareTo(MAX_CLOCK_DIFFERENCE) <= 0
        ? new Check(
            "clock",
            Status.ok,
            "within " + MAX_CLOCK_DIFFERENCE.toSeconds() + " s of the server's",
            null)
        : new Check(
            "clock",
            Status.warning,
            "differs from the server's by " + difference.toSeconds() + " s",
            "set the clock of this machine, or of the server, by NTP");
  }

  private Check token() {
    var whoami = client().account().whoami();
    if (!whoami.authenticated()) {
      return new Check(
          "token", Status.warning, "none: only what is public can be read", "cairn login");
    }
    var origin = settings().givenToken() == null ? "" : ", from $CAIRN_TOKEN";
    var who = accountName(whoami);
    return whoami.token() == null
        ? new Check("token", Status.ok, "a sign-in of " + who + renewal() + origin, null)
        : personalToken(whoami.token(), who, origin);
  }

  private String renewal() {
    var profile = settings().signedInProfile();
    return settings().givenToken() == null && profile != null && profile.signIn() != null
        ? ", which renews itself"
        : "";
  }

  private Check personalToken(Whoami.Token token, String who, String origin) {
    var left =
        Duration.between(context().clock().instant(), Instant.ofEpochMilli(token.expiresAt()));
    boolean soon = left.compareTo(EXPIRES_SOON) < 0;
    return new Check(
        "token",
        soon ? Status.warning : Status.ok,
        "'%s' of %s, until %s%s"
            .formatted(token.name(), who, output().full(token.expiresAt()), origin),
        soon ? "cairn token create" : null);
  }

  private Check repositoryCheck() {
    var name = settings().repositoryIfChosen();
    if (name == null) {
      return new Check("repository", Status.warning, "none was chosen", "cairn use <org/repo>");
    }
    var found = client().repository(name.org(), name.repo()).getRepository();
    return new Check(
        "repository",
        Status.ok,
        "%s can be read; it is %s, at commit %d"
            .formatted(name, found.visibility(), found.repoSeq()),
        null);
  }
}
