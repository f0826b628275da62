package dev.cairn.commit;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class Add extends AddTest {}

  @QuarkusIntegrationTest
  static class Collections extends CollectionsTest {}

  @QuarkusIntegrationTest
  static class CommitCost extends CommitCostTest {}

  @QuarkusIntegrationTest
  static class CommitLimits extends CommitLimitsTest {}

  @QuarkusIntegrationTest
  static class CommitRequest extends CommitRequestTest {}

  @QuarkusIntegrationTest
  static class CompressedCommit extends CompressedCommitTest {}

  @QuarkusIntegrationTest
  static class DefinitionLimits extends DefinitionLimitsTest {}

  @QuarkusIntegrationTest
  static class ForeignReference extends ForeignReferenceTest {}

  @QuarkusIntegrationTest
  static class HashChain extends HashChainTest {}

  @QuarkusIntegrationTest
  static class Idempotency extends IdempotencyTest {}

  @QuarkusIntegrationTest
  static class IfMatch extends IfMatchTest {}

  @QuarkusIntegrationTest
  static class KeptReference extends KeptReferenceTest {}

  @QuarkusIntegrationTest
  static class LongNames extends LongNamesTest {}

  @QuarkusIntegrationTest
  static class LostRights extends LostRightsTest {}

  @QuarkusIntegrationTest
  static class MissingNames extends MissingNamesTest {}

  @QuarkusIntegrationTest
  static class Operations extends OperationsTest {}

  @QuarkusIntegrationTest
  static class PartialCommit extends PartialCommitTest {}

  @QuarkusIntegrationTest
  static class Patch extends PatchTest {}

  @QuarkusIntegrationTest
  static class PointerLimits extends PointerLimitsTest {}

  @QuarkusIntegrationTest
  static class Race extends RaceTest {}

  @QuarkusIntegrationTest
  static class References extends ReferencesTest {}

  @QuarkusIntegrationTest
  static class Rename extends RenameTest {}

  @QuarkusIntegrationTest
  static class RenameBudget extends RenameBudgetTest {}

  @QuarkusIntegrationTest
  static class RenameWithinCommit extends RenameWithinCommitTest {}

  @QuarkusIntegrationTest
  static class RetractWarning extends RetractWarningTest {}

  @QuarkusIntegrationTest
  static class Revise extends ReviseTest {}

  @QuarkusIntegrationTest
  static class ReviseAfterRename extends ReviseAfterRenameTest {}

  @QuarkusIntegrationTest
  static class Shapes extends ShapesTest {}

  @QuarkusIntegrationTest
  static class StatementCount extends StatementCountTest {}

  @QuarkusIntegrationTest
  static class StoredBytes extends StoredBytesTest {}

  @QuarkusIntegrationTest
  static class ShapeAbout extends ShapeAboutTest {}

  @QuarkusIntegrationTest
  static class Summary extends SummaryTest {}

  @QuarkusIntegrationTest
  static class Hints extends HintsTest {}
}
