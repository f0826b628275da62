package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.encoded;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.wrefs;
import static java.util.stream.Collectors.joining;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: predicates on fields. */
@HttpTest
@QuarkusTest
class WhereTest extends WhereCases {
  private final DataSource dataSource = OwnConnections.dataSource();

  @ParameterizedTest
  @CsvSource({
    "n:eq:10, c",
    "n:eq:1e1, c",
    "n:ne:10, abd",
    "n:gt:9, cd",
    "n:gte:9, bcd",
    "n:lt:9, a",
    "n:lte:9, ab",
    "'n:in:9,10.0,-3', bc",
    "n:eq:-0, ''",
    "n:lt:100.50, abc",
  })
  void numbers_compare_as_numbers(String where, String expected) {
    add("{'n':-1.5}", "{'n':9}", "{'n':10}", "{'n':100.5}", "{'n':null}", "{}");
    assertEquals(expected, found(where));
  }

  @ParameterizedTest
  @CsvSource({
    "text:eq:b, c",
    "text:eq:, a",
    "text:ne:b, abd",
    "text:gt:B, cd",
    "text:gte:b, cd",
    "text:lt:b, ab",
    "'text:in:B,b,x', bc",
    "text:prefix:b, c",
    "text:prefix:, abcd",
    "text:prefix:%, ''",
  })
  void strings_compare_by_code_point(String where, String expected) {
    add("{'text':''}", "{'text':'B'}", "{'text':'b'}", "{'text':'é'}", "{'text':null}", "{}");
    assertEquals(expected, found(where));
  }

  /** Much data is not parsed, since its text tells; none of these may be told wrong. */
  @Test
  void a_field_is_absent_or_present_whatever_else_the_data_has() {
    add(
        "{'n':1}",
        "{'text':'n','n':0}",
        "{'n':null}",
        "{'text':'{','n':null}",
        "{'box':{'n':1}}",
        "{'box':{'n':null},'n':2}",
        "{'other':{'n':1},'n':null}",
        "{'x\\\"n':1}",
        "{'text':',\\\"n\\\":1'}",
        "{'text':'{\\\"n\\\":1','n':3}",
        "{'list':[{'n':1}]}",
        "{'nn':1,'text':'n'}",
        "{'text':'{{n}}','box':{'n':1}}",
        "{'n':null,'text':'n'}",
        "{'n':0,'box':{'n':null}}",
        "{'tags':['x,','n','{'],'n':4}",
        "{'tags':[',','n']}");
    assertEquals("abfjop", found("n:exists:true"));
    assertEquals("cdeghiklmnq", found("n:exists:false"));
    assertEquals("dim", found("n:exists:false", "text:exists:true", "text:ne:n"));
    assertEquals("bln", found("text:eq:n"));
    assertEquals("f", found("n:eq:2"));
    assertEquals("abfjo", found("n:in:0,1,2,3"));
  }

  @Test
  void many_values_of_in_are_found_like_few() {
    add("{'text':'a','n':1}", "{'text':'b','n':2}", "{'text':'c','n':3}");
    var values = "u,v,w,x,y,z,1,2,3";
    assertEquals("a", found("text:in:" + values + ",a"));
    assertEquals("ac", found("text:in:" + values + ",a,c"));
    assertEquals("", found("text:in:" + values));
    assertEquals("bc", found("n:in:2,3,4,5,6,7,8,9,10,11,12"));
    assertEquals("bc", found("n:in:2.0,30e-1"));
  }

  /** Most data is not parsed, since the text of the first such member tells. */
  @Test
  void values_of_in_are_those_of_the_field_whatever_else_the_data_has() {
    add(
        "{'parts':[{'name':'x'}],'tags':['x'],'text':'a','n':1}",
        "{'box':{'text':'a','n':1},'text':'b','n':2}",
        "{'text':'c','n':3,'box':{'text':'a','n':1}}",
        "{'box':{'text':'a','n':1}}",
        "{'n':1.5,'text':'a\\\"'}",
        "{'text':'\\\"text\\\":\\\"a','n':-1e300}",
        "{'text':null,'n':null,'x\\\"text':'a','x\\\"n':1}",
        "{'text':'','n':0}",
        "{'n':1e16}",
        "{'n':-1e20}",
        "{'n':9007199254740992.0}",
        "{'n':1e21}");
    assertEquals("i", found("n:in:1e16,5"));
    assertEquals("jkl", found("n:in:-1e20,9007199254740992.0,1e21"));
    assertEquals("a", found("text:in:a,z"));
    assertEquals("a", found("n:in:1,9"));
    assertEquals("ab", found("text:in:z,b,a"));
    assertEquals("bc", found("n:in:3,2"));
    assertEquals("e", found("text:in:z,a\""));
    assertEquals("ef", found("n:in:1.5,-1e300"));
    assertEquals("f", found("text:in:z,\"text\":\"a"));
    assertEquals("ah", found("text:in:,a"));
    assertEquals("bh", found("n:in:0,2"));
    assertEquals("a", found("text:in:a,z", "n:in:1,2"));
  }

