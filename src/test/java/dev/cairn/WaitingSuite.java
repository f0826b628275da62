package dev.cairn;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Tests that wait for time limits, processes and sockets most of the time, beside the {@link
 * FirstSuite} and the {@link SecondSuite}, which keep two processors busy: those with the profile
 * {@code Uncommon}, and some with the usual settings.
 */
@Suite
@SelectPackages("dev.cairn")
@IncludeClassNamePatterns(WaitingSuite.CLASSES)
final class WaitingSuite {
  private static final String UNCOMMON =
      "action.Spans|commit.CommitLimiter|component.HangingServers|export.ExportLimits"
          + "|live.SocketMemory|mcp.Conformance|openapi.SwaggerUi|platform.http.NarrowedOrigins"
          + "|platform.memory.(Arriving.*|Decompression)|stream.Stream(Limits|Places)"
          + "|platform.secret.Reseal|search.EmbeddingService";

  private static final String WITH_USUAL_SETTINGS =
      "access.LateBody|action.(HostileReceiver|Ongoing.*)|component.HostileServer|docs.Fences"
          + "|live.(SocketAccess|StreamComment)|mcp.ResourceSubscriptions|platform.http.Unavailable"
          + "|platform.limiter.ReadShares|platform.memory.(PageMemory|Slow(Body|Readers))|search.Index"
          + "|sprite.HttpBackend"
          + "|stream.(Atomic|AtomicEnd|AtomicRoom|Resume|Submission)";

  /** Names of classes, as a regular expression. */
  static final String CLASSES = "dev[.]cairn[.](" + UNCOMMON + "|" + WITH_USUAL_SETTINGS + ")Test";

  private WaitingSuite() {}
}
