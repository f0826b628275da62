package dev.cairn.cli.subscription;

import dev.cairn.cli.command.CommandGroup;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.Done;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Subscription;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The group {@code sub}. */
@Command(
    name = "sub",
    description = {
      "List, create and change subscriptions.",
      "A subscription calls a webhook or runs a command, for each commit that its filter matches or"
          + " when its schedule fires. Each time is a run: see 'cairn run'."
    },
    subcommands = {
      SubCommand.ListCommand.class,
      SubCommand.Get.class,
      CreateCommand.class,
      EditCommand.class,
      SubCommand.Pause.class,
      SubCommand.Resume.class,
      SubCommand.Recover.class,
      SubCommand.Delete.class
    },
    footer = {
      "cairn sub list",
      "cairn sub create warm --on Sensor --url https://hooks.garden.example/warm"
    })
public final class SubCommand extends CommandGroup {

  /** {@code sub list}. */
  @Command(
      name = "list",
      description = "List the subscriptions of the repository.",
      footer = {"cairn sub list", "cairn sub list --json | jq -r '.[].name'"})
  static final class ListCommand extends SubscriptionCall {
    @Override
    protected void run() {
      var table =
          new Table<Subscription>()
              .text("NAME", Subscription::name)
              .text("STATE", ListCommand::state, row -> row.active() ? Style.GREEN : Style.YELLOW)
              .text("KIND", Subscription::kind)
              .text("TRIGGER", ListCommand::trigger)
              .text("URL", Subscription::webhookUrl);
      output().array(table, subscriptions().listSubscriptions().stream(), "No subscriptions.");
    }

    private static String state(Subscription subscription) {
      return subscription.active() ? "active" : "paused";
    }

    private static String trigger(Subscription subscription) {
      var schedule = subscription.cronConfig();
      return schedule == null ? subscription.shapeName() : schedule.cronspec();
    }
  }

  /** {@code sub get}. */
  @Command(
      name = "get",
      description = {
        "Show a subscription.",
        "Callers that may not write see only the origin of its URL, and no command."
      },
      footer = {"cairn sub get sensors/changed"})
  static final class Get extends SubscriptionCall {
    @Parameters(paramLabel = "<name>", description = "The subscription.")
    private String name;

    @Override
    protected void run() {
      show(subscriptions().getSubscription(name));
    }
  }

  /** {@code sub pause}. */
  @Command(
      name = "pause",
      description = {
        "Pause a subscription: it starts no more runs.",
        "Runs that exist already complete, with their retries."
      },
      footer = {"cairn sub pause sensors/changed"})
  static final class Pause extends SubscriptionCall {
    @Parameters(paramLabel = "<name>", description = "The subscription.")
    private String name;

    @Override
    protected void run() {
      subscriptions().pauseSubscription(name);
      output().done(Done.ok(), "Paused " + name + ".");
    }
  }

  /** {@code sub resume}. */
  @Command(
      name = "resume",
      description = {
        "Resume a subscription; from then on it acts for you.",
        "Commits and ticks during the pause start no runs."
      },
      footer = {"cairn sub resume sensors/changed"})
  static final class Resume extends SubscriptionCall {
    @Parameters(paramLabel = "<name>", description = "The subscription.")
    private String name;

    @Option(
        names = "--if-match",
        paramLabel = "<etag>",
        description = "Only if it still has this ETag, as 'cairn sub get' shows it.")
    private String etag;

    @Override
    protected void run() {
      subscriptions().resumeSubscription(name, etag);
      output().done(Done.ok(), "Resumed " + name + ".");
    }
  }

  /** {@code sub recover}. */
  @Command(
      name = "recover",
      description = {
        "Retry all failed runs of a subscription since a time.",
        "For example after an outage. Their input is sent as it was, with the present settings. It"
            + " takes repo:configure. A single run is retried by 'cairn run retry'."
      },
      footer = {
        "cairn sub recover sensors/changed --since 2h",
        "cairn sub recover sensors/changed --since 2026-11-29T08:00:00Z"
      })
  static final class Recover extends SubscriptionCall {
    @Parameters(paramLabel = "<name>", description = "The subscription.")
    private String name;

    @Option(
        names = "--since",
        required = true,
        paramLabel = "<time>",
        description = "Runs created since then: 2h, 30d, 2026-11-29, 2026-11-29T08:00:00Z.")
    private String since;

    @Override
    protected void run() {
      int runs = runs().recoverRuns(name, time(since));
      output()
          .done(
              Done.ok().put("runs", runs),
              runs == 1
                  ? "1 run waits for another attempt."
                  : runs + " runs wait for another attempt.");
    }
  }

  /** {@code sub delete}. */
  @Command(
      name = "delete",
      description = {
        "Delete a subscription with its binding and its schedule.",
        "Runs that wait end with SUBSCRIPTION_DELETED, and nothing is sent for them. 'cairn sub"
            + " pause' can be undone."
      },
      footer = {"cairn sub delete sensors/changed --yes"})
  static final class Delete extends SubscriptionCall {
    @Parameters(paramLabel = "<name>", description = "The subscription.")
    private String name;

    @Option(
        names = "--if-match",
        paramLabel = "<etag>",
        description = "Only if it still has this ETag, as 'cairn sub get' shows it.")
    private String etag;

    @Mixin private Confirmation confirmation;

    @Override
    protected void run() {
      confirm(confirmation, "Delete the subscription %s?".formatted(name));
      subscriptions().deleteSubscription(name, etag);
      output().done(Done.ok(), "Deleted " + name + ".");
    }
  }
}
