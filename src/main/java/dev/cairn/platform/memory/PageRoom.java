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
import java.util.stream.Stream;

/**
 * The room for the answer to one request, and its turn. They are given back when the request has
 * ended here and the event loop has come to its end, whether it has handed the answer to the
 * connection, which counts it from then on, or the connection closed.
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

  /** Of the request for which room or a turn is held. */
  private Context eventLoop;

  PageRoom(PageMemory memory, ArrivingBodies bodies, CurrentVertxRequest request) {
    this.memory = memory;
    this.bodies = bodies;
    this.request = request;
  }

  /** That of the request at hand; empty for work in the background. */
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
   * How many bytes a page has, the same for all reads of a request until {@link #await}: takes room
   * for a long one if there is any.
   */
  int maxPage() {
    if (maxPage == 0) {
      release = memory.tryHold(owner()).orElse(null);
      maxPage = release == null ? PageMemory.SHORT_PAGE : memory.longPage();
    }
    return maxPage;
  }

  /** How many bytes an answer may have without more room. */
  int held() {
    return release == null ? PageMemory.SHORT_PAGE : maxPage;
  }

  /**
   * Waits for room for an answer of so many bytes, in place of that which is held; to be called
   * without a connection to the database.
   *
   * @return false if as much is held already
   */
  boolean await(int bytes) {
    if (bytes <= held()) {
      return false;
    }
    // First, so that nobody waits for others and holds what they wait for.
    release();
    release = memory.hold(owner(), bytes);
    maxPage = bytes;
    return true;
  }

  /**
   * Waits for twice the room; to be called without a connection to the database.
   *
   * @return false if there can be no more
   */
  boolean awaitMore() {
    return await(Math.min(Pager.MAX_BYTES, 2 * held()));
  }

  /** Keeps a turn until the end, unless there is one. */
  void keep(Supplier<? extends Runnable> begin) {
    if (turn == null) {
      owner();
      turn = begin.get();
    }
  }

  private ArrivalRoom.Owner owner() {
    var current = request.getCurrent();
    eventLoop = ((HttpServerRequestInternal) current.request()).context();
    return bodies.owner(current);
  }

  /** The answer may still wait for the event loop, which takes it before this. */
  @PreDestroy
  void end() {
    Stream.of(Optional.ofNullable(release), Optional.ofNullable(turn))
        .flatMap(Optional::stream)
        .forEach(held -> eventLoop.runOnContext(_ -> held.run()));
  }

  private void release() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
