package dev.cairn.cli.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MappingTest {
  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) Json.MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static String text(Mapping mapping, String item) throws InputFault {
    return mapping.map(0, Item.of(1, json(item))).orElseThrow().text().replace('"', '\'');
  }

  private static String fault(Mapping mapping, String item) {
    return assertThrows(InputFault.class, () -> mapping.map(0, Item.of(1, json(item))))
        .getMessage();
  }

  private static Mapping rows(String key) {
    return new RowMapping("City", KeyTemplate.parse(key), null, cells("{'to':'wref'}"), false);
  }

  @Test
  void a_row_becomes_an_add_of_a_thing_named_by_its_key() throws InputFault {
    assertEquals(
        "{'operation':'add','kind':'thing','name':'City/7','data':{'id':7,'n':'x'}}",
        text(rows("id"), "{'id':7,'n':'x'}"));
  }

  @Test
  void a_key_may_be_a_template_of_several_fields_also_nested_ones() throws InputFault {
    var mapping = rows("{country}/{at.lat}-{code}");
    assertTrue(
        text(mapping, "{'country':'de','at':{'lat':1.50},'code':true}")
            .contains("'name':'City/de/1.50-true'"));
  }

  @Test
  void a_row_may_become_an_assertion() throws InputFault {
    var about = KeyTemplate.parse("Country/{c}");
    var mapping = new RowMapping("City", KeyTemplate.parse("id"), about, cells("{}"), false);
    assertTrue(text(mapping, "{'id':1,'c':'de'}").contains("'about':'Country/de'"));
    var earlier =
        new RowMapping("City", KeyTemplate.parse("id"), KeyTemplate.parse("c"), cells("{}"), false);
    assertEquals("`$0` cannot be what an assertion is about.", fault(earlier, "{'id':1,'c':'$0'}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'n':1} | The row has no `id`, which its name is made from.",
        "{'id':null} | The row has no `id`, which its name is made from.",
        "{'id':''} | The row has no `id`, which its name is made from.",
        "{'id':{}} | `id` is an object, and no name can be made from it.",
        "{'id':[1]} | `id` is an array, and no name can be made from it.",
        "{'id':1,'to':'$0'} | `to` must be a reference such as `Sensor/north`; found `$0`.",
        "{'id':'a b'} | The key `a b` cannot be a name: a name cannot contain spaces.",
        "{'id':'a@b'} | The key `a@b` cannot be a name: a name cannot contain `@`."
      })
  void a_row_without_a_name_says_why(String row, String sentence) {
    assertEquals(sentence, fault(rows("id"), row));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{b", "{a}}", "{}", " ", "{a}{"})
  void a_template_with_a_brace_too_many_or_no_field_is_refused(String template) {
    assertThrows(IllegalArgumentException.class, () -> KeyTemplate.parse(template));
  }

  private static CellTypes cells(String fields) {
    return new CellTypes(json("{'fields':" + fields + "}"));
  }

  @Test
  void cells_get_the_types_that_the_shape_declares() throws InputFault {
    var cells =
        cells(
            "{'s':'string','n':{'type':'number'},'b':'boolean?','r':'wref','l':['string'],"
                + "'o':{'x':'number'},'any':'any'}");
    var row =
        "{'s':'007','n':'-1.50','b':'true','r':'S/a','l':'[\\'x\\']','o':'{\\'x\\':1}','any':'3'}";
    assertEquals(
        json("{'s':'007','n':-1.50,'b':true,'r':'S/a','l':['x'],'o':{'x':1},'any':'3'}"),
        cells.apply(json(row.replace("\\'", "\\\""))));
  }

  @Test
  void an_empty_cell_is_absent_except_as_a_required_text() throws InputFault {
    var cells = cells("{'s':'string','t?':'string','u':'string?','n':'number','b?':'boolean'}");
    assertEquals(
        json("{'s':''}"), cells.apply(json("{'s':'','t':'','u':'','n':'','b':'','other':''}")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "number | 1,5 | `f` must be a number; found `1,5`.",
        "number | 007 | `f` must be a number; found `007`.",
        "boolean | yes | `f` must be `true` or `false`; found `yes`.",
        "array | x | `f` must be an array in JSON; found `x`.",
        "wref | $5 | `f` must be a reference such as `Sensor/north`; found `$5`."
      })
  void a_cell_of_another_type_says_what_was_expected(String type, String cell, String sentence) {
    var cells = cells("{'f':'" + type + "'}");
    var fault = assertThrows(InputFault.class, () -> cells.apply(json("{'f':'" + cell + "'}")));
    assertEquals(sentence, fault.getMessage());
  }

  @Test
  void a_line_of_an_export_becomes_the_add_that_the_docs_show() throws InputFault {
    assertEquals(
        "{'operation':'add','kind':'assertion','name':'R/1','data':{'c':1},'about':'S/a'}",
        text(
            new ExportMapping(),
            "{'kind':'assertion','wref':'R/1','name':'1','shapeName':'R','version':3,"
                + "'data':{'c':1},'aboutWref':'S/a','dataHash':'x'}"));
  }

  @Test
  void installs_of_an_export_are_left_out_because_only_the_service_writes_them() throws InputFault {
    var line = json("{'kind':'thing','wref':'ComponentInstall/x','data':{}}");
    assertTrue(new ExportMapping().map(0, Item.of(1, line)).isEmpty());
  }

  @Test
  void an_operation_is_sent_as_it_was_read() throws InputFault {
    var line = "{ \"operation\" : \"add\", \"name\":\"S/a\", \"data\":{\"n\":1.50} }";
    var mapping = new OperationMapping(OperationMapping.Sent.IN_COMMITS);
    var change = mapping.map(0, Item.of(1, json(line), line)).orElseThrow();
    assertEquals(line, change.text());
    assertEquals("S/a", change.wref());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "IN_ONE_COMMIT | {'operation':'add','name':'S/a','about':'$0','data':{'r':'$1'}} | false",
        "BY_STREAM | {'operation':'add','name':'S/a','about':'$0'} | true",
        "BY_STREAM | {'operation':'revise','name':'$0@v1'} | true",
        "BY_STREAM | {'operation':'add','about':{'pair':['$0','S/b']}} | true",
        "BY_STREAM | {'operation':'add','name':'S/a','data':{'price':'$5'}} | false",
        "IN_COMMITS | {'operation':'add','name':'S/a','data':{'price':'$5'}} | true",
        "IN_COMMITS | {'operation':'add','name':'S/a','data':{'price':'$5.00'}} | false"
      })
  void an_earlier_operation_cannot_be_meant_in_several_commits(
      OperationMapping.Sent sent, String operation, boolean isRefused) throws InputFault {
    var mapping = new OperationMapping(sent);
    if (isRefused) {
      assertTrue(fault(mapping, operation).contains("only in one commit: use --atomic"));
    } else {
      assertEquals(operation, text(mapping, operation));
    }
  }
}
