package dev.cairn.mcp;

import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives the room of a message and its answers back when the request has ended and nobody here works
 * on it any more, whichever comes last: a connection may close before, and an answer may come
 * after.
 */
final class MessageRoom {
  private final List<Runnable> releases = new ArrayList<>();
  private boolean isRequestEnded;

  /** How many work on it; whoever made this is the first. */
  private int working = 1;

  MessageRoom() {}

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
   * Takes over room, from whoever works on the message.
   *
   * @param release gives the room back
   */
  synchronized void hold(Runnable release) {
    releases.add(release);
  }

  synchronized void requestEnded() {
    isRequestEnded = true;
    releaseIfUnused();
  }

  synchronized boolean isRequestEnded() {
    return isRequestEnded;
  }

  /** Somebody else works on the message too. */
  synchronized void workBegan() {
    working++;
  }

  /** Somebody does so no more. */
  synchronized void workEnded() {
    working--;
    releaseIfUnused();
  }

  private void releaseIfUnused() {
    if (isRequestEnded && working == 0) {
      releases.forEach(Runnable::run);
      releases.clear();
    }
  }
}
