package dev.cairn.platform;

import io.quarkus.arc.All;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Has each {@link Chore} done once an hour, over all replicas: by whoever finds it due, on schedule
 * or on request. When it is due next stands in the database, so that it makes no difference how
 * long a replica lives. The rules are in {@code docs/operation.md}, Chores.
 */
@ApplicationScoped
public class Chores implements Queue {
  private static final Logger LOG = Logger.getLogger(Chores.class);
  private static final Duration EVERY = Duration.ofHours(1);

  /** What is left then is for the next look. */
  private static final Duration MOST = Duration.ofMinutes(1);

  private final List<Chore> chores;
  private final Database database;

  Chores(@All List<Chore> chores, Database database) {
    this.chores = chores;
    this.database = database;
  }

  /** Does what is due. */
  @Scheduled(every = "1m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void poll() {
    run(Instant.now().plus(MOST));
  }

  /**
   * Does what is due, one after another. What is not done by {@code end} stays due; the last step
   * may go a little beyond it.
   */
  public void run(Instant end) {
    var resting =
        database.list("select name from chore where due_at > now()", row -> row.getString(1));
    for (var chore : chores) {
      if (!resting.contains(chore.name()) && Instant.now().isBefore(end) && claim(chore)) {
        carryOut(chore, end);
      }
    }
  }

  @Override
  public List<Length> lengths() {
    return database
        .first(
            """
            select count(*),
                   coalesce(extract(epoch from now() - min(due_at)), 0)::double precision
            from chore where due_at <= now()
            """,
            row -> List.of(new Length("chores", "due", row.getLong(1), row.getDouble(2))))
        .orElseThrow();
  }

  /** Of many who find it due, one gets it. */
  private boolean claim(Chore chore) {
    return database.update(
            """
            insert into chore as c (name, due_at) values (?, now() + make_interval(secs => ?))
            on conflict (name) do update set due_at = excluded.due_at where c.due_at <= now()
            """,
            chore.name(),
            EVERY.toSeconds())
        == 1;
  }

  private void carryOut(Chore chore, Instant end) {
    try {
      boolean more = true;
      while (more && Instant.now().isBefore(end)) {
        more = chore.some();
      }
      if (more) {
        database.update("update chore set due_at = now() where name = ?", chore.name());
      }
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s could not be done; it is tried again in an hour", chore.name());
    }
  }
}
