package dev.cairn.sprite;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.WebApplicationException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Makes the calls of a backend. */
final class Calls {
  private static final Logger LOG = Logger.getLogger(Calls.class);

  /** After this many failures of the backend in a row, an attempt has failed. */
  static final int TRIES = 3;

  /** A call without an answer. */
  interface Call {
    void make() throws SpriteException;
  }

  private Calls() {}

  /**
   * Makes an idempotent call, and retries it without a delay if the backend fails. For calls that
   * the next poll does not repeat: docs/decisions/0018-waiting-for-commands.md.
   *
   * @param what its purpose, for the message of a failure
   */
  static <T> T make(String what, Supplier<T> call) throws SpriteException, InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        return once(what, call);
      } catch (SpriteException e) {
        if (tried == TRIES || !e.isBackendFailure()) {
          throw e;
        }
      }
    }
  }

  /** Makes a call. */
  static <T> T once(String what, Supplier<T> call) throws SpriteException, InterruptedException {
    try {
      return call.get();
    } catch (WebApplicationException e) {
      throw SpriteException.http(e.getResponse().getStatus(), what);
    } catch (ProcessingException e) {
      if (Thread.interrupted() || e.getCause() instanceof InterruptedException) {
        throw new InterruptedException();
      }
      throw SpriteException.noAnswer(what);
    }
  }

  /** Makes a call whose failure is only logged, because time limits have the same effect later. */
  static void attempt(String what, Call call) {
    // It is made also while the service stops; an interrupted thread would make no call.
    boolean interrupted = Thread.interrupted();
    try {
      call.make();
    } catch (SpriteException e) {
      LOG.warnf("no call for %s: %s", what, e.getMessage());
    } catch (WebApplicationException e) {
      LOG.warnf("the backend of sprites answered %d to %s", e.getResponse().getStatus(), what);
    } catch (ProcessingException e) {
      LOG.warnf("the backend of sprites gave no answer to %s", what);
    } catch (RuntimeException e) {
      LOG.errorf(e, "no call for %s", what);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
