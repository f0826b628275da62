package dev.cairn.commit;

import static dev.cairn.Api.newRepository;
import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.ops;
import static dev.cairn.commit.Commits.refused;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.retract;
import static dev.cairn.commit.Commits.revise;
import static dev.cairn.commit.Commits.shape;
import static dev.cairn.commit.Commits.thing;
import static dev.cairn.model.ErrorCode.SHAPE_MISMATCH;
import static dev.cairn.model.ErrorCode.VALIDATION_ERROR;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.matchesPattern;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@HttpTest
@QuarkusTest
class ShapesTest {
  /** Each row: a field's type, a value at the good side of its edge, one at the bad side. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'string'                                            | 'x'              | 1",
        "'number'                                            | -1.5e3           | '1'",
        "'boolean'                                           | false            | 0",
        "'wref'                                              | 'T/x'            | 'no wref'",
        "'wref'                                              | 'T/x@v1'         | {}",
        "'array'                                             | [1,'a',{}]       | {}",
        "'any'                                               | [{'a':[null]}]   | null",
        "['number']                                          | [1,2.5]          | [1]#['1']",
        "[['string']]                                        | [['a'],[]]       | ['a']",
        "[{'a':'number'}]                                    | [{'a':1}]        | [{'a':'x'}]",
        "{'a':'number','b?':'string'}                        | {'a':1}          | {'b':'x'}",
        "{'type':'string','minLength':2}                     | 'ab'             | 'a'",
        "{'type':'string','minLength':2}                     | '\uD835\uDD38b'  | '\uD835\uDD38'",
        "{'type':'string','maxLength':2}                     | 'ab'             | 'abc'",
        "{'type':'string','maxLength':2}                     | '\uD835\uDD38b'  | '\uD835\uDD38bc'",
        "{'type':'string','pattern':'b+'}                    | 'abbc'           | 'ac'",
        "{'type':'string','pattern':'^b+$'}                  | 'bb'             | 'abb'",
        "{'type':'string','enum':['a','b']}                  | 'b'              | 'B'",
        "{'type':'number','minimum':-1}                      | -1               | -1.001",
        "{'type':'number','maximum':10}                      | 10.0             | 10.001",
        "{'type':'number','integer':true}                    | 1.0              | 1.5",
        "{'type':'number','integer':true}                    | 1e3              | 1e-3",
        "{'type':'array','items':'number','minItems':1}      | [1]              | []",
        "{'type':'array','items':'number','maxItems':2}      | [1,2]            | [1,2,3]",
        "{'type':'array','items':{'type':'number','minimum':0}} | [0]           | [-1]",
        "{'type':'wref','shape':'T'}                         | 'T/x'            | 'U/x'",
        "['wref']                                            | ['T/x','U/x']    | ['T/x',1]"
      })
  void a_value_is_held_against_the_type_and_constraints_of_its_field(
      String type, String good, String bad) {
    var repository =
        repositoryWith(
            shape("T"),
            shape("U"),
            add("T/x", "{}"),
            add("U/x", "{}"),
            shape("S", "{'f':" + type + "}"));

    applied(repository, add("S/good", "{'f':" + good + "}"));
    var pointer = refused(repository, add("S/bad", "{'f':" + last(bad) + "}"), SHAPE_MISMATCH);
    pointer.body("errors.pointer", everyItem(matchesPattern("/operations/0/data/f(/.*)?")));
    refused(repository, revise("S/good", "{'f':" + last(bad) + "}"), SHAPE_MISMATCH);
  }

  private static String last(String values) {
    return values.substring(values.indexOf('#') + 1);
  }

  @Test
  void a_mismatch_reports_every_violation_with_its_place_and_both_sides() {
    var repository =
        repositoryWith(
            shape(
                "S",
                "{'name':'string','size':{'type':'number','minimum':0},'tags':['string'],"
                    + "'in':{'deep':{'flag':'boolean'}}}"));

    refused(
            repository,
            ops(
                add("S/fine", "{'name':'x','size':0,'tags':[],'in':{'deep':{'flag':true}}}"),
                add("S/a", "{'size':-1,'tags':['a',2,'b',null],'in':{'deep':{'flag':'no'}}}"),
                add("S/b", "{'name':null,'size':1,'tags':[],'in':3}")),
            SHAPE_MISMATCH,
            "/operations/1/data/name",
            "/operations/1/data/size",
            "/operations/1/data/tags/1",
            "/operations/1/data/tags/3",
            "/operations/1/data/in/deep/flag",
            "/operations/2/data/name",
            "/operations/2/data/in")
        .body("errors[0].detail", containsString("a string"))
        .body("errors[1].detail", containsString("-1"))
        .body("errors[4].detail", containsString("no"));
  }

  @Test
  void an_optional_field_may_be_absent_or_null_and_a_required_one_may_not() {
    var repository =
        repositoryWith(
            shape("S", "{'a?':'number','b':'number?','c':{'type':'number?'},'d':'any'}"));

    applied(repository, add("S/a", "{'d':1}"), add("S/b", "{'a':null,'b':null,'c':null,'d':0}"));
    refused(repository, add("S/c", "{'a':1,'b':1,'c':1}"), SHAPE_MISMATCH, "/operations/0/data/d");
    refused(
        repository,
        add("S/c", "{'a':'x','b':'x','c':'x','d':1}"),
        SHAPE_MISMATCH,
        "/operations/0/data/a",
        "/operations/0/data/b",
        "/operations/0/data/c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'f':'text'}                                     | /fields/f",
        "{'f':{'type':'string','minLenght':1}}            | /fields/f/minLenght",
        "{'f':{'type':'number','minLength':1}}            | /fields/f/minLength",
        "{'f':{'type':'string','minLength':-1}}           | /fields/f/minLength",
        "{'f':{'type':'string','pattern':'('}}            | /fields/f/pattern",
        "{'f':{'type':'string','enum':[1]}}               | /fields/f/enum",
        "{'f':{'type':'wref','shape':'1x'}}               | /fields/f/shape",
        "{'f':{'a':'nothing'}}                            | /fields/f/a",
        "{'9f':'string'}                                  | /fields/9f",
        "{'f':['string','number']}                        | /fields/f",
        "{'f':7}                                          | /fields/f"
      })
  void a_definition_that_breaks_the_rules_is_refused_with_the_place(String fields, String pointer) {
    refused(newRepository(), shape("S", fields), VALIDATION_ERROR, "/operations/0/data" + pointer);
  }

  @Test
  void a_definition_has_fields_and_perhaps_a_description_and_nothing_else() {
    var repository = newRepository();
    var start = "{'operation':'add','name':'S','data':";

    refused(repository, start + "{}}", VALIDATION_ERROR, "/operations/0/data/fields");
    refused(repository, start + "{'fields':{},'x':1}}", VALIDATION_ERROR, "/operations/0/data/x");
    refused(
        repository,
        start + "{'fields':{},'description':1}}",
        VALIDATION_ERROR,
        "/operations/0/data/description");
    applied(repository, start + "{'fields':{},'description':'of nothing'}}");
    thing(repository, "Shape/S").body("data.description", equalTo("of nothing"));
  }

  @Test
  void data_is_held_against_the_current_definition_and_old_data_stays() {
    var repository = repositoryWith(shape("S", "{'n':'number'}"), add("S/a", "{'n':1}"));

    applied(repository, revise("S", "{'fields':{'n':'string'}}"))
        .body("operations[0].version", equalTo(2));

    thing(repository, "S/a").body("data.n", equalTo(1)).body("shapeVersion", equalTo(1));
    refused(repository, add("S/b", "{'n':1}"), SHAPE_MISMATCH, "/operations/0/data/n");
    refused(repository, revise("S/a", "{'n':2}"), SHAPE_MISMATCH, "/operations/0/data/n");
    applied(repository, revise("S/a", "{'n':'2'}"), add("S/b", "{'n':'x'}"));
    thing(repository, "S/a").body("shapeVersion", equalTo(2));
    thing(repository, "S/b").body("shapeVersion", equalTo(2));
  }

  @Test
  void a_retract_is_not_revalidated_and_keeps_the_shape_version() {
    var repository = repositoryWith(shape("S", "{'n':'number'}"), add("S/a", "{'n':1}"));
    applied(repository, revise("S", "{'fields':{'n':'string'}}"));

    applied(repository, retract("S/a"));

    thing(repository, "S/a").body("active", equalTo(false)).body("shapeVersion", equalTo(1));
  }

  @Test
  void a_definition_changes_within_a_commit_for_what_follows() {
    var repository = newRepository();

    applied(
        repository,
        shape("S", "{'n':'number'}"),
        add("S/a", "{'n':1}"),
        revise("S", "{'fields':{'n':'string'}}"),
        add("S/b", "{'n':'x'}"));

    thing(repository, "S/a").body("shapeVersion", equalTo(1));
    thing(repository, "S/b").body("shapeVersion", equalTo(2));
    refused(
        repository,
        ops(revise("S", "{'fields':{'n':'boolean'}}"), add("S/c", "{'n':'x'}")),
        SHAPE_MISMATCH,
        "/operations/1/data/n");
  }

  @Test
  void a_pattern_runs_in_linear_time() {
    var repository = repositoryWith(shape("S", "{'f':{'type':'string','pattern':'^(a+)+$'}}"));

    refused(repository, add("S/a", "{'f':'" + "a".repeat(50_000) + "!'}"), SHAPE_MISMATCH);
  }
}
