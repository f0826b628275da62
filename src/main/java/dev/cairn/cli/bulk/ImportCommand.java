package dev.cairn.cli.bulk;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.Confirmation;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.CairnException;
import dev.cairn.client.ErrorCode;
import dev.cairn.client.RepositoryClient;
import dev.cairn.client.StreamBody;
import dev.cairn.client.StreamOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Imports files: {@code docs/import.md}. */
@Command(
    name = "import",
    description = {
      "Import operations, an export, or rows of JSON or CSV.",
      "Rows become entities of one shape: they are added, revised if they differ, or unchanged. An"
          + " import that was interrupted goes on when the same command is run again."
    },
    footer = {
      "cairn import operations.ndjson.gz",
      "cairn import export.ndjson --dry-run",
      "cairn import cities.csv --shape City --key '{country}/{id}' --infer"
    })
public final class ImportCommand extends CliCommand {
  /** The directory of the states of imports, beside the profiles. */
  private static final String STATES = "imports";

  @Mixin private ImportOptions options;
  @Mixin private Confirmation confirmation;

  private final AtomicLong read = new AtomicLong();
  private RepositoryClient repository;
  private Source source;
  private ImportReport report;

  @Override
  protected void run() throws IOException, InterruptedException {
    refuse(options.mistake());
    source = source();
    refuse(options.mistake(source.format().content()));
    repository = repository();
    try (var shown = new ImportReport(output(), source.files(), source.bytes())) {
      report = shown;
      if (options.dryRun) {
        countOnly();
      } else {
        importResumably();
      }
    }
  }

  private void refuse(String mistake) {
    if (mistake != null) {
      throw usage(mistake);
    }
  }

  private Source source() throws IOException {
    var found = Source.of(options.files, options.separator, context().in());
    return options.content() == null
        ? found
        : found.as(new InputFormat(found.format().container(), options.content()));
  }

  private void countOnly() throws IOException {
    var mapping = mapping(OperationMapping.Sent.BY_STREAM, shapeForRows(_ -> {}, false));
    var tally = Tally.NONE;
    read.set(0);
    report.begin("Looking");
    try (var input = source.open(read)) {
      var reader = new SegmentReader(input, mapping, 500, CommitSender.MAX_BYTES);
      tally =
          new DryRun(reader, new ApiLookups(repository), report::failed)
              .run(() -> report.progress(read.get()));
    }
    report.done(tally, true);
    if (tally.failed() > 0) {
      throw ImportReport.failure(tally, false);
    }
  }

  private void importResumably() throws IOException, InterruptedException {
    if (source.isStandardInput()) {
      importFrom(null, ImportState.begin(newRunId(), hasStream()));
      return;
    }
    try (var file = StateFile.open(settings().file().path().resolveSibling(STATES), identity())) {
      if (options.restart) {
        file.delete();
      }
      var interrupted = file.read();
      if (interrupted.isPresent()) {
        report.resumed(interrupted.get().tally());
        importFrom(file, usable(interrupted.get()));
      } else {
        importFrom(file, ImportState.begin(newRunId(), hasStream()));
      }
    }
  }

  /** After a day, the service has forgotten what it applied, and rows are looked up again. */
  private ImportState usable(ImportState state) {
    var sending = state.sending();
    if (sending == null || !sending.hasExpired(context().clock().millis())) {
      return state;
    }
    if (source.format().content() == InputFormat.Content.OPERATIONS) {
      throw new CommandFailure(
          ExitCode.CONFLICT,
          ("The import was interrupted more than 23 hours ago, so operations %,d to %,d might be"
                  + " applied twice. Look whether they were applied, and import the rest.")
              .formatted(state.items() + 1, state.items() + sending.items()));
    }
    return new ImportState(newRunId(), state.viaStream(), state.items(), state.tally(), null);
  }

  private List<String> identity() throws IOException {
    List<String> identity = new ArrayList<>(source.identity());
    identity.add(settings().server().toString());
    identity.add(settings().repository().toString());
    identity.add(accountName(client().account().whoami())); // idempotency keys belong to it
    identity.addAll(options.identity());
    if (options.atomic) {
      identity.add("atomic");
    }
    return identity;
  }

  private void importFrom(StateFile file, ImportState state)
      throws IOException, InterruptedException {
    if (options.atomic) {
      importAtomically(file, state);
      return;
    }
    List<Change> added = new ArrayList<>();
    var shape = shapeForRows(added::add, false);
    addShape(added);
    var sent =
        state.viaStream() ? OperationMapping.Sent.BY_STREAM : OperationMapping.Sent.IN_COMMITS;
    var mapping = mapping(sent, shape);
    var sender =
        state.viaStream()
            ? new StreamSender(repository, stream(state.runId()), streamOptions())
            : commits();
    read.set(0);
    report.begin("Importing");
    Importer importer = null;
    try (var input = source.open(read)) {
      input.skip(state.items());
      var reader = new SegmentReader(input, mapping, sender.maxOperations(), sender.maxBytes());
      var planner = new Planner(new ApiLookups(repository));
      importer = new Importer(reader, read::get, planner, sender, file, state, report);
      finish(importer.run(options.maxErrors), file, false);
    } catch (TooManyErrors e) {
      finish(e.tally(), file, true);
    } catch (SendFailure e) {
      if (e.isRefusal() && !importer.mayHaveApplied() && file != null) {
        file.delete(); // nothing was done that could be resumed
      }
      throw e.reason();
    }
  }

