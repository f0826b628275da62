package dev.cairn.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of {@code src/test/node/mcp}, run by the Node that {@value #NODE} names. */
final class NodeProgram {
  /** The environment variable without which the tests that need Node do not run. */
  static final String NODE = "CAIRN_NODE";

  /** Why they do not. */
  static final String WITHOUT = "CAIRN_NODE names no Node; see src/test/node/mcp/README.md";

  private static final Path HOME = Path.of("src", "test", "node", "mcp").toAbsolutePath();
  private static final long MINUTES = 5;

  private NodeProgram() {}

  /**
   * How a program ended.
   *
   * @param status 0 for well
   * @param output what it printed
   * @param complaints what it printed for people
   */
  record Finished(int status, String output, String complaints) {
    /** The output of a program that ended well. */
    String orFail() {
      if (status != 0) {
        throw new AssertionError("It ended with " + status + ":\n" + output + complaints);
      }
      return output;
    }
  }

  /**
   * Runs a program to its end.
   *
   * @param scratch its home directory, where it may leave what it wants
   * @param program a path below {@code src/test/node/mcp}
   */
  static Finished run(Path scratch, String program, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(System.getenv(NODE), HOME.resolve(program).toString()));
    command.addAll(List.of(arguments));
    var output = scratch.resolve("output");
    var complaints = scratch.resolve("complaints");
    var builder =
        new ProcessBuilder(command)
            .directory(scratch.toFile())
            .redirectOutput(output.toFile())
            .redirectError(complaints.toFile());
    builder.environment().put("HOME", scratch.toString());
    var process = builder.start();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(command + " did not end:\n" + Files.readString(output));
    }
    return new Finished(
        process.exitValue(), Files.readString(output), Files.readString(complaints));
  }
}
