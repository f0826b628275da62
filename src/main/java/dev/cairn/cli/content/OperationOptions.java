package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.client.Json;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** One operation as options. */
final class OperationOptions {
  /** Which operation; exactly one. */
  static final class Which {
    @Option(
        names = "--add",
        paramLabel = "<name>",
        description = "Add an entity, Shape/name, with --data.")
    String add;

    @Option(
        names = "--revise",
        paramLabel = "<name>",
        description = "Replace its data with --data.")
    String revise;

    @Option(
        names = "--patch",
        paramLabel = "<name>",
        description = "Change the fields in --data; null removes one.")
    String patch;

    @Option(names = "--retract", paramLabel = "<name>", description = "Retract an entity.")
    String retract;

    @Option(
        names = "--restore",
        paramLabel = "<name>",
        description = "Make a retracted entity active again.")
    String restore;

    @Option(names = "--rename", paramLabel = "<name>", description = "Rename an entity, with --to.")
    String rename;
  }

  @ArgGroup(multiplicity = "1")
  private Which which;

  @Option(
      names = {"-d", "--data"},
      paramLabel = "<json>",
      description = "The data as a JSON object, or @file.")
  private String data;

  @Option(
      names = "--about",
      paramLabel = "<wref>",
      description = "What an added assertion is about.")
  private String about;

  @Option(names = "--to", paramLabel = "<name>", description = "The new name of a rename.")
  private String to;

  @Option(
      names = "--expected-version",
      paramLabel = "<n>",
      description = "Only if this is the current version.")
  private Integer expectedVersion;

  @Option(
      names = "--skip-existing",
      description = "Whether to add nothing if the name exists, without an error.")
  private boolean skipExisting;

  /** The operation as the API takes it; the service checks whether its members fit together. */
  ObjectNode toJson(CommandInput input) throws IOException {
    var operation = operation();
    if (data != null) {
      operation.set(which.patch == null ? "data" : "patch", input.object("--data", data));
    }
    if (about != null) {
      operation.put("about", about);
    }
    if (to != null) {
      operation.put("newName", to);
    }
    if (expectedVersion != null) {
      operation.put("expectedVersion", expectedVersion);
    }
    if (skipExisting) {
      operation.put("skipExisting", true);
    }
    return operation;
  }

  private ObjectNode operation() {
    if (which.add != null) {
      return of("add", which.add);
    }
    if (which.retract != null) {
      return of("retract", which.retract);
    }
    if (which.rename != null) {
      return of("rename", which.rename);
    }
    if (which.restore != null) {
      return of("revise", which.restore).put("active", true);
    }
    return of("revise", which.patch == null ? which.revise : which.patch);
  }

  private static ObjectNode of(String operation, String name) {
    return Json.mapper().createObjectNode().put("operation", operation).put("name", name);
  }
}
