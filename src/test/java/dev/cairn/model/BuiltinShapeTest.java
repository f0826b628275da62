package dev.cairn.model;

import static dev.cairn.model.Samples.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BuiltinShapeTest {
  @Test
  void ids_are_fixed_and_below_those_of_other_entities() {
    var ids = Arrays.stream(BuiltinShape.values()).map(BuiltinShape::id).toList();
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), ids);
    assertEquals(100, BuiltinShape.FIRST_FREE_ID);
  }

  @Test
  void names_are_those_of_the_documentation() {
    var names = Arrays.stream(BuiltinShape.values()).map(BuiltinShape::shapeName).toList();
    assertEquals(
        List.of(
            "Shape",
            "Pair",
            "Triple",
            "Set",
            "List",
            "Content",
            "ComponentInstall",
            "ComponentConfig"),
        names);
  }

  @ParameterizedTest
  @EnumSource
  void a_definition_is_compact_described_and_valid(BuiltinShape shape) {
    var node = json(shape.definition());
    assertNotNull(ShapeDefinition.parse(node).description());
    assertEquals(List.of(), ShapeDefinition.shapeNames(node));
    assertEquals(shape.definition(), StoredJson.of(node, Map.of()));
    assertEquals(Optional.of(shape), BuiltinShape.named(shape.shapeName()));
  }

  @Test
  void the_meta_shape_takes_every_definition() {
    var meta = ShapeDefinition.parse(json(BuiltinShape.SHAPE.definition()));
    for (var shape : BuiltinShape.values()) {
      var validated =
          DataValidator.validate(meta, json(shape.definition()), ValidationBudget.ofCommit());
      assertEquals(List.of(), validated.violations());
      assertEquals(List.of(), validated.warnings());
    }
  }

  @Test
  void the_meta_shape_declares_every_member_of_a_definition() {
    var meta = ShapeDefinition.parse(json(BuiltinShape.SHAPE.definition()));
    assertEquals(ShapeDefinition.MEMBERS, meta.fields().keySet());
    var about = json("{'about':['Sensor'],'fields':{}}");
    var validated = DataValidator.validate(meta, about, ValidationBudget.ofCommit());
    assertEquals(List.of(), validated.warnings());
  }

  @Test
  void names_are_compared_as_they_are() {
    assertEquals(Optional.empty(), BuiltinShape.named("pair"));
    assertEquals(Optional.empty(), BuiltinShape.named(null));
  }

  @ParameterizedTest
  @EnumSource
  void a_collection_has_the_fields_of_its_shape(CollectionType type) {
    assertTrue(type.shape().isCollection());
    var fields = ShapeDefinition.parse(json(type.shape().definition())).fields();
    assertEquals(type.fields(), List.copyOf(fields.keySet()));
    assertFalse(fields.get(type.fields().getFirst()).optional());
    assertEquals(Optional.of(type), CollectionType.ofShape(type.shape().shapeName()));
    assertEquals(Optional.of(type), CollectionType.of(type.wire()));
  }
}
