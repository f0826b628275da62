package dev.cairn.mcp;

import io.vertx.ext.web.RoutingContext;

/**
 * Gives the room of a message back when the request has ended and nobody here works on it any more,
 * whichever comes last: a connection may close before, and an answer may come after.
 */
final class MessageRoom {
  private Runnable release;
  private boolean isRequestEnded;
  private boolean isWorkEnded;

  private MessageRoom() {}

  /** For a request, on its event loop. */
  static MessageRoom of(RoutingContext context) {
    var room = new MessageRoom();
    context.addEndHandler(_ -> room.requestEnded());
    if (context.response().closed()) {
      // Nobody would tell the handler.
      room.requestEnded();
    }
    return room;
  }

  /**
   * Takes over room; once, by whoever works on the message.
   *
   * @param release gives the room back
   */
  synchronized void hold(Runnable release) {
    this.release = release;
  }

  private synchronized void requestEnded() {
    isRequestEnded = true;
    releaseIfUnused();
  }

  /** Nothing more is held afterwards. */
  synchronized void workEnded() {
    isWorkEnded = true;
    releaseIfUnused();
  }

  private void releaseIfUnused() {
    if (release != null && isRequestEnded && isWorkEnded) {
      release.run();
      release = null;
    }
  }
}
