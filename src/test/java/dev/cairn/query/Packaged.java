package dev.cairn.query;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP tests of this package against the packaged application. */
final class Packaged {
  private Packaged() {}

  @QuarkusIntegrationTest
  static class About extends AboutTest {}

  @QuarkusIntegrationTest
  static class AboutMany extends AboutManyTest {}

  @QuarkusIntegrationTest
  static class AboutTargets extends AboutTargetsTest {}

  @QuarkusIntegrationTest
  static class ConditionalRead extends ConditionalReadTest {}

  @QuarkusIntegrationTest
  static class Content extends ContentTest {}

  @QuarkusIntegrationTest
  static class CursorsUnderRenames extends CursorsUnderRenamesTest {}

  @QuarkusIntegrationTest
  static class CursorsUnderWrites extends CursorsUnderWritesTest {}

  @QuarkusIntegrationTest
  static class Describe extends DescribeTest {}

  @QuarkusIntegrationTest
  static class Diff extends DiffTest {}

  @QuarkusIntegrationTest
  static class EntityCounts extends EntityCountsTest {}

  @QuarkusIntegrationTest
  static class Fields extends FieldsTest {}

  @QuarkusIntegrationTest
  static class History extends HistoryTest {}

  @QuarkusIntegrationTest
  static class KeptCounts extends KeptCountsTest {}

  @QuarkusIntegrationTest
  static class LargeAnswers extends LargeAnswersTest {}

  @QuarkusIntegrationTest
  static class ListReads extends ListReadsTest {}

  @QuarkusIntegrationTest
  static class LongLists extends LongListsTest {}

  @QuarkusIntegrationTest
  static class Match extends MatchTest {}

  @QuarkusIntegrationTest
  static class Missing extends MissingTest {}

  @QuarkusIntegrationTest
  static class NarrowedRead extends NarrowedReadTest {}

  @QuarkusIntegrationTest
  static class Paging extends PagingTest {}

  @QuarkusIntegrationTest
  static class Refs extends RefsTest {}

  @QuarkusIntegrationTest
  static class RepoSeq extends RepoSeqTest {}

  @QuarkusIntegrationTest
  static class Snapshot extends SnapshotTest {}

  @QuarkusIntegrationTest
  static class Thing extends ThingTest {}

  @QuarkusIntegrationTest
  static class TimeTravelModel extends TimeTravelModelTest {}

  @QuarkusIntegrationTest
  static class TimeTravel extends TimeTravelTest {}

  @QuarkusIntegrationTest
  static class WhereIndex extends WhereIndexTest {}

  @QuarkusIntegrationTest
  static class WhereRefused extends WhereRefusedTest {}

  @QuarkusIntegrationTest
  static class Where extends WhereTest {}
}
