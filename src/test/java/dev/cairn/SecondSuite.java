package dev.cairn;

import org.junit.platform.suite.api.ExcludePackages;
import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/** All tests that are not in the {@link FirstSuite}, so that none is left out. */
@Suite
@SelectPackages("dev.cairn")
@ExcludePackages({
  FirstSuite.ACCESS,
  FirstSuite.COMMIT,
  FirstSuite.CONTENT,
  FirstSuite.EXPORT,
  FirstSuite.MCP,
  FirstSuite.MODEL,
  FirstSuite.OAUTH,
  FirstSuite.TENANT
})
final class SecondSuite {
  private SecondSuite() {}
}
