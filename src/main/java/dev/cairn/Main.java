package dev.cairn;

import dev.cairn.cli.CairnCommand;
import dev.cairn.platform.database.EmbeddedDefault;
import dev.cairn.platform.operation.OutOfMemory;
import dev.cairn.platform.secret.ResealCommand;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.util.concurrent.CountDownLatch;

/**
 * Starts what the first argument names. Without one, or with {@code serve}, it is the service, and
 * with {@code reseal} that command of the service; before both, the embedded PostgreSQL starts if
 * no other one is configured. All else is a command of the CLI, which never starts Quarkus: {@code
 * docs/cli.md}.
 */
@QuarkusMain
public final class Main {
  private static final String SERVE = "serve";

  private static final String CARRIERS_PROPERTY = "jdk.virtualThreadScheduler.parallelism";

  /**
   * A virtual thread that computes keeps its carrier until it waits for something. With as many
   * carriers as processors, two requests that compute would hold up all others on two processors;
   * with more, the operating system shares the processors between them. This is more than the
   * number of requests that can compute at once, the size of the connection pool (20 by default).
   */
  private static final int CARRIERS = 64;

  private Main() {}

  /** Runs until the process is told to stop, or the command has ended. */
  public static void main(String... args) {
    if (args.length == 0 || args[0].equals(SERVE) || args[0].equals(ResealCommand.NAME)) {
      serve(args);
    } else {
      System.exit(CairnCommand.run(args));
    }
  }

  private static void serve(String... args) {
    OutOfMemory.watchThreads();
    // RequestLimits judges URIs, with a problem document; Quarkus would refuse them without one.
    System.setProperty("vertx.disableURIValidation", "true");
    if (System.getProperty(CARRIERS_PROPERTY) == null) {
      System.setProperty(CARRIERS_PROPERTY, Integer.toString(CARRIERS));
    }
    if (isExecutable()) {
      // Otherwise a virtual thread may wait for a socket for good: docs/decisions/0020-pollers.md.
      System.setProperty("jdk.pollerMode", "1");
    }
    var ended = new CountDownLatch(1);
    try {
      EmbeddedDefault.start().ifPresent(database -> stopAfter(ended, database));
    } catch (IllegalStateException e) {
      complain(e);
      System.exit(1);
    }
    boolean reseals = args.length > 0 && args[0].equals(ResealCommand.NAME);
    if (reseals) {
      // It may run where the service does, and does nothing but this.
      System.setProperty("quarkus.http.host-enabled", "false");
      System.setProperty("quarkus.scheduler.start-mode", "halted");
    }
    Quarkus.run(
        reseals ? ResealCommand.class : null,
        (code, failure) -> {
          complain(failure);
          ended.countDown();
          System.exit(code);
        },
        args);
  }

  /** Whether this is a native executable. */
  private static boolean isExecutable() {
    return "runtime".equals(System.getProperty("org.graalvm.nativeimage.imagecode"));
  }

  /** The database must outlive the service: on SIGTERM both have a hook, and this one waits. */
  private static void stopAfter(CountDownLatch ended, EmbeddedDefault database) {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> closeAfter(ended, database), "embedded-database-stop"));
  }

  private static void closeAfter(CountDownLatch ended, EmbeddedDefault database) {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    database.close();
  }

  /**
   * A mistake of the operator needs its sentence; a fault of ours needs all that is known of it.
   */
  private static void complain(Throwable failure) {
    var root = failure;
    while (root != null && root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof IllegalStateException
        || root instanceof BindException
        || root instanceof ConfigValidationException) {
      System.err.println("Cairn cannot start: " + root.getMessage());
    } else if (failure != null) {
      failure.printStackTrace();
    }
  }
}
