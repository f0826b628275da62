package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what a replica asks the database while there is nothing to do. */
@HttpTest
@QuarkusTest
@InProcess("It polls by itself.")
class IdlePollTest {
  @Inject Workers workers;

  @Test
  void a_poll_that_finds_nothing_is_one_statement() {
    assertEquals(1, Statements.of(workers::poll));
  }
}
