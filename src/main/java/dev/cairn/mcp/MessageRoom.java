package dev.cairn.mcp;

import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives the memory of a message and its answers back when the request has ended and the work on it
 * has, whichever comes last: the connection may be closed before the work ends, and the answer may
 * be sent after it. An answer has been sent when the event loop has handed it to the connection,
 * which counts it from then on; what still waits for the event loop nobody else counts.
 */
final class MessageRoom {
  private final List<Runnable> releases = new ArrayList<>();
  private boolean isRequestEnded;
  private boolean isWorkEnded;

  MessageRoom() {}

  /** For a request, on its event loop. */
  static MessageRoom of(RoutingContext context) {
    var room = new MessageRoom();
    var eventLoop = ((HttpServerRequestInternal) context.request()).context();
    context.addEndHandler(_ -> eventLoop.runOnContext(_ -> room.requestEnded()));
    if (context.response().closed()) {
      // Nobody would tell the handler.
      room.requestEnded();
    }
    return room;
  }

  /**
   * Takes over reserved memory, while the message is worked on.
   *
   * @param release gives the memory back
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

  /** Nobody works on the message any more. */
  synchronized void workEnded() {
    isWorkEnded = true;
    releaseIfUnused();
  }

  private void releaseIfUnused() {
    if (isRequestEnded && isWorkEnded) {
      releases.forEach(Runnable::run);
      releases.clear();
    }
  }
}
