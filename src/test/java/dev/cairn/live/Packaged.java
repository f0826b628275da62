package dev.cairn.live;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class EventStream extends EventStreamTest {}

  @QuarkusIntegrationTest
  static class LiveAccess extends LiveAccessTest {}

  @QuarkusIntegrationTest
  static class LiveIdle extends LiveIdleTest {}

  @QuarkusIntegrationTest
  static class StreamComment extends StreamCommentTest {}

  @QuarkusIntegrationTest
  static class WaitingRead extends WaitingReadTest {}

  @QuarkusIntegrationTest
  static class LiveQueries extends LiveQueriesTest {}

  @QuarkusIntegrationTest
  static class LiveEquality extends LiveEqualityTest {}

  @QuarkusIntegrationTest
  static class SocketAccess extends SocketAccessTest {}

  @QuarkusIntegrationTest
  static class SocketFrames extends SocketFramesTest {}

  @QuarkusIntegrationTest
  static class SocketMemory extends SocketMemoryTest {}
}
