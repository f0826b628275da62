package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Counts the messages of a WebSocket within the {@link ArrivalRoom}, as bodies of the request that
 * opened it: from their first bytes until they are processed. So they have the same bounds, shares
 * and minimum rate as bodies; see {@code docs/limits.md}, Slow requests.
 */
public final class ArrivingMessages {
  /** What a message takes besides its bytes, about. */
  private static final int BYTES_OF_OBJECTS = 200;

  private final ArrivalRoom room;
  private final ArrivalRoom.Owner owner;
  private final ArrivalRoom.Arrival request;

  /**
   * @param request may be null
   */
  ArrivingMessages(ArrivalRoom room, ArrivalRoom.Owner owner, ArrivalRoom.Arrival request) {
    this.room = room;
    this.owner = owner;
    this.request = request;
  }

  /** The same in the share of an account. */
  public ArrivingMessages ofAccount(UUID account) {
    return new ArrivingMessages(room, ArrivalRoom.Owner.account(account.toString()), request);
  }

  /**
   * Begins to count a message.
   *
   * @param onEnd called once, on any thread, if there is no room for it or it arrives too slowly,
   *     with what is wrong; the WebSocket must be closed then
   */
  public Message begin(Consumer<Problem> onEnd) {
    var message = new Message(room.beginBody(owner, request, onEnd));
    var _ = message.take(BYTES_OF_OBJECTS);
    return message;
  }

  /** A message that arrives, or waits to be processed. */
  public static final class Message {
    private final ArrivalRoom.Arrival arrival;

    private Message(ArrivalRoom.Arrival arrival) {
      this.arrival = arrival;
    }

    /** Counts bytes before they are kept; false if the message was ended, now or before. */
    public boolean take(int count) {
      return arrival.take(count);
    }

    /** Says that all has come; false if the message was ended before. */
    public boolean complete() {
      return arrival.complete();
    }

    /** Releases its room; must be called at least once. */
    public void release() {
      arrival.release();
    }
  }
}
