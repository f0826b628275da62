package dev.cairn.cli.subscription;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.TimeInput;
import dev.cairn.cli.output.Details;
import dev.cairn.client.Filter;
import dev.cairn.client.Json;
import dev.cairn.client.RunsClient;
import dev.cairn.client.Subscription;
import dev.cairn.client.SubscriptionsClient;
import picocli.CommandLine.Command;

/** A command about the subscriptions or the runs of the repository. */
@Command
abstract class SubscriptionCall extends CliCommand {
  final SubscriptionsClient subscriptions() {
    return repository().subscriptions();
  }

  final RunsClient runs() {
    return repository().runs();
  }

  /** The time that {@code --since} has, in milliseconds since 1970; null if it was not given. */
  final Long time(String since) {
    return since == null
        ? null
        : TimeInput.past("--since", since, context().clock().instant(), context().zone());
  }

  /** Shows a subscription, with what the caller may see of it. */
  final void show(Subscription subscription) {
    var details =
        new Details()
            .add("Name", subscription.name())
            .add("Kind", subscription.kind())
            .add("State", subscription.active() ? "active" : "paused")
            .add("Shape", subscription.shapeName())
            .add("Watches", subscription.sourceRepo())
            .add("Filter", json(subscription.filterJson()))
            .add("URL", subscription.webhookUrl());
    var schedule = subscription.cronConfig();
    if (schedule != null) {
      details
          .add("Schedule", schedule.cronspec())
          .add("Time zone", schedule.timezone() == null ? "UTC" : schedule.timezone());
    }
    var command = subscription.spriteConfig();
    if (command != null) {
      details
          .add("Command", command.command())
          .add("Input", command.inputMode())
          .add("Checkout", command.gitRepo())
          .add("Ref", command.ref())
          .add("Pool", command.spritePool());
    }
    output()
        .details(
            subscription,
            details
                .add("Environment", subscription.actionContainer())
                .add("Credential set", subscription.credentialSetName())
                .add("Acts for", subscription.principal())
                .time("Created", subscription.createdAt())
                .add("ETag", subscription.etag()));
  }

  private static JsonNode json(Filter filter) {
    return filter == null ? null : Json.mapper().valueToTree(filter);
  }
}
