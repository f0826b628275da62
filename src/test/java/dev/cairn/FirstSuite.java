package dev.cairn;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.IncludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * About half of the tests that compute, which Surefire runs in one process while {@link
 * SecondSuite}, {@link WaitingSuite} and {@link PlainSuite} run in others. Without suites, it would
 * hand out single classes, and Quarkus would start the service again for each of them. It builds
 * and starts it once in each process for each profile of the classes there, so those of a profile
 * are together: of {@code Limited} and {@code BehindProxy} here, and of {@code Uncommon} in {@link
 * WaitingSuite}.
 */
@Suite
@SelectPackages("dev.cairn")
@IncludeClassNamePatterns(FirstSuite.CLASSES)
@ExcludeClassNamePatterns(WaitingSuite.CLASSES)
final class FirstSuite {
  private static final String PACKAGES =
      "access|commit|component|content|docs|mcp|oauth|subscription|tenant";

  private static final String OF_OTHERS =
      "action.(Background|FullQuota)Test|(live.(LiveIdle|LiveLimit|LiveRoom)|stream.StreamRate)Test"
          + "|platform.http.(ForwardedAddress|AnyOrigin)Test";

  /** Names of classes, as a regular expression. */
  static final String CLASSES = "dev[.]cairn[.]((" + PACKAGES + ")[.].*Test|" + OF_OTHERS + ")";

  private FirstSuite() {}
}