  private void importAtomically(StateFile file, ImportState state) throws IOException {
    List<Change> added = new ArrayList<>();
    var sending = state.sending();
    var shape = shapeForRows(added::add, sending != null && sending.hasOperation());
    var mapping = mapping(OperationMapping.Sent.IN_ONE_COMMIT, shape);
    read.set(0);
    report.begin("Importing");
    Tally tally;
    try (var input = source.open(read)) {
      var plan = new AtomicPlan(new Planner(new ApiLookups(repository)), file, state);
      var first = added.isEmpty() ? null : added.getFirst();
      var atomic = new AtomicImport(repository, input, mapping, plan, first, report::failed);
      tally =
          state.viaStream()
              ? atomic.byStream(stream(state.runId()), streamOptions())
              : atomic.byCommit(commits());
    }
    report.done(tally, false);
  }

  private void finish(Tally tally, StateFile file, boolean hasStopped) throws IOException {
    if (file != null) {
      file.delete();
    }
    report.done(tally, false);
    if (tally.failed() > 0) {
      throw ImportReport.failure(tally, hasStopped);
    }
  }

  /** Adds the shape that was inferred, by a commit of its own. */
  private void addShape(List<Change> added) {
    if (!added.isEmpty()) {
      var batch = Batch.of(added, List.of(Decision.SEND));
      commits().commit(batch, newRunId(), true);
      output().note("Added the shape %s.".formatted(options.shape));
    }
  }

  /**
   * The definition of the shape of rows.
   *
   * @param added gets the operation that adds it, if it does not exist
   * @param isSentAgain whether that operation was sent before, and is needed again
   * @return null if these are not rows
   */
  private CellTypes shapeForRows(Consumer<Change> added, boolean isSentAgain) throws IOException {
    if (source.format().content() != InputFormat.Content.ROWS) {
      return null;
    }
    var shapes = new ShapeSource(repository, options.shape);
    if (isSentAgain) {
      var definition = shapes.infer(source, read, () -> {});
      added.accept(shapes.add(definition));
      return new CellTypes(definition);
    }
    var existing = shapes.existing();
    if (existing.isPresent()) {
      if (options.infer) {
        output().note("The shape %s exists, so it is used as it is.".formatted(options.shape));
      }
      return new CellTypes(existing.get());
    }
    if (!options.infer) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          "There is no shape %s. Add it, or use --infer.".formatted(options.shape),
          "cairn shape list");
    }
    report.begin("Inferring the shape");
    var definition = shapes.infer(source, read, () -> report.progress(read.get()));
    report.close();
    output().note("The shape %s, inferred from all rows:".formatted(options.shape));
    ShapeSource.show(definition).lines().forEach(output()::note);
    if (!options.dryRun) {
      confirm(confirmation, "Add this shape and import into " + settings().repository() + "?");
    }
    added.accept(shapes.add(definition));
    return new CellTypes(definition);
  }

  private Mapping mapping(OperationMapping.Sent sent, CellTypes shape) {
    return switch (source.format().content()) {
      case OPERATIONS -> new OperationMapping(sent);
      case EXPORT -> new ExportMapping();
      case ROWS -> {
        boolean areCells = source.format().container() == InputFormat.Container.CSV;
        yield new RowMapping(
            options.shape, template(options.key), template(options.about), shape, areCells);
      }
    };
  }

  private KeyTemplate template(String text) {
    try {
      return text == null ? null : KeyTemplate.parse(text);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /** Whether the repository has streams: an empty submission is refused if it has none. */
  private boolean hasStream() {
    if (options.noStream) {
      return false;
    }
    try (var submission =
        repository.submitStream(
            stream(newRunId()), StreamOptions.DEFAULT, StreamBody.of(new byte[0]))) {
      return submission.lines().count() > 0;
    } catch (CairnException e) {
      if (e.code().equals(ErrorCode.NOT_FOUND)) {
        return false;
      }
      throw e;
    }
  }

  private CommitSender commits() {
    return new CommitSender(repository, options.message, options.author);
  }

  /** Compressed, unless the service is on this machine. */
  private StreamOptions streamOptions() {
    return new StreamOptions(options.message, options.author, false, null, !isLocal());
  }

  private boolean isLocal() {
    try {
      return InetAddress.getByName(settings().server().getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static String stream(String runId) {
    return "import-" + runId;
  }

  private static String newRunId() {
    return UUID.randomUUID().toString();
  }
}
