package dev.cairn.platform.memory;

import dev.cairn.platform.page.Pager;
import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Context;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The room for the answer to one request, and its turn. They are released when the request has
 * ended, both here and on the event loop: the answer was passed to the connection, which counts it
 * from then on, or the connection was closed.
 */
@RequestScoped
@Unremovable // It is looked up by its type alone.
class PageRoom {
  private final PageMemory memory;
  private final ArrivingBodies bodies;
  private final CurrentVertxRequest request;
  private int maxPage;
  private Runnable release;

  /** Ends the turn of {@link AnswerTurn}; null if there is none. */
  private Runnable turn;

  /** The event loop of the request for which room or a turn is held. */
  private Context eventLoop;

  PageRoom(PageMemory memory, ArrivingBodies bodies, CurrentVertxRequest request) {
    this.memory = memory;
    this.bodies = bodies;
    this.request = request;
  }

  /** The room of the current request; empty for work in the background. */
  static Optional<PageRoom> current() {
    var container = Arc.container();
    if (container == null || !container.requestContext().isActive()) {
      return Optional.empty();
    }
    return Optional.of(container.instance(PageRoom.class).get()).filter(PageRoom::isOfRequest);
  }

  boolean isOfRequest() {
    return request.getCurrent() != null;
  }

  /**
   * The maximum number of bytes of a page, the same for all reads of a request until {@link
   * #await}. Takes room for a long page if there is any.
   */
  int maxPage() {
    if (maxPage == 0) {
      release = memory.tryHold(owner()).orElse(null);
      maxPage = release == null ? PageMemory.SHORT_PAGE_BYTES : memory.longPage();
    }
    return maxPage;
  }

  /** How many bytes an answer may have without more room. */
  int held() {
    return release == null ? PageMemory.SHORT_PAGE_BYTES : maxPage;
  }

  /**
   * Waits for room for an answer of {@code bytes}, and gives back the room that was held before.
   * Must be called without a connection to the database.
   *
   * @return false if at least as much was held already
   */
  boolean await(int bytes) {
    if (bytes <= held()) {
      return false;
    }
    // First, so that no request holds room while it waits for room (deadlock).
    release();
    release = memory.hold(owner(), bytes);
    maxPage = bytes;
    return true;
  }

  /**
   * Waits for twice the room. Must be called without a connection to the database.
   *
   * @return false if there can be no more
   */
  boolean awaitMore() {
    // Nothing that was read is kept: other requests of the owner may continue meanwhile.
    endTurn();
    return await(Math.min(Pager.MAX_BYTES, 2 * held()));
  }

  /** Keeps a turn until the end, unless there is one. */
  void keep(Supplier<? extends Runnable> begin) {
    if (turn == null) {
      rememberEventLoop();
      turn = begin.get();
    }
  }

  /** Ends the turn, if there is one. */
  void endTurn() {
    if (turn != null) {
      turn.run();
      turn = null;
    }
  }

  private ArrivalRoom.Owner owner() {
    rememberEventLoop();
    return bodies.owner(request.getCurrent());
  }

  private void rememberEventLoop() {
    eventLoop = ((HttpServerRequestInternal) request.getCurrent().request()).context();
  }

  /** Released on the event loop, after it has passed on the answer, which may still wait there. */
  @PreDestroy
  void end() {
    if (release != null || turn != null) {
      eventLoop.runOnContext(
          _ -> {
            release();
            endTurn();
          });
    }
  }

  private void release() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
