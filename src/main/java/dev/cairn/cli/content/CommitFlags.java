package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.client.CommitOptions;
import picocli.CommandLine.Option;

/** The options of every command that commits. */
public final class CommitFlags {
  @Option(
      names = {"-m", "--message"},
      paramLabel = "<text>",
      description = "The reason for the commit.")
  private String message;

  @Option(
      names = "--author",
      paramLabel = "<name>",
      description = "The author; by default your display name.")
  private String author;

  @Option(
      names = "--dry-run",
      description = "Check whether it can be committed, and write nothing.")
  private boolean dryRun;

  @Option(
      names = "--idempotency-key",
      paramLabel = "<key>",
      description = "A key with which it is carried out once, even if it is sent again.")
  private String key;

  /** For picocli. */
  public CommitFlags() {}

  /** Puts what was given into a request. */
  void apply(ObjectNode request) {
    if (message != null) {
      request.put("message", message);
    }
    if (author != null) {
      request.put("author", author);
    }
    if (dryRun) {
      request.put("dryRun", true);
    }
  }

  /** How the request is sent. */
  CommitOptions options() {
    return key == null ? CommitOptions.DEFAULT : CommitOptions.DEFAULT.withIdempotencyKey(key);
  }
}
