package dev.cairn;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** All tests that are in no other suite, so that none is left out. */
@Suite
@SelectPackages("dev.cairn")
@ExcludeClassNamePatterns({FirstSuite.CLASSES, WaitingSuite.CLASSES})
final class SecondSuite {
  private SecondSuite() {}
}
