package dev.cairn.mcp;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  @EnabledIfEnvironmentVariable(
      named = NodeProgram.NODE,
      matches = ".+",
      disabledReason = NodeProgram.WITHOUT)
  static class AgentTask extends AgentTaskTest {}

  @QuarkusIntegrationTest
  static class AnswerSizes extends AnswerSizesTest {}

  @QuarkusIntegrationTest
  static class Batch extends BatchTest {}

  @QuarkusIntegrationTest
  @EnabledIfEnvironmentVariable(
      named = NodeProgram.NODE,
      matches = ".+",
      disabledReason = NodeProgram.WITHOUT)
  static class Clients extends ClientsTest {}

  @QuarkusIntegrationTest
  static class Confirm extends ConfirmTest {}

  @QuarkusIntegrationTest
  static class FirstHour extends FirstHourTest {}

  @QuarkusIntegrationTest
  static class LargeCommit extends LargeCommitTest {}

  @QuarkusIntegrationTest
  static class LogAndExportTools extends LogAndExportToolsTest {}

  @QuarkusIntegrationTest
  static class Progress extends ProgressTest {}

  @QuarkusIntegrationTest
  static class ResourceSubscriptions extends ResourceSubscriptionsTest {}

  @QuarkusIntegrationTest
  static class Revisions extends RevisionsTest {}

  @QuarkusIntegrationTest
  static class SearchTool extends SearchToolTest {}

  @QuarkusIntegrationTest
  static class ComponentTools extends ComponentToolsTest {}

  @QuarkusIntegrationTest
  static class TenancyTools extends TenancyToolsTest {}

  @QuarkusIntegrationTest
  static class ToolSchemas extends ToolSchemasTest {}

  @QuarkusIntegrationTest
  static class Tools extends ToolsTest {}

  @QuarkusIntegrationTest
  static class Toolsets extends ToolsetsTest {}

  @QuarkusIntegrationTest
  static class Transport extends TransportTest {}

  @QuarkusIntegrationTest
  static class Arguments extends ArgumentsTest {}

  @QuarkusIntegrationTest
  static class Guide extends GuideTest {}
}
