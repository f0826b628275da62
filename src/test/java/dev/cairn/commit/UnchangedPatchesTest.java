package dev.cairn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.commit.CommitRequest.Numbering;
import dev.cairn.content.write.StoredEntity;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.model.ValidationBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/streams.md, All or nothing: patches that change nothing. */
class UnchangedPatchesTest {
  private static final int LENGTH = 1_000;
  private static final SubmittedOperation PATCH = operation("'patch':{}");
  private static final SubmittedOperation DATA = operation("'data':{}");

  private static SubmittedOperation operation(String payload) {
    var json = "{'operation':'revise','name':'S/a',%s}".formatted(payload).replace('\'', '"');
    return SubmittedOperation.parse(
        0, IJson.read(json.getBytes(StandardCharsets.UTF_8)), ValidationBudget.ofCommit());
  }

  private static EntityState entity() {
    var shape = new EntityState(null, 100, EntityKind.SHAPE, null, "Shape", "S", 1);
    return EntityState.stored(
        new StoredEntity(
            101,
            EntityKind.THING,
            100,
            "a",
            1,
            true,
            1,
            new byte[32],
            false,
            LENGTH,
            null,
            null,
            null),
        shape);
  }

  private static CommitPlan plan(OperationResult result) {
    var plan = new CommitPlan(Numbering.OF_COMMIT, 1);
    plan.results.add(result);
    return plan;
  }

  private static CommitPlan noop() {
    return plan(OperationResult.noop(0, entity(), List.of()));
  }

  private static void add(UnchangedPatches patches, int times) {
    for (int i = 0; i < times; i++) {
      patches.add(List.of(PATCH), noop());
    }
  }

  @Test
  void payloads_that_patches_leave_as_they_are_are_limited() {
    var patches = new UnchangedPatches(3 * LENGTH, 0);
    add(patches, 3);
    var problem = assertThrows(Problem.class, () -> patches.add(List.of(PATCH), noop()));
    assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, problem.code());
  }

  @Test
  void each_operation_adds_to_the_limit() {
    var patches = new UnchangedPatches(LENGTH, LENGTH / 2);
    add(patches, 2);
    assertThrows(Problem.class, () -> patches.add(List.of(PATCH), noop()));
  }

  @Test
  void what_is_changed_or_sent_whole_does_not_count() {
    var patches = new UnchangedPatches(LENGTH, 0);
    add(patches, 1);
    patches.add(List.of(PATCH), plan(OperationResult.applied(0, "revise", entity(), List.of())));
    patches.add(List.of(DATA), noop());
    assertThrows(Problem.class, () -> patches.add(List.of(PATCH), noop()));
  }
}