  @Test
  void what_was_a_reference_in_an_older_version_is_one_of_several_strings() {
    add("{}");
    commit(repository, "{'operation':'add','name':'P/b','data':{'near':'P/a'}}");
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':{'near?':'string','n?':'number'}}}");
    commit(repository, "{'operation':'add','name':'P/c','data':{'near':'P/a'}}");
    assertEquals("c", found("near:in:P/a,P/z"));
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':{'near?':'wref','n?':'number'}}}");
    assertEquals("b", found("near:in:P/a,P/z"));
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':{'near?':'string','n?':'number'}}}");
    assertEquals("b", found("near:in:P/z,P/a@v1"));
  }

  /** Data that cannot be parsed shows what is. */
  @Test
  void data_is_parsed_only_if_its_text_may_match() throws SQLException {
    add("{'text':'a','n':10}");
    var unparsable = "{\"n\":10,\"text\":\"a\"";
    try (var connection = dataSource.getConnection();
        var update =
            connection.prepareStatement(
                "update entity set data = ? where repo_id = ? and shape_name = 'P'")) {
      update.setString(1, unparsable);
      update.setObject(2, Api.repoId(repository));
      assertEquals(1, update.executeUpdate());
    }
    for (var where :
        List.of(
            "text:eq:b",
            "text:in:b,c,d,e,f,g,h,i,j,k,l,m",
            "text:prefix:b",
            "n:eq:1",
            "n:in:1,2,3,4,5,6,7,8,9,11,12,13",
            "near:eq:P/b",
            "near:in:P/b,P/c",
            "near:in:P/b,P/c,P/d,P/e,P/f,P/g,P/h,P/i,P/j,P/k,P/l@v1",
            "near:exists:true",
            "nears:in:P/b,P/c",
            "tags:in:b,c",
            "tags:in:a,b,c,d,e",
            "any:eq:b",
            "any:in:b,c,5,true",
            "list:in:b,5",
            "flag:eq:true",
            "n:exists:false",
            "text:exists:false")) {
      get(url("count", where)).statusCode(200).body("count", is(0));
    }
    get(url("count", "near:exists:false")).statusCode(200).body("count", is(1));
    for (var where : List.of("text:eq:a", "text:in:b,a", "n:in:2,10", "n:exists:true", "n:gt:2")) {
      get(url("count", where)).statusCode(500);
    }
  }

