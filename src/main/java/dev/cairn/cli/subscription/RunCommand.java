package dev.cairn.cli.subscription;

import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Attempt;
import dev.cairn.client.Notification;
import dev.cairn.client.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code run}. */
@Command(
    name = "run",
    description = {
      "See what subscriptions have done, and retry what failed.",
      "A run belongs to one subscription and one commit or tick. It is attempted until it succeeds"
          + " or no attempt is left."
    },
    subcommands = {
      RunCommand.ListCommand.class,
      RunCommand.Attempts.class,
      RunCommand.Retry.class,
      RunCommand.Notifications.class
    },
    footer = {"cairn run list --status failed_terminal", "cairn run notifications --since 1d"})
public final class RunCommand extends CommandGroup {
  private static Style style(String status) {
    return switch (status) {
      case "succeeded", "delivered" -> Style.GREEN;
      case "failed", "failed_terminal", "dead_letter" -> Style.RED;
      default -> Style.YELLOW;
    };
  }

  private static String error(String code, String message) {
    return code == null || message == null ? code : code + ": " + message;
  }

  /** {@code run list}. */
  @Command(
      name = "list",
      description = "List the runs of subscriptions, the newest first.",
      footer = {
        "cairn run list",
        "cairn run list --status dead_letter --since 1d",
        "cairn run list --status dead_letter --jsonl | jq -r .runId"
      })
  static final class ListCommand extends SubscriptionCall {
    @Option(
        names = "--status",
        paramLabel = "<status>",
        description = "pending, running, retry_wait, succeeded, failed_terminal or dead_letter.")
    private String status;

    @Option(
        names = "--since",
        paramLabel = "<time>",
        description = "Only those created after: 2h, 30d, 2026-11-29, 2026-11-29T08:00:00Z.")
    private String since;

    @Mixin private ListLimit limit;

    @Override
    protected void run() {
      limit.check();
      var table =
          new Table<Run>()
              .id("RUN", Run::runId)
              .text("STATUS", Run::status, run -> style(run.status()))
              .text("SUBSCRIPTION", Run::subscriptionName)
              .text("ATTEMPTS", run -> run.attemptCount() + "/" + run.maxAttempts())
              .time("CREATED", Run::createdAt)
              .text("ERROR", run -> error(run.lastErrorCode(), run.lastErrorMessage()))
              .text("COMMIT", Run::commitId);
      var all = runs().listRuns(status, time(since));
      output().array(table, limit.apply(all, output()), "No runs.");
    }
  }

  /** {@code run attempts}. */
  @Command(
      name = "attempts",
      description = {
        "List the attempts at a run, in order.",
        "Name the run, or its subscription and commit."
      },
      footer = {
        "cairn run attempts 019aa8ee-6ea5-7b43-a2c8-6f4f3c9e1a77",
        "cairn run attempts --sub sensors/changed --commit 465db8d78211dee8"
      })
  static final class Attempts extends SubscriptionCall {
    @Parameters(arity = "0..1", paramLabel = "<run>", description = "The id of the run.")
    private String run;

    @Option(names = "--sub", paramLabel = "<name>", description = "The subscription.")
    private String subscription;

    @Option(names = "--commit", paramLabel = "<commit>", description = "The commit.")
    private String commit;

    @Override
    protected void run() {
      boolean isByCommit = subscription != null && commit != null;
      if (run == null ? !isByCommit : subscription != null || commit != null) {
        throw usage("Give either <run>, or both --sub and --commit.");
      }
      var table =
          new Table<Attempt>()
              .number("ATTEMPT", Attempt::attempt)
              .text("STATUS", Attempt::status, attempt -> style(attempt.status()))
              .time("STARTED", Attempt::startedAt)
              .text("TOOK", Attempts::duration)
              .number("HTTP", Attempt::httpStatus)
              .text("ERROR", attempt -> error(attempt.errorCode(), attempt.errorMessage()))
              .text("OUTPUT", attempt -> first(attempt.output(), attempt.message()));
      var attempts =
          run == null
              ? runs().listAttemptsOfCommit(subscription, commit)
              : runs().listAttempts(run);
      output().array(table, attempts.stream(), "No attempts yet.");
    }

    private static String duration(Attempt attempt) {
      return attempt.finishedAt() == null
          ? null
          : (attempt.finishedAt() - attempt.startedAt()) + " ms";
    }

    private static String first(String output, String message) {
      return output == null ? message : output;
    }
  }

  /** {@code run retry}. */
  @Command(
      name = "retry",
      description = {
        "Retry a failed run.",
        "Its input is sent as it was, with the present settings. 'cairn sub recover' retries all"
            + " failed runs of a subscription. It takes repo:configure."
      },
      footer = {"cairn run retry 019aa8ee-6ea5-7b43-a2c8-6f4f3c9e1a77"})
  static final class Retry extends SubscriptionCall {
    @Parameters(paramLabel = "<run>", description = "The id of the run.")
    private String run;

    @Override
    protected void run() {
      output().done(runs().retryRun(run), "The run waits for another attempt.");
    }
  }

  /** {@code run notifications}. */
  @Command(
      name = "notifications",
      description = {
        "List the notifications of runs that failed for good.",
        "The newest first. Those of runs that succeeded are there if the subscription has"
            + " --notify-on-success."
      },
      footer = {"cairn run notifications --since 1d"})
  static final class Notifications extends SubscriptionCall {
    @Option(
        names = "--since",
        paramLabel = "<time>",
        description = "Only those created after: 2h, 30d, 2026-11-29, 2026-11-29T08:00:00Z.")
    private String since;

    @Mixin private ListLimit limit;

    @Override
    protected void run() {
      limit.check();
      var table =
          new Table<Notification>()
              .time("CREATED", Notification::createdAt)
              .text("SUBSCRIPTION", Notification::subscriptionName)
              .text("OUTCOME", Notification::outcome, row -> style(row.outcome()))
              .text("CHANNEL", Notification::channel)
              .text("STATUS", Notification::status)
              .time("RESOLVED", Notification::resolvedAt)
              .id("RUN", Notification::runId)
              .text("ERROR", row -> error(row.errorCode(), row.errorMessage()));
      var all = runs().listNotifications(time(since));
      output().array(table, limit.apply(all, output()), "No notifications.");
    }
  }
}
