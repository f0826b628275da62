package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Statements;
import dev.cairn.platform.Configs;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Actions, Workers: what a replica asks the database while there is nothing to do. */
@HttpTest
@QuarkusTest
@InProcess("It polls by itself.")
class IdlePollTest {
  @Inject Database database;

  private final List<String> done = new ArrayList<>();

  private TransactionalWork due(String condition) {
    return new TransactionalWork() {
      @Override
      public String dueCondition() {
        return condition;
      }

      @Override
      public int runDue() {
        done.add(condition);
        return 1;
      }
    };
  }

  private Workers polling(String... conditions) {
    return new Workers(
        List.of(),
        List.of(conditions).stream().map(this::due).toList(),
        Configs.of(Map.of("cairn.roles", "api,worker")),
        database);
  }

  @Test
  void a_poll_that_finds_nothing_is_one_statement() {
    var workers = polling("false", "null", "(select true where false)");
    assertEquals(1, Statements.of(workers::poll));
    assertEquals(List.of(), done);
  }

  @Test
  void after_a_minute_without_anything_due_every_third_poll_asks() {
    var own = OwnConnections.database();
    own.update("create sequence if not exists polls_that_asked");
    var workers = polling("nextval('polls_that_asked') < 0");
    int polls = Workers.IDLE_AFTER_POLLS + 3 * Workers.IDLE_POLLS;
    for (int i = 0; i < polls; i++) {
      workers.poll();
    }
    assertEquals(
        Workers.IDLE_AFTER_POLLS + 3,
        own.first("select last_value from polls_that_asked", row -> row.getLong(1)).orElseThrow());
    own.update("drop sequence polls_that_asked");
  }

  @Test
  void while_something_is_due_every_poll_asks() {
    var workers = polling("true");
    for (int i = 0; i < Workers.IDLE_AFTER_POLLS + Workers.IDLE_POLLS; i++) {
      workers.poll();
    }
    assertEquals(Workers.IDLE_AFTER_POLLS + Workers.IDLE_POLLS, done.size());
  }

  @Test
  void what_may_be_due_is_looked_at() {
    polling("true", "false", "(select true)").poll();
    assertEquals(List.of("true", "(select true)"), done);
  }

  @Test
  void if_the_statement_fails_everything_is_looked_at() {
    polling("1 / 0 = 1", "false").poll();
    assertEquals(List.of("1 / 0 = 1", "false"), done);
  }
}
