package dev.cairn.mcp;

import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Releases the memory of a message and its answers when both the request and the work on it have
 * ended: the connection may be closed before the work ends, and the answer may be sent after it.
 * The request ends when the event loop has handed the answer to the connection, which accounts for
 * its memory from then on.
 */
final class MessageMemory {
  private final List<Runnable> releases = new ArrayList<>();
  private boolean isRequestEnded;
  private boolean isWorkEnded;

  MessageMemory() {}

  /** The memory of a request; to be called on its event loop. */
  static MessageMemory of(RoutingContext context) {
    var memory = new MessageMemory();
    var eventLoop = ((HttpServerRequestInternal) context.request()).context();
    context.addEndHandler(_ -> eventLoop.runOnContext(_ -> memory.requestEnded()));
    if (context.response().closed()) {
      // The end handler would not be called.
      memory.requestEnded();
    }
    return memory;
  }

  /**
   * Takes over reserved memory; to be called before the work has ended.
   *
   * @param release releases the memory
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

  /** To be called when the work on the message has ended. */
  synchronized void workEnded() {
    isWorkEnded = true;
    releaseIfUnused();
  }

  /** To be called if the work goes on without the message, and without an answer to it. */
  synchronized void release() {
    releases.forEach(Runnable::run);
    releases.clear();
  }

  private void releaseIfUnused() {
    if (isRequestEnded && isWorkEnded) {
      release();
    }
  }
}
