package dev.cairn.action;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class ActionReads extends ActionReadsTest {}

  @QuarkusIntegrationTest
  static class Background extends BackgroundTest {}

  @QuarkusIntegrationTest
  static class Callback extends CallbackTest {}

  @QuarkusIntegrationTest
  static class CallbackSecrets extends CallbackSecretsTest {}

  @QuarkusIntegrationTest
  static class CallbackTarget extends CallbackTargetTest {}

  @QuarkusIntegrationTest
  static class ManyWatched extends ManyWatchedTest {}

  @QuarkusIntegrationTest
  static class NotificationSettings extends NotificationSettingsTest {}

  @QuarkusIntegrationTest
  static class Outbox extends OutboxTest {}

  @QuarkusIntegrationTest
  static class RecoveryRights extends RecoveryRightsTest {}

  @QuarkusIntegrationTest
  static class RunVisibility extends RunVisibilityTest {}

  @QuarkusIntegrationTest
  static class Spans extends SpansTest {}

  @QuarkusIntegrationTest
  static class SpriteTrace extends SpriteTraceTest {}

  @QuarkusIntegrationTest
  static class Tick extends TickTest {}

  @QuarkusIntegrationTest
  static class Trace extends TraceTest {}

  @QuarkusIntegrationTest
  static class Webhook extends WebhookTest {}
}
