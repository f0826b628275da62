package dev.cairn.action;

import dev.cairn.platform.Body;
import dev.cairn.platform.database.Columns;
import java.util.ArrayList;
import java.util.List;

/**
 * The body of an attempt whose matched operations stay in the database until they are sent. Each
 * reader has at most one piece in memory, and no connection is held between two pieces.
 */
final class StoredBody implements Body {
  static final int PIECE_BYTES = 128 * 1024;

  private final Inputs inputs;
  private final ClaimedRun run;
  private final Envelope.Frame frame;
  private final List<Slice> slices;
  private final long length;

  /** An operation of the commit, and the bytes of its text. */
  record Operation(int index, int bytes) {}

  /**
   * The content of one read: one or more operations, or a part of one.
   *
   * @param indexes of the operations
   * @param from the offset of the part in bytes; 0 for whole operations
   * @param bytes how many there are, without the commas between operations
   * @param isPart of one operation
   */
  record Slice(int[] indexes, int from, int bytes, boolean isPart) {
    /** How many bytes are read. */
    int length() {
      return isPart ? bytes : bytes + indexes.length - 1;
    }
  }

  StoredBody(Inputs inputs, ClaimedRun run, Envelope.Frame frame, List<Operation> operations) {
    this.inputs = inputs;
    this.run = run;
    this.frame = frame;
    this.slices = slices(operations);
    this.length =
        frame.head().length
            + operations.stream().mapToLong(Operation::bytes).sum()
            + operations.size()
            - 1
            + frame.tail().length;
  }

  static List<Slice> slices(List<Operation> operations) {
    var slices = new ArrayList<Slice>();
    var indexes = new ArrayList<Integer>();
    int bytes = 0;
    for (var operation : operations) {
      if (bytes + operation.bytes() > PIECE_BYTES && !indexes.isEmpty()) {
        slices.add(whole(indexes, bytes));
        indexes.clear();
        bytes = 0;
      }
      if (operation.bytes() > PIECE_BYTES) {
        split(operation, slices);
      } else {
        indexes.add(operation.index());
        bytes += operation.bytes();
      }
    }
    if (!indexes.isEmpty()) {
      slices.add(whole(indexes, bytes));
    }
    return slices;
  }

  private static Slice whole(List<Integer> indexes, int bytes) {
    return new Slice(Columns.ints(indexes, Integer::intValue), 0, bytes, false);
  }

  private static void split(Operation operation, List<Slice> slices) {
    for (int from = 0; from < operation.bytes(); from += PIECE_BYTES) {
      int bytes = Math.min(PIECE_BYTES, operation.bytes() - from);
      slices.add(new Slice(new int[] {operation.index()}, from, bytes, true));
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Pieces read() {
    return new Pieces() {
      private int next = -1;

      @Override
      public byte[] next() throws InterruptedException {
        int at = next++;
        if (at < 0) {
          return frame.head();
        }
        if (at < slices.size()) {
          var slice = slices.get(at);
          return inputs.slice(run, slice, at == 0 || slice.from() > 0 ? "" : ",");
        }
        return at == slices.size() ? frame.tail() : null;
      }
    };
  }

  @Override
  public <T, E extends Exception> T whole(Use<T, E> use) throws E, InterruptedException {
    return inputs.inRoom(this, use);
  }
}
