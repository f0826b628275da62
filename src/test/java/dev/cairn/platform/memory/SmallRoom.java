package dev.cairn.platform.memory;

/** A room for arriving requests, for tests of what is counted in it. */
public final class SmallRoom {
  private final ArrivalRoom room;

  /** A room of this size, in bytes. */
  public SmallRoom(int bytes) {
    this.room = new ArrivalRoom(bytes, bytes, new ArrivalRoom.Pace(1_024, 900), System::nanoTime);
  }

  /** Those of a network address. */
  public ArrivingMessages messages(String address) {
    return new ArrivingMessages(room, ArrivalRoom.Owner.network(address), null);
  }

  /** How many bytes are counted. */
  public long bytes() {
    return room.bytes();
  }
}
