package dev.cairn.commit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.content.write.EntityName;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ValidationBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The names that a commit looks up, and the room in memory that they take. */
class NameCollectorTest {
  private static final References.Home HOME = new References.Home(UUID.randomUUID(), "o", "r");

  private final LongAdder room = new LongAdder();

  private NameCollector collector(String... operations) {
    var submitted = new ArrayList<SubmittedOperation>();
    for (var operation : operations) {
      var json = IJson.read(operation.replace('\'', '"').getBytes(UTF_8));
      submitted.add(SubmittedOperation.parse(submitted.size(), json, ValidationBudget.ofCommit()));
    }
    return new NameCollector(
        submitted,
        CommitRequest.Numbering.OF_COMMIT,
        HOME,
        room::add,
        LoadingBudget.ofCommit().renames());
  }

  private static String rename(String name, String newName) {
    return "{'operation':'rename','name':'%s','newName':'%s'}".formatted(name, newName);
  }

  @Test
  void a_name_stands_for_what_shapes_were_called_before_the_commit() {
    var collector =
        collector(
            rename("Shape/A", "T"), rename("Shape/B", "T"), "{'operation':'retract','name':'T/x'}");
    var names = collector.outsidePayloads();
    assertTrue(
        names.containsAll(
            List.of(new EntityName("T", "x"), new EntityName("A", "x"), new EntityName("B", "x"))),
        names::toString);
  }

  @Test
  void few_names_take_only_room_that_the_request_does_not_have() {
    collector(rename("S/a", "b"), "{'operation':'retract','name':'T/x'}").outsidePayloads();
    assertEquals(0, room.sum());

    collector(rename("Shape/A", "T"), "{'operation':'retract','name':'T/x'}").outsidePayloads();
    long one = room.sumThenReset();
    assertTrue(one >= 300, one + " bytes for a name");

    var many = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      many.add(rename("Shape/A" + i, "T"));
      many.add("{'operation':'retract','name':'T/x" + i + "'}");
    }
    collector(many.toArray(String[]::new)).outsidePayloads();
    assertTrue(room.sum() >= 100 * 100 * one, room + " bytes");
  }

  @Test
  void beyond_4000_names_each_takes_room() {
    var shape = "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'to':['wref']}}}";
    for (var where : List.of("S/n", "cairn:p/q/S/n")) {
      for (int count : new int[] {3_000, 5_000}) {
        var references =
            IntStream.range(0, count)
                .mapToObj(i -> "'" + where + i + "'")
                .collect(Collectors.joining(","));
        var collector =
            collector(shape, "{'operation':'add','name':'S/a','data':{'to':[" + references + "]}}");
        room.reset();
        int names =
            collector.outsidePayloads().size()
                + collector.inPayloads(new KnownEntities()).size()
                + collector.foreign().size();
        assertTrue(names >= count, names + " names");
        long beyond = Math.max(0, names - 4_000);
        assertTrue(500 * beyond <= room.sum() && room.sum() <= 520 * beyond, room + " bytes");
      }
    }
  }

  /** Names that all have the same hash, as anybody can make them. */
  @Test
  void names_with_equal_hashes_are_as_fast_as_others() {
    var names =
        IntStream.range(0, 1 << 16)
            .mapToObj(
                i ->
                    "'S/"
                        + IntStream.range(0, 16)
                            .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                            .collect(Collectors.joining())
                        + "'")
            .collect(Collectors.joining(","));
    var collector =
        collector(
            "{'operation':'add','kind':'shape','name':'S','data':{'fields':{'to':['wref']}}}",
            "{'operation':'add','name':'S/a','data':{'to':[" + names + "]}}");
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          collector.outsidePayloads();
          assertEquals(1 << 16, collector.inPayloads(new KnownEntities()).size());
        });
  }

  @Test
  void a_name_that_many_shapes_get_is_looked_up_once_however_often_it_is_repeated() {
    var operations = new ArrayList<>(shapesCalled("X", 5_000));
    operations.add(
        "{'operation':'revise','name':'S/a','patch':{'l':[%s]}}"
            .formatted("'X/n',".repeat(300_000) + "'X/n'"));
    var collector = collector(operations.toArray(String[]::new));
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          collector.outsidePayloads();
          var names = collector.inPayloads(new KnownEntities());
          assertTrue(names.contains(new EntityName("s4999", "n")));
          assertEquals(5_001, names.size());
        });
  }

  @Test
  void operations_on_a_name_that_many_shapes_get_are_limited() {
    assertEquals("", refused(500, 1_000));
    assertTrue(refused(3_000, 3_000).contains("more than 2,000,000 look-ups"));
  }

  /** What refuses a number of operations on one thing, after as many renames of shapes. */
  private String refused(int renames, int revises) {
    var operations = new ArrayList<>(shapesCalled("X", renames));
    operations.addAll(
        Collections.nCopies(revises, "{'operation':'revise','name':'X/a','data':{}}"));
    var collector = collector(operations.toArray(String[]::new));
    try {
      collector.outsidePayloads();
      collector.inPayloads(new KnownEntities());
      return "";
    } catch (Problem e) {
      assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, e.code());
      return e.getMessage();
    }
  }

  private static List<String> shapesCalled(String newName, int count) {
    return IntStream.range(0, count).mapToObj(i -> rename("Shape/s" + i, newName)).toList();
  }

  @Test
  void strings_of_a_patch_that_only_look_like_references_are_limited() {
    var wrong = "'S/a//b',";
    var patch = "{'operation':'revise','name':'S/a','patch':{'l':[%s'https://example.org/']}}";
    collector(patch.formatted(wrong.repeat(400_000))).inPayloads(new KnownEntities());
    var many = collector(patch.formatted(wrong.repeat(500_001)));
    assertThrows(Problem.class, () -> many.inPayloads(new KnownEntities()));
  }

  @Test
  void names_in_stored_payloads_take_room_once_each_and_other_strings_none() {
    var shape = new EntityState(null, 100, EntityKind.SHAPE, null, "Shape", "S", 1);
    var entity = new EntityState(null, 101, EntityKind.THING, shape, null, "a", 1);
    entity.storedData = "{\"l\":[\"x\",\"x\",\"no name / here\",\"b/c\",\"b/c\",\"d/e\"]}";
    var names = collector().inPatched(List.of(entity));
    assertTrue(names.contains(new EntityName("b", "c")), names::toString);
    assertEquals(500L * names.size() + "bcde".length(), room.sum());
    assertEquals(4, names.size());
  }
}
