package dev.cairn.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.component.Manifest.Argument;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code docs/components.md}, Methods: the arguments by themselves. */
class MethodArgumentsTest {
  private static final List<Argument> DECLARED =
      List.of(
          new Argument("text", "string", null),
          new Argument("number", "number?", null),
          new Argument("flag", "boolean?", null),
          new Argument("wref", "wref?", null),
          new Argument("list", "array?", null),
          new Argument("any", "any?", null));

  private static ObjectNode json(String text) {
    return (ObjectNode) Manifests.json(text);
  }

  private static List<String> refused(String args) {
    var problem = assertThrows(Problem.class, () -> MethodArguments.checked(DECLARED, json(args)));
    return problem.errors().stream().map(Problem.Violation::pointer).sorted().toList();
  }

  @Test
  void each_type_is_taken() {
    var args =
        json(
            "{'text':'','number':-1.5,'flag':true,'wref':'cairn:a/b/Note/c@v2','list':[[]],'any':null}");
    assertEquals(args, MethodArguments.checked(DECLARED, args));
  }

  @Test
  void none_are_an_empty_object() {
    assertEquals(json("{}"), MethodArguments.checked(List.of(), null));
  }

  @Test
  void all_violations_are_listed_with_pointers() {
    assertEquals(
        List.of(
            "/args/a~1b", "/args/flag", "/args/list", "/args/number", "/args/text", "/args/wref"),
        refused("{'a/b':1,'flag':0,'list':{},'number':'1','wref':'$0'}"));
  }

  @Test
  void very_many_violations_are_counted() {
    var args = json("{'text':''}");
    IntStream.range(0, 1_000).forEach(i -> args.put("x" + i, i));
    var problem = assertThrows(Problem.class, () -> MethodArguments.checked(DECLARED, args));
    assertEquals(101, problem.errors().size());
    assertEquals("and 900 more", problem.errors().getLast().detail());
  }

  @Test
  void a_query_is_encoded_and_in_the_order_of_the_manifest() {
    assertEquals(
        "https://a.example/b?text=%C3%A4%20%26%3D%2B%23&number=10&flag=false",
        MethodArguments.query(
            "https://a.example/b",
            DECLARED,
            json("{'flag':false,'number':10.0,'wref':null,'text':'ä &=+#'}")));
    assertEquals(
        "https://a.example/b", MethodArguments.query("https://a.example/b", DECLARED, json("{}")));
  }
}
