package dev.cairn;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** All tests that are not in the {@link FirstSuite}, so that none is left out. */
@Suite
@SelectPackages("dev.cairn")
@ExcludeClassNamePatterns(FirstSuite.CLASSES)
final class SecondSuite {
  private SecondSuite() {}
}
