package dev.cairn.live;

/** Why live updates to a client end, as it is told; see {@code docs/live.md}, The end. */
public enum Ending {
  /** The client may no longer read one of the repositories. */
  ACCESS_ENDED("access_ended"),
  /** This replica stops. */
  SHUTDOWN("shutdown"),
  /** It has lasted for {@code cairn.live.max-duration}. */
  MAX_DURATION("max_duration"),
  /** There was no commit for {@code cairn.live.idle-duration}. */
  IDLE("idle"),
  /** Its caller has the most clients, and another caller needed a place. */
  CROWDED("crowded"),
  /** The client of a WebSocket has sent something that it may not, or too much. */
  REFUSED("refused"),
  /** Nothing came from the client of a WebSocket, not even answers to pings. */
  SILENT("silent");

  private final String wire;

  Ending(String wire) {
    this.wire = wire;
  }

  /** The reason in the last event, and in metrics. */
  String wire() {
    return wire;
  }
}
