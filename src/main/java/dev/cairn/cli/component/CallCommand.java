package dev.cairn.cli.component;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.JsonText;
import dev.cairn.client.ComponentCall;
import dev.cairn.client.ComponentCallResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code component call}. */
@Command(
    name = "call",
    description = {
      "Call a method of an installed component.",
      "What its server answers is shown. The arguments are checked against the manifest, and the"
          + " call is signed. Ends with 1 if the server does not answer with a status of 2xx."
    },
    footer = {
      "cairn component call garden/cycle-finder cycles",
      "cairn component call garden/summary summarize --arg shape=Reading",
      "cairn component call garden/x find --json-arg 'sizes=[1,2]' --json"
    })
final class CallCommand extends RegistryCall {
  @Parameters(index = "1", paramLabel = "<method>", description = "The method.")
  private String method;

  @Option(
      names = "--arg",
      paramLabel = "<name=text>",
      description = "An argument that is a text; can be repeated.")
  private Map<String, String> texts;

  @Option(
      names = "--json-arg",
      paramLabel = "<name=json>",
      description = "An argument of any type, as JSON; can be repeated.")
  private Map<String, String> values;

  @Option(
      names = "--args",
      paramLabel = "<file>",
      description = "All arguments as a JSON object in a file, or - for standard input.")
  private Path file;

  @Override
  protected void run() throws IOException {
    var name = component();
    var call = new ComponentCall(settings().repository().toString(), arguments());
    var result = client().components().callComponentMethod(name.org(), name.name(), method, call);
    show(result);
    if (result.status() == null) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "The component's server did not answer: " + result.detail(),
          "cairn component doctor " + name);
    }
    if (result.status() / 100 != 2) {
      throw new CommandFailure(
          ExitCode.FAILED, "The component's server answered %d.".formatted(result.status()));
    }
  }

  private ObjectNode arguments() throws IOException {
    if (file != null) {
      if (texts != null || values != null) {
        throw usage("--args has all arguments, so --arg and --json-arg exclude it.");
      }
      return BodyFile.read(file, context());
    }
    var arguments = JsonNodeFactory.instance.objectNode();
    if (texts != null) {
      texts.forEach(arguments::put);
    }
    if (values != null) {
      values.forEach((name, json) -> arguments.set(name, JsonText.any("--json-arg " + name, json)));
    }
    return arguments;
  }

  /** As text the body alone, so that it can be piped. */
  private void show(ComponentCallResult result) {
    if (output().isStructured()) {
      output().document(result);
    } else if (result.body() != null && !result.body().isNull()) {
      output().text(text(result.body()));
    }
    if (Boolean.TRUE.equals(result.truncated())) {
      output().warn("The answer is longer than 256 KiB, or did not end in time.");
    }
  }

  private static String text(JsonNode body) {
    return body.isTextual() ? body.textValue() : body.toPrettyString();
  }
}
