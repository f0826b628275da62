package dev.cairn;

import org.junit.platform.suite.api.ExcludeClassNamePatterns;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * All tests that are in no other suite, so that none is left out. {@code PgvectorTest} runs in a
 * process of its own, if there is what it needs: Quarkus would build the service for it anyway.
 */
@Suite
@SelectPackages("dev.cairn")
@ExcludeClassNamePatterns({
  FirstSuite.CLASSES,
  WaitingSuite.CLASSES,
  PlainSuite.CLASSES,
  "dev[.]cairn[.]search[.]PgvectorTest"
})
final class SecondSuite {
  private SecondSuite() {}
}
