package dev.cairn.cli.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThingCommandTest extends CommandTest {
  private static final String REPOSITORY = "/api/repos/garden/greenhouse";

  @Override
  protected CliRun cairn() {
    return super.cairn().with("NO_COLOR", "1");
  }

  private static String item(String name, String data) {
    return """
    {"wref":"Sensor/%s","name":"%s","shapeName":"Sensor","kind":"thing","version":2,"data":%s}\
    """
        .formatted(name, name, data);
  }

  private static String items(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> item("s" + i, "{}"))
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }

  @Test
  void filters_become_the_parameters_of_the_query() {
    server.answer(
        "GET "
            + REPOSITORY
            + "/query?shape=Sensor&kind=thing&match=Sensor%2F%2A&resolveCollections=true"
            + "&missing=about%3AReading&includeInactive=true&fields=room,model.name"
                .replace(",", "%2C")
            + "&about=A%2Fb&about=C%2Fd&where=a%3Aeq%3A1&where=b%3Agt%3A2&at=17&limit=6",
        200,
        "{\"items\":[]}");
    var result =
        cairn()
            .run(
                ("thing list -s Sensor --kind thing --match Sensor/* --resolve-collections"
                        + " --missing Reading --all --fields room,model.name --about A/b --about C/d"
                        + " -w a:eq:1 -w b:gt:2 --at 17 -n 5")
                    .split(" "));
    assertEquals("", result.out());
    assertEquals("No entity matches.\n", cairnNote(result));
    assertEquals(0, result.code());
  }

  /** A pipe gets no note about an empty list; a person does. */
  private String cairnNote(CliRun.Result piped) {
    assertEquals("", piped.err());
    server.answer("GET " + REPOSITORY + "/query?limit=101", 200, "{\"items\":[]}");
    return cairn().on(FakeTerminal.of(80)).run("thing", "list").err();
  }

  @Test
  void a_terminal_shows_a_column_for_each_field_and_states_that_differ() {
    server.answer(
        "GET " + REPOSITORY + "/query?includeInactive=true&fields=room%2Cmodel.name&limit=101",
        200,
        """
        {"items":[
          {"wref":"Sensor/a","name":"a","shapeName":"Sensor","kind":"thing","version":1,"active":true,
           "data":{"room":"palm\\u001b[31m house","model":{"name":"T-1"}}},
          {"wref":"Sensor/b","name":"b","shapeName":"Sensor","kind":"thing","version":12,"active":false,
           "data":{"room":7}}]}\
        """);
    var result =
        cairn()
            .on(FakeTerminal.of(80))
            .run("thing", "list", "--all", "--fields", "room,model.name");
    assertEquals(
        """
        WREF      VERSION  STATE      room                  model.name
        Sensor/a        1  active     palm\\u001b[31m house  T-1
        Sensor/b       12  retracted  7
        """,
        result.out());
  }

  @Test
  void a_person_sees_a_hundred_and_is_told_of_more_and_a_program_gets_all() {
    server.answer("GET " + REPOSITORY + "/query?limit=101", 200, items(101));
    server.answer("GET " + REPOSITORY + "/query?limit=500", 200, items(101));
    server.answer("GET " + REPOSITORY + "/query?limit=3", 200, items(3));
    var person = cairn().on(FakeTerminal.of(80)).run("thing", "list");
    assertEquals(1 + 100, person.out().lines().count());
    assertEquals("There are more than 100; --limit 0 shows all.\n", person.err());
    assertEquals(101, cairn().run("thing", "list").out().lines().count());
    assertEquals(101, cairn().run("thing", "list", "-n", "0").out().lines().count());
    var two = cairn().run("thing", "list", "-n", "2", "--jsonl");
    assertEquals(2, two.out().lines().count());
  }

  @Test
  void a_limit_at_its_edges() {
    server.answer("GET " + REPOSITORY + "/query?limit=2", 200, items(1));
    assertEquals("", cairn().run("thing", "list", "-n", "1").err());
    assertEquals(2, cairn().run("thing", "list", "-n", "-1").code());
  }

  @Test
  void further_pages_are_read_and_a_warning_is_shown() {
    server.answer(
        "GET " + REPOSITORY + "/query?shape=Senzor&limit=500",
        200,
        """
        {"items":[%s],"nextCursor":"c","warnings":["There is no shape `Senzor`."]}\
        """
            .formatted(item("a", "{}")));
    server.answer(
        "GET " + REPOSITORY + "/query?shape=Senzor&limit=500&cursor=c",
        200,
        "{\"items\":[" + item("b", "{}") + "]}");
    var result = cairn().run("thing", "list", "--shape", "Senzor");
    assertEquals("Sensor/a\t2\t\t{}\nSensor/b\t2\t\t{}\n", result.out());
    assertEquals("There is no shape `Senzor`.\n", result.err());
  }

  @Test
  void options_that_contradict_each_other_are_refused() {
    for (var wrong :
        new String[] {
          "thing list --live --at 3",
          "thing get Sensor/a --live --at 3",
          "thing get Sensor/a@v2 --live",
          "thing search",
          "thing search word --like Sensor/a",
          "thing history",
          "commit log --live --since 2026-01-01T00:00:00Z"
        }) {
      assertEquals(2, cairn().run(wrong.split(" ")).code(), wrong);
    }
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void one_entity_is_shown_with_its_data() {
    server.answer(
        "GET " + REPOSITORY + "/things/Sensor/palm%20house?at=7",
        200,
        """
        {"wref":"Sensor/palm house","name":"palm house","shapeName":"Sensor","kind":"thing",
         "version":3,"active":false,"data":{"room":"A","size":[1,2]},"shapeVersion":1,
         "canonicalWref":"cairn:garden/greenhouse/Sensor/palm house","dataHash":"ab",
         "createdAt":1795953599000,"updatedAt":1795953600000,"author":"Gardener"}\
        """);
    var result =
        cairn().on(FakeTerminal.of(80)).run("thing", "get", "Sensor/palm house", "--at", "7");
    assertEquals(
        """
        Wref     Sensor/palm house
        Kind     thing
        Version  3
        State    retracted
        Author   Gardener
        Created  2026-11-29 11:59:59 +00:00 (just now)
        Updated  2026-11-29 12:00:00 +00:00 (just now)
        room     A
        size     [1,2]
        """,
        result.out());
  }

  @Test
  void assertions_about_assertions_are_indented() {
    server.answer(
        "GET " + REPOSITORY + "/about/Sensor/a?limit=500&shape=Reading&match=R%2A&depth=2",
        200,
        """
        {"target":%s,"assertions":[
          {"wref":"Reading/1","name":"1","shapeName":"Reading","kind":"assertion","version":1,
           "data":{"celsius":20.5},"aboutWref":"Sensor/a@v1","children":[
             {"wref":"Remark/x","name":"x","shapeName":"Remark","kind":"assertion","version":1,
              "data":{},"aboutWref":"Reading/1@v1"}]}]}\
        """
            .formatted(item("a", "{}")));
    var arguments = "thing about Sensor/a -s Reading --match R* -d 2".split(" ");
    assertEquals(
        "Reading/1\t1\tSensor/a@v1\t{\"celsius\":20.5}\n  Remark/x\t1\tReading/1@v1\t{}\n",
        cairn().run(arguments).out());
    var json = cairn().run((String.join(" ", arguments) + " --jsonl").split(" ")).out();
    assertEquals(1, json.lines().count());
    assertTrue(json.contains("\"children\":[{\"wref\":\"Remark/x\""), json);
  }

  @Test
  void a_retract_is_called_so_in_the_history() {
    server.answer(
        "GET " + REPOSITORY + "/history?wref=Sensor%2Fa&limit=500",
        200,
        """
        {"items":[
          {"wref":"Sensor/a","version":2,"operation":"revise","active":false,"data":{},
           "commitId":"0123456789abcdef","author":"G","createdAt":1795953600000},
          {"wref":"Sensor/a","version":1,"operation":"add","active":true,"data":{},
           "commitId":"1123456789abcdef","author":"G","createdAt":1795953600000}]}\
        """);
    assertEquals(
        """
        2\tretract\t2026-11-29T12:00:00Z\tG\t0123456789abcdef\t{}
        1\tadd\t2026-11-29T12:00:00Z\tG\t1123456789abcdef\t{}
        """,
        cairn().run("thing", "history", "Sensor/a").out());
  }

  @Test
  void a_history_of_a_shape_or_about_an_entity_names_the_entities() {
    server.answer(
        "GET " + REPOSITORY + "/history?shape=Reading&about=Sensor%2Fa&limit=3",
        200,
        """
        {"items":[{"wref":"Reading/1","version":1,"operation":"add","active":true,"data":{},
           "commitId":"1123456789abcdef","author":"G","createdAt":1795953600000}]}\
        """);
    var result = cairn().run("thing history --shape Reading --about Sensor/a -n 2".split(" "));
    assertTrue(result.out().startsWith("Reading/1\t1\tadd\t"), result::out);
  }

  @Test
  void a_search_shows_the_text_that_was_found() {
    server.answer(
        "GET "
            + REPOSITORY
            + "/search?q=palm%20house&mode=hybrid&shape=Sensor&match=S%2A&limit=500",
        200,
        """
        {"items":[{"wref":"Sensor/a","name":"a","shapeName":"Sensor","kind":"thing","version":1,
          "data":{"room":"palm house"},"score":0.5,
          "snippets":[{"pointer":"/room","text":"palm house","ranges":[[0,4]]}]},
          {"wref":"Sensor/b","name":"b","shapeName":"Sensor","kind":"thing","version":1,
          "data":{},"score":0.4,"snippets":[]}],"indexedSeq":1}\
        """);
    server.answer(
        "GET " + REPOSITORY + "/search?like=Sensor%2Fa&limit=500",
        200,
        "{\"items\":[],\"indexedSeq\":1}");
    var found =
        cairn().run("thing search palm house --mode hybrid -s Sensor --match S*".split(" "));
    assertEquals("Sensor/a\t1\tpalm house\nSensor/b\t1\t{}\n", found.out());
    assertEquals(0, cairn().run("thing", "search", "--like", "Sensor/a").code());
  }

  @Test
  void references_go_in_both_directions() {
    server.answer(
        "GET " + REPOSITORY + "/refs/Sensor/a?direction=inbound&limit=500",
        200,
        """
        {"items":[{"wref":"Reading/1","kind":"assertion","relation":"about","pinnedVersion":2}]}\
        """);
    server.answer(
        "GET " + REPOSITORY + "/refs/Sensor/a?direction=outbound&limit=500",
        200,
        """
        {"items":[{"wref":"cairn:a/b/S/x","relation":"data","pointer":"/neighbour","pinnedVersion":1}]}\
        """);
    assertEquals(
        "Reading/1\tassertion\tabout\t\t2\n", cairn().run("thing", "refs", "Sensor/a").out());
    assertEquals(
        "cairn:a/b/S/x\t\tdata\t/neighbour\t1\n",
        cairn().run("thing", "refs", "Sensor/a", "--outbound").out());
  }

  @Test
  void differences_say_how_each_entity_changed() {
    server.answer(
        "GET " + REPOSITORY + "/diff?from=1&to=3&limit=500",
        200,
        """
        {"items":[{"wref":"Sensor/a","change":"added","toVersion":1},
          {"wref":"Sensor/b","change":"renamed","fromVersion":1,"toVersion":1,"fromWref":"Sensor/c"}]}\
        """);
    assertEquals(
        "added\tSensor/a\t\t1\t\nrenamed\tSensor/b\t1\t1\tSensor/c\n",
        cairn().run("diff", "1", "3").out());
  }

  @Test
  void shapes_are_listed_with_their_fields_and_shown_with_their_types() {
    server.answer(
        "GET " + REPOSITORY + "/shapes?limit=500&match=S%2A&includeInactive=true",
        200,
        """
        {"items":[{"wref":"Shape/Sensor","name":"Sensor","shapeName":"Shape","kind":"shape",
          "version":1,"data":{"description":"A sensor.","fields":{"room":"string","x?":"any"}}}]}\
        """);
    server.answer(
        "GET " + REPOSITORY + "/shapes/Sensor",
        200,
        """
        {"wref":"Shape/Sensor","name":"Sensor","shapeName":"Shape","kind":"shape","version":1,
         "active":true,"data":{"about":["Sensor"],"fields":{"room":"string","x?":{"type":"any"}}},
         "canonicalWref":"cairn:garden/greenhouse/Shape/Sensor","shapeVersion":0,"dataHash":"ab",
         "createdAt":1795953600000,"updatedAt":1795953600000,"author":"G"}\
        """);
    assertEquals(
        "Sensor\t1\troom, x?\tA sensor.\n",
        cairn().run("shape", "list", "--match", "S*", "--all").out());
    assertEquals(
        """
        Shape\tSensor
        Version\t1
        About\t["Sensor"]
        Author\tG
        Updated\t2026-11-29T12:00:00Z
          room\tstring
          x?\t{"type":"any"}
        """,
        cairn().run("shape", "get", "Sensor").out());
  }
}
