package dev.cairn.cli.organization;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Table;
import dev.cairn.client.AuditEvent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code org audit}. */
@Command(
    name = "audit",
    description = {
      "Show the audit log of an organization, the newest event first.",
      "Who changed members, repositories, subscriptions, credentials and components, with which"
          + " token and from where. It takes org:admin."
    },
    footer = {
      "cairn org audit garden --limit 20",
      "cairn org audit garden --jsonl | jq 'select(.actor == \"cairn\")'"
    })
final class AuditCommand extends CliCommand {
  @Parameters(paramLabel = "<org>", description = "The organization.")
  private String name;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    var table =
        new Table<AuditEvent>()
            .time("AT", AuditEvent::at)
            .text("ACTION", AuditEvent::action)
            .text("TARGET", AuditEvent::target)
            .text("ACTOR", AuditEvent::actor)
            .text("TOKEN", AuditEvent::token)
            .text("ADDRESS", AuditEvent::address)
            .text("DETAILS", event -> event.details().toString());
    var events = client().organization(name).listAuditEvents();
    output().list(table, limit.apply(events, output()), "No events.");
  }
}
