package dev.cairn.mcp;

import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.docs.GeneratedPart;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/**
 * MCP, The bytes of a task: an agent that uses summaries, {@code missing}, {@code fields}, {@code
 * patch} and differences writes and reads at most half of what it would without them.
 */
@HttpTest
@QuarkusTest
@EnabledIfEnvironmentVariable(
    named = NodeProgram.NODE,
    matches = ".+",
    disabledReason = NodeProgram.WITHOUT)
class AgentTaskTest {
  @TempDir Path scratch;

  @Test
  void a_task_takes_at_most_half_of_the_bytes_that_it_took_and_ends_in_the_same_state()
      throws Exception {
    var person = People.stranger();
    // Its length is in the bytes, because canonical wrefs contain it.
    var org = UUID.randomUUID().toString();
    Prepared.answer(201, person.token(), "POST", "/api/orgs", Map.of("name", org));

    var base = "http://localhost:" + RestAssured.port;
    var pat = People.pat(person.token(), null);
    var table = NodeProgram.run(scratch, "task.mjs", base, pat, org).orFail();

    new GeneratedPart(Path.of("docs/mcp.md"), AgentTaskTest.class).check(table);
  }
}
