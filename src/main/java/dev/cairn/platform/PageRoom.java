package dev.cairn.platform;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import java.util.Optional;

/**
 * The room for the answer to one request. It is given back when the request has ended here, whether
 * its answer was handed to the connection, which counts it from then on, or the connection closed.
 */
@RequestScoped
@Unremovable // It is looked up by its type alone.
class PageRoom {
  private final PageMemory memory;
  private final ArrivingBodies bodies;
  private final CurrentVertxRequest request;
  private int maxPage;
  private Runnable release;

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
   * How many bytes a page has, the same for all reads of a request: takes room for a long one if
   * there is any.
   */
  int maxPage() {
    if (maxPage == 0) {
      release = memory.tryHold(owner().isAnonymous()).orElse(null);
      maxPage = release == null ? PageMemory.SHORT_PAGE : Pager.MAX_BYTES;
    }
    return maxPage;
  }

  /**
   * Waits for room for a large answer, unless there is some already; to be called without a
   * connection to the database.
   *
   * @return false if there was
   */
  boolean await() {
    if (release != null) {
      return false;
    }
    release = memory.hold(owner());
    maxPage = Pager.MAX_BYTES;
    return true;
  }

  private ArrivalRoom.Owner owner() {
    return bodies.owner(request.getCurrent());
  }

  @PreDestroy
  void release() {
    if (release != null) {
      release.run();
      release = null;
    }
  }
}
