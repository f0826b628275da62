package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Progress;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.Export;
import dev.cairn.client.ExportStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Exports a repository: {@code docs/export.md}. */
@Command(
    name = "export",
    description = {
      "Export a repository as NDJSON, to a file or the standard output.",
      "A file is built by the server in the background, downloaded, and checked by its hash; an"
          + " interrupted download goes on when the same command is run again. The file appears"
          + " when it is complete."
    },
    footer = {
      "cairn export > world.ndjson",
      "cairn export --output world.ndjson",
      "cairn export --at 42 --output before.ndjson"
    })
public final class ExportCommand extends CliCommand {
  private static final int BUFFER_BYTES = 128 * 1024;
  private static final int MAX_ATTEMPTS = 10;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "<file>",
      description = "The file. Otherwise the standard output.")
  private Path file;

  @Option(
      names = "--at",
      paramLabel = "<commit>",
      description = "The state after this commit: its id, or its sequence number. Otherwise HEAD.")
  private String at;

  @Option(
      names = "--stream",
      description = "Stream into the file, without a background export; it cannot be resumed.")
  private boolean stream;

  @Option(
      names = "--detach",
      description = "Have it built, and end; the same command without --detach downloads it.")
  private boolean detach;

  @Option(names = "--restart", description = "Begin anew, instead of going on.")
  private boolean restart;

  @Override
  protected void run() throws IOException, InterruptedException {
    if (detach && (stream || file == null)) {
      throw usage("--detach needs --output, and not --stream.");
    }
    if (file == null) {
      streamOut();
      return;
    }
    if (Files.isDirectory(file)) {
      throw usage("%s is a directory: --output must be a file.".formatted(file));
    }
    if (stream) {
      streamInto(new ExportTarget(file));
    } else {
      download(new ExportTarget(file));
    }
  }

  private ExportStream open() {
    return at == null ? repository().export() : repository().export(at);
  }

  private void streamOut() throws IOException {
    long lines = 0;
    try (var export = open()) {
      lines = output().isTerminal() ? show(export) : copy(export.content());
      output().flush();
      output().note("Exported %,d entities of commit %d.".formatted(lines, export.atRepoSeq()));
    }
  }

  private long show(ExportStream export) throws IOException {
    long lines = 0;
    var reader = new BufferedReader(new InputStreamReader(export.content(), UTF_8));
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      output().line(line);
      lines++;
    }
    return lines;
  }

  private long copy(InputStream content) throws IOException {
    long lines = 0;
    var buffer = new byte[BUFFER_BYTES];
    for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
      output().bytes(buffer, n);
      for (int i = 0; i < n; i++) {
        lines += buffer[i] == '\n' ? 1 : 0;
      }
    }
    return lines;
  }

  private void streamInto(ExportTarget target) throws IOException {
    target.restart();
    long repoSeq;
    try (var export = open();
        var progress = output().progress("Exporting", -1, "entities")) {
      repoSeq = export.atRepoSeq();
      target.append(export.content(), () -> progress.to(target.lines()));
    }
    target.complete();
    ExportJob.delete(target);
    done(target, repoSeq, target.sha256Hex());
  }

  private void download(ExportTarget target) throws IOException, InterruptedException {
    var job = job(target);
    if (detach) {
      output().note("The export is being built. Run the command without --detach to download it.");
      return;
    }
    var built = awaitBuilt(job);
    target.resume();
    if (target.bytes() > 0) {
      output().note("Going on after %,d bytes.".formatted(target.bytes()));
    }
    try (var progress = output().progress("Downloading", built.recordCount(), "entities")) {
      fetch(target, job, built, progress);
    }
    var hash = target.sha256Hex();
    if (!hash.equals(built.contentSha256()) || target.lines() != built.recordCount()) {
      target.restart();
      throw new CommandFailure(
          ExitCode.FAILED, "What was downloaded is damaged, and was deleted: run it again.");
    }
    target.complete();
    ExportJob.delete(target);
    done(target, built.atRepoSeq(), hash);
  }

  /** The export of an interrupted run, if it is of the same and still exists; or a new one. */
  private ExportJob job(ExportTarget target) throws IOException {
    var wanted =
        new ExportJob(settings().server().toString(), settings().repository().toString(), at, null);
    var kept = ExportJob.read(target).filter(job -> !restart && job.isOf(wanted));
    if (kept.isPresent() && exists(kept.get())) {
      return kept.get();
    }
    target.restart();
    var order = repository().requestExport(at);
    var job = new ExportJob(wanted.server(), wanted.repository(), at, order.exportToken());
    job.write(target);
    return job;
  }

  private boolean exists(ExportJob job) {
    try {
      repository().builtExport(job.token());
      return true;
    } catch (CairnException e) {
      if (e.code().equals(ErrorCode.NOT_FOUND)) {
        return false;
      }
      throw e;
    }
  }

  private Export awaitBuilt(ExportJob job) throws InterruptedException {
    Optional<Export> built = repository().builtExport(job.token());
    try (var progress =
        built.isPresent() ? Progress.NONE : output().progress("Building", -1, "s")) {
      long begun = System.nanoTime();
      for (var pause = FIRST_PAUSE; built.isEmpty(); pause = longer(pause)) {
        Thread.sleep(pause);
        progress.to(Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        built = repository().builtExport(job.token());
      }
    }
    return built.get();
  }

  private static Duration longer(Duration pause) {
    var next = pause.multipliedBy(2);
    return next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next;
  }

  /** A connection that breaks is no reason to give up: the next one goes on where it broke. */
  private void fetch(ExportTarget target, ExportJob job, Export built, Progress progress)
      throws IOException, InterruptedException {
    var link = built;
    int attempts = 0;
    while (target.lines() < built.recordCount()) {
      long before = target.bytes();
      try (var content = repository().downloadExport(link, before)) {
        target.append(content, () -> progress.to(target.lines()));
        return;
      } catch (IOException e) {
        attempts = target.bytes() > before ? 1 : attempts + 1;
        if (attempts == MAX_ATTEMPTS) {
          throw e;
        }
        Thread.sleep(FIRST_PAUSE.multipliedBy(1L << attempts));
        link = awaitBuilt(job);
      }
    }
  }

  private void done(ExportTarget target, long repoSeq, String hash) {
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.put("file", file.toString())
        .put("atRepoSeq", repoSeq)
        .put("recordCount", target.lines())
        .put("bytes", target.bytes())
        .put("contentSha256", hash);
    output()
        .details(
            json,
            new Details()
                .add("File", file)
                .add("Commit", repoSeq)
                .add("Entities", target.lines())
                .add("Bytes", target.bytes())
                .add("SHA-256", hash));
  }
}
