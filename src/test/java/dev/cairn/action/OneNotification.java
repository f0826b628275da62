package dev.cairn.action;

import static org.hamcrest.Matchers.containsInAnyOrder;

import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.AfterEach;

/** A repository whose notification URL is told how the runs of its one subscription end. */
abstract class OneNotification extends OneHook {
  final Receiver told = new Receiver();

  @AfterEach
  void closeTold() {
    told.close();
  }

  final void tellBy(String more) {
    settings("{'notifications':{'webhookUrl':'%s'%s}}".formatted(told.url("/told?c=d"), more))
        .statusCode(200);
  }

  /** A run that fails, with the call that tells of it. */
  final void failAndTell() {
    tellBy("");
    deliver(400);
  }

  /** The notification of the channel {@code webhook}, of which there is one. */
  final ValidatableResponse call() {
    return notifications()
        .body("channel", containsInAnyOrder("inbox", "webhook"))
        .rootPath("find { it.channel == 'webhook' }");
  }

  /** Runs what is due next, without its delay. */
  final void runNextAttempt() {
    deliveries.hurry(repository);
    deliveries.run(repository);
  }
}
