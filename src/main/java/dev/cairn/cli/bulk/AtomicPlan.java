package dev.cairn.cli.bulk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what an atomic import sends. Before the service can apply anything, the state file gets
 * the decisions, so that the very same is sent again if the answer was lost.
 */
final class AtomicPlan {
  private final Planner planner;
  private final StateFile file;
  private final ImportState state;

  /** What an interrupted run has decided; null if there was none. */
  private final List<Decision> earlier;

  private final List<Decision> decisions = new ArrayList<>();

  /**
   * Begins.
   *
   * @param file null to keep nothing
   */
  AtomicPlan(Planner planner, StateFile file, ImportState state) {
    this.planner = planner;
    this.file = file;
    this.state = state;
    this.earlier = state.sending() == null ? null : Decisions.decode(state.sending().decisions());
  }

  /** The idempotency key, the same for the same decisions. */
  String key() {
    return state.key();
  }

  /** Whether the same was sent before by an interrupted run. */
  boolean isRepeated() {
    return earlier != null;
  }

  /**
   * The decisions for the next changes.
   *
   * @throws IOException if the input is not what it was when it was interrupted
   */
  List<Decision> next(List<Change> changes) throws IOException {
    if (earlier == null) {
      var planned = planner.plan(changes);
      decisions.addAll(planned);
      return planned;
    }
    int from = decisions.size();
    if (from + changes.size() > earlier.size()) {
      throw otherInput();
    }
    decisions.addAll(earlier.subList(from, from + changes.size()));
    return earlier.subList(from, from + changes.size());
  }

  /** Keeps the decisions, after the last change and before anything can be applied. */
  void keep() throws IOException {
    if (earlier != null && earlier.size() != decisions.size()) {
      throw otherInput();
    }
    if (earlier == null && file != null) {
      file.write(
          state.sending(
              new ImportState.Sending(
                  decisions.size(), Decisions.encode(decisions), System.currentTimeMillis())));
    }
  }

  /** Forgets them: it is known what became of the import. */
  void forget() throws IOException {
    if (file != null) {
      file.delete();
    }
  }

  private static IOException otherInput() {
    return new IOException(
        "The input is not what it was when it was interrupted; begin anew with --restart");
  }
}
