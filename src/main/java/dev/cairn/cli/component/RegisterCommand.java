package dev.cairn.cli.component;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import dev.cairn.cli.command.OnOff;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code component register}. */
@Command(
    name = "register",
    description = {
      "Register a component, or a further version of it.",
      "The manifest says what an installation makes. A version never changes: register a higher one"
          + " instead. Options that are not given stay as they were."
    },
    footer = {
      "cairn component register garden/frost-guard --manifest manifest.json --public",
      "cairn component register garden/frost-guard --manifest manifest.json \\",
      "  --setup-url https://frost.garden.example/setup --credential frost-guard",
      "jq -s add parts/*.json | cairn component register garden/x --manifest -"
    })
final class RegisterCommand extends RegistryCall {
  @Option(
      names = "--manifest",
      paramLabel = "<file>",
      description = "The manifest as a JSON file, or - for standard input.")
  private Path manifest;

  @Option(names = "--public", description = "Everybody may see it.")
  private boolean isPublic;

  @Option(names = "--private", description = "Only members may see it, as by default.")
  private boolean isPrivate;

  @Option(
      names = "--setup-url",
      paramLabel = "<url>",
      description = "The URL of its setup call; '' removes it.")
  private String setupUrl;

  @Option(
      names = "--credential",
      paramLabel = "<set>",
      description = "The organization's credential set for the setup call; '' removes it.")
  private String credential;

  @Option(
      names = "--mints-token",
      paramLabel = "<on|off>",
      converter = OnOff.Converter.class,
      description = "Whether an installation mints a token for its server.")
  private OnOff mintsToken;

  @Mixin private BodyFile file;

  @Override
  protected void run() throws IOException {
    var name = component();
    var request = file.isGiven() ? file.read(spec(), context()) : request();
    var registered = client().components().registerComponent(name.org(), name.name(), request);
    output().details(registered, ComponentCommand.details(registered));
  }

  private ObjectNode request() throws IOException {
    if (manifest == null) {
      throw usage("Give the manifest with --manifest, or the whole request with --file.");
    }
    if (isPublic && isPrivate) {
      throw usage("--public and --private exclude each other.");
    }
    var request = JsonNodeFactory.instance.objectNode();
    request.set("manifest", BodyFile.read(manifest, context()));
    if (isPublic || isPrivate) {
      request.put("visibility", isPublic ? "public" : "private");
    }
    put(request, "setupUrl", setupUrl);
    put(request, "credentialSetName", credential);
    if (mintsToken != null) {
      request.put("mintsToken", mintsToken.isOn());
    }
    return request;
  }

  private static void put(ObjectNode request, String member, String value) {
    if (value != null) {
      request.put(member, value.isEmpty() ? null : value);
    }
  }
}
