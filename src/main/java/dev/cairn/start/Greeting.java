package dev.cairn.start;

import dev.cairn.platform.CairnConfig;
import io.quarkus.vertx.http.HttpServerStart;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Prints on the console what a new user needs: the address, the generated password, and requests to
 * try.
 */
@Singleton
class Greeting {
  private final CairnConfig config;
  private final AtomicReference<String> firstSignIn = new AtomicReference<>("");

  Greeting(CairnConfig config) {
    this.config = config;
  }

  /** Keeps a generated password until the greeting prints it, which happens once. */
  void generated(String email, String password) {
    firstSignIn.set(
        """

          Administrator: %s
          Password:      %s   (shown this once; kept nowhere in the clear)
        """
            .formatted(email, password));
  }

  void listening(@ObservesAsync HttpServerStart event) {
    if (!config.database().embedded()) {
      return;
    }
    var base = "http://localhost:" + event.options().getPort();
    var text = new StringBuilder("\n  Cairn listens on " + base + "\n");
    text.append(firstSignIn.getAndSet(""));
    if (config.demo()) {
      text.append(
          """

            Try:
              curl '%1$s/api/repos/demo/world/head?shape=Country&limit=3'
              curl '%1$s/api/repos/demo/world/things/Country/DE'
              curl '%1$s/api/repos/demo/world/about/Country/BG?depth=2'
          """
              .formatted(base));
    }
    System.out.println(text);
  }
}