  @Test
  void code_points_beyond_the_basic_plane_come_last() {
    add("{'text':'\uffee'}", "{'text':'\ud83d\ude00'}");
    assertEquals("b", found("text:gt:\uffee"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"",
        "\\",
        "a\"b\\c",
        "tab\there",
        "line\nend",
        "\u0007",
        "\u0001",
        "a:b:c",
        "é",
        "\ud83d\ude00",
        "</script>",
        "$v0",
        "' or 1=1",
        "\u2028",
        "\\u0041"
      })
  void any_text_equals_itself(String text) {
    var other = text + "x";
    var body = List.of(text, other).stream().map(dev.cairn.model.StoredJson::escape).toList();
    Api.admin()
        .body(
            "{\"operations\":[{\"operation\":\"add\",\"name\":\"P/a\",\"data\":{\"text\":\"%s\",\"tags\":[\"y\",\"%s\"]}},"
                    .formatted(body.get(0), body.get(0))
                + "{\"operation\":\"add\",\"name\":\"P/b\",\"data\":{\"text\":\"%s\"}}]}"
                    .formatted(body.get(1)))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    assertEquals("a", found("text:eq:" + text));
    assertEquals("a", found("text:in:" + text + ",none,of,them,all"));
    assertEquals("ab", found("text:in:%s,none,%s".formatted(text, other)));
    assertEquals("a", found("tags:eq:" + text));
    assertEquals("b", found("text:ne:" + text));
    assertEquals("ab", found("text:prefix:" + text));
  }

  @ParameterizedTest
  @CsvSource({
    "flag:eq:true, a",
    "flag:eq:false, b",
    "flag:ne:true, b",
    "flag:exists:true, ab",
    "flag:exists:false, cd",
  })
  void booleans_are_equal_or_not(String where, String expected) {
    add("{'flag':true}", "{'flag':false}", "{'flag':null}", "{}");
    assertEquals(expected, found(where));
  }

  @Test
  void a_reference_is_found_whatever_version_it_is_pinned_to() {
    add("{}", "{}");
    commit(repository, "{'operation':'add','name':'P/c','data':{'near':'P/a'}}");
    commit(repository, "{'operation':'revise','name':'P/a','data':{'n':1}}");
    commit(
        repository,
        "{'operation':'add','name':'P/d','data':{'near':'P/a','nears':['P/b','P/a@v1']}},"
            + "{'operation':'add','name':'P/e','data':{'near':'P/b'}}");
    assertEquals("cd", found("near:eq:P/a"));
    assertEquals("c", found("near:eq:P/a@v1"));
    assertEquals("d", found("near:eq:P/a@v2"));
    assertEquals("e", found("near:ne:P/a"));
    assertEquals("de", found("near:ne:P/a@v1"));
    assertEquals("cde", found("near:in:P/a@v1,P/b,P/a@v2"));
    assertEquals("ce", found("near:in:P/a@v1,P/b,P/b@v2"));
    assertEquals("cde", found("near:in:P/z,P/a,P/b,P/y"));
    assertEquals("", found("near:in:P/z,P/y,P/aa,P/x"));
    assertEquals("cde", found("near:prefix:P/"));
    assertEquals("ab", found("near:exists:false"));
    assertEquals("d", found("nears:eq:P/b"));
    assertEquals("d", found("nears:eq:P/a@v1"));
    assertEquals("", found("nears:eq:P/a@v2"));
    var canonical = "cairn:" + repository.substring("/api/repos/".length()) + "/P/a";
    assertEquals("cd", found("near:eq:" + canonical));
    commit(repository, Sample.rename("P/a", "z"));
    assertEquals("cd", found("near:eq:P/z"));
    assertEquals("", found("near:eq:P/a"));
  }

  @Test
  void a_list_is_what_one_of_its_elements_is() {
    add("{'tags':['x','y']}", "{'tags':['y']}", "{'tags':[]}", "{'tags':null}", "{}");
    assertEquals("a", found("tags:eq:x"));
    assertEquals("ab", found("tags:in:x,y"));
    assertEquals("ab", found("tags:in:v,w,x,y,z"));
    assertEquals("bc", found("tags:ne:x"));
    assertEquals("ab", found("tags:gt:x"));
    assertEquals("a", found("tags:prefix:x"));
    assertEquals("abc", found("tags:exists:true"));
    assertEquals("de", found("tags:exists:false"));
  }

  /** Most lists are not parsed, since their text tells; none of these may be told wrong. */
  @Test
  void elements_of_a_list_are_found_whatever_they_and_other_data_look_like() {
    add(
        "{'tags':['],','x'],'text':'t'}",
        "{'tags':['a\\\"],','x']}",
        "{'tags':['a','],','x']}",
        "{'tags':['a\\\\'],'text':'x'}",
        "{'tags':['a'],'text':'x','numbers':[7]}",
        "{'box':{'tags':['a']},'tags':['x'],'numbers':[1,22,-3.5]}",
        "{'tags':['100%','under_score'],'numbers':[100]}",
        "{'tags':['[x]'],'numbers':[]}",
        "{'tags':['xx','yx'],'n':22}",
        "{'box':{'numbers':[1]},'numbers':[22]}",
        "{'tags':['long name'],'numbers':[1e21,0]}");
    assertEquals("abcf", found("tags:in:x,none,of,them,all"));
    assertEquals("abcf", found("tags:eq:x"));
    assertEquals("ce", found("tags:in:a,none,of,them,all"));
    assertEquals("d", found("tags:in:a\\,none,of,them,all"));
    assertEquals("g", found("tags:in:100%,none,of,them,all"));
    assertEquals("g", found("tags:in:under_score,none,of,them,all"));
    assertEquals("", found("tags:in:underXscore,10%"));
    assertEquals("h", found("tags:in:[x],none,of,them,all"));
    assertEquals("k", found("tags:in:long name,none,of,them,all"));
    assertEquals("f", found("numbers:eq:1"));
    assertEquals("fj", found("numbers:in:22,5"));
    assertEquals("fg", found("numbers:in:-35e-1,100.0,10,2"));
    assertEquals("ek", found("numbers:in:0,7"));
    assertEquals("k", found("numbers:in:1e21,3"));
    assertEquals("", found("numbers:eq:2"));
    var many = IntStream.range(0, 100).mapToObj(i -> "v" + i).collect(Collectors.joining(","));
    assertEquals("abcf", found("tags:in:x," + many));
  }

  @Test
  void a_list_that_was_one_of_references_or_lists_is_read_as_one_of_strings() {
    add("{}");
    commit(
        repository,
        "{'operation':'add','name':'P/b','data':{'nears':['P/a'],'any':[['x','y',['deep']],'z']}}");
    for (var value : List.of("y", "z")) {
      assertEquals("b", found("any:in:none,true," + value));
    }
    assertEquals("", found("any:in:none,true,deep"), "no list in a list in a list");
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':{'nears?':['string'],'any?':['string']}}}");
    assertEquals("b", found("nears:in:P/a@v1,none,of,them,all"));
    assertEquals("", found("nears:in:P/a,none,of,them,all"));
    assertEquals("b", found("any:in:z,none,of,them,all"));
    assertEquals("b", found("any:eq:y"));
  }

  @Test
  void elements_of_a_list_may_have_many_types_by_an_older_version_of_the_shape() {
    var list = "['],',{'a':'],'},{'],':1},'x',22,'P/a@v1',']']";
    add("{}", "{'any':" + list + "}", "{'text':'x','n':22}");
    for (var type : List.of("string", "number", "wref")) {
      commit(
          repository,
          "{'operation':'revise','name':'Shape/P','data':{'fields':{'any?':['" + type + "']}}}");
      var value = Map.of("string", "x", "number", "22", "wref", "P/a").get(type);
      var none = Map.of("string", "none", "number", "7", "wref", "P/none").get(type);
      assertEquals("b", found("any:eq:" + value), type);
      for (int others : List.of(1, 4, 5, 30)) {
        assertEquals("b", found("any:in:" + value + ("," + none).repeat(others)), type);
      }
    }
  }

  /** Of a long text only the end is looked for, since that takes its length times that of data. */
  @Test
  void long_values_are_found_too() {
    var text = "\ud83d\ude00".repeat(70);
    var other = "x" + text.substring(2);
    add("{'text':'" + text + "','tags':['" + text + "']}", "{'text':'" + other + "'}");
    assertEquals("a", found("text:eq:" + text));
    assertEquals("a", found("text:in:no," + text));
    assertEquals("ab", found("text:in:" + text + "," + other));
    assertEquals("a", found("text:prefix:" + text));
    assertEquals("a", found("tags:eq:" + text));
    assertEquals("a", found("tags:in:no," + text));
    assertEquals("", found("tags:eq:" + other));
  }

  @Test
  void lists_in_lists_and_objects_in_lists_are_entered() {
    add(
        "{'grid':[[1,2],[3]],'parts':[{'name':'x','size':1},{'name':'y','size':5}]}",
        "{'grid':[[4]],'parts':[{'size':9},{'name':null}]}",
        "{'grid':[[]],'parts':[]}");
    assertEquals("a", found("grid:eq:3"));
    assertEquals("ab", found("grid:gt:2"));
    assertEquals("bc", found("grid:ne:1"));
    assertEquals("abc", found("grid:exists:true"));
    assertEquals("a", found("parts.name:eq:y"));
    assertEquals("a", found("parts.name:exists:true"));
    assertEquals("bc", found("parts.name:exists:false"));
    assertEquals("ab", found("parts.size:gt:4"));
    assertEquals("abc", found("parts:exists:true"));
  }

  @Test
  void a_path_goes_through_nested_objects() {
    add("{'box':{'width':2,'lid':{'color':'red'}}}", "{'box':{'width':3}}", "{'box':{}}", "{}");
    assertEquals("a", found("box.lid.color:eq:red"));
    assertEquals("ab", found("box.width:gte:2"));
    assertEquals("abc", found("box:exists:true"));
    assertEquals("a", found("box.lid:exists:true"));
    assertEquals("bcd", found("box.lid.color:exists:false"));
  }

  @Test
  void a_field_of_any_type_equals_what_reads_the_same() {
    add("{'any':'5'}", "{'any':5.0}", "{'any':true}", "{'any':'true'}", "{'any':{'x':1}}", "{}");
    assertEquals("ab", found("any:eq:5"));
    assertEquals("cd", found("any:eq:true"));
    assertEquals("cde", found("any:ne:5"));
    assertEquals("abcd", found("any:in:5,true"));
    assertEquals("d", found("any:prefix:t"));
    assertEquals("abcde", found("any:exists:true"));
  }

  @Test
  void a_list_in_a_field_of_any_type_is_entered() {
    add("{'any':['x',5]}", "{'any':['y']}", "{'any':{'x':'x'}}", "{'text':'x','n':5}");
    assertEquals("a", found("any:eq:x"));
    assertEquals("a", found("any:eq:5"));
    assertEquals("ab", found("any:in:x,y,z"));
  }

  /** The wref of a reference has characters that its text escapes, or that end it. */
  @Test
  void one_of_several_references_may_have_any_name() {
    commit(
        repository,
        "{'operation':'add','name':'P/a\\\"b','data':{}},"
            + "{'operation':'add','name':'P/c','data':{'near':'P/a\\\"b'}},"
            + "{'operation':'add','name':'P/d','data':{'near':'P/c'}},"
            + "{'operation':'add','name':'P/e','data':{'box':{},'text':'\\\"near\\\":','near':'P/c@v1'}}");
    assertEquals("c", found("near:in:P/a\"b,P/z"));
    assertEquals("cde", found("near:in:P/a\"b,P/c"));
    assertEquals("de", found("near:in:P/z,P/c"));
  }

  @Test
  void a_list_without_a_type_holds_anything() {
    add("{'list':['5','x']}", "{'list':[5]}", "{'list':[{'x':5}]}", "{}");
    assertEquals("ab", found("list:eq:5"));
    assertEquals("c", found("list:ne:5"));
  }

  @Test
  void all_predicates_must_hold_up_to_eight() {
    add("{'n':1,'text':'x'}", "{'n':2,'text':'x'}", "{'n':2,'text':'y'}");
    assertEquals("b", found("n:gt:1", "text:eq:x"));
    var eight = new String[8];
    Arrays.fill(eight, "n:gt:1");
    assertEquals("bc", found(eight));
    Sample.refused(url("query", eight) + "&where=n:gt:1", "?where");
    Sample.refused(url("count", eight) + "&where=n:gt:1", "?where");
  }

  @Test
  void predicates_combine_with_the_other_filters_and_with_a_moment() {
    add("{'n':1}", "{'n':2}", "{'n':3}");
    commit(repository, "{'operation':'revise','name':'P/a','data':{'n':9}}");
    assertEquals(List.of("P/b", "P/c"), wrefs(url("query", "n:gt:1") + "&at=2"));
    assertEquals(List.of("P/a", "P/b", "P/c"), wrefs(url("query", "n:gt:1") + "&at=3"));
    get(url("count", "n:eq:9") + "&at=2").body("count", is(0));
    assertEquals(List.of("P/c"), wrefs(url("query", "n:gt:1") + "&match=P/c"));
  }

  @Test
  void data_that_an_older_version_of_the_shape_left_with_another_type_matches_nothing() {
    add("{'n':5,'text':'5','near':'P/a'}".replace(",'near':'P/a'", ""), "{'n':7}");
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':"
            + "{'n?':'string','text?':'number','flag?':{'in?':'string'},'near?':'wref'}}}");
    assertEquals("", found("n:eq:5"));
    assertEquals("", found("n:ne:5"));
    assertEquals("", found("n:gt:1"));
    assertEquals("", found("n:prefix:5"));
    assertEquals("", found("text:gt:1"));
    assertEquals("ab", found("n:exists:true"));
    assertEquals("", found("flag.in:eq:x"));
  }

