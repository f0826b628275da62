package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import dev.cairn.access.Narrowing;
import dev.cairn.content.read.ShapeSamples;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: what a repository says of itself. */
@HttpTest
@QuarkusTest
class DescribeTest {
  private static String shape(String name, String definition) {
    return "{'operation':'add','kind':'shape','name':'%s','data':%s}".formatted(name, definition);
  }

  private static String shapes(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> shape("S%03d".formatted(i), "{'fields':{'f':'string'}}"))
        .collect(Collectors.joining(","));
  }

  @Test
  void fields_say_all_that_the_definition_says() {
    var repository = Api.newRepository();
    var definition =
        """
        {'description':'A thing.','fields':{
          's?':{'type':'string','description':'Text.','minLength':1,'maxLength':9,'pattern':'^a'},
          'e':{'type':'string','enum':['x','y']},
          'n':{'type':'number','minimum':-0.5,'maximum':3,'integer':true},
          'w':{'type':'wref?','shape':'T'},
          'l':{'type':'array','items':'boolean','minItems':1,'maxItems':2},
          'o':{'p':'any'}}}
        """;
    commit(repository, shape("T", definition));
    var field = Map.of("name", "p", "type", "any", "optional", false);
    get(repository + "/describe")
        .body("shapes[0].description", is("A thing."))
        .body(
            "shapes[0].fields",
            is(
                List.of(
                    Map.of(
                        "name",
                        "s",
                        "type",
                        "string",
                        "optional",
                        true,
                        "description",
                        "Text.",
                        "minLength",
                        1,
                        "maxLength",
                        9,
                        "pattern",
                        "^a"),
                    Map.of(
                        "name",
                        "e",
                        "type",
                        "string",
                        "optional",
                        false,
                        "enum",
                        List.of("x", "y")),
                    Map.of(
                        "name",
                        "n",
                        "type",
                        "number",
                        "optional",
                        false,
                        "minimum",
                        -0.5f,
                        "maximum",
                        3,
                        "integer",
                        true),
                    Map.of("name", "w", "type", "wref", "optional", true, "shape", "T"),
                    Map.of(
                        "name",
                        "l",
                        "type",
                        "array",
                        "optional",
                        false,
                        "minItems",
                        1,
                        "maxItems",
                        2,
                        "items",
                        Map.of("type", "boolean")),
                    Map.of(
                        "name",
                        "o",
                        "type",
                        "object",
                        "optional",
                        false,
                        "fields",
                        List.of(field)))));
  }

  /** Tries every example out; answers for which shapes there are any. */
  private static List<String> applied(String repository) {
    List<Map<String, Object>> examples =
        get(repository + "/describe?limit=500")
            .extract()
            .path("shapes.exampleOperations.flatten()");
    for (var example : examples) {
      admin()
          .body(Map.of("dryRun", true, "operations", List.of(example)))
          .post(repository + "/commits")
          .then()
          .statusCode(200)
          .body("operations.status", contains("applied"));
    }
    return examples.stream().map(e -> ((String) e.get("name")).split("/", -1)[0]).toList();
  }

  @Test
  void every_example_can_be_committed_as_it_is() {
    var repository = Api.newRepository();
    commit(
        repository,
        Stream.of(
                shape("Plain", "{'fields':{}}"),
                shape("Code", "{'fields':{'c':{'type':'string','pattern':'^[A-Z]{3}$'}}}"),
                shape("Odd", "{'fields':{'c':{'type':'string','pattern':'^qu{3}x$'}}}"),
                shape("Stored", "{'fields':{'c':{'type':'string','pattern':'^qu{3}x$'}}}"),
                shape("Range", "{'fields':{'n':{'type':'number','minimum':2.5,'integer':true}}}"),
                shape("Target", "{'fields':{'x?':'any'}}"),
                shape("Link", "{'fields':{'to':{'type':'wref','shape':'Target'},'any':'wref'}}"),
                shape("Lost", "{'fields':{'to':{'type':'wref','shape':'Plain'}}}"),
                shape("Many", "{'fields':{'l':{'type':'array','items':'wref','minItems':2}}}"),
                shape("Remark", "{'fields':{'text':'string'}}"),
                "{'operation':'add','name':'Target/t','data':{}}",
                "{'operation':'add','name':'Stored/s','data':{'c':'quuux'}}",
                "{'operation':'add','name':'Remark/r','about':'Target/t','data':{'text':'x'}}")
            .collect(Collectors.joining(",")));
    assertEquals(
        List.of("Code", "Link", "Many", "Plain", "Range", "Remark", "Stored", "Target"),
        applied(repository));
    get(repository + "/describe")
        .body("shapes.find { it.name == 'Remark' }.exampleOperations[0].about", is("Target/t@v1"))
        .body("shapes.find { it.name == 'Odd' }.exampleOperations", empty());
  }

  @Test
  void every_example_of_the_demo_can_be_committed() {
    assertNotEquals(List.of(), applied("/api/repos/demo/world"));
  }

  @Test
  void an_example_stays_good_after_it_was_committed() {
    var repository = repository();
    Map<String, Object> example =
        get(repository + "/describe").extract().path("shapes[0].exampleOperations[0]");
    admin()
        .body(Map.of("operations", List.of(example)))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
    assertEquals(List.of("Note", "Sensor"), applied(repository));
  }

  @Test
  void shapes_are_paged_by_name_in_the_same_few_statements() {
    var repository = Api.newRepository();
    commit(repository, shapes(0, 120));
    var names = Sample.walk(repository + "/describe", "shapes.name", 50);
    assertEquals(IntStream.range(0, 120).mapToObj("S%03d"::formatted).toList(), names);
    get(repository + "/describe?limit=100").statusCode(200).body("shapes.size()", is(100));
    int one = Statements.of(() -> get(repository + "/describe?limit=1").statusCode(200));
    assertEquals(one, Statements.of(() -> get(repository + "/describe?limit=100").statusCode(200)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"limit=0", "limit=501", "cursor=x", "shape=S"})
  void wrong_parameters_are_refused(String parameter) {
    refused(repository() + "/describe?" + parameter, "?" + parameter.split("=", -1)[0]);
  }

  @Test
  void a_narrowed_reader_sees_its_own_shapes_counts_and_samples() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("n", "Sensor/a"));
    get(repository + "/describe").body("counts.total", is(5));
    var token = People.narrowedPat(repository, "repo:read", "Sensor/b");
    as(token)
        .get(repository + "/describe")
        .then()
        .statusCode(200)
        .body("shapes.name", contains("Sensor"))
        .body("shapes[0].count", is(1))
        .body("shapes[0].sampleWrefs", contains("Sensor/b"))
        .body("counts.total", is(2))
        .body("counts.byKind.assertion", is(0));
    as(People.narrowedPat(repository, "repo:read"))
        .get(repository + "/describe")
        .then()
        .body("shapes", empty())
        .body("counts.total", is(0))
        .body("builtInShapes.count", everyItem(is(0)));
    get(repository + "/describe").body("counts.total", is(5));
  }

  /**
   * What is lent to examples is read once for a shape, and of a shape that is referred to never.
   */
  @Test
  void the_data_of_one_entity_of_each_shape_of_the_page_is_read() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c", "Sensor/d");
    commit(repository, note("m", "Sensor/a") + "," + note("n", "Sensor/b"));
    var statement =
        ShapeSamples.statement(
            Api.repoId(repository),
            Narrowing.UNRESTRICTED,
            List.of("Sensor", "Note"),
            Set.of("Sensor"));
    assertEquals(
        List.of("Note/m -", "Sensor/a {}", "Sensor/b -", "Sensor/c -"),
        OwnConnections.database()
            .list(
                statement.sql(),
                row ->
                    row.getString(1)
                        + "/"
                        + row.getString(2)
                        + " "
                        + Objects.requireNonNullElse(row.getString(3), "-"),
                statement.parameters()));
  }

  /**
   * The fields of {@code A} refer to as many shapes as are looked up, that of {@code B} to another.
   */
  @Test
  void entities_to_refer_to_are_looked_up_for_a_number_of_shapes() {
    int most = DescribeReads.MAX_REFERRED_SHAPES;
    var repository = Api.newRepository();
    var fields =
        IntStream.range(0, most)
            .mapToObj(i -> "'f%d':{'type':'wref','shape':'S%d'}".formatted(i, i))
            .collect(Collectors.joining(","));
    var operations =
        Stream.concat(
            IntStream.rangeClosed(0, most).mapToObj(i -> shape("S" + i, "{'fields':{}}")),
            IntStream.rangeClosed(0, most).mapToObj(i -> thing("S" + i + "/t")));
    commit(repository, operations.collect(Collectors.joining(",")));
    commit(
        repository,
        shape("A", "{'fields':{" + fields + "}}")
            + ","
            + shape("B", "{'fields':{'f':{'type':'wref','shape':'S%d'}}}".formatted(most)));
    get(repository + "/describe?limit=2")
        .body("shapes.name", contains("A", "B"))
        .body("shapes[0].exampleOperations[0].data.f999", is("S999/t"))
        .body("shapes[1].exampleOperations", empty());
  }

  @Test
  void the_description_shows_and_changes_the_tag() {
    var repository = repository();
    var before = get(repository + "/describe").body("description", nullValue()).extract();
    admin().body(Map.of("description", "Sensors \"here\".")).patch(repository);
    get(repository + "/describe")
        .body("description", is("Sensors \"here\"."))
        .header("ETag", not(is(before.header("ETag"))));
  }

  @Test
  void an_empty_repository_has_nothing_but_how_to_begin() {
    get(Api.newRepository() + "/describe")
        .statusCode(200)
        .body("repoSeq", is(0))
        .body("shapes", empty())
        .body("counts.total", is(0))
        .body("builtInShapes.name", contains("Pair", "Triple", "Set", "List", "Content"));
  }
}
