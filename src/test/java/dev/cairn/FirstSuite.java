package dev.cairn;

import org.junit.platform.suite.api.SelectPackages;
import org.junit.platform.suite.api.Suite;

/**
 * About half of the tests, which Surefire runs in one process while {@link SecondSuite} runs in
 * another. Without suites, it would hand out single classes, and Quarkus would start the service
 * anew for each of them.
 */
@Suite
@SelectPackages({
  FirstSuite.ACCESS,
  FirstSuite.COMMIT,
  FirstSuite.CONTENT,
  FirstSuite.EXPORT,
  FirstSuite.MCP,
  FirstSuite.MODEL,
  FirstSuite.OAUTH,
  FirstSuite.TENANT
})
final class FirstSuite {
  static final String ACCESS = "dev.cairn.access";
  static final String COMMIT = "dev.cairn.commit";
  static final String CONTENT = "dev.cairn.content";
  static final String EXPORT = "dev.cairn.export";
  static final String MCP = "dev.cairn.mcp";
  static final String MODEL = "dev.cairn.model";
  static final String OAUTH = "dev.cairn.oauth";
  static final String TENANT = "dev.cairn.tenant";

  private FirstSuite() {}
}
