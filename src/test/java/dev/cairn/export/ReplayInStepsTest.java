package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, A copy of any HEAD: each thing that adds alone cannot bring over. */
@HttpTest
@QuarkusTest
class ReplayInStepsTest {
  private String repository;

  @BeforeEach
  void aShape() {
    repository = Api.newRepository("private");
    commit(
        "{'operation':'add','name':'Node','data':{'fields':{"
            + "'text?':'string','to?':'wref','many?':['wref']}}}");
  }

  private void commit(String operation) {
    Prepared.commit(repository, operation);
  }

  private void assertCopied() {
    var original = Exports.stream(repository);
    assertFalse(addsAloneDo(original), "needs no steps");
    assertEquals(Exports.content(original), Exports.content(Exports.stream(Replay.of(original))));
  }

  private static boolean addsAloneDo(String original) {
    try {
      var copy = Exports.stream(Exports.replay(original));
      return Exports.content(original).equals(Exports.content(copy));
    } catch (AssertionError refused) {
      return false;
    }
  }

  @Test
  void what_goes_round_in_a_circle() {
    commit("{'operation':'add','name':'Node/a','data':{'text':'a'}}");
    commit("{'operation':'add','name':'Node/b','data':{'to':'Node/a','many':['Node/a']}}");
    commit("{'operation':'revise','name':'Node/a','data':{'to':'Node/a','many':['Node/b']}}");
    commit("{'operation':'add','name':'Node/c','about':'Node/b','data':{'to':'Node/a'}}");
    assertCopied();
  }

  @Test
  void collections_and_assertions_that_stand_before_their_targets_because_of_a_circle() {
    commit("{'operation':'add','name':'Node/a','data':{}}");
    commit("{'operation':'add','name':'Node/said','about':'Node/a','data':{'to':'Node/a'}}");
    commit("{'operation':'add','name':'Set/s','type':'set','members':['Node/said']}");
    commit("{'operation':'revise','name':'Node/a','data':{'to':'Set/s'}}");
    assertCopied();
  }

  @Test
  void what_refers_to_inactive_entities_of_every_kind() {
    commit("{'operation':'add','name':'Gone','data':{'fields':{}}}");
    commit("{'operation':'add','name':'Node/gone','data':{'text':'x'}}");
    commit("{'operation':'add','name':'Gone/too','about':'Node/gone','data':{}}");
    commit("{'operation':'add','name':'Content/Gone','data':{'content':'x'}}");
    commit("{'operation':'add','name':'Pair/p','type':'pair','members':['Node/gone','Gone/too']}");
    commit(
        "{'operation':'add','name':'Triple/t','type':'triple',"
            + "'members':['Shape/Gone','Shape/Gone','Shape/Gone']}");
    commit("{'operation':'add','name':'Set/s','type':'set','members':['Pair/p']}");
    commit("{'operation':'add','name':'Set/s2','type':'set','members':['Triple/t']}");
    commit(
        "{'operation':'add','name':'Node/left','about':'Set/s','data':{'to':'Shape/Gone',"
            + "'many':['Node/gone','Gone/too','Content/Gone','Pair/p','Triple/t','Set/s2']}}");
    for (var gone :
        new String[] {
          "Shape/Gone",
          "Node/gone",
          "Gone/too",
          "Content/Gone",
          "Pair/p",
          "Triple/t",
          "Set/s",
          "Set/s2"
        }) {
      commit("{'operation':'retract','name':'" + gone + "'}");
    }
    assertCopied();
  }

  @Test
  void what_is_of_a_retracted_shape() {
    commit("{'operation':'add','name':'Node/a','data':{}}");
    commit("{'operation':'add','name':'Node/b','about':'Node/a','data':{'to':'Node/a'}}");
    commit("{'operation':'retract','name':'Shape/Node'}");
    assertCopied();
  }

  @Test
  void data_that_only_an_earlier_version_of_its_shape_allows() {
    commit("{'operation':'add','name':'Node/a','data':{'text':'$0'}}");
    commit("{'operation':'add','name':'Node/b','data':{'text':'Node/a@v1'}}");
    commit("{'operation':'add','name':'Node/c','data':{'text':'no wref','to':'Node/a'}}");
    commit(
        "{'operation':'revise','name':'Shape/Node','data':{'fields':{"
            + "'text':'wref','to?':'wref','more?':'string'}}}");
    commit("{'operation':'add','name':'Node/d','data':{'text':'Node/a','to':'Node/b'}}");
    assertCopied();
  }

  @Test
  void references_into_another_repository_that_the_present_shape_does_not_tell() {
    var other = Api.newRepository("private");
    Prepared.commit(other, "{'operation':'add','name':'Far','data':{'fields':{}}}");
    Prepared.commit(other, "{'operation':'add','name':'Far/off','data':{}}");
    var far = "cairn:" + other.substring("/api/repos/".length()) + "/Far/off";
    commit(
        "{'operation':'add','name':'Row','data':{'fields':{"
            + "'many?':['wref'],'rows':[{'to?':'wref','in?':{'to':'wref'}}]}}}");
    commit("{'operation':'add','name':'Node/gone','data':{}}");
    commit("{'operation':'retract','name':'Node/gone'}");
    commit(
        """
        {'operation':'add','name':'Row/a','data':{
          'many':['Node/gone','FAR'],'rows':[{'in':{'to':'FAR'}},{},{'to':'FAR'}]}}"""
            .replace("FAR", far));
    commit("{'operation':'revise','name':'Shape/Row','data':{'fields':{'text':'string'}}}");
    assertCopied();
  }

  @Test
  void collections_of_the_same_members_in_other_versions() {
    commit("{'operation':'add','name':'Node/a','data':{}}");
    commit("{'operation':'add','name':'List/first','type':'list','members':['Node/a','Node/a']}");
    commit(
        "{'operation':'add','name':'Pair/first','type':'pair',"
            + "'members':['Shape/Content','List/first']}");
    commit("{'operation':'retract','name':'List/first'}");
    commit("{'operation':'revise','name':'List/first','active':true}");
    commit(
        "{'operation':'add','name':'Pair/second','type':'pair',"
            + "'members':['Shape/Content','List/first']}");
    commit("{'operation':'revise','name':'Node/a','data':{'text':'x'}}");
    commit("{'operation':'add','name':'List/second','type':'list','members':['Node/a','Node/a']}");
    commit(
        "{'operation':'add','name':'List/third','type':'list',"
            + "'members':['Node/a','Node/a@v1']}");
    assertCopied();
  }

  @Test
  void sets_that_hold_a_member_in_several_versions() {
    commit("{'operation':'add','name':'Node/a','data':{}}");
    commit("{'operation':'add','name':'Node/b','data':{}}");
    commit("{'operation':'revise','name':'Node/a','data':{'text':'x'}}");
    commit("{'operation':'revise','name':'Node/a','data':{'text':'y'}}");
    commit(
        "{'operation':'add','name':'Set/all','type':'set',"
            + "'members':['Node/a@v3','Node/b','Node/a@v1','Node/a@v2']}");
    commit("{'operation':'add','name':'Set/two','type':'set','members':['Node/a@v3','Node/a@v1']}");
    commit("{'operation':'add','name':'Set/too','type':'set','members':['Node/a@v2','Node/a@v1']}");
    assertCopied();
  }
}
