package dev.cairn.cli.subscription;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.JsonText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a subscription is triggered by, and what it then does; a mixin. */
final class ActionOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--on", paramLabel = "<shape>", description = "The shape to watch.")
  private String shape;

  @Option(
      names = "--operation",
      paramLabel = "<kinds>",
      split = ",",
      description = "Only these: add, revise, retract, rename; several with commas between them.")
  private List<String> operations;

  @Option(
      names = "--match",
      paramLabel = "<glob>",
      description = "Only entities whose wref matches, such as Sensor/hall-1/**; can be repeated.")
  private List<String> matches;

  @Option(
      names = "--filter",
      paramLabel = "<json>",
      description = "The whole filter as JSON, instead of --operation and --match.")
  private String filter;

  @Option(
      names = "--cron",
      paramLabel = "<spec>",
      description =
          "A schedule of five fields, such as '30 2 * * MON-FRI', at least 5 minutes apart.")
  private String cron;

  @Option(
      names = "--zone",
      paramLabel = "<zone>",
      description = "The time zone of the schedule, such as Europe/Berlin; UTC by default.")
  private String zone;

  @Option(
      names = "--url",
      paramLabel = "<url>",
      description = "Call this webhook: https with a public address.")
  private String url;

  @Option(
      names = "--command",
      paramLabel = "<command>",
      description = "Run this shell command in an execution environment.")
  private String command;

  @Option(
      names = "--input",
      paramLabel = "<mode>",
      description = "How the command gets its input: stdin, json-file or env.")
  private String input;

  @Option(
      names = "--input-path",
      paramLabel = "<path>",
      description = "The file of --input json-file.")
  private String inputPath;

  @Option(
      names = "--git-repo",
      paramLabel = "<owner/repo>",
      description = "The repository to clone for the command; needs --ref.")
  private String gitRepo;

  @Option(
      names = "--ref",
      paramLabel = "<ref>",
      description = "The branch, tag or commit to check out.")
  private String ref;

  @Option(
      names = "--pool",
      paramLabel = "<pool>",
      description = "The pool of execution environments.")
  private String pool;

  @Option(
      names = "--token-ttl",
      paramLabel = "<minutes>",
      description = "How long the command's token is valid: 5 to 60 minutes, 10 by default.")
  private Integer tokenTtl;

  /** For picocli. */
  ActionOptions() {}

  /** Whether a schedule triggers it. */
  boolean isScheduled() {
    return cron != null;
  }

  /** Whether a command is run. */
  boolean isCommand() {
    return command != null;
  }

  /**
   * Refuses what cannot be a whole subscription.
   *
   * @throws ParameterException naming the rule that is broken
   */
  void requireComplete() {
    if ((shape == null) == (cron == null)) {
      throw wrong("Give either --on, for commits, or --cron, for a schedule.");
    }
    if ((url == null) == (command == null)) {
      throw wrong("Give either --url, to call a webhook, or --command, to run one.");
    }
    if (cron != null && (operations != null || matches != null || filter != null)) {
      throw wrong("--operation, --match and --filter select commits, so they need --on.");
    }
    if (zone != null && cron == null) {
      throw wrong("--zone is the time zone of a schedule, so it needs --cron.");
    }
    if (command == null && !commandOptions().isEmpty()) {
      throw wrong(
          "%s belongs to a command, so it needs --command.".formatted(commandOptions().getFirst()));
    }
    if (command != null && input == null) {
      throw wrong("--command needs --input: stdin, json-file or env.");
    }
  }

  private List<String> commandOptions() {
    var given = new ArrayList<String>();
    add(given, "--input", input);
    add(given, "--input-path", inputPath);
    add(given, "--git-repo", gitRepo);
    add(given, "--ref", ref);
    add(given, "--pool", pool);
    add(given, "--token-ttl", tokenTtl);
    return given;
  }

  private static void add(List<String> given, String option, Object value) {
    if (value != null) {
      given.add(option);
    }
  }

  /** Writes what was given into a request. */
  void writeTo(ObjectNode request) {
    put(request, "shapeName", shape);
    var filters = filter();
    if (filters != null) {
      request.set("filterJson", filters);
    }
    if (cron != null || zone != null) {
      var schedule = request.putObject("cronConfig");
      put(schedule, "cronspec", cron);
      put(schedule, "timezone", zone);
    }
    put(request, "webhookUrl", url);
    if (command != null || !commandOptions().isEmpty()) {
      writeCommand(request.putObject("spriteConfig"));
    }
  }

  private void writeCommand(ObjectNode config) {
    put(config, "command", command);
    put(config, "inputMode", input);
    put(config, "inputPath", inputPath);
    put(config, "gitRepo", gitRepo);
    put(config, "ref", ref);
    put(config, "spritePool", pool);
    if (tokenTtl != null) {
      config.put("tokenTtlMinutes", tokenTtl);
    }
  }

  private ObjectNode filter() {
    if (filter != null) {
      if (operations != null || matches != null) {
        throw wrong("--filter has the whole filter, so --operation and --match exclude it.");
      }
      return JsonText.object("--filter", filter);
    }
    if (operations == null && matches == null) {
      return null;
    }
    var node = JsonNodeFactory.instance.objectNode();
    array(node, "operation", operations);
    array(node, "match", matches);
    return node;
  }

  private static void array(ObjectNode node, String name, List<String> values) {
    if (values != null) {
      ArrayNode array = node.putArray(name);
      values.forEach(array::add);
    }
  }

  private static void put(ObjectNode node, String name, String value) {
    if (value != null) {
      node.put(name, value);
    }
  }

  private ParameterException wrong(String sentence) {
    return new ParameterException(spec.commandLine(), sentence);
  }
}
