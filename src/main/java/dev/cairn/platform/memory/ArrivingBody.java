package dev.cairn.platform.memory;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Collects the body of a request on its event loop, with memory only for what has arrived. No
 * platform thread waits for it.
 */
public final class ArrivingBody {
  static final int BLOCK_BYTES = 8 * 1024;

  /** A body whose bytes are used within this time counts as having arrived with its head. */
  private static final long WITH_HEAD_NANOS = Duration.ofSeconds(1).toNanos();

  private static final String FORM = "application/x-www-form-urlencoded";

  /** How many times its bytes a form takes: text, values, and the text for the OAuth library. */
  private static final int COPIES_OF_FORM = 12;

  private final long begunAt = System.nanoTime();

  private final HttpServerRequest request;
  private final ArrivalRoom.Owner owner;
  private final int limit;
  private final ArrivalRoom.Arrival arrival;
  private final Runnable checkLate;

  /** Completed on the event loop, with this object or a {@link Problem}. */
  private final CompletableFuture<ArrivingBody> whole = new CompletableFuture<>();

  /** All full except the last one. Until the body is complete, only the event loop uses them. */
  private final List<byte[]> blocks = new ArrayList<>();

  private int length;
  private int capacity;

  /** Whether no more is kept because the room ended this; {@link #fail} follows. */
  private boolean isEnded;

  private enum State {
    /** Only this object has the bytes. */
    HERE,
    /** The code that took the bytes decides when they are released. */
    TAKEN,
    /** The request ended before the bytes were taken. */
    DROPPED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.HERE);

  ArrivingBody(
      HttpServerRequest request,
      Context eventLoop,
      int limit,
      Function<Consumer<Problem>, ArrivalRoom.Arrival> begin,
      ArrivalRoom.Owner owner,
      Runnable checkLate) {
    this.request = request;
    this.owner = owner;
    this.limit = limit;
    this.checkLate = checkLate;
    this.arrival = begin.apply(problem -> eventLoop.runOnContext(_ -> fail(problem)));
  }

