package dev.cairn.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.TestDatabase;
import dev.cairn.platform.database.Database;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.TestTransaction;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands of the demo organization are trusted, so it is nobody's who only signed up first. */
@HttpTest
@QuarkusTest
@InProcess("It takes the first steps of a start once more, and takes them back.")
class DemoOwnerTest {
  @Inject FirstStart firstStart;
  @Inject Database database;

  private List<String> owners() {
    return database.list(
        """
        select a.email from organization o
        join member m on m.org_id = o.id and m.role = 'owner'
        join account a on a.id = m.account_id
        where o.name = 'demo'
        """,
        row -> row.getString(1));
  }

  @Test
  @TestTransaction
  void the_demo_is_the_administrators_or_there_is_none() {
    database.update(
        "update organization set name = 'demo-of-before', is_demo = false where name = 'demo'");
    assertEquals(
        1, database.update("update account set is_administrator = false where is_administrator"));
    firstStart.run(new StartupEvent());
    assertEquals(List.of(), owners(), "although there are accounts");

    database.update(
        "update account set is_administrator = true where email = ?", TestDatabase.ADMIN_EMAIL);
    firstStart.run(new StartupEvent());
    assertEquals(List.of(TestDatabase.ADMIN_EMAIL), owners());
  }
}
