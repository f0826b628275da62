package dev.cairn.cli.bulk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Output;
import dev.cairn.cli.output.Progress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Tells the user what an import does, and what it has done. */
final class ImportReport implements Importer.Listener, AutoCloseable {
  /** How many failed lines are shown one by one. */
  private static final int MAX_SHOWN = 1000;

  private final Output output;
  private final List<Path> files;
  private final long bytes;
  private Progress progress;
  private long begun;
  private long shown;
  private long resumedFrom;

  /**
   * Begins.
   *
   * @param bytes how many they have; -1 if that is not known
   */
  ImportReport(Output output, List<Path> files, long bytes) {
    this.output = output;
    this.files = files;
    this.bytes = bytes;
  }

  /** Shows a bar, and takes the time, from now on: a question before it may wait for long. */
  void begin(String task) {
    begun = System.nanoTime();
    progress = output.progress(task, bytes, Progress.BYTES);
  }

  /** An interrupted import goes on. */
  void resumed(Tally tally) {
    resumedFrom = tally.total();
    if (resumedFrom > 0) {
      output.note(
          "Going on after %,d items, which an interrupted import has dealt with."
              .formatted(resumedFrom));
    }
  }

  @Override
  public void progress(long position) {
    if (progress != null) {
      progress.to(position);
    }
  }

  @Override
  public void failed(LineFault fault) {
    shown++;
    if (shown <= MAX_SHOWN) {
      output.warn(
          "%s:%d: %s (%s)"
              .formatted(files.get(fault.file()), fault.line(), fault.detail(), fault.code()));
    } else if (shown == MAX_SHOWN + 1) {
      output.warn("Further lines that fail are only counted.");
    }
  }

  @Override
  public void waiting(String reason, Duration wait) {
    output.note("%s Trying again in %d s.".formatted(reason, Math.max(1, wait.toSeconds())));
  }

  /** Shows the result. */
  void done(Tally tally, boolean isDryRun) {
    close();
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("dryRun", isDryRun)
        .put("added", tally.added())
        .put("revised", tally.revised())
        .put("renamed", tally.renamed())
        .put("unchanged", tally.unchanged())
        .put("failed", tally.failed());
    output.details(
        json,
        new Details()
            .add("Added", count(tally.added()))
            .add("Revised", count(tally.revised()))
            .add("Renamed", count(tally.renamed()))
            .add("Unchanged", count(tally.unchanged()))
            .add("Failed", count(tally.failed())));
    double seconds = (System.nanoTime() - begun) / 1e9;
    output.note(
        "%s %,d items in %.1f s, %,.0f a second."
            .formatted(
                isDryRun ? "Looked at" : "Processed",
                tally.total() - resumedFrom,
                seconds,
                (tally.total() - resumedFrom) / seconds));
  }

  private String count(long number) {
    return output.isForPeople() ? String.format(Locale.ROOT, "%,d", number) : Long.toString(number);
  }

  /** The failure for an import of which some items failed. */
  static CommandFailure failure(Tally tally, boolean hasStopped) {
    var sentence =
        tally.failed() == 1 ? "1 item failed" : "%,d items failed".formatted(tally.failed());
    return new CommandFailure(
        ExitCode.INVALID,
        hasStopped
            ? sentence + ", so the import stopped (--max-errors); what was applied stays."
            : sentence + "; the others were imported.");
  }

  @Override
  public void close() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
  }
}
