package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import org.junit.jupiter.api.Test;

/** Actions, Workers: the scheduled parts of the work. */
class WorkersTest {
  @Test
  void a_renewal_of_leases_does_not_begin_while_the_one_before_it_runs() throws Exception {
    var schedule = Workers.class.getDeclaredMethod("renew").getAnnotation(Scheduled.class);
    assertEquals(ConcurrentExecution.SKIP, schedule.concurrentExecution());
  }
}
