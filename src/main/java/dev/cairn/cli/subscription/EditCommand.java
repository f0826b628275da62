package dev.cairn.cli.subscription;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import dev.cairn.cli.command.OnOff;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sub edit}. */
@Command(
    name = "edit",
    description = {
      "Change a subscription; what is not given stays.",
      "Its kind and the scopes of its tokens cannot be changed. Whoever changes the URL or the"
          + " command becomes the account that it acts for. In a file, null removes a member of"
          + " spriteConfig or cronConfig."
    },
    footer = {
      "cairn sub edit sensors/changed --operation add --notify-on-success on",
      "cairn sub edit nightly --cron '0 4 * * *'",
      "echo '{\"filterJson\": {}}' | cairn sub edit sensors/changed --file -"
    })
final class EditCommand extends SubscriptionCall {
  @Parameters(paramLabel = "<name>", description = "The subscription.")
  private String name;

  @Mixin private ActionOptions action;

  @Option(
      names = "--notify-on-success",
      paramLabel = "<on|off>",
      converter = OnOff.Converter.class,
      description = "Whether it notifies of runs that succeed, too.")
  private OnOff notifyOnSuccess;

  @Option(
      names = "--trace-reentry",
      paramLabel = "<on|off>",
      converter = OnOff.Converter.class,
      description = "Whether it may run more than once in a trace.")
  private OnOff traceReentry;

  @Option(
      names = "--executor",
      paramLabel = "<kind>",
      description = "What a schedule does: webhook or sprite.")
  private String executor;

  @Option(
      names = "--if-match",
      paramLabel = "<etag>",
      description = "Only if it still has this ETag, as 'cairn sub get' shows it.")
  private String etag;

  @Mixin private BodyFile file;

  @Override
  protected void run() throws IOException {
    var change = file.isGiven() ? file.read(spec(), context(), "--if-match") : change();
    if (change.isEmpty()) {
      throw usage("Nothing to change: give an option, or a file with --file.");
    }
    var changed = subscriptions().updateSubscription(name, change, etag);
    output().done(changed, "Changed " + name + ".");
  }

  private ObjectNode change() {
    var change = JsonNodeFactory.instance.objectNode();
    action.writeTo(change);
    if (executor != null) {
      change.put("executorKind", executor);
    }
    if (notifyOnSuccess != null) {
      change.put("notifyOnSuccess", notifyOnSuccess.isOn());
    }
    if (traceReentry != null) {
      change.put("allowTraceReentry", traceReentry.isOn());
    }
    return change;
  }
}