  @Test
  void
      a_list_that_an_older_version_of_the_shape_left_for_one_value_matches_nothing_nor_the_reverse() {
    add("{'tags':['x'],'parts':[{'name':'x'}],'text':'x','box':{'lid':{'color':'x'}}}");
    commit(
        repository,
        "{'operation':'revise','name':'Shape/P','data':{'fields':"
            + "{'tags?':'string','parts?':{'name?':'string'},'text?':['string'],"
            + "'box?':[{'lid?':{'color?':'string'}}]}}}");
    for (var field : List.of("tags", "parts.name", "text", "box.lid.color")) {
      for (var predicate : List.of("eq:x", "in:x,y", "ne:y", "gte:x", "prefix:x")) {
        assertEquals("", found(field + ":" + predicate), field + ":" + predicate);
      }
      assertEquals("a", found(field + ":exists:true"), field);
    }
    commit(
        repository,
        "{'operation':'add','name':'P/b','data':{'tags':'x','parts':{'name':'x'},'text':['x'],'box':[{'lid':{'color':'x'}}]}}");
    for (var field : List.of("tags", "parts.name", "text", "box.lid.color")) {
      for (var predicate : List.of("eq:x", "in:x,y", "ne:y", "gte:x", "prefix:x")) {
        assertEquals("b", found(field + ":" + predicate), field + ":" + predicate);
      }
    }
  }

