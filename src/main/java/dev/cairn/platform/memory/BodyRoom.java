package dev.cairn.platform.memory;

import dev.cairn.platform.http.RequestBody;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;

/**
 * The room for the parsed body of one request. The room is released when the request has ended
 * here, because the request holds the parsed body while it waits for connections, locks or room for
 * its answer. See {@code docs/limits.md}, Memory.
 */
@RequestScoped
class BodyRoom {
  private final BodyMemory memory;
  private Runnable release;

  BodyRoom(BodyMemory memory) {
    this.memory = memory;
  }

  /** Waits for room for a complete body before it is parsed; once for each request. */
  void hold(ArrivingBody body) {
    release = memory.hold(body, RequestBody.MAX_VALUES);
  }

  @PreDestroy
  void release() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
