package dev.cairn.platform.memory;

import dev.cairn.platform.http.RequestBody;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;

/**
 * The room for the parsed body of one request. The request may wait for connections, for locks or
 * for room for its answer, and holds what was parsed meanwhile; so the room is given back when the
 * request has ended here. See {@code docs/limits.md}, Memory.
 */
@RequestScoped
class BodyRoom {
  private final BodyMemory memory;
  private Runnable release;

  BodyRoom(BodyMemory memory) {
    this.memory = memory;
  }

  /** Waits for room for a body that has come whole and is not parsed yet; once for a request. */
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
