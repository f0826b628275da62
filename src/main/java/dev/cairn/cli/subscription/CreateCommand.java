package dev.cairn.cli.subscription;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sub create}. */
@Command(
    name = "create",
    description = {
      "Create a subscription.",
      "It is triggered by commits (--on) or by a schedule (--cron), and calls a webhook (--url) or"
          + " runs a command (--command). It acts for you, with the rights that you have at the"
          + " time. For nested filters and several token scopes, write the whole request into a"
          + " file (--file)."
    },
    footer = {
      "cairn sub create sensors/changed --on Sensor --operation add,revise \\",
      "  --url https://hooks.garden.example/sensors --credential hooks",
      "cairn sub create nightly --cron '30 2 * * *' --zone Europe/Berlin \\",
      "  --url https://hooks.garden.example/nightly",
      "cairn sub create repair --on Sensor --command 'make repair' --input stdin \\",
      "  --git-repo garden/scripts --ref main --token-permission repo:read,repo:write",
      "cairn sub create sensors/changed --file subscription.json"
    })
final class CreateCommand extends SubscriptionCall {
  @Parameters(
      paramLabel = "<name>",
      description = "Its name, unique in the repository; slashes are allowed.")
  private String name;

  @Mixin private ActionOptions action;

  @Option(
      names = "--source",
      paramLabel = "<org/repo>",
      description = "Watch another repository of the organization.")
  private String source;

  @Option(
      names = "--credential",
      paramLabel = "<set>",
      description = "Bind this credential set, whose secrets the calls then carry.")
  private String credential;

  @Option(
      names = "--token-permission",
      paramLabel = "<permissions>",
      split = ",",
      description =
          "What the command's token may do, such as repo:read,repo:write; by default none.")
  private List<String> permissions;

  @Option(
      names = "--token-match",
      paramLabel = "<glob>",
      description = "Only for wrefs that match; can be repeated.")
  private List<String> tokenMatches;

  @Option(names = "--notify-on-success", description = "Notify of runs that succeed, too.")
  private boolean notifyOnSuccess;

  @Option(
      names = "--trace-reentry",
      description = "It may run more than once in a trace, that is, because of its own commits.")
  private boolean traceReentry;

  @Option(names = "--paused", description = "It starts no runs until 'cairn sub resume'.")
  private boolean paused;

  @Mixin private BodyFile file;

  @Override
  protected void run() throws IOException {
    var request = file.isGiven() ? file.read(spec(), context()) : request();
    request.put("name", name);
    var created = subscriptions().createSubscription(request);
    output()
        .done(
            created,
            created.active()
                ? "Created " + name + "."
                : "Created " + name + ", paused: 'cairn sub resume' starts it.");
  }

  private ObjectNode request() {
    action.requireComplete();
    if (tokenMatches != null && permissions == null) {
      throw usage("--token-match narrows permissions, so it needs --token-permission.");
    }
    if (action.isScheduled() && source != null) {
      throw usage("--source is for commits, so it needs --on.");
    }
    var request = JsonNodeFactory.instance.objectNode();
    request.put("kind", kind());
    action.writeTo(request);
    if (action.isScheduled()) {
      request.put("executorKind", action.isCommand() ? "sprite" : "webhook");
    } else if (!request.has("filterJson")) {
      request.putObject("filterJson");
    }
    if (source != null) {
      request.put("sourceRepo", source);
    }
    if (credential != null) {
      request.put("credentialSetName", credential);
    }
    writeScopes(request);
    writeSwitches(request);
    return request;
  }

  private String kind() {
    return action.isScheduled() ? "cron" : action.isCommand() ? "sprite" : "webhook";
  }

  private void writeScopes(ObjectNode request) {
    if (permissions == null) {
      return;
    }
    var scope = request.putArray("tokenScopes").addObject();
    var granted = scope.putArray("permissions");
    permissions.forEach(granted::add);
    if (tokenMatches != null) {
      var globs = scope.putArray("allowedMatches");
      tokenMatches.forEach(globs::add);
    }
  }

  private void writeSwitches(ObjectNode request) {
    if (notifyOnSuccess) {
      request.put("notifyOnSuccess", true);
    }
    if (traceReentry) {
      request.put("allowTraceReentry", true);
    }
    if (paused) {
      request.put("active", false);
    }
  }
}