  /** Begins to read, on the event loop. */
  void start() {
    if (request.response().closed()) {
      // The connection is closed, so the handlers would never be called.
      fail(closed());
      return;
    }
    if (request.isEnded()) {
      complete();
      return;
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader("Expect"))) {
      request.response().writeContinue();
    }
    request.exceptionHandler(_ -> fail(Problem.invalid("", "The body did not come to its end.")));
    request.endHandler(_ -> complete());
    request.handler(this::append);
    request.resume();
  }

  private void append(Buffer part) {
    if (whole.isDone() || isEnded) {
      return;
    }
    int count = Math.min(part.length(), limit - length);
    int from = Math.min(count, capacity - length);
    if (from > 0) {
      part.getBytes(0, from, blocks.getLast(), blocks.getLast().length - (capacity - length));
      length += from;
    }
    if (from < count) {
      // As long as all blocks before it together, so that many small parts need few blocks.
      int size = Math.max(count - from, Math.min(BLOCK_BYTES, length));
      if (!arrival.take(size)) {
        isEnded = true;
        blocks.clear();
        return;
      }
      var block = new byte[size];
      part.getBytes(from, count, block, 0);
      blocks.add(block);
      capacity += size;
      length += count - from;
    }
    if (length == limit) {
      complete();
    }
  }

  /** Nothing if the room has ended this, also by another thread: what has come is not counted. */
  private void complete() {
    if (!whole.isDone() && arrival.complete()) {
      whole.complete(this);
    }
  }

  private void fail(Problem problem) {
    if (!whole.isDone()) {
      blocks.clear();
      arrival.release();
      whole.completeExceptionally(problem);
    }
  }

  /**
   * Completed on the event loop when the body is complete or has reached the limit; exceptionally
   * with a {@link Problem} otherwise.
   */
  public CompletableFuture<ArrivingBody> whole() {
    return whole;
  }

  /** Waits until the body is complete. For virtual threads. */
  ArrivingBody await() {
    try {
      return whole.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Problem problem ? problem : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Problem.of(ErrorCode.UNAVAILABLE, "The service is being stopped.");
    }
  }

  /** The name of the owner: the account, or the network if there are no credentials. */
  public String ownerName() {
    return owner.name();
  }

  ArrivalRoom.Owner owner() {
    return owner;
  }

  /** How many bytes have arrived. */
  public int length() {
    return length;
  }

  /**
   * The estimated memory of the parsed body, in bytes; must be called when the body is complete.
   *
   * @param maxValues a body with more values is refused when it is parsed
   */
  synchronized long parsedSize(int maxValues) {
    if (FORM.equalsIgnoreCase(mediaType())) {
      return (long) length * COPIES_OF_FORM;
    }
    var size = new ParsedSize();
    int left = length;
    for (var block : blocks) {
      int count = Math.min(block.length, left);
      size.add(block, count);
      left -= count;
    }
    return Math.min(size.bytes(), ParsedSize.max(length, maxValues));
  }

  private String mediaType() {
    var type = request.getHeader(HttpHeaders.CONTENT_TYPE);
    return type == null ? "" : type.split(";", 2)[0].strip();
  }

  /**
   * Takes the bytes, once, when the body is complete. They count until {@link #release}, even if
   * the connection is closed before. For virtual threads, because a {@link LateArrival} is checked.
   *
   * @throws Problem if the connection was closed already, or the caller lost its rights while the
   *     body arrived
   */
  public byte[] bytes() {
    requireRights();
    return taken();
  }

  /** Checks the rights of the caller again if the body took long to arrive. */
  void requireRights() {
    if (System.nanoTime() - begunAt > WITH_HEAD_NANOS) {
      checkLate.run();
    }
  }

  private byte[] taken() {
    if (!state.compareAndSet(State.HERE, State.TAKEN) || !arrival.use()) {
      throw closed();
    }
    var bytes = joined(blocks, length);
    blocks.clear();
    return bytes;
  }

  /**
   * Takes the bytes, whose caller {@link #requireRights} has checked, and decompresses them. Room
   * is taken for each block of the content before it is allocated. In the end the content counts in
   * place of the bytes, and like them: until {@link #release}, even if the connection is closed
   * before.
   *
   * @param maxBytes how many bytes it may have decompressed
   * @param mayGoOn called before each piece; throws if no more is to be done
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it has more, {@code UNAVAILABLE} if there is no
   *     room for the content, {@code VALIDATION_ERROR} if it is not valid gzip
   */
  byte[] decompressed(int maxBytes, Runnable mayGoOn) {
    var sent = taken();
    var content = Gunzip.content(sent, maxBytes, this::takeRoom, mayGoOn);
    arrival.shrink(content.length);
    return content;
  }

  private void takeRoom(int count) {
    if (!arrival.canEverGrow(count)) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "As it is sent and decompressed together, the body is larger than this server has room for.")
          .hint("Send fewer operations in a commit, or send it without compression.");
    }
    if (!arrival.grow(count)) {
      throw Problem.of(
          ErrorCode.UNAVAILABLE, "There is no room for the decompressed body at this moment.");
    }
  }

  /**
   * The bytes of blocks as one array.
   *
   * @param length how many there are: all blocks are full except the last one
   */
  static byte[] joined(List<byte[]> blocks, int length) {
    if (blocks.size() == 1 && blocks.getFirst().length == length) {
      return blocks.getFirst();
    }
    var bytes = new byte[length];
    int at = 0;
    for (var block : blocks) {
      int count = Math.min(block.length, length - at);
      System.arraycopy(block, 0, bytes, at, count);
      at += count;
    }
    return bytes;
  }

  /** Drops the bytes after the connection was closed, unless they were taken. */
  void drop() {
    if (state.compareAndSet(State.HERE, State.DROPPED)) {
      fail(closed());
      synchronized (this) { // parsedSize() may be reading them
        blocks.clear();
      }
      arrival.release();
    }
  }

  private static Problem closed() {
    return Problem.invalid("", "The connection was closed.");
  }

  /** Releases the room of the bytes, which are counted elsewhere or no longer in memory. */
  public void release() {
    arrival.release();
  }
}
