package dev.cairn.sprite;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.WebApplicationException;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** Calls of a backend. */
final class Calls {
  private static final Logger LOG = Logger.getLogger(Calls.class);

  /** How often the backend may be in trouble, one time after another. */
  static final int TRIES = 3;

  /** One that may find out that it cannot be made. */
  interface Call {
    void make() throws SpriteException;
  }

  private Calls() {}

  /**
   * Makes a call that changes nothing when it is made twice, and again at once where the backend is
   * in trouble. For what is not made by the next look: docs/decisions/0018-waiting-for-commands.md.
   *
   * @param what it is for, as it stands in the message of a failure
   */
  static <T> T make(String what, Supplier<T> call) throws SpriteException, InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        return once(what, call);
      } catch (SpriteException e) {
        if (tried == TRIES || !e.isTrouble()) {
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

  /** Makes a call that may as well fail, since what it is for comes about later without it. */
  static void attempt(String what, Call call) {
    // Where the service stops, this is what is left to do; an interrupted thread would make no
    // call.
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
