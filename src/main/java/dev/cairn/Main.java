package dev.cairn;

import dev.cairn.platform.EmbeddedDefault;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.concurrent.CountDownLatch;

/** Starts the service, and before it the embedded PostgreSQL where no other one is configured. */
@QuarkusMain
public final class Main {
  private Main() {}

  /** Runs until the process is told to stop. */
  public static void main(String... args) {
    try {
      EmbeddedDefault.start()
          .ifPresentOrElse(database -> run(database, args), () -> Quarkus.run(args));
    } catch (IllegalStateException e) {
      System.err.println("Cairn cannot start: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void run(EmbeddedDefault database, String... args) {
    var ended = new CountDownLatch(1);
    // The database must outlive the service: on SIGTERM both have a hook, and this one waits.
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> closeAfter(ended, database), "embedded-database-stop"));
    Quarkus.run(
        null,
        (code, failure) -> {
          ended.countDown();
          System.exit(code);
        },
        args);
  }

  private static void closeAfter(CountDownLatch ended, EmbeddedDefault database) {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    database.close();
  }
}
