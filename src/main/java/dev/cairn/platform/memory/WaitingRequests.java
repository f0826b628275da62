package dev.cairn.platform.memory;

import dev.cairn.platform.ClientGoneException;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Requests that wait for a turn. Those whose clients have closed the connection leave the queue
 * within a quarter of a second: nothing counts them any longer, so that clients which reset their
 * connections could fill the queues. Long work can ask whether its client is still there. See
 * {@code docs/limits.md}, Database connections.
 */
@Singleton
public class WaitingRequests {
  private static final long SWEEP_MILLIS = 250;

  private final CurrentVertxRequest request;
  private final Vertx vertx;
  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

  /** One wait of a request, on the thread that began it. */
  private static final class Wait {
    private final HttpServerResponse response;
    private final Thread thread = Thread.currentThread();
    private boolean isOver;
    private boolean isInterrupted;

    Wait(HttpServerResponse response) {
      this.response = response;
    }

    synchronized void endIfGone() {
      if (!isOver && response.closed()) {
        isInterrupted = true;
        thread.interrupt();
      }
    }

    /** From now on nothing interrupts the thread: what it does with a connection continues. */
    synchronized void end() {
      isOver = true;
      if (isInterrupted) {
        isInterrupted = false;
        var _ = Thread.interrupted();
      }
    }
  }

  WaitingRequests(CurrentVertxRequest request, Vertx vertx) {
    this.request = request;
    this.vertx = vertx;
  }

  void sweep(@Observes StartupEvent event) {
    vertx.setPeriodic(SWEEP_MILLIS, _ -> waits.forEach(Wait::endIfGone));
  }

  /**
   * Does something that waits, until its client has gone.
   *
   * @param waiting calls its argument when the wait is over; fails in any way if it is interrupted
   *     before
   * @throws ClientGoneException if the client went away before the wait was over
   */
  public <T> T untilGone(Function<Runnable, T> waiting) {
    if (!isInRequest()) {
      return waiting.apply(() -> {});
    }
    var wait = new Wait(request.getCurrent().response());
    waits.add(wait);
    try {
      return waiting.apply(() -> over(wait));
    } catch (ClientGoneException e) {
      throw e;
    } catch (RuntimeException e) {
      if (waits.contains(wait) && wait.response.closed()) {
        throw new ClientGoneException();
      }
      throw e;
    } finally {
      waits.remove(wait);
      wait.end();
    }
  }

  /**
   * For work that takes long, between two of its steps.
   *
   * @throws ClientGoneException if this is done for a request whose client went away
   */
  public void requireClient() {
    if (isInRequest() && request.getCurrent().response().closed()) {
      throw new ClientGoneException();
    }
  }

  private boolean isInRequest() {
    return Arc.container().requestContext().isActive() && request.getCurrent() != null;
  }

  private void over(Wait wait) {
    waits.remove(wait);
    wait.end();
    if (wait.response.closed()) {
      throw new ClientGoneException();
    }
  }
}