  @Test
  void shapes_and_other_built_in_shapes_have_fields_too() {
    get(repository + "/query?shape=Shape&where=description:exists:false")
        .body("items.wref", is(List.of("Shape/P")));
    get(repository + "/query?shape=Pair&where=first:eq:P/a").body("items.size()", is(0));
  }

  @Test
  void what_takes_too_long_is_unavailable() throws SQLException {
    add("{'n':1}");
    try (var other = dataSource.getConnection()) {
      other.setAutoCommit(false);
      try (var statement = other.createStatement()) {
        // Nobody reads it until this ends: the read is as slow as can be.
        statement.execute("lock table entity in access exclusive mode");
        get(url("query", "n:eq:1")).statusCode(503).body("code", is("UNAVAILABLE"));
      } finally {
        other.rollback();
        other.setAutoCommit(true);
      }
    }
    assertEquals("a", found("n:eq:1"));
  }

  @Test
  void all_conditions_have_at_most_two_hundred_values() {
    var values = "&where=n:gt:0&where=n:in:" + "1,".repeat(198);
    get(url("count") + values + "1").statusCode(200);
    get(url("count") + values + "1,1")
        .statusCode(400)
        .body("errors[0].pointer", is("?where"))
        .body(
            "detail", is("All `where` parameters may have at most 200 values together, not 201."));
  }

