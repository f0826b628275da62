package dev.cairn.work;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import io.quarkus.arc.All;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Runs each {@link Chore} once an hour over all replicas: the first replica that finds it due
 * claims it, on schedule or on request ({@code /internal/tick}). The next due time is in the table
 * {@code chore}, so it does not depend on how long a replica lives. {@code docs/operation.md},
 * Chores, has the rules.
 */
@ApplicationScoped
public class Chores implements CountedQueue {
  private static final Logger LOG = Logger.getLogger(Chores.class);
  private static final Duration INTERVAL = Duration.ofHours(1);

  /** What is not done by then is left to the next poll. */
  private static final Duration MAX_DURATION = Duration.ofMinutes(1);

  private final List<Chore> chores;
  private final Database database;

  Chores(@All List<Chore> chores, Database database) {
    this.chores = chores;
    this.database = database;
  }

  /** Runs the chores that are due. */
  @Scheduled(every = "1m", delayed = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void poll() {
    run(Instant.now().plus(MAX_DURATION));
  }

  /**
   * Runs the chores that are due, a batch of each in turn, so that a long one does not hold up the
   * others. What is not done by {@code end} stays due; the last batch may end a little later.
   */
  public void run(Instant end) {
    var notDue =
        database.list("select name from chore where due_at > now()", row -> row.getString(1));
    var unfinished = new ArrayDeque<Chore>();
    for (var chore : chores) {
      if (!notDue.contains(chore.name()) && Instant.now().isBefore(end) && claim(chore)) {
        unfinished.add(chore);
      }
    }
    while (!unfinished.isEmpty() && Instant.now().isBefore(end)) {
      var chore = unfinished.remove();
      if (runBatch(chore)) {
        unfinished.add(chore);
      }
    }
    for (var chore : unfinished) {
      database.update("update chore set due_at = now() where name = ?", chore.name());
    }
  }

  @Override
  public StatementBatch counts(Consumer<Count> counted) {
    return new StatementBatch()
        .add(
            """
            select count(*), coalesce(extract(epoch from now() - min(due_at)), 0)::double precision
            from chore where due_at <= now()
            """,
            row -> {
              counted.accept(new Count("chores", "due", row.getLong(1), row.getDouble(2)));
              return true;
            });
  }

  /** Of several replicas that find it due, one claims it. */
  private boolean claim(Chore chore) {
    return database.update(
            """
            insert into chore as c (name, due_at) values (?, now() + make_interval(secs => ?))
            on conflict (name) do update set due_at = excluded.due_at where c.due_at <= now()
            """,
            chore.name(),
            INTERVAL.toSeconds())
        == 1;
  }

  /** Whether there may be more to do; a failure is logged. */
  private static boolean runBatch(Chore chore) {
    try {
      return chore.runBatch();
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s could not be done; it is tried again in an hour", chore.name());
      return false;
    }
  }
}
