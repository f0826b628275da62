package dev.cairn;

import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * Most of the tests that need no service, in a process that starts none: it costs little beside the
 * others, and many of these tests wait for other processes and for time limits.
 */
@Suite
@SelectPackages("dev.cairn")
@IncludeClassNamePatterns(PlainSuite.CLASSES)
final class PlainSuite {
  /** Names of classes, as a regular expression. */
  static final String CLASSES =
      "dev[.]cairn[.](cli[.].*|client[.].*|embedded[.].*|model[.].*|egress[.](?!EgressWiring).*"
          + "|sprite.(GitSource|Local.*|SpriteOutput|SpriteSettings|UnprivilegedService))Test";

  private PlainSuite() {}
}