  @Test
  void a_comparison_of_many_with_many_can_be_stopped() {
    // More different values than an index distinguishes.
    var different = IntStream.range(1_000, 1_033).mapToObj(n -> n + ",").collect(joining());
    var data = "{'grid':[[" + different + "1,".repeat(500_000) + "1]]}";
    for (int i = 0; i < 30; i++) {
      commit(repository, "{'operation':'add','name':'P/%d','data':%s}".formatted(i, data));
    }
    long start = System.nanoTime();
    get(url("count") + "&where=grid:in:" + "2,".repeat(199) + "2")
        .statusCode(503)
        .body("code", is("UNAVAILABLE"));
    // To the end it would take some forty.
    assertTrue(System.nanoTime() - start < 15_000_000_000L, "more than 15 s");
  }

  /** What a shape is about is stored as a reference without a slash. */
  @Test
  void the_shapes_that_a_shape_is_about_are_found_by_name() {
    commit(
        repository,
        "{'operation':'add','kind':'shape','name':'R','data':{'about':['P','P/x*'],'fields':{}}}");
    for (var where : List.of("about:eq:P", "about:in:P,T", "about:prefix:P", "about:eq:P/x*")) {
      var url = repository + "/query?shape=Shape&where=" + encoded(where);
      get(url).body("items.wref", is(List.of("Shape/R")));
      get(url + "&at=2").body("items.wref", is(List.of("Shape/R")));
    }
  }
}
