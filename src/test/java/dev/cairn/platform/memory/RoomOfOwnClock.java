package dev.cairn.platform.memory;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.Problem;
import java.util.concurrent.TimeUnit;

/** Requests that arrive in a room, by a clock of the test's own. */
abstract class RoomOfOwnClock {
  static final int SIZE = 400;
  static final int SHARE = 100;

  /** In nanoseconds. */
  long now;

  final ArrivalRoom room = new ArrivalRoom(SIZE, SHARE, new ArrivalRoom.Pace(10, 100), () -> now);

  final class Client {
    Problem ended;
    final ArrivalRoom.Arrival arrival;

    Client(String owner) {
      this(ArrivalRoom.Owner.account(owner));
    }

    Client(ArrivalRoom.Owner owner) {
      arrival = room.begin(owner, problem -> ended = problem);
    }

    Client(ArrivalRoom.Arrival arrival) {
      this.arrival = arrival;
    }

    boolean send(int bytes) {
      return arrival.take(bytes);
    }
  }

  final void pass(int millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A body that has come whole, with this number of bytes, and is used. */
  final Client used(String owner, int bytes) {
    var client = new Client(owner);
    assertTrue(client.send(bytes));
    assertTrue(client.arrival.complete());
    assertTrue(client.arrival.use());
    return client;
  }

  final Client parts(String owner) {
    return new Client(room.beginParts(ArrivalRoom.Owner.account(owner), null, _ -> {}));
  }
}
