package dev.cairn.cli.command;

import dev.cairn.cli.output.OutputFailure;
import dev.cairn.cli.output.ProcessContext;
import dev.cairn.cli.output.Times;
import dev.cairn.client.CairnException;
import dev.cairn.client.ServerNotReachedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever a command throws into a message and an exit code, for all commands. */
public final class Errors {
  /**
   * What is told, and how the process ends.
   *
   * @param exitCode how it ends
   * @param sentence what was wrong; null for nothing
   * @param more further lines, such as the fields that were wrong
   * @param tries commands to try next
   */
  public record Report(ExitCode exitCode, String sentence, List<String> more, List<String> tries) {
    static Report of(ExitCode exitCode, String sentence, String... tries) {
      return new Report(exitCode, sentence, List.of(), List.of(tries));
    }
  }

  private Errors() {}

  /** What is told of a failure of a command. */
  public static Report report(Throwable failure, ProcessContext context) {
    return switch (failure) {
      case CommandFailure e -> new Report(e.exitCode(), e.getMessage(), List.of(), e.tries());
      case ParameterException e -> usage(e);
      case CairnException e -> refused(e, context);
      case ServerNotReachedException e ->
          Thread.currentThread().isInterrupted()
              ? Report.of(ExitCode.INTERRUPTED, null)
              : Report.of(ExitCode.UNREACHABLE, e.getMessage() + ".", "cairn doctor");
      case OutputFailure e when e.isBrokenPipe() -> Report.of(ExitCode.BROKEN_PIPE, null);
      case OutputFailure e ->
          Report.of(ExitCode.FAILED, "The output cannot be written: " + e.getCause().getMessage());
      case UncheckedIOException e -> report(e.getCause(), context);
      case IOException e -> Report.of(ExitCode.FAILED, sentence(e));
      case InterruptedException e -> Report.of(ExitCode.INTERRUPTED, null);
      default -> unexpected(failure);
    };
  }

  /** What is told of an answer that is an error. */
  private static Report refused(CairnException refused, ProcessContext context) {
    var exitCode = ExitCode.ofStatus(refused.status());
    var more = new ArrayList<String>();
    for (var error : refused.errors()) {
      if (!error.detail().equals(refused.detail())) {
        var position = error.pointer().isEmpty() ? "" : error.pointer() + ": ";
        more.add(position + error.detail());
      } else if (!error.pointer().isEmpty()) {
        more.add("at " + error.pointer()); // the sentence says the rest
      }
    }
    var list = refused.hint().flatMap(ListHints::command);
    if (exitCode != ExitCode.UNAUTHENTICATED && list.isEmpty()) { // its hint is about headers
      refused.hint().ifPresent(more::add);
    }
    refused
        .retryAfter()
        .ifPresent(wait -> more.add("It can be tried again in " + Times.rough(wait) + "."));
    var tries = list.map(List::of).orElseGet(() -> next(exitCode, context));
    return new Report(exitCode, refused.detail(), more, tries);
  }

  private static List<String> next(ExitCode exitCode, ProcessContext context) {
    return switch (exitCode) {
      case UNAUTHENTICATED ->
          context.variable("CAIRN_TOKEN") == null
              ? List.of("cairn login")
              : List.of("unset CAIRN_TOKEN, or set it to a token that is valid");
      case FORBIDDEN -> List.of("cairn whoami");
      default -> List.of();
    };
  }

  private static String sentence(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "There is no file " + e.getFile() + ".";
      case AccessDeniedException e -> "The file " + e.getFile() + " cannot be accessed.";
      case FileSystemException e when e.getReason() != null ->
          "%s: %s.".formatted(e.getFile(), e.getReason());
      default -> failure.getMessage() == null ? failure.toString() : failure.getMessage();
    };
  }

  /** What is told of a wrong command line. */
  private static Report usage(ParameterException wrong) {
    var spec = wrong.getCommandLine().getCommandSpec();
    var sentence = wrong.getMessage();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      var argument = unmatched.getUnmatched().getFirst();
      sentence =
          argument.startsWith("-")
              ? "'%s' has no option '%s'.".formatted(spec.qualifiedName(), argument)
              : spec.subcommands().isEmpty()
                  ? "'%s' has no use for '%s'.".formatted(spec.qualifiedName(), argument)
                  : "'%s' is not a command of '%s'.".formatted(argument, spec.qualifiedName());
      var similar = unmatched.getSuggestions();
      if (!similar.isEmpty()) {
        sentence += " Did you mean '%s'?".formatted(similar.getFirst());
      }
    }
    return Report.of(ExitCode.USAGE, sentence, spec.qualifiedName() + " --help");
  }

  /** Tells the place, but not the message, which could have a header or another secret in it. */
  private static Report unexpected(Throwable failure) {
    var frames = Arrays.asList(failure.getStackTrace());
    var places = new LinkedHashSet<String>();
    frames.stream().limit(1).forEach(frame -> places.add("at " + frame));
    frames.stream()
        .filter(frame -> frame.getClassName().startsWith("dev.cairn."))
        .limit(2)
        .forEach(frame -> places.add("at " + frame));
    return new Report(
        ExitCode.FAILED,
        "This is a fault of cairn: " + failure.getClass().getName(),
        List.copyOf(places),
        List.of());
  }
}
