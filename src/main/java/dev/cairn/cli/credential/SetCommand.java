package dev.cairn.cli.credential;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.BodyFile;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code credential set}. */
@Command(
    name = "set",
    description = {
      "Create a credential set, or change its values.",
      "A value never is an argument, which others could see: it is typed without being shown, comes"
          + " from the standard input, or from a file. Keys that are not named stay."
    },
    footer = {
      "cairn credential set hooks --value WEBHOOK_BEARER_TOKEN",
      "pass show hooks | cairn credential set hooks --value WEBHOOK_BEARER_TOKEN",
      "cairn credential set hooks --value-file DEPLOY_KEY=id_ed25519 --remove OLD_KEY",
      "cairn credential set hooks --org garden --file set.json"
    })
final class SetCommand extends CredentialCall {
  private static final int MAX_VALUE_BYTES = 64 * 1024;

  @Parameters(paramLabel = "<set>", description = "The credential set.")
  private String name;

  @Option(
      names = "--value",
      paramLabel = "<key>",
      description = "Ask for the value of this key, or read it from standard input; repeatable.")
  private List<String> asked;

  @Option(
      names = "--value-file",
      paramLabel = "<key=file>",
      description = "Read the value of a key from a file; can be repeated.")
  private Map<String, Path> files;

  @Option(names = "--remove", paramLabel = "<key>", description = "Remove a key; can be repeated.")
  private List<String> removed;

  @Option(names = "--description", paramLabel = "<text>", description = "What it is for.")
  private String description;

  @Mixin private BodyFile file;

  @Override
  protected void run() throws IOException {
    var change = file.isGiven() ? file.read(spec(), context(), "--org") : change();
    show(sets().putCredentialSet(name, change));
  }

  private ObjectNode change() throws IOException {
    var change = JsonNodeFactory.instance.objectNode();
    if (description != null) {
      change.put("description", description);
    }
    var keys = JsonNodeFactory.instance.objectNode();
    readValues(keys);
    if (removed != null) {
      removed.forEach(keys::putNull);
    }
    if (!keys.isEmpty()) {
      change.set("keys", keys);
    }
    if (change.isEmpty()) {
      throw usage("Nothing to set: give --value, --value-file, --remove, --description or --file.");
    }
    return change;
  }

  private void readValues(ObjectNode keys) throws IOException {
    if (files != null) {
      for (var entry : files.entrySet()) {
        try (var in = Files.newInputStream(entry.getValue())) {
          keys.put(entry.getKey(), value(entry.getKey(), in));
        }
      }
    }
    if (asked == null) {
      return;
    }
    if (context().terminal().isInput()) {
      asked.forEach(key -> keys.put(key, typed(key)));
    } else if (asked.size() == 1) {
      keys.put(asked.getFirst(), value(asked.getFirst(), context().in()));
    } else {
      throw usage(
          "The standard input has one value, so only one --value can be given: use --value-file or"
              + " --file for more.");
    }
  }

  private String typed(String key) {
    var typed = context().terminal().readPassword("Value of " + key + ": ");
    if (typed == null || typed.length == 0) {
      throw new CommandFailure(ExitCode.FAILED, "Nothing was typed, and nothing was changed.");
    }
    return new String(typed);
  }

  /** Without the line feed that files and commands end with. */
  private static String value(String key, InputStream in) throws IOException {
    var bytes = in.readNBytes(MAX_VALUE_BYTES + 1);
    if (bytes.length > MAX_VALUE_BYTES) {
      throw new CommandFailure(
          ExitCode.INVALID, "The value of %s has more than 64 KiB.".formatted(key));
    }
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.replaceFirst("\r?\n\\z", "");
    } catch (CharacterCodingException e) {
      throw new CommandFailure(
          ExitCode.INVALID, "The value of %s is not text in UTF-8.".formatted(key));
    }
  }
}
